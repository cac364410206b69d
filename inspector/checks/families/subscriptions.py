"""Streams of notifications that a client asks for: what the server agrees to, sends, and how it ends them.

Source: basic/patterns/subscriptions; basic/patterns/cancellation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families.http_streams import ended_stream
from inspector.checks.http_exchanges import JSON, STREAM, HttpFrame
from inspector.checks.seen import Note, ReceivedMessage
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.spec.subscription_filter import ACKNOWLEDGED, KINDS, LISTEN, UPDATED
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.finding import Finding

_FEATURES = {
    "toolsListChanged": ("tools", "listChanged"),
    "promptsListChanged": ("prompts", "listChanged"),
    "resourcesListChanged": ("resources", "listChanged"),
}
"""By a member of the filter, the capability that promises it."""


def check_agreed(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a notification of a kind that was asked for and not acknowledged."""
    requested = history.subscriptions.requested.get(message.request)
    agreed = history.subscriptions.acknowledged.get(message.request)
    key = KINDS[message.method]
    is_asked = requested is not None and message.method in requested.kinds
    if is_asked and (not isinstance(agreed, dict) or agreed.get(key) is not True):
        text = f"`{message.method}` was sent, but the acknowledgment of the stream does not include `{key}`"
        yield make_finding("L-SUB-04", text, "/method", message.revision)


def _is_acknowledged(message: ReceivedMessage, history: History) -> bool:
    return message.request in history.subscriptions.acknowledged


def check_end(seen: ReceivedMessage | Note, history: History) -> Iterator[Finding]:
    """Yield that a stream ended without the result that ends one."""
    exchange = ended_stream(seen, history) if isinstance(seen, Note) else None
    if exchange is not None:
        text = "the stream ended without the result of `subscriptions/listen`"
        yield make_finding("L-SUB-06", text, "", seen.revision)


def _is_of_listen(seen: ReceivedMessage | Note, history: History) -> bool:
    if isinstance(seen, Note):
        is_known = seen.request in history.subscriptions.requested
        return is_known and ended_stream(seen, history) is not None
    return True


def check_answer(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that the request for a stream is answered by one result at once."""
    del history
    if frame.exchange.media_type == JSON:
        text = f"`subscriptions/listen` must return an event stream, not `{JSON}`"
        yield make_finding("L-SUB-10", text, "", frame.revision)


def _is_accepted(frame: HttpFrame, history: History) -> bool:
    del history
    return frame.exchange.is_good and frame.exchange.media_type in {JSON, STREAM}


def check_promises(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield that the server declares a notification and does not agree to send it."""
    requested = history.subscriptions.requested.get(message.request)
    agreed = message.params.get("notifications")
    for key in requested.refused(agreed) if requested is not None else ():
        capability = _FEATURES.get(key) or (("resources", "subscribe") if "/" in key else None)
        if capability is not None and history.has_capability(*capability):
            name = ".".join(capability)
            text = f"`{name}` is declared, but the acknowledgment leaves out `{one_line(key, 120)}`"
            yield make_finding("L-SUB-11", text, "/params/notifications", message.revision)
            return


def _is_known(message: ReceivedMessage, history: History) -> bool:
    is_open = message.request in history.subscriptions.requested
    return is_open and history.server_capabilities is not None


def check_after_end(message: ReceivedMessage, history: History) -> Iterator[Finding]:
    """Yield a notification on a subscription that we cancelled some time ago, once."""
    seconds = history.calls.seconds_since_given_up(message.request, message.monotonic_s)
    if seconds and history.is_first("L-SUB-12"):
        text = f"`{message.method}` was sent {seconds:.0f} s after the subscription was cancelled"
        yield make_finding("L-SUB-12", text, "/method", message.revision)


def _is_cancelled(message: ReceivedMessage, history: History) -> bool:
    is_given_up = message.request in history.calls.given_up
    return is_given_up and message.request in history.subscriptions.requested


_ENDS = "Graceful Closure"
_KINDS = tuple(On(Subject.NOTIFICATION, method) for method in KINDS)
"""Which notifications announce that a list changed."""

RULES = (
    Rule(
        "L-SUB-04",
        Severity.WARNING,
        "subscriptions",
        "notification that was not acknowledged",
        why="Clients that rely on the acknowledgment drop the notification, or report an error.",
        hint="Acknowledge every notification type that the server will send on the stream.",
        section="Acknowledgment",
        level="RULE",
        since=5,
        on=_KINDS,
        check=check_agreed,
        when=_is_acknowledged,
    ),
    Rule(
        "L-SUB-06",
        Severity.WARNING,
        "subscriptions",
        "stream ended without its result",
        why="Clients cannot distinguish a closed subscription from a broken connection, and subscribe again.",
        hint="Send the result of `subscriptions/listen` before you close the stream.",
        section=_ENDS,
        level="SHOULD",
        since=5,
        on=(On(Subject.NOTE, "failed"), On(Subject.RESULT, LISTEN)),
        check=check_end,
        when=_is_of_listen,
    ),
    Rule(
        "L-SUB-10",
        Severity.WARNING,
        "subscriptions",
        "subscription without an event stream",
        why="Clients get no notifications, and subscribe again and again.",
        hint="Respond to `subscriptions/listen` with an event stream, and keep it open.",
        section="Opening a Stream",
        level="quality",
        since=5,
        transports=HTTP_ONLY,
        on=(On(Subject.HTTP, LISTEN),),
        check=check_answer,
        when=_is_accepted,
    ),
    Rule(
        "L-SUB-11",
        Severity.WARNING,
        "subscriptions",
        "declared notification not acknowledged",
        why="Clients that rely on the capability show outdated lists.",
        hint="Acknowledge what the capabilities declare, or do not declare it.",
        section="Acknowledgment",
        level="RULE",
        since=5,
        on=(On(Subject.NOTIFICATION, ACKNOWLEDGED),),
        check=check_promises,
        when=_is_known,
    ),
    Rule(
        "L-SUB-12",
        Severity.WARNING,
        "subscriptions",
        "notification after the subscription was cancelled",
        why="Clients report unexpected notifications, and the server works for nothing.",
        hint="Stop sending on a subscription when `notifications/cancelled` names it.",
        section="Cancellation",
        level="MUST NOT",
        since=5,
        on=(*_KINDS, On(Subject.NOTIFICATION, UPDATED)),
        check=check_after_end,
        when=_is_cancelled,
    ),
)
