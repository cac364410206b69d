"""The format of event streams.

Source: WHATWG HTML, "Server-sent events"; basic/transports/streamable-http, "Receiving Messages".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.calls import RACE_SECONDS
from inspector.checks.families.http_streams import ended_stream, exchange_of
from inspector.checks.http_exchanges import STREAM
from inspector.checks.seen import At, Note
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.checks.seen import ReceivedMessage
    from inspector.finding import Finding

IDLE_SECONDS = 300.0
"""Silence on a stream of notifications after which many proxies have given it up."""

MANY_MESSAGES = 5
BURST_SECONDS = 0.05
"""So many messages within so little time, after a while without any, were held back together."""

ENDPOINT = "endpoint"


def check_last_event(seen: HttpFrame | Note, history: History) -> Iterator[At]:
    """Yield that the last event of a stream lacks its blank line, and so is none."""
    exchange = ended_stream(seen, history) if isinstance(seen, Note) else None
    if exchange is not None and exchange.unterminated:
        text = "the stream ends within this event: it lacks its blank line, so clients discard it"
        yield At(exchange.unterminated, make_finding("L-SSE-01", text, "", seen.revision))


def check_name(frame: HttpFrame, history: History, rule: str = "L-SSE-02") -> Iterator[Finding]:
    """Yield that an event has a name that readers of messages do not listen to, once."""
    event = frame.event
    is_other = event is not None and event.event not in {"message", ENDPOINT}
    if event is not None and is_other and history.is_first(rule):
        text = f"the event must be named `message`, not “{one_line(event.event, 60)}”"
        yield make_finding(rule, text, "", frame.revision)


def has_data(frame: HttpFrame, history: History) -> bool:
    """Whether it is an event with data."""
    del history
    return frame.event is not None and frame.event.has_data


def check_data(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the data of an event is no message."""
    del history
    if frame.kind is MessageKind.MALFORMED:
        text = "the data of an event must be a JSON-RPC message"
        yield make_finding("L-SSE-03", text, "", frame.revision)


