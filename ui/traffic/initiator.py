"""Why a frame crossed the wire: who began it, which operation it belongs to and how that is known; and how long its HTTP request took."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.http_exchange import http_exchange
from inspector.transcript.index import FrameFlags
from inspector.transcript.operation_folds import LIST_MEMBERS, PING, SUBSCRIPTION, TASK_METHODS
from inspector.visible_text import one_line
from inspector.wire.frame import Direction
from ui.widgets.key_values import KeyValue
from ui.widgets.units import duration, duration_exact

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript

LOOK_S = 0.005
"""Seconds in which the operation of a frame is searched for in one turn of the loop."""

MAX_NAME = 80
"""Characters of the name of an operation."""

_BY_YOU = {
    "tools/call": "tool call",
    "prompts/get": "prompt",
    "resources/read": "resource",
    "resources/subscribe": "subscription to a resource",
    "resources/unsubscribe": "end of a subscription",
    "completion/complete": "suggestions while you typed",
    "logging/setLevel": "log level",
}
_BY_SPYGLASS = {
    "initialize": "connecting",
    "server/discover": "connecting",
    "notifications/initialized": "connecting",
    PING: "ping",
    SUBSCRIPTION: "notifications of the server",
    **dict.fromkeys(LIST_MEMBERS, "reading a list"),
    **dict.fromkeys(TASK_METHODS, "following a task"),
}


def operation_of(transcript: Transcript, number: int) -> tuple[int, bool]:
    """Return the request of the operation that a frame belongs to, 0 for none, and whether that is known already: if not, ask again in the next turn."""
    rows = transcript.operations
    rows.advance(number + 1, perf_counter() + LOOK_S)
    if rows.tree.is_added(number):
        return rows.operation(number), True
    return transcript.columns.request[number - 1], False


def initiator_facts(transcript: Transcript, number: int, operation: int) -> list[KeyValue]:
    """Return who began a frame, and the operation that it belongs to if it is not its request."""
    facts = [KeyValue("Initiator", _initiator(transcript, operation or number), mono=False)]
    if operation and operation != number:
        columns = transcript.columns
        is_named = bool(columns.request[number - 1] or columns.stream[number - 1])
        tip = "The frame names it" if is_named else "No other operation was pending"
        facts.append(KeyValue("Operation", f"#{operation} {_name(transcript, operation)}", tip))
    return facts


def _name(transcript: Transcript, request: int) -> str:
    columns, at = transcript.columns, request - 1
    method = columns.methods.texts[columns.method[at]]
    label = columns.labels.texts[columns.label[at]]
    return one_line(f"{method} {label}".rstrip(), MAX_NAME)


def _initiator(transcript: Transcript, number: int) -> str:
    columns, at = transcript.columns, number - 1
    method = columns.methods.texts[columns.method[at]]
    direction = columns.direction[at]
    if direction == Direction.NOTE:
        return "Spyglass · note"
    if direction == Direction.RECEIVED:
        return "Server"
    if columns.flags[at] & FrameFlags.PROBE:
        return "Spyglass · detecting the protocol"
    if number in transcript.annotations.edited:
        return "You · message that you edited"
    if method in _BY_YOU:
        return f"You · {_BY_YOU[method]}"
    reason = _BY_SPYGLASS.get(method)
    return f"Spyglass · {reason}" if reason else "Spyglass"


def connection_facts(transcript: Transcript, number: int) -> list[KeyValue]:
    """Return how the time of the HTTP request of a frame divides; empty for other transports, and while it is not sent."""
    try:
        exchange = http_exchange(transcript, number)
    except StorageError:
        return []
    hop = exchange.hop_of(number) if exchange is not None else None
    if exchange is None or hop is None:
        return []
    times = transcript.columns.monotonic_s
    queued = max(times[hop.request - 1] - times[exchange.opener - 1], 0.0)
    parts = [("until sent", queued)]
    if hop.response:
        parts.append(("waiting", times[hop.response - 1] - times[hop.request - 1]))
    if hop.parts:
        parts.append(("receiving", times[hop.last - 1] - times[hop.response - 1]))
    rounded = ", ".join(f"{duration(seconds)} {text}" for text, seconds in parts)
    exact = ", ".join(f"{duration_exact(seconds)} {text}" for text, seconds in parts)
    return [KeyValue("Connection", rounded, exact, mono=False)]
