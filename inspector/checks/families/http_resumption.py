"""Streams that are resumed: ids of events, how a stream begins, when to come back, and what is sent again.

Source: basic/transports, "Resumability and Redelivery".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families.http import NOT_FOUND
from inspector.checks.families.http_streams import ended_stream, exchange_of
from inspector.checks.http_history import SESSION
from inspector.checks.seen import Note, ReceivedMessage
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.finding import Finding

MAX_DELAY_MS = 600_000
"""A server that has clients wait longer before they connect again is not reached again by anyone who waits."""


def check_event_id(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that an event id is that of an event of another stream."""
    event, exchange = frame.event, frame.exchange
    earlier = history.http.event_ids.get(event.id) if event is not None and event.id else None
    if event is None or earlier in {None, exchange.opener} or exchange.is_resumed:
        return
    if history.is_first("L-SES-14"):
        text = f"event ids must be unique in a session, but “{one_line(str(event.id), 60)}” was already used on the stream of #{earlier}"
        yield make_finding("L-SES-14", text, "", frame.revision)


def _has_id(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.event is not None and bool(frame.event.id)


def check_priming(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a stream does not begin with an id and empty data, once."""
    event = frame.event
    is_primed = event is not None and event.id is not None and not event.has_data
    if not is_primed and history.is_first("L-SES-15"):
        text = "the stream should start with an event that has an `id` and empty `data`"
        yield make_finding("L-SES-15", text, "", frame.revision)


def _is_first_event(frame: HttpFrame, history: History) -> bool:
    del history
    exchange = frame.exchange
    is_block = frame.event is not None and not frame.event.is_comment
    return is_block and not exchange.events and exchange.verb == "POST"


def check_retry(note: Note, history: History) -> Iterator[Finding]:
    """Yield that a stream was closed early and the client does not know when to come back, once."""
    exchange = ended_stream(note, history)
    if exchange is not None and not exchange.has_retry and history.is_first("L-SES-16"):
        text = "the stream ended before the response, without a `retry` field"
        yield make_finding("L-SES-16", text, "", note.revision)


def _has_ended(note: Note, history: History) -> bool:
    return ended_stream(note, history) is not None


def check_resumed_ids(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that resuming one stream leads to events of another, once."""
    event = frame.event
    earlier = history.http.event_ids.get(event.id) if event is not None and event.id else None
    if earlier not in {None, frame.exchange.opener} and history.is_first("L-SES-17"):
        text = f"the stream of #{frame.exchange.opener} was resumed, but continues with an event of the stream of #{earlier}"
        yield make_finding("L-SES-17", text, "", frame.revision)


def _is_resumed_post(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.exchange.is_resumed and frame.asked is MessageKind.REQUEST


def check_replay(seen: ReceivedMessage | Note, history: History) -> Iterator[Finding]:
    """Yield that a resumed stream repeats what was delivered, or has the response of another request."""
    if isinstance(seen, Note):
        if history.is_first("L-SES-18"):
            text = "the resumed stream repeats an event that was already delivered"
            yield make_finding("L-SES-18", text, "", seen.revision, severity=Severity.WARNING)
        return
    exchange = exchange_of(seen, history)
    is_other = exchange is not None and seen.request not in {0, exchange.opener}
    if exchange is not None and is_other and exchange.opener in history.calls.known:
        text = f"the stream of #{exchange.opener} was resumed, but has the response to #{seen.request}, which belongs to another stream"
        yield make_finding("L-SES-18", text, "/id", seen.revision)


def _is_replay(seen: ReceivedMessage | Note, history: History) -> bool:
    if isinstance(seen, Note):
        return True
    exchange = exchange_of(seen, history)
    return exchange is not None and exchange.is_resumed


def check_delay(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the time before connecting again is almost nothing, very long or no number, once."""
    from inspector.transport.http.event_stream import MIN_DELAY_SECONDS  # brings httpx
    from inspector.wire.sse import MAX_RETRY_MS, invalid_retry

    asked_ms = frame.event.retry_ms if frame.event is not None else None
    floor_ms = MIN_DELAY_SECONDS * 1000
    if asked_ms is not None and asked_ms < floor_ms:
        text = f"`retry` of {asked_ms} ms leaves no pause before clients reconnect; Spyglass waits {floor_ms:g} ms"
    elif asked_ms is not None and asked_ms > MAX_DELAY_MS:
        more = " or more" if asked_ms == MAX_RETRY_MS else ""
        text = f"`retry` of {asked_ms:,} ms{more} delays reconnection by more than {MAX_DELAY_MS // 60_000} minutes"
    elif (value := invalid_retry(frame.raw)) is not None:
        text = f"`retry` must be a number of milliseconds, not “{one_line(value, 40)}”; ignored"
    else:
        return
    if history.is_first("L-SES-19"):
        yield make_finding("L-SES-19", text, "", frame.revision)


def _sets_delay(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.event is not None and b"retry" in frame.raw


def check_resumption(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a stream with event ids cannot be resumed, once; after its session nothing can."""
    status, session = frame.exchange.status, frame.exchange.sent.get(SESSION, "")
    has_ended = bool(session) and (status == NOT_FOUND or session in history.http.left_ids)
    if not has_ended and status in {400, 404, 405, 501} and history.is_first("L-SES-20"):
        text = f"events of the stream have ids, but resuming it was rejected with HTTP {status}"
        yield make_finding("L-SES-20", text, "", frame.revision)


_SENDING, _RESUMING = "Sending Messages to the Server", "Resumability and Redelivery"
_ANSWERS = (On(Subject.RESULT), On(Subject.ERROR))
_ON_EVENT = On(Subject.EVENT)

RULES = (
    Rule(
        "L-SES-14",
        Severity.ERROR,
        "http",
        "event id used on two streams",
        why="Clients that resume a stream get messages of another one.",
        hint="Make event ids unique within a session, for example from the id of the stream and a counter.",
        section=_RESUMING,
        level="MUST",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_event_id,
        when=_has_id,
    ),
    Rule(
        "L-SES-15",
        Severity.INFO,
        "http",
        "stream does not start with an event id",
        why="Clients cannot resume the stream if the connection breaks before the first message.",
        hint="Start each stream with an event that has an id and empty data.",
        python="Pass `event_store=…` to `FastMCP` (version 1) or `run()` (version 2).",
        typescript="Pass an `eventStore` to the transport.",
        section=_SENDING,
        level="SHOULD",
        since=4,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_priming,
        when=_is_first_event,
    ),
    Rule(
        "L-SES-16",
        Severity.WARNING,
        "http",
        "stream closed early without retry",
        why="Clients cannot determine when to reconnect, and retry too early or too late.",
        hint="Send a `retry` field before you close the connection.",
        section=_SENDING,
        level="SHOULD",
        since=4,
        until=4,
        transports=HTTP_ONLY,
        on=(On(Subject.NOTE, "resuming"),),
        check=check_retry,
        when=_has_ended,
    ),
    Rule(
        "L-SES-17",
        Severity.WARNING,
        "http",
        "event ids do not identify their stream",
        why="Clients that resume a stream miss the response, which arrives elsewhere.",
        hint="Use event ids from which the server can find the stream.",
        section=_RESUMING,
        level="SHOULD",
        since=4,
        until=4,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_resumed_ids,
        when=_is_resumed_post,
    ),
    Rule(
        "L-SES-18",
        Severity.ERROR,
        "http",
        "replay of foreign or already delivered messages",
        why="Clients process a message twice, or one of another stream.",
        hint="Replay only messages of the same stream after the event of `Last-Event-ID`.",
        section=_RESUMING,
        level="MUST NOT",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(On(Subject.NOTE, "repeated"), *_ANSWERS),
        check=check_replay,
        when=_is_replay,
    ),
    Rule(
        "L-SES-19",
        Severity.WARNING,
        "http",
        "retry delay unusable",
        why="Clients reconnect without a pause, or far too late.",
        hint="Set `retry` to a number of milliseconds between 100 and a few minutes.",
        section=_SENDING,
        level="quality",
        transports=HTTP_ONLY | {"sse"},
        on=(_ON_EVENT,),
        check=check_delay,
        when=_sets_delay,
    ),
    Rule(
        "L-SES-20",
        Severity.WARNING,
        "http",
        "stream with event ids cannot be resumed",
        why="If the connection breaks, the result of the call is lost despite the event ids.",
        hint="Respond to GET with `Last-Event-ID` with the rest of the stream, or send no event ids.",
        section=_RESUMING,
        level="quality",
        since=2,
        until=4,
        transports=HTTP_ONLY,
        on=(On(Subject.HTTP),),
        check=check_resumption,
        when=_is_resumed_post,
    ),
)
