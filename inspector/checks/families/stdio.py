"""stdio: lines that are no messages, stderr, and how the process ends.

Source: basic/transports/stdio. Text on stdout and split messages are found while lines are read; see `rules.utilities`.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.rules.rule import STDERR, STDIO_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.seen import Line, ReceivedMessage
    from inspector.finding import Finding

MAX_LINE = 1 << 20
"""Bytes of a line that is read as several messages."""

_FRAMING = re.compile(rb"\s*content-length\s*:\s*\d+", re.IGNORECASE)
_UNREADY = re.compile(
    r"not (yet )?(been )?initiali[sz]ed|before initiali[sz]|initiali[sz]e first|initialization (is )?(not )?complete",
    re.IGNORECASE,
)
"""What servers write that wait for a handshake."""


def check_two_messages(line: Line, history: History) -> Iterator[Finding]:
    """Yield a finding about a line with one message after the other."""
    del history
    text = line.raw[:MAX_LINE].decode("utf-8", "replace").strip()
    if not text.startswith("{") or len(line.raw) > MAX_LINE:
        return
    try:
        _, end = json.JSONDecoder().raw_decode(text)
    except (ValueError, RecursionError):
        return
    if text[end:].lstrip().startswith("{"):
        found = f"another message starts at character {end + 1:,} of the line"
        yield make_finding("L-STD-03", found, "", line.revision)


def check_framing(line: Line, history: History) -> Iterator[Finding]:
    """Yield a finding about the framing of the Language Server Protocol."""
    del history
    if _FRAMING.match(line.raw[:200]):
        text = f"`{one_line(line.raw[:60].decode('utf-8', 'replace'), 60)}` is a header of the Language Server Protocol"
        yield make_finding("L-STD-05", text, "", line.revision)


def check_stderr(line: Line, history: History) -> Iterator[Finding]:
    """Yield a finding about a line on stderr that is not UTF-8."""
    del history
    try:
        line.raw.decode("utf-8")
    except UnicodeDecodeError as error:
        text = f"byte 0x{line.raw[error.start]:02x} at position {error.start + 1} is not UTF-8"
        yield make_finding("L-STD-06", text, "", line.revision)


def _was_stopped(history: History, _: History) -> bool:
    """Whether a server that had answered a handshake was stopped: one that still starts may be downloading itself."""
    return history.server_capabilities is not None and "exited" in history.notes


def _was_slow(history: History) -> bool:
    """Whether it was stopped although it had the time to exit: a busy machine may not have let it."""
    signal = history.notes.get("signal")
    return signal is not None and not signal.get("busy")


def _signal_text(history: History) -> str:
    return one_line(str(history.notes["signal"].get("words", "")), 200)


def check_prompt_exit(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about a server that outlives its stdin."""
    if _was_slow(history):
        yield make_finding("L-STD-07", _signal_text(history), "", history.revision)


