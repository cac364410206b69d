"""What the recording holds about a request without a response, or about a process that ended: facts, without a verdict."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.session import shapes, story
from inspector.spec import methods
from inspector.transcript.index import newest_with
from inspector.visible_text import one_line
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import last_written
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.session.package_runner import PackageRunner
    from inspector.session.shapes import Shape
    from inspector.transcript.transcript import Transcript

_MESSAGES = {MessageKind.NOTIFICATION, MessageKind.REQUEST, MessageKind.BATCH}

MAX_REST = 200
"""Characters shown of a line that has no end yet."""

MAX_FRAMES = 5000
"""Frames looked at."""

FEW_LINES = 3
"""Lines on stderr of which the last one names the cause of a failure, even if it does not look like an error."""


class Silence(FrozenStruct, frozen=True):
    """A request that got no response in time."""

    channel: Channel
    """Where the request was sent."""
    method: str
    """Its method."""
    is_greeting: bool = False
    """True for the requests that open a session."""
    http_status: str = ""
    """Status line of the HTTP response that belongs to the request, e.g. `200 OK`; empty when none came."""
    events: int = 0
    """SSE events without a message, such as comments, since the request."""
    messages: int = 0
    """Notifications and requests of the server since the request."""
    latest_method: str = ""
    """Method of the latest of them."""
    latest_ago_s: float = 0.0
    """How long before the end of the wait the latest of messages and events came."""
    stderr: str = ""
    """The latest line on stderr; empty where nothing was written."""
    stderr_ago_s: float = 0.0
    """How long before the end of the wait it came."""
    cause: str = ""
    """The line on stderr since the request that looks like an error; empty for none."""
    responses: int = 0
    """Responses of the server before the request."""
    is_stdin_closed: bool = False
    """True when the server closed its standard input and went on running."""
    is_sent: bool = True
    """False where there was no connection yet over which an HTTP request could be sent."""
    obstacle: Shape | None = None
    """A well-known mistake that keeps the server from responding."""
    runner: PackageRunner | None = None
    """The command that may still be downloading the server."""


class Exit(FrozenStruct, frozen=True):
    """A process that ended although a response was expected."""

    code: int | None
    """Its exit code; negative after a signal; None when it is not known."""
    method: str = ""
    """The method of the request that it left without a response; empty where none is known."""
    has_written: bool = False
    """True when it wrote a message to stdout before."""
    cause: str = ""
    """The line on stderr that names the cause, as far as one can tell."""
    stderr: str = ""
    """The latest line on stderr; empty where nothing was written."""
    stdout: str = ""
    """The first line on stdout that is no message; empty where there is none, or something on stderr."""
    shape: Shape | None = None
    """A well-known reason, recognized in that output."""
    container: str = ""
    """The container command that keeps standard input closed; empty for none."""


def silence(transcript: Transcript, request: int, waited_s: float) -> Silence:
    """Gather what came since the frame `request`, `waited_s` seconds ago."""
    columns = transcript.columns
    now = columns.monotonic_s[request - 1] + waited_s
    status, events, messages, latest, latest_method, stderr = "", 0, 0, 0, "", 0
    for number in _received(transcript, request):
        kind, channel = columns.kind[number - 1], columns.channel[number - 1]
        if channel == Channel.STDERR:
            stderr = number
        elif channel == Channel.HTTP and columns.stream[number - 1] == request:
            status = status or _status(transcript, number)
        elif kind == MessageKind.SSE_OTHER:
            events, latest = events + 1, number
        elif kind in _MESSAGES and columns.request[number - 1] in {0, number, request}:
            messages, latest = messages + 1, number
            latest_method = columns.methods.texts[columns.method[number - 1]]
    first, later = _skipped(transcript, request)
    kinds = columns.kind[first : later - 1]
    events += kinds.count(MessageKind.SSE_OTHER)
    messages += sum(map(kinds.count, _MESSAGES))
    printed = stderr or (_last_stderr(transcript) if request else 0)
    lines = story.stderr_lines(transcript) if printed else []
    method, channel = _method(transcript, request), Channel(columns.channel[request - 1])
    return Silence(
        channel,
        method,
        is_greeting=methods.is_greeting(method),
        http_status=status,
        events=events,
        messages=messages,
        latest_method=latest_method,
        latest_ago_s=max(0.0, now - columns.monotonic_s[latest - 1]) if latest else 0.0,
        stderr=(story.line_of(transcript, printed).strip() if printed else "")
        or _stderr_rest(transcript),
        stderr_ago_s=max(0.0, now - columns.monotonic_s[printed - 1]) if printed else 0.0,
        cause=_cause(story.stderr_lines(transcript, request)) if stderr else "",
        responses=_responses(transcript, request),
        is_stdin_closed=_is_stdin_closed(transcript, request),
        is_sent=channel is not Channel.BODY or _is_sent(transcript, request),
        obstacle=shapes.on_stderr("\n".join(lines)) or _stderr_prompt(transcript),
    )


def exit_of(transcript: Transcript, request: int = 0, container: str = "") -> Exit:
    """Gather what the latest process left behind when the frame `request` had no response."""
    lines = story.stderr_lines(transcript)
    printed = "" if lines else _stray_line(transcript)
    cause, code = _cause(lines), _exit_code(transcript)
    text = cause or "\n".join(lines) or printed
    if not cause and code and len(lines) <= FEW_LINES:
        cause = next((line.strip() for line in reversed(lines) if line.strip()), "")
    columns = transcript.columns
    has_written = any(
        columns.channel[number - 1] == Channel.STDOUT
        and columns.kind[number - 1] != MessageKind.MALFORMED
        for number in range(1, min(transcript.count, MAX_FRAMES) + 1)
    )
    return Exit(
        code,
        method=_method(transcript, request),
        has_written=has_written,
        cause=cause or printed,
        stderr=lines[-1].strip() if lines else "",
        stdout=printed,
        shape=shapes.end(text) or shapes.obstacle(text),
        container=container,
    )


def http_status(transcript: Transcript, request: int) -> str:
    """Return the status line of the response in the HTTP exchange that the frame `request` opened; empty when none came."""
    columns = transcript.columns
    for number in _received(transcript, request) if request else ():
        is_ours = columns.stream[number - 1] == request
        if is_ours and columns.channel[number - 1] == Channel.HTTP:
            return _status(transcript, number)
    return ""


def _cause(lines: list[str]) -> str:
    at = shapes.cause_at(lines)
    return lines[at].strip() if at is not None else ""


def _method(transcript: Transcript, request: int) -> str:
    columns = transcript.columns
    return columns.methods.texts[columns.method[request - 1]] if request else ""


def _is_stdin_closed(transcript: Transcript, request: int) -> bool:
    """Whether the process that the frame `request` was sent to closed its standard input."""
    first = max(0, transcript.count - MAX_FRAMES)
    for number in story.notes(transcript, first):
        event = story.note_event(transcript, number)
        if event == "stdin-closed" or (event in story.BEGUN and number < request):
            return event == "stdin-closed"
    return False


def _responses(transcript: Transcript, request: int) -> int:
    """Responses among the frames before `request`."""
    kinds = transcript.columns.kind[max(0, request - MAX_FRAMES) : request]
    return sum(kinds.count(kind) for kind in (MessageKind.RESPONSE, MessageKind.ERROR))


def _is_sent(transcript: Transcript, request: int) -> bool:
    """Whether the headers of the HTTP request were sent, to the server and not only to a proxy that is to make a tunnel."""
    latest = _latest_sent(transcript, request)
    return latest > 0 and not transcript.raw(latest).startswith(b"CONNECT ")


def is_at_proxy(transcript: Transcript, request: int) -> bool:
    """Whether what comes in the HTTP exchange that the frame `request` opened comes from a proxy, which has made no tunnel yet."""
    latest = _latest_sent(transcript, request) if request else 0
    return latest > 0 and transcript.raw(latest).startswith(b"CONNECT ")


def _latest_sent(transcript: Transcript, request: int) -> int:
    columns = transcript.columns
    last = min(transcript.count, request + MAX_FRAMES)
    sent = newest_with(columns.direction, Direction.SENT, request, last)
    return next((n for n in sent if columns.stream[n - 1] == request), 0)


def _received(transcript: Transcript, request: int) -> Iterator[int]:
    """The frames that came since a request: of very many the first and the latest."""
    directions = transcript.columns.direction
    first, later = _skipped(transcript, request)
    numbers = chain(range(request + 1, first + 1), range(later, transcript.count + 1))
    return (n for n in numbers if directions[n - 1] == Direction.RECEIVED)


def _skipped(transcript: Transcript, request: int) -> tuple[int, int]:
    """The last frame before those that are not looked at, and the first one after them."""
    first = min(transcript.count, request + MAX_FRAMES)
    return first, max(first, transcript.count - MAX_FRAMES) + 1


def _status(transcript: Transcript, number: int) -> str:
    line = transcript.raw(number)[:200].split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    version, _, status = line.partition(" ")
    return status if version.startswith("HTTP/") else ""


def _last_stderr(transcript: Transcript) -> int:
    first = max(0, transcript.count - MAX_FRAMES)
    channels = transcript.columns.channel
    return next(newest_with(channels, Channel.STDERR, first, transcript.count), 0)


def _stderr_prompt(transcript: Transcript) -> Shape | None:
    rest = transcript.unfinished.of(Channel.STDERR)
    return shapes.prompt(rest.tail.decode("utf-8", "replace")) if rest is not None else None


def _stray_line(transcript: Transcript) -> str:
    first = story.first_stdout_noise(transcript)
    return story.line_of(transcript, first).strip() if first else ""


def _stderr_rest(transcript: Transcript) -> str:
    """What a terminal would show of the line on stderr that has no end yet."""
    rest = transcript.unfinished.of(Channel.STDERR)
    written = last_written(rest.tail.decode("utf-8", "replace")) if rest is not None else ""
    return one_line(written.strip(), MAX_REST)


def _exit_code(transcript: Transcript) -> int | None:
    first = max(0, transcript.count - MAX_FRAMES)
    for number in story.notes(transcript, first):
        if story.note_event(transcript, number) == "exited":
            note = transcript.message(number).value
            code = note.get("code") if isinstance(note, dict) else None
            return code if isinstance(code, int) else None
    return None