def check_buffering(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that proxies are not told to pass events on at once, once."""
    value = frame.exchange.received.get("x-accel-buffering", "")
    if value.lower() != "no" and history.is_first("L-SSE-04"):
        text = "the stream should have the header `X-Accel-Buffering: no`"
        yield make_finding("L-SSE-04", text, "", frame.revision)


def _is_stream(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.exchange.is_good and frame.exchange.media_type == STREAM


def check_ids(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a stream that cannot be resumed has event ids or a delay, once."""
    event = frame.event
    is_set = event is not None and (event.id is not None or event.retry_ms is not None)
    if is_set and history.is_first("L-SSE-05"):
        text = "`id` and `retry` have no effect: streams of this revision cannot be resumed"
        yield make_finding("L-SSE-05", text, "", frame.revision)


def check_idle(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that nothing came on a stream of notifications for minutes, once."""
    seconds = frame.monotonic_s - frame.exchange.latest_s
    if seconds >= IDLE_SECONDS and history.is_first("L-SSE-06"):
        text = f"no data on the stream for {seconds / 60:.0f} minutes, not even a comment"
        yield make_finding("L-SSE-06", text, "", frame.revision)


def _is_listening(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.exchange.latest_s > 0


def check_cache_control(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a stream may be kept by caches, once."""
    value = frame.exchange.received.get("cache-control", "").lower()
    if "no-cache" not in value and "no-store" not in value and history.is_first("L-SSE-07"):
        text = "the stream lacks the header `Cache-Control: no-cache`"
        yield make_finding("L-SSE-07", text, "", frame.revision)


def check_burst(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that everything on a stream came at once, at its end, once."""
    exchange = exchange_of(message, history)
    if exchange is None or exchange.messages < MANY_MESSAGES:
        return
    waited_s = exchange.first_message_s - exchange.opened_s
    took_s = message.monotonic_s - exchange.first_message_s
    if waited_s > RACE_SECONDS and took_s < BURST_SECONDS and history.is_first("L-SSE-08"):
        text = f"{exchange.messages} messages and the response arrived together after {waited_s:.1f} s: a buffer may delay the stream"
        yield make_finding("L-SSE-08", text, "", message.revision)


def _is_last_of_many(message: ReceivedMessage, history: History) -> bool:
    exchange = exchange_of(message, history)
    is_many = exchange is not None and exchange.messages >= MANY_MESSAGES
    return message.is_event and is_many


_RECEIVING = "Receiving Messages"
_ON_HEADERS, _ON_EVENT = On(Subject.HTTP), On(Subject.EVENT)
_EITHER = HTTP_ONLY | {"sse"}

RULES = (
    Rule(
        "L-SSE-01",
        Severity.WARNING,
        "",
        "last event of a stream is incomplete",
        why="Clients discard an event without its blank line, and lose the response in it.",
        hint="Write a blank line after every event, the last one included.",
        level="quality",
        transports=HTTP_ONLY,
        on=(On(Subject.NOTE, "failed"), On(Subject.NOTE, "resuming"), _ON_EVENT),
        check=check_last_event,
    ),
    Rule(
        "L-SSE-02",
        Severity.WARNING,
        "http",
        "event not named message",
        why="Clients handle only `message` events, and never see this one.",
        hint="Leave out `event:`, or write `event: message`.",
        section=_RECEIVING,
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_name,
        when=has_data,
    ),
    Rule(
        "L-SSE-03",
        Severity.ERROR,
        "http",
        "event data is not a message",
        why="Clients report an error for each such event, and some close the stream.",
        hint="Write one JSON-RPC message as the data of each event; use comments to keep a stream open.",
        section=_RECEIVING,
        level="MUST",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_data,
        when=has_data,
    ),
    Rule(
        "L-SSE-04",
        Severity.INFO,
        "http",
        "stream without X-Accel-Buffering: no",
        why="Proxies such as nginx buffer the stream, so progress and notifications arrive late.",
        hint="Send `X-Accel-Buffering: no` with every event stream.",
        section=_RECEIVING,
        level="SHOULD",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_buffering,
        when=_is_stream,
    ),
    Rule(
        "L-SSE-05",
        Severity.INFO,
        "http",
        "event ids on a stream that cannot be resumed",
        why="Clients of this revision never resume a stream, so the ids have no effect.",
        hint="Leave out `id` and `retry`.",
        section="Earlier Streamable HTTP Revisions",
        level="quality",
        since=5,
        transports=HTTP_ONLY,
        on=(_ON_EVENT,),
        check=check_ids,
    ),
    Rule(
        "L-SSE-06",
        Severity.INFO,
        "http",
        "stream silent for minutes",
        why="Proxies close idle connections, and notifications are lost.",
        hint="Write a comment such as `: keep-alive` to an idle stream every 30 seconds.",
        section=_RECEIVING,
        level="quality",
        since=5,
        transports=HTTP_ONLY,
        on=(On(Subject.EVENT, "subscriptions/listen"),),
        check=check_idle,
        when=_is_listening,
    ),
    Rule(
        "L-SSE-07",
        Severity.INFO,
        "",
        "stream without Cache-Control: no-cache",
        why="Caches on the way may delay events, or return them to another client.",
        hint="Send `Cache-Control: no-cache` with every event stream.",
        level="quality",
        transports=_EITHER,
        on=(_ON_HEADERS,),
        check=check_cache_control,
        when=_is_stream,
    ),
    Rule(
        "L-SSE-08",
        Severity.INFO,
        "http",
        "events delivered together at the end",
        why="Users see no progress until the call is complete.",
        hint="Flush each event, and turn off buffering and compression in proxies.",
        section=_RECEIVING,
        level="quality",
        transports=HTTP_ONLY,
        on=(On(Subject.RESULT), On(Subject.ERROR)),
        check=check_burst,
        when=_is_last_of_many,
    ),
)