def check_signal(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about a server that needed a signal to stop."""
    if _was_slow(history):
        yield make_finding("L-STD-08", _signal_text(history), "", history.revision)


def _has_exited(history: History, _: History) -> bool:
    return "exited" in history.notes


def check_exit(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about a process that ended on its own."""
    exited, closed = history.notes.get("exited"), history.notes.get("closed")
    if exited is None or closed is None or "signal" in history.notes:
        return
    reason, text = str(closed.get("words", "")), str(exited.get("words", ""))
    if not reason.startswith("the process"):
        return  # we ended the connection
    pending = len(history.calls.open)
    during = (
        f" with {pending} request{'s' if pending > 1 else ''} without a response" if pending else ""
    )
    severity = Severity.WARNING if pending or exited.get("code") not in (0, None) else Severity.INFO
    found = f"the process {one_line(text, 200)}{during}"
    yield make_finding("L-STD-09", found, "", history.revision, severity=severity)


def check_stdout_closed(history: History, _: History) -> Iterator[Finding]:
    """Yield a finding about a server that could send nothing any more, and still ran."""
    if closed := history.notes.get("stdout-closed"):
        text = one_line(str(closed.get("words", "")), 200)
        yield make_finding("L-STD-15", text, "", history.revision)


def check_after_cancel(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a message for a request that was cancelled long before; a notification of a subscription is L-SUB-12."""
    since = history.calls.seconds_since_given_up(message.request, message.monotonic_s)
    if since and message.request not in history.subscriptions.requested:
        text = f"the message was sent {since:.1f} s after its request was cancelled"
        yield make_finding("L-STD-11", text, "", message.revision)


def _has_given_up(message: ReceivedMessage, history: History) -> bool:
    return message.request in history.calls.given_up


def check_affinity(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a finding about a server that serves nothing without an earlier request."""
    del history
    text = str(message.error.get("message", ""))[:1000]
    if _UNREADY.search(text):
        found = (
            f"the request was rejected because an earlier one is missing: “{one_line(text, 80)}”"
        )
        yield make_finding("L-STD-12", found, "/error/message", message.revision)


RULES = (
    Rule(
        "L-STD-03",
        Severity.WARNING,
        "stdio",
        "two messages on one line",
        why="Clients read a line as one message, and drop the whole line.",
        hint="End each message with a line feed.",
        section="stdio",
        level="RULE",
        transports=STDIO_ONLY,
        on=(On(Subject.LINE),),
        check=check_two_messages,
    ),
    Rule(
        "L-STD-05",
        Severity.INFO,
        "stdio",
        "Language Server Protocol framing",
        why="Clients cannot read the headers, nor messages that span lines, and do not connect.",
        hint="Write each message on one line, without headers.",
        section="stdio",
        level="quality",
        transports=STDIO_ONLY,
        on=(On(Subject.LINE),),
        check=check_framing,
    ),
    Rule(
        "L-STD-06",
        Severity.INFO,
        "stdio",
        "stderr is not UTF-8",
        why="Logs show replacement characters.",
        hint="Write logs in UTF-8.",
        python="On Windows set `PYTHONUTF8=1`.",
        section="stdio",
        level="MAY",
        transports=STDIO_ONLY,
        on=(On(Subject.LINE, STDERR),),
        check=check_stderr,
    ),
    Rule(
        "L-STD-07",
        Severity.WARNING,
        "stdio",
        "server keeps running after stdin is closed",
        why="Clients have to kill the process, and processes may be left behind.",
        hint="Exit when stdin is closed.",
        typescript='Version 1 ignores the end of stdin: add `process.stdin.on("end", () => process.exit(0))`. Version 2 closes the server, and exits unless timers or sockets are open.',
        section="Shutdown",
        level="SHOULD",
        since=5,
        transports=STDIO_ONLY,
        on=(On(Subject.CONNECTION),),
        check=check_prompt_exit,
        when=_was_stopped,
    ),
    Rule(
        "L-STD-08",
        Severity.INFO,
        "lifecycle",
        "server stopped by a signal",
        why="Clients have to kill the process, and processes may be left behind.",
        hint="Exit when stdin is closed.",
        typescript='Version 1 ignores the end of stdin: add `process.stdin.on("end", () => process.exit(0))`. Version 2 closes the server, and exits unless timers or sockets are open.',
        section="Shutdown",
        level="quality",
        until=4,
        transports=STDIO_ONLY,
        on=(On(Subject.CONNECTION),),
        check=check_signal,
        when=_was_stopped,
    ),
    Rule(
        "L-STD-09",
        Severity.INFO,
        "stdio",
        "process exited unexpectedly",
        why="Users lose the server during their work.",
        hint="Catch the failure, return an error, and run until stdin is closed.",
        section="Unexpected Termination",
        level="quality",
        transports=STDIO_ONLY,
        on=(On(Subject.CONNECTION),),
        check=check_exit,
        when=_has_exited,
    ),
    Rule(
        "L-STD-11",
        Severity.ERROR,
        "stdio",
        "message for a cancelled request",
        why="Clients no longer track the request, and get a message that matches nothing.",
        hint="Send nothing for a request after its cancellation.",
        section="Cancellation",
        level="MUST NOT",
        since=5,
        transports=STDIO_ONLY,
        on=(On(Subject.RESULT), On(Subject.ERROR), On(Subject.NOTIFICATION)),
        check=check_after_cancel,
        when=_has_given_up,
    ),
    Rule(
        "L-STD-12",
        Severity.WARNING,
        "messages",
        "request depends on an earlier one",
        why="Each request can reach another process, where it fails.",
        hint="Serve every request independently, without a handshake.",
        section="Statelessness",
        level="SHOULD NOT",
        since=5,
        on=(On(Subject.ERROR),),
        check=check_affinity,
    ),
    Rule(
        "L-STD-15",
        Severity.INFO,
        "stdio",
        "stdout closed while the server runs",
        why="The server can send nothing any more, so clients end the connection.",
        hint="Keep stdout open as long as the process runs, and exit to end the connection.",
        section="stdio",
        level="quality",
        transports=STDIO_ONLY,
        on=(On(Subject.CONNECTION),),
        check=check_stdout_closed,
        when=_has_exited,
    ),
)
