"""Why the process of a server ended although a response was expected: the facts in the transcript, and what follows from them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from inspector.errors import ProcessExited
from inspector.frozen import FrozenStruct
from inspector.session import package_runner
from inspector.session.diagnostics import exit_causes, known_mistakes, server_output
from inspector.session.diagnostics.known_mistakes import find_mistake
from inspector.session.diagnostics.server_output import MAX_FRAMES
from inspector.wire.frame import Channel
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.session.diagnostics.known_mistakes import Explanation
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.transcript.transcript import Transcript

FEW_LINES = 3
"""Lines on stderr of which the last one names the cause of a failure, even if it does not look like an error."""

_CRASH = "Run the command in a terminal: the program crashed, perhaps in a native module."
_SIGNALS = {
    -9: "Check the memory limit: the system ends programs with SIGKILL when memory runs out.",
    -11: _CRASH,
    -6: _CRASH,
}
"""Exit code after a signal → the hint, for a program that wrote nothing."""


class Exit(FrozenStruct, frozen=True):
    """A process that ended although a response was expected."""

    code: int | None
    """Its exit code; negative after a signal; None for an unknown one."""
    method: str = ""
    """The method of the request that it left without a response; empty for an unknown one."""
    has_written: bool = False
    """True when it wrote a message to stdout before."""
    cause: str = ""
    """The line on stderr that seems to name the cause; empty for no such line."""
    stderr: str = ""
    """The latest line on stderr; empty for no output."""
    stdout: str = ""
    """The first line on stdout that is no message; empty for no such line, or with output on stderr."""
    mistake: Explanation | None = None
    """A well-known reason, recognized in that output."""
    container: str = ""
    """The container command that keeps standard input closed, such as `docker run`; empty for no such command."""


def explain_exit(failure: InspectorError, transcript: Transcript, target: ConnectionTarget) -> None:
    """Complete the error of a process that ended, with what it printed and what to do about it; other errors stay as they are."""
    if not isinstance(failure, ProcessExited) or failure.hint:
        return
    container = package_runner.lacks_stdin(target.command, target.args)
    facts = exit_of(transcript, failure.frame or 0, container)
    failure.reason = exit_text(failure.reason, facts)
    failure.hint = exit_hint(facts)


def exit_of(transcript: Transcript, request: int = 0, container: str = "") -> Exit:
    """Gather what the latest process left behind when the frame `request` had no response."""
    columns = transcript.columns
    lines = server_output.stderr_lines(transcript)
    stray = 0 if lines else server_output.first_stray(transcript)
    printed = server_output.line_of(transcript, stray).strip() if stray else ""
    code = _exit_code(transcript)
    cause, mistake = _cause_of(tuple(lines), printed, has_failed=bool(code))
    has_written = any(
        columns.channel[number - 1] == Channel.STDOUT
        and columns.kind[number - 1] != MessageKind.MALFORMED
        for number in range(1, min(transcript.count, MAX_FRAMES) + 1)
    )
    return Exit(
        code,
        method=columns.methods.texts[columns.method[request - 1]] if request else "",
        has_written=has_written,
        cause=cause or printed,
        stderr=lines[-1].strip() if lines else "",
        stdout=printed,
        mistake=mistake,
        container=container,
    )


@lru_cache(maxsize=1)
def _cause_of(
    lines: tuple[str, ...], printed: str, *, has_failed: bool
) -> tuple[str, Explanation | None]:
    """Return the line that names the cause, empty for none, and the mistake that the output shows.

    The latest is kept: each request that the process left without a response asks for it.
    """
    cause, searched = known_mistakes.cause_line(lines), server_output.ends(lines)
    whole = "\n".join(searched)
    text = cause or whole or printed
    known = find_mistake(exit_causes.EXIT_CAUSES, text)
    mistake = (
        known
        or find_mistake(known_mistakes.PROMPTS if printed else known_mistakes.OBSTACLES, text)
        or find_mistake((exit_causes.WRONG_BUILD,), whole)
    )
    if not cause and has_failed:
        latest = next((line.strip() for line in reversed(lines) if line.strip()), "")
        line = (
            known_mistakes.line_of_mistake(exit_causes.EXIT_CAUSES, searched)
            if known is not None
            else ""
        )
        cause = line or (latest if len(lines) <= FEW_LINES else "")
    return cause, mistake


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
    return f"{text}: {facts.cause}" if facts.cause else text


def exit_hint(facts: Exit) -> str:
    """Return what to try after the process ended without a response."""
    if facts.mistake is not None:
        return facts.mistake.hint
    if facts.container and not facts.has_written:
        return f"Add -i to the arguments of {facts.container}: without it standard input is closed."
    if facts.code == 0 and not (facts.has_written or facts.cause or facts.stdout):
        return (
            "Check that the server runs over stdio and waits for messages: it ended without an error, as programs do whose "
            "standard input is closed or not attached (docker: add -i), or that move themselves into the background."
        )
    if facts.cause and facts.stderr:
        return "Correct the error that is named on stderr."
    if facts.stderr:
        return "Read its output on stderr."
    if facts.stdout:
        return "Check the command: what it printed on stdout is not JSON-RPC."
    return _SIGNALS.get(facts.code or 0) or _silent_exit_hint(facts)


def _silent_exit_hint(facts: Exit) -> str:
    if facts.has_written and facts.method:
        code = "without an error" if facts.code == 0 else "without output on stderr"
        return f"Check what ends the server on {facts.method}, such as a call of exit(): it ended {code}."
    return "Run the command in a terminal: it wrote nothing to stderr."
