"""Streams of HTTP sessions: what comes on which stream, how one ends, and how it goes on.

Source: basic/transports, "Sending Messages to the Server", "Listening for Messages from the Server", "Multiple Connections" and
"Resumability and Redelivery".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.calls import RACE_SECONDS
from inspector.checks.http_exchanges import STREAM
from inspector.checks.latest import json_key
from inspector.checks.seen import Note, ReceivedMessage
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import Exchange, HttpFrame
    from inspector.finding import Finding


_RESPONSES = frozenset({MessageKind.RESPONSE, MessageKind.ERROR})


def exchange_of(message: ReceivedMessage, history: History) -> Exchange | None:
    """Return the HTTP exchange in which a message came; None if it came otherwise."""
    return history.http.exchange(message.stream)


def ended_stream(note: Note, history: History) -> Exchange | None:
    """Return the stream of a POST that ended without a response, as a note says; None if it is about something else."""
    exchange = history.http.exchange(note.request)
    if exchange is None or not exchange.is_good or exchange.media_type != STREAM:
        return None
    return exchange if exchange.answered_s is None else None


def is_stream_of_post(seen: ReceivedMessage | Note, history: History) -> bool:
    """Whether it is a response on the stream of its POST, or a note that such a stream ended without one."""
    if isinstance(seen, Note):
        return ended_stream(seen, history) is not None
    exchange = exchange_of(seen, history)
    return seen.is_event and exchange is not None and exchange.verb == "POST"


def check_end(seen: ReceivedMessage | Note, history: History) -> Iterator[Finding]:
    """Yield that the stream of a POST ended without the response."""
    exchange = ended_stream(seen, history) if isinstance(seen, Note) else None
    if exchange is None or (exchange.has_ids and seen.revision.number >= 4):
        return  # from 2025-11-25 on, a server may end a stream that can be resumed
    text = "the stream ended without the response to its request"
    yield make_finding("L-SES-09", text, "", seen.revision)


def check_open_stream(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a stream stays open after its response, once."""
    answered_s = frame.exchange.answered_s
    seconds = frame.monotonic_s - answered_s if answered_s is not None else 0.0
    if seconds > RACE_SECONDS and history.is_first("L-SES-10"):
        text = f"the stream should end after the response; it is still open {seconds:.0f} s later"
        yield make_finding("L-SES-10", text, "", frame.revision)


def _is_answered(frame: HttpFrame, history: History) -> bool:
    del history
    is_answer = frame.kind in _RESPONSES or frame.exchange.answered_s is not None
    return frame.exchange.verb == "POST" and is_answer


def check_response_stream(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a response comes on the stream of a GET that resumes nothing."""
    exchange = exchange_of(message, history)
    if exchange is not None and exchange.verb == "GET" and not exchange.is_resumed:
        text = "a response must be sent in reply to the POST of its request, not on a GET stream"
        yield make_finding("L-SES-11", text, "/id", message.revision)


def is_event(message: ReceivedMessage, history: History) -> bool:
    """Whether a message came on an event stream."""
    del history
    return message.is_event and message.stream > 0


def check_related(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the progress of a request comes on another stream than its own, once."""
    exchange = exchange_of(message, history)
    if exchange is None or message.request == exchange.opener:
        return
    if history.is_first("L-SES-12"):
        where = "a GET" if exchange.verb == "GET" else "another request"
        text = f"the progress of #{message.request} should be sent on its own stream, not on that of {where}"
        yield make_finding("L-SES-12", text, "/params/progressToken", message.revision)


def _is_of_open_request(message: ReceivedMessage, history: History) -> bool:
    """Whether it is about a request that waits for its response: what comes later has no stream of its own."""
    return message.is_event and message.request in history.calls.open


def check_broadcast(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that a request of the server comes on a second stream; one that is resumed may repeat it."""
    exchange = exchange_of(message, history)
    earlier = history.http.requests.get(json_key(message.value.get("id")))
    if earlier is None or exchange is None or exchange.is_resumed:
        return
    stream, number, method = earlier
    if stream != message.stream and method == message.method:
        text = f"a message must be sent on one stream only, but `{one_line(message.method, 60)}` was already sent as #{number} on another"
        yield make_finding("L-SES-13", text, "/id", message.revision)


def check_occasion(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the server asks for something while no request of the client is open, once."""
    if not len(history.calls.open) and history.is_first("L-SES-21"):
        text = f"`{message.method}` was sent while no request of the client was pending"
        yield make_finding("L-SES-21", text, "/method", message.revision)


_SENDING, _LISTENING = "Sending Messages to the Server", "Listening for Messages from the Server"
_ENDS = (On(Subject.NOTE, "failed"), On(Subject.NOTE, "resuming"))
_ANSWERS = (On(Subject.RESULT), On(Subject.ERROR))
_PROGRESS = On(Subject.NOTIFICATION, "notifications/progress")
_ON_EVENT = On(Subject.EVENT)
_ASKED = ("sampling/createMessage", "elicitation/create", "roots/list")

RULES = (
    Rule(
        "L-SES-09",
        Severity.WARNING,
        "http",
        "stream ended without the response",
        why="The result is lost, and clients cannot determine whether the request was carried out.",
        hint="Send the response on the stream before it ends.",
        section=_SENDING,
        level="SHOULD",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(*_ENDS, *_ANSWERS),
        check=check_end,
        when=is_stream_of_post,
    ),
    Rule(
        "L-SES-10",
        Severity.WARNING,
        "http",
        "stream open after the response",
        why="Each call keeps a connection open, until client or server run out of them.",
        hint="End the stream once the response is sent.",
        section=_SENDING,
        level="SHOULD",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_open_stream,
        when=_is_answered,
    ),
    Rule(
        "L-SES-11",
        Severity.ERROR,
        "http",
        "response on a GET stream",
        why="Clients expect the response on the stream of its request, and time out.",
        hint="Send a response in reply to the POST of its request.",
        section=_LISTENING,
        level="MUST NOT",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=_ANSWERS,
        check=check_response_stream,
        when=is_event,
    ),
    Rule(
        "L-SES-12",
        Severity.WARNING,
        "http",
        "progress not on the stream of its request",
        why="Clients that do not read the other stream never see the progress.",
        hint="Send progress on the stream of the request that it belongs to.",
        python="Use `ctx.report_progress()`, or pass `related_request_id` to `send_progress_notification()`.",
        typescript="Use `extra.sendNotification()` in the handler, in version 2 `ctx.mcpReq.notify()`, instead of `server.notification()`.",
        section=_LISTENING,
        level="SHOULD",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_PROGRESS,),
        check=check_related,
        when=_is_of_open_request,
    ),
    Rule(
        "L-SES-13",
        Severity.ERROR,
        "http",
        "request sent on several streams",
        why="Users get the request twice, and the second response matches no request.",
        hint="Send each message on one stream only.",
        section="Multiple Connections",
        level="MUST NOT",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(On(Subject.REQUEST),),
        check=check_broadcast,
        when=is_event,
    ),
    Rule(
        "L-SES-21",
        Severity.INFO,
        "http",
        "server request outside of any call",
        why="Users see a request without context, and the newest revision does not allow it.",
        hint="Send requests to the client only while you process one of its requests.",
        section=_LISTENING,
        level="quality",
        until=4,
        on=tuple(On(Subject.REQUEST, method) for method in _ASKED),
        check=check_occasion,
    ),
)
