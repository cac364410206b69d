"""The one stream of a request without sessions: what may come on it, and how it ends.

Source: basic/transports/streamable-http, "Receiving Messages".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.calls import RACE_SECONDS
from inspector.checks.families.http_streams import ended_stream, is_stream_of_post
from inspector.checks.latest import json_key
from inspector.checks.seen import Note, ReceivedMessage
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, Kind, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.wire.message import Absent, MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.finding import Finding

_RESPONSES = frozenset({MessageKind.RESPONSE, MessageKind.ERROR})


def check_foreign_progress(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that progress comes on the stream of another request; on one of notifications it is L-SUB-08."""
    text = f"the progress of #{message.request} was sent on the stream of #{message.stream}"
    is_listening = message.stream in history.subscriptions.requested
    if message.request != message.stream and not is_listening:
        yield make_finding("L-MOD-13", text, "/params/progressToken", message.revision)


def _is_of_open_request(message: ReceivedMessage, history: History) -> bool:
    """Whether it is about a request that waits for its response; the rounds of one are one request."""
    is_open = message.request in history.calls.open and message.stream in history.calls.known
    return message.is_event and is_open and message.stream not in history.rounds.retries


def check_after_response(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a stream goes on after its response."""
    exchange, is_message = frame.exchange, frame.kind not in {MessageKind.SSE_OTHER}
    if exchange.answered_s is None or exchange.answer in history.rounds.questions:
        return  # what comes after a question is L-MRTR-11
    seconds = frame.monotonic_s - exchange.answered_s
    if is_message and frame.kind not in _RESPONSES:
        text = "a message was sent on the stream after the response, which should be the last"
        yield make_finding("L-MOD-14", text, "", frame.revision)
    elif not is_message and seconds > RACE_SECONDS and history.is_first("L-MOD-14"):
        text = f"the stream should end after the response; it is still open {seconds:.0f} s later"
        yield make_finding("L-MOD-14", text, "", frame.revision)


def _is_answered(frame: HttpFrame, history: History) -> bool:
    del history
    is_answer = frame.kind in _RESPONSES or frame.exchange.answered_s is not None
    return frame.exchange.verb == "POST" and is_answer


def check_only_response(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a stream has a second response, or one to another request."""
    id_ = frame.read().id
    number = 0 if isinstance(id_, Absent) else history.calls.frames.get(json_key(id_))
    if frame.exchange.answered_s is not None:
        text = "the stream has more than one response"
    elif number not in {None, 0, frame.exchange.opener}:
        text = f"the response to #{number} was sent on the stream of #{frame.exchange.opener}"
    else:
        return
    yield make_finding("L-MOD-16", text, "/id", frame.revision)


def _is_response(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.kind in _RESPONSES and frame.asked is MessageKind.REQUEST


def check_end(seen: ReceivedMessage | Note, history: History) -> Iterator[Finding]:
    """Yield that the stream of a request ended without the response."""
    exchange = ended_stream(seen, history) if isinstance(seen, Note) else None
    if exchange is not None and exchange.opener not in history.subscriptions.requested:
        text = "the stream ended without the response to its request"
        yield make_finding("L-MOD-18", text, "", seen.revision)


_RECEIVING, _EARLIER = "Receiving Messages", "Earlier Streamable HTTP Revisions"
_ON_RESULT, _ON_ERROR, _ON_EVENT = On(Subject.RESULT), On(Subject.ERROR), On(Subject.EVENT)

RULES = (
    Rule(
        "L-MOD-13",
        Severity.ERROR,
        "http",
        "progress on the stream of another call",
        why="Clients that read each stream separately show the progress at the wrong call.",
        hint="Send progress on the response stream of the request with that token.",
        section=_RECEIVING,
        level="MUST",
        since=5,
        transports=HTTP_ONLY,
        on=(On(Subject.NOTIFICATION, "notifications/progress"),),
        check=check_foreign_progress,
        when=_is_of_open_request,
    ),
    Rule(
        "L-MOD-14",
        Severity.WARNING,
        "http",
        "stream goes on after the response",
        why="Clients stop reading at the response, lose what follows, and keep the connection open.",
        hint="End the stream with the response.",
        section=_RECEIVING,
        level="SHOULD",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_after_response,
        when=_is_answered,
    ),
    Rule(
        "L-MOD-16",
        Severity.WARNING,
        "http",
        "stream with a second or foreign response",
        why="Clients use the first response, or fail at an unknown id.",
        hint="Send exactly one response on a stream, to its own request.",
        section=_RECEIVING,
        level="RULE",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_only_response,
        when=_is_response,
    ),
    Rule(
        "L-MOD-18",
        Severity.WARNING,
        "http",
        "stream ended without its response",
        why="The result is lost, and repeating the request may do everything twice.",
        hint="Send the response, or an error, before the stream ends.",
        section=_RECEIVING,
        level="RULE",
        since=5,
        transports=HTTP_ONLY,
        on=(On(Subject.NOTE, "failed"), _ON_RESULT, _ON_ERROR),
        check=check_end,
        when=is_stream_of_post,
    ),
    Rule(
        "L-MOD-21",
        Severity.WARNING,
        "http",
        "Last-Event-ID used to resume a stream",
        why="Clients rely on a redelivery that this revision does not define.",
        hint="Ignore `Last-Event-ID`.",
        section=_EARLIER,
        level="SHOULD",
        since=5,
        transports=HTTP_ONLY,
        kind=Kind.ACTIVE,
        on=(_ON_RESULT,),
    ),
)
