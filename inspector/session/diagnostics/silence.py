"""What came instead of the response to a request: the facts in the transcript."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.frozen import FrozenStruct
from inspector.session.diagnostics import (
    cause_lines,
    known_mistakes,
    server_output,
    unusable_responses,
)
from inspector.session.diagnostics.known_mistakes import Explanation, find_mistake
from inspector.session.diagnostics.server_output import MAX_FRAMES
from inspector.spec import methods
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.keys import META, META_PROTOCOL_VERSION
from inspector.transcript.index import newest_with
from inspector.transport.base import RESUMING
from inspector.visible_text import one_line
from inspector.wire import json_codec, lazy_json
from inspector.wire.frame import Channel, Direction
from inspector.wire.json_codec import is_text
from inspector.wire.line_splitter import last_written
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.session.package_runner import PackageRunner
    from inspector.transcript.transcript import Transcript

_MESSAGES = {MessageKind.NOTIFICATION, MessageKind.REQUEST, MessageKind.BATCH}
_RESPONSES = {MessageKind.RESPONSE, MessageKind.ERROR}
_ANY_MESSAGE = _MESSAGES | _RESPONSES
_LOG = "notifications/message"

PING = "ping"

MAX_LOGGED = 2_000
"""Characters of the JSON of a log message that are read, where its data is no text."""

MAX_REST = 200
"""Characters of a line that has no end yet, and of a log message."""


NO_SERVER = "Check that the command starts an MCP server: this program repeats its input."
_IS_CLIENT = "Enter the command of the server itself: this one starts an MCP client, or a proxy with its two sides swapped."

MAX_COMPARED = 1 << 16
"""Bytes of the parameters of a request that are compared with those of another one."""


class Asked(FrozenStruct, frozen=True):
    """A request of the server, which it may wait for before it responds."""

    frame: int
    """The frame of it."""
    method: str
    """Its method."""
    response: int = 0
    """The frame of the response that was sent; 0 for none yet."""
    refused: str = ""
    """Code and message of that response, where it is an error."""
    is_unsupported: bool = False
    """True when that error says that the client does not support the method."""
    is_stateless: bool = False
    """True when the revision has no requests of servers."""
    is_last: bool = True
    """True when no message came from the server after that response."""
    went_on: bool = False
    """True when one came that is not in the HTTP exchange of that response."""


class ServerOpening(FrozenStruct, frozen=True):
    """A request of the server to open a session, which only clients send."""

    frame: int
    """The frame of it."""
    method: str
    """Its method."""
    is_echo: bool
    """True when it is the request of the client, sent back."""

    @property
    def explanation(self) -> Explanation:
        """What it shows about the program."""
        if self.is_echo:
            text = f"the program sends back what it receives, such as frame {self.frame}"
            return Explanation(text, NO_SERVER)
        text = f"the server requested {self.method} itself in frame {self.frame}, as only a client does"
        return Explanation(text, _IS_CLIENT)


class Silence(FrozenStruct, frozen=True):
    """What came instead of the response to one request."""

    channel: Channel
    """Where the request was sent."""
    method: str
    """The method of the request."""
    is_greeting: bool = False
    """True for a request that opens a session."""
    http_status: str = ""
    """Status line of the HTTP response that belongs to the request, e.g. `200 OK`; empty when none came."""
    events: int = 0
    """SSE events without a message, such as comments, since the request."""
    messages: int = 0
    """Notifications and requests of the server since the request."""
    latest_method: str = ""
    """Method of the latest message."""
    latest_ago_s: float = 0.0
    """Seconds before the end of the wait at which the latest message or event came."""
    logged: str = ""
    """Text of the latest log message since the request; empty for none."""
    asked: Asked | None = None
    """The latest request of the server since the request that is for it, and no `ping`, for which no handler waits."""
    resuming: str = ""
    """That the event stream ended, and when the rest is requested; empty while a stream is open."""
    stderr: str = ""
    """The latest line on stderr; empty for no output."""
    stderr_ago_s: float = 0.0
    """Seconds before the end of the wait at which it came."""
    has_reacted: bool = False
    """True when something came on stderr since the request, so that the server may have read it."""
    cause: str = ""
    """The line on stderr since the request, or else since the start of the process, that looks like an error; empty for no such line."""
    went_on: bool = False
    """True when that line is of the start, and the program wrote something else after it."""
    took_notification: bool = False
    """True when a notification is what the server handled last, after all that it responded to."""
    responses: int = 0
    """Responses of the server before the request."""
    opening: ServerOpening | None = None
    """The latest request of the server to open a session."""
    is_stdin_closed: bool = False
    """True when the server closed its standard input and went on running."""
    is_sent: bool = True
    """False while there is no connection over which the HTTP request can be sent."""
    obstacle: Explanation | None = None
    """A well-known mistake that keeps the server from responding."""
    runner: PackageRunner | None = None
    """The command that may still be downloading the server."""


def silence_of(transcript: Transcript, request: int, waited_s: float) -> Silence:
    """Gather what came since the frame `request`, `waited_s` seconds ago."""
    columns = transcript.columns
    now = columns.monotonic_s[request - 1] + waited_s
    status, events, messages, latest, latest_method, stderr, logged = "", 0, 0, 0, "", 0, 0
    for number in server_output.received(transcript, request):
        kind, channel = columns.kind[number - 1], columns.channel[number - 1]
        if channel == Channel.STDERR:
            stderr = number
        elif channel == Channel.HTTP and columns.stream[number - 1] == request:
            status = status or server_output.status_of(transcript, number)
        elif kind == MessageKind.SSE_OTHER:
            events, latest = events + 1, number
        elif kind in _MESSAGES and columns.request[number - 1] in {0, number, request}:
            messages, latest = messages + 1, number
            latest_method = columns.methods.texts[columns.method[number - 1]]
            logged = number if latest_method == _LOG else logged
    skipped_events, skipped_messages = _count_skipped(transcript, request)
    responses = _responses(transcript, request)
    start = server_output.latest_start(transcript)
    printed = stderr or (0 if responses else _latest_stderr(transcript, start))
    method = columns.methods.texts[columns.method[request - 1]]
    channel = Channel(columns.channel[request - 1])
    obstacle, line = _obstacle(transcript, request if responses else start, printed)
    cause, went_on = _cause(transcript, request, start, stderr) if printed else ("", False)
    return Silence(
        channel,
        method,
        is_greeting=methods.opens_session(method),
        http_status=status,
        events=events + skipped_events,
        messages=messages + skipped_messages,
        latest_method=latest_method,
        latest_ago_s=max(0.0, now - columns.monotonic_s[latest - 1]) if latest else 0.0,
        logged=_logged(transcript, logged),
        resuming=_resuming(transcript, request),
        asked=_asked(transcript, _latest_request(transcript, request), request),
        stderr=line,
        stderr_ago_s=max(0.0, now - columns.monotonic_s[printed - 1]) if printed else 0.0,
        has_reacted=bool(stderr),
        cause=cause,
        went_on=went_on,
        took_notification=server_output.took_notification(transcript, request),
        responses=responses,
        opening=_latest_opening(transcript),
        is_stdin_closed=_is_stdin_closed(transcript, request),
        is_sent=channel is not Channel.BODY or _is_sent(transcript, request),
        obstacle=obstacle,
    )


def _count_skipped(transcript: Transcript, request: int) -> tuple[int, int]:
    """Count the SSE events without a message, and the messages, among the frames that `received` skips."""
    head, tail = server_output.skipped(transcript, request)
    kinds = transcript.columns.kind[head : tail - 1].tobytes()  # counts a hundred times as fast
    return kinds.count(MessageKind.SSE_OTHER), sum(map(kinds.count, _MESSAGES))


def _cause(transcript: Transcript, request: int, start: int, stderr: int) -> tuple[str, bool]:
    """Return the line on stderr since a request that names a cause, empty for none, and whether the program went on after it.

    Without any since then (`stderr` is 0), those after frame `start`, where the process started, count as far as they are errors.
    """
    if stderr:
        return cause_lines.cause_line(server_output.stderr_lines(transcript, request)), False
    lines = server_output.stderr_ends(transcript, start)
    errors = [each for each in lines if not cause_lines.is_below_error(each)]
    return cause_lines.cause_line(errors), not cause_lines.ends_in_error(lines)


def _obstacle(transcript: Transcript, since: int, printed: int) -> tuple[Explanation | None, str]:
    """Return what stderr after frame `since` says to keep the server from responding, and the line that says it.

    Without such a line, it is the one in frame `printed`, or what has no newline yet. What a server wrote before its responses kept it from
    nothing: then `since` is the request.
    """
    rules, unfinished = known_mistakes.STDERR_OBSTACLES, _unfinished_stderr(transcript)
    lines = server_output.stderr_ends(transcript, since) if printed else ()
    found = find_mistake(rules, "\n".join(lines))
    latest = server_output.line_of(transcript, printed).strip() if printed else ""
    line = cause_lines.line_that_shows(found, rules, lines) or latest
    return (
        found or find_mistake(known_mistakes.PROMPTS, unfinished),
        line or one_line(last_written(unfinished).strip(), MAX_REST),
    )


def _resuming(transcript: Transcript, request: int) -> str:
    """Return the latest note of a request if it says that its stream has ended, and nothing came in another one."""
    streams = transcript.columns.stream
    for number in server_output.notes(transcript, max(request, transcript.count - MAX_FRAMES)):
        note = server_output.note_of(transcript, number)
        if note.get("request") == request:
            is_last = note.get("event") == RESUMING and request not in streams[number:]
            return str(note.get("words", "")) if is_last else ""
    return ""


def _logged(transcript: Transcript, number: int) -> str:
    """Return the text of the log message in a frame, shortened; empty for frame 0."""
    params = or_null(transcript.message(number).lazy_object("params")) if number else None
    data = lazy_json.member(params, "data") if isinstance(params, dict) else None
    if not is_text(data):
        data = "" if data is None else json_codec.write_beginning(data, MAX_LOGGED)
    return one_line(data, MAX_REST)


def _asked(transcript: Transcript, number: int, request: int) -> Asked | None:
    """Return what became of the request of the server in a frame, since the frame `request`; None for frame 0."""
    if not number:
        return None
    columns = transcript.columns
    method = columns.methods.texts[columns.method[number - 1]]
    params = or_null(transcript.message(request).params)
    meta = params.get(META) if isinstance(params, dict) else None
    if isinstance(meta, dict) and META_PROTOCOL_VERSION in meta:
        return Asked(number, method, is_stateless=True)
    sent = newest_with(columns.direction, Direction.SENT, number, transcript.count)
    response = next((each for each in sent if columns.request[each - 1] == number), 0)
    later = islice(_messages_after(transcript, response), MAX_FRAMES) if response else ()
    streams = {columns.stream[each - 1] for each in later}
    asked = Asked(number, method, response, is_last=not streams, went_on=bool(streams - {response}))
    if not response or columns.kind[response - 1] != MessageKind.ERROR:
        return asked
    code, described = unusable_responses.error_of(transcript.message(response))
    return replace(asked, refused=described, is_unsupported=code == METHOD_NOT_FOUND)


def _messages_after(transcript: Transcript, after: int) -> Iterator[int]:
    """Yield the frames after a frame that are messages of the server."""
    columns = transcript.columns
    numbers = (
        each
        for kind in _ANY_MESSAGE
        for each in newest_with(columns.kind, kind, after, transcript.count)
    )
    return (each for each in numbers if columns.direction[each - 1] == Direction.RECEIVED)


def _latest_request(transcript: Transcript, request: int) -> int:
    """Return the latest request of the server, but `ping`, that is for the frame `request`; 0 for none."""
    columns, latest = transcript.columns, 0
    names = columns.methods.texts
    numbers = newest_with(columns.kind, MessageKind.REQUEST, request, transcript.count)
    for number in islice(numbers, MAX_FRAMES):
        is_received = columns.direction[number - 1] == Direction.RECEIVED
        if not is_received or names[columns.method[number - 1]] == PING:
            continue
        if columns.stream[number - 1] == request:
            return number
        latest = latest or number
    return latest if latest and _is_alone(transcript, latest, request) else 0


def _is_alone(transcript: Transcript, number: int, request: int) -> bool:
    """Whether the frame `request` was the only one without a response at frame `number`: a request of the server there is for it."""
    columns = transcript.columns
    start = max(0, number - MAX_FRAMES)
    responded: set[int] = set()
    for at in range(number - 1, start, -1):
        kind, other = columns.kind[at - 1], columns.request[at - 1]
        if columns.direction[at - 1] == Direction.RECEIVED:
            if kind in _RESPONSES:
                responded.add(other)
        elif kind == MessageKind.REQUEST:
            if at not in responded and at != request:
                return False
            if methods.opens_session(columns.methods.texts[columns.method[at - 1]]):
                return True
    return True


def _latest_stderr(transcript: Transcript, since: int) -> int:
    start = max(since, transcript.count - MAX_FRAMES)
    channels = transcript.columns.channel
    return next(newest_with(channels, Channel.STDERR, start, transcript.count), 0)


def _unfinished_stderr(transcript: Transcript) -> str:
    rest = transcript.unfinished.of(Channel.STDERR)
    return rest.tail.decode("utf-8", "replace") if rest is not None else ""


def _responses(transcript: Transcript, request: int) -> int:
    """Count the responses of the server among the frames before `request`."""
    columns, start = transcript.columns, max(0, request - MAX_FRAMES)
    return sum(
        columns.direction[number - 1] == Direction.RECEIVED
        for kind in _RESPONSES
        for number in newest_with(columns.kind, kind, start, request)
    )


def opening_in(transcript: Transcript, number: int) -> ServerOpening:
    """Return the request of the server to open a session in frame `number`."""
    columns = transcript.columns
    method = columns.method[number - 1]
    sent = newest_with(columns.direction, Direction.SENT, 0, number)
    own = next((each for each in sent if columns.method[each - 1] == method), 0)
    is_echo = bool(own) and _have_equal_params(transcript, own, number)
    return ServerOpening(number, columns.methods.texts[method], is_echo)


def _have_equal_params(transcript: Transcript, first: int, second: int) -> bool:
    """Whether two requests have the same parameters, however they are written."""
    messages = [transcript.message(number) for number in (first, second)]
    raw = [message.raw_params or b"" for message in messages]
    is_short = max(map(len, raw)) <= MAX_COMPARED
    return raw[0] == raw[1] or (is_short and messages[0].params == messages[1].params)


def _latest_opening(transcript: Transcript) -> ServerOpening | None:
    """Return the latest request of the server to open a session; None for no such request."""
    columns, start = transcript.columns, max(0, transcript.count - MAX_FRAMES)
    names = columns.methods.texts
    numbers = newest_with(columns.kind, MessageKind.REQUEST, start, transcript.count)
    found = next(
        (
            number
            for number in numbers
            if columns.direction[number - 1] == Direction.RECEIVED
            and methods.opens_session(names[columns.method[number - 1]])
        ),
        0,
    )
    return opening_in(transcript, found) if found else None


def _is_stdin_closed(transcript: Transcript, request: int) -> bool:
    """Whether the process that the frame `request` was sent to closed its standard input."""
    for number in server_output.notes(transcript, max(0, transcript.count - MAX_FRAMES)):
        event = server_output.note_event(transcript, number)
        if event == "stdin-closed" or (event in server_output.CONNECTED and number < request):
            return event == "stdin-closed"
    return False


def _is_sent(transcript: Transcript, request: int) -> bool:
    """Whether the HTTP headers were sent to the server, and not only to a proxy that is to make a tunnel."""
    latest = server_output.latest_headers(transcript, request)
    return bool(latest) and not latest.startswith(server_output.TUNNEL)
