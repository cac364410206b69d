"""Why the process of a server ended although a response was expected: the facts in the transcript, and what follows from them."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import dropwhile
from pathlib import PurePath
from typing import TYPE_CHECKING

from inspector.errors import Hint, ProcessExited, for_cli
from inspector.frozen import FrozenStruct
from inspector.session import package_runner
from inspector.session.diagnostics import (
    cause_lines,
    exit_causes,
    known_mistakes,
    server_output,
    tool_causes,
)
from inspector.session.diagnostics.known_mistakes import find_mistake
from inspector.session.diagnostics.server_output import MAX_FRAMES
from inspector.spec import methods
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from inspector.errors import InspectorError
    from inspector.session.diagnostics.known_mistakes import Explanation
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.transcript.transcript import Transcript

FEW_LINES = 3
"""Lines on stderr of which the last one names the cause of a failure, even if it does not look like an error."""

_CRASH = "Run the command in a terminal: the program crashed, perhaps in a native module."
_OF_VERSION = {"missing-attribute", "syntax-error"}
"""Mistakes that another version of the runtime may cause, of which a package manager may have warned."""

_SIGNALS = {
    -9: "Check the memory limit: the system ends programs with SIGKILL when memory runs out.",
    -11: _CRASH,
    -6: _CRASH,
}
"""Exit code after a signal → the hint, for a program that wrote nothing."""


_ENDED = (
    "Check that the program starts a server over stdio, which reads standard input until it is closed: a script that never calls its run "
    "function ends like this, and so does a container without -i, or a program that moves itself into the background."
)
_ENDED_EARLY = (
    "Let the server read messages until standard input is closed: it ended without an error after its response to the opening of the session, "
    "as a program does that handles one message only, or that calls exit()."
)
_OR_OTHER = "The error on stderr came before the latest response, so that something else may have ended the server."
_CUT = "Check what ends the server while it writes a message, such as a call of exit() before its output is flushed."
_SCRIPT = "Check the path of the script and the working directory, and build the server if a build makes this file."

_COMPILE = "Start the compiled JavaScript, or the file with tsx, where this version of Node.js does not run TypeScript; otherwise correct the program."
_TYPESCRIPT = re.compile(r"\.[cm]?tsx?\Z")

_MODULE = re.compile(r"cannot find module '([^'\n]+)'(?! imported from)", re.IGNORECASE)


class Exit(FrozenStruct, frozen=True):
    """A process that ended although a response was expected."""

    code: int | None
    """Its exit code; negative after a signal; None for an unknown one."""
    method: str = ""
    """The method of the request that it left without a response; empty for an unknown one."""
    has_written: bool = False
    """True when it wrote a message to stdout before."""
    is_first: bool = False
    """True when it had only responded to the opening of the session."""
    cause: str = ""
    """The line on stderr that seems to name the cause; empty for no such line."""
    stderr: str = ""
    """The latest line on stderr that is not blank; empty for no output."""
    stdout: str = ""
    """The line on stdout that is no message and seems to name the cause, or else the first one; empty for none, or with output on stderr."""
    is_cut: bool = False
    """True when that line is the beginning of a message."""
    mistake: Explanation | None = None
    """A well-known reason, recognized in that output."""
    is_earlier: bool = False
    """True when all of its output on stderr came before its latest response."""
    container: str = ""
    """The container command that keeps standard input closed, such as `docker run`; empty for no such command."""


def explain_exit(failure: InspectorError, transcript: Transcript, target: ConnectionTarget) -> None:
    """Complete the error of a process that ended, with what it printed and what to do about it; other errors stay as they are."""
    if not isinstance(failure, ProcessExited) or failure.hint:
        return
    container = package_runner.lacks_stdin(target.command, target.args)
    facts = exit_of(transcript, failure.frame or 0, container)
    failure.reason = exit_text(failure.reason, facts)
    failure.hint = _hint_of_command(facts, target) or exit_hint(facts)
    failure.is_of_settings = failure.hint in {_SCRIPT, _add_input(facts.container)}


def _hint_of_command(facts: Exit, target: ConnectionTarget) -> str:
    """Return what to do about a file that the command names; empty where the cause is another one."""
    name = facts.mistake.name if facts.mistake is not None else ""
    if name == "syntax-error" and PurePath(target.command).stem == "node":
        is_typed = any(_TYPESCRIPT.search(arg) for arg in target.args)
        return _COMPILE if is_typed else ""
    is_script = name != "foreign-path" and _is_script(facts.cause, target.args)
    return _SCRIPT if is_script else ""


def _is_script(cause: str, args: Sequence[str]) -> bool:
    """Whether the module that is missing is the file that the command names."""
    found = _MODULE.search(cause)
    module = PurePath(found.group(1)) if found is not None else PurePath()
    if not module.is_absolute():
        return False  # the name of a package, or a path from the file that imports it
    paths = [PurePath(arg) for arg in args if not arg.startswith("-")]
    return any(_ends_with(module, path) for path in paths)


def _ends_with(module: PurePath, path: PurePath) -> bool:
    """Whether a path from the working directory may be that of `module`: compared by names, after the folders above."""
    if path.is_absolute():
        return module == path
    names = [*dropwhile(lambda name: name == "..", path.parts)]
    return bool(names) and PurePath(*module.parts[-len(names) :]) == PurePath(*names)


def exit_of(transcript: Transcript, request: int = 0, container: str = "") -> Exit:
    """Gather what the latest process left behind when the frame `request` had no response."""
    columns = transcript.columns
    responded = server_output.last_response(transcript, request or transcript.count + 1)
    lines = server_output.stderr_lines(transcript, responded)
    earlier = [] if lines or not responded else _earlier_lines(transcript)
    if cause_lines.cause_line(earlier):  # stdout and stderr have no common order
        lines = earlier
    strays = [] if lines else server_output.stray_lines(transcript)
    code = _exit_code(transcript)
    cause, printed, mistake = _cause_of(tuple(lines), tuple(strays), has_failed=bool(code))
    if not earlier and server_output.took_notification(transcript, request):
        mistake = find_mistake(exit_causes.NOTIFICATION_ID, cause) or mistake
    has_written = any(
        columns.channel[number - 1] == Channel.STDOUT
        and columns.kind[number - 1] != MessageKind.MALFORMED
        for number in range(1, min(transcript.count, MAX_FRAMES) + 1)
    )
    return Exit(
        code,
        method=_method_of(transcript, request) if request else "",
        has_written=has_written,
        is_first=bool(responded) and methods.opens_session(_method_of(transcript, responded)),
        cause=cause or printed,
        stderr=next((line.strip() for line in reversed(lines) if line.strip()), ""),
        stdout=printed,
        is_cut=[printed] == strays[-1:] and server_output.ends_in_message(transcript),
        mistake=mistake,
        is_earlier=bool(earlier),
        container=container,
    )


def _named_on_stdout(lines: Sequence[str]) -> str:
    """Return the line on stdout that seems to name the cause, otherwise the first one; empty for no line."""
    first = lines[0].strip() if lines else ""
    return (
        cause_lines.cause_line(lines)
        or cause_lines.line_of_mistake(exit_causes.EXIT_CAUSES, _of_errors(lines))
        or first
    )


def _of_errors(lines: Iterable[str]) -> list[str]:
    """Return the lines that may name the cause: those that are no log messages below the level of errors."""
    return [line for line in lines if not cause_lines.is_below_error(line)]


def _with_warnings(lines: Iterable[str]) -> list[str]:
    """Return those lines, and the warnings of uv, which says in one of them that it has found another version."""
    return [
        line
        for line in lines
        if line.startswith("warning:") or not cause_lines.is_below_error(line)
    ]


def _earlier_lines(transcript: Transcript) -> list[str]:
    """Return all lines on stderr of the latest process."""
    start = server_output.latest_start(transcript)
    return server_output.stderr_lines(transcript, start)


def _method_of(transcript: Transcript, number: int) -> str:
    return transcript.columns.methods.texts[transcript.columns.method[number - 1]]


@lru_cache(maxsize=1)
def _cause_of(
    lines: tuple[str, ...], strays: tuple[str, ...], *, has_failed: bool
) -> tuple[str, str, Explanation | None]:
    """Return the lines on stderr and on stdout that name the cause, empty for none, and the mistake that the output shows.

    The latest is kept: each request that the process left without a response asks for it.
    """
    printed = _named_on_stdout(strays)
    cause, searched = cause_lines.cause_line(lines), server_output.ends(lines)
    whole = "\n".join(searched)
    text = cause or whole or printed
    errors = _of_errors([cause] if cause else searched or [printed])
    known = find_mistake(exit_causes.EXIT_CAUSES, "\n".join(errors))
    if cause and known is None:
        more = cause_lines.details(lines)
        known = find_mistake(exit_causes.EXIT_CAUSES, "\n".join(more))
        line = cause_lines.line_of_mistake(exit_causes.EXIT_CAUSES, more).strip("\u2551\u2502 ")
        cause = cause if line in cause else f"{cause}; {line}"
    if not cause and known is not None:
        cause = cause_lines.line_of_mistake(exit_causes.EXIT_CAUSES, errors)
    if not cause and has_failed and len(lines) <= FEW_LINES:
        cause = next((line.strip() for line in reversed(lines) if line.strip()), "")
        # A warning of a setting that is missing, and nothing after it: that is why it failed.
        known = known or find_mistake(exit_causes.SETTINGS, cause)
    outdated = find_mistake((tool_causes.WRONG_BUILD,), "\n".join(_with_warnings(searched)))
    if known is not None and known.name in _OF_VERSION and "'NoneType'" not in cause:
        known = outdated or known
    mistake = (
        known
        or find_mistake(known_mistakes.PROMPTS if printed else known_mistakes.OBSTACLES, text)
        or outdated
    )
    return cause, printed, mistake


def _exit_code(transcript: Transcript) -> int | None:
    for number in server_output.notes(transcript, max(0, transcript.count - MAX_FRAMES)):
        note = server_output.note_of(transcript, number)
        if note.get("event") == "exited":
            code = note.get("code")
            return code if isinstance(code, int) else None
    return None


def exit_text(text: str, facts: Exit) -> str:
    """Return `text` (how the process ended), before which response, with the line on stderr that names the cause."""
    if facts.method and facts.has_written:
        text = f"{text}, before it responded to {facts.method}"
    if facts.is_cut:
        return f"{text}, in the middle of a message: {facts.cause}"
    if facts.cause and facts.is_earlier and not facts.stdout:
        return f"{text}; on stderr before its latest response: {facts.cause}"
    return f"{text}: {facts.cause}" if facts.cause else text


def exit_hint(facts: Exit) -> str:
    """Return what to try after the process ended without a response."""
    hint = _exit_hint(facts)
    if not facts.is_earlier or not facts.stderr:
        return hint
    return Hint(f"{hint} {_OR_OTHER}", cli=f"{for_cli(hint)} {_OR_OTHER}")


def _exit_hint(facts: Exit) -> str:
    if facts.mistake is not None:
        return facts.mistake.hint
    if facts.container and not facts.has_written:
        return _add_input(facts.container)
    if facts.code == 0 and not (facts.has_written or facts.cause or facts.stdout):
        return _ENDED
    if facts.cause and facts.stderr:
        return "Correct the error that is named on stderr."
    if facts.stderr:
        return "Read its output on stderr."
    if facts.stdout:
        return _hint_of_output(facts)
    return _SIGNALS.get(facts.code or 0) or _silent_exit_hint(facts)


def _add_input(container: str) -> str:
    return f"Add -i to the arguments of {container}: without it standard input is closed."


def _hint_of_output(facts: Exit) -> str:
    if facts.is_cut:
        return _CUT
    if cause_lines.is_error_line(facts.stdout):
        return "Correct the error that is named on stdout."
    return "Check the command: what it printed on stdout is not JSON-RPC."


def _silent_exit_hint(facts: Exit) -> str:
    if facts.is_first and facts.code == 0:
        return _ENDED_EARLY
    if facts.has_written and facts.method:
        code = "without an error" if facts.code == 0 else "without output on stderr"
        code = f"{code} after its latest response" if facts.is_earlier else code
        return f"Check what ends the server on {facts.method}, such as a call of exit(): it ended {code}."
    latest = " after its latest response" if facts.is_earlier else ""
    return f"Run the command in a terminal: it wrote nothing to stderr{latest}."
