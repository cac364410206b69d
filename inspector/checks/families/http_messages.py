"""HTTP responses to messages that have no response: notifications, and responses of ours.

Source: basic/transports, "Sending Messages to the Server".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.families.http import ACCEPTED, NOT_FOUND, OF_THE_SERVER, RESPONSES
from inspector.finding import Severity
from inspector.rules.rule import HTTP_ONLY, On, Rule, Subject
from inspector.spec.findings import make_finding
from inspector.wire.message import ABSENT, MessageKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.history import History
    from inspector.checks.http_exchanges import HttpFrame
    from inspector.finding import Finding

_OF_REJECTION = OF_THE_SERVER - {NOT_FOUND}
"""Error statuses by which a server rejects the message itself; 404 says that the session has ended."""

_WITHOUT_RESPONSE = frozenset({MessageKind.NOTIFICATION, MessageKind.RESPONSE, MessageKind.ERROR})


def _is_of_message(frame: HttpFrame, history: History) -> bool:
    """Whether it answers the POST of a message that has no response."""
    del history
    return frame.asked in _WITHOUT_RESPONSE and frame.exchange.verb == "POST"


def check_acceptance(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a notification or response is accepted by another status than 202."""
    del history
    if frame.exchange.status != ACCEPTED:
        text = f"an accepted notification or response must get HTTP 202 without a body, not HTTP {frame.exchange.status}"
        yield make_finding("L-HTTP-03", text, "", frame.revision)


def _is_accepted(frame: HttpFrame, history: History) -> bool:
    return _is_of_message(frame, history) and frame.exchange.is_good


def check_empty_body(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that 202 comes with a body."""
    del history
    is_response = frame.headers is None and frame.kind in RESPONSES
    if frame.headers is None and frame.raw.strip() and not is_response:
        yield make_finding("L-HTTP-04", "HTTP 202 must not have a body", "", frame.revision)


def check_rejection(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a notification or response is rejected."""
    del history
    subject = f"`{frame.method}`" if frame.method else "a response"
    text = f"the server rejects {subject} with HTTP {frame.exchange.status}"
    yield make_finding("rejected-notification", text, "", frame.revision)


def _is_rejected(frame: HttpFrame, history: History) -> bool:
    """Whether the server rejects the message itself, not a proxy, and not for its credentials or its session."""
    return frame.exchange.status in _OF_REJECTION and _is_of_message(frame, history)


def _is_accepted_by_202(frame: HttpFrame, history: History) -> bool:
    return _is_of_message(frame, history) and frame.exchange.status == ACCEPTED


def check_needless_response(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that a notification or response is answered by a response with a status of success."""
    del history
    if frame.headers is None and frame.kind in RESPONSES:
        text = "a notification or response must not get a JSON-RPC response"
        yield make_finding("L-HTTP-05", text, "", frame.revision)


def check_refusal_id(frame: HttpFrame, history: History) -> Iterator[Finding]:
    """Yield that an error in answer to a notification names the id of a request."""
    del history
    id_ = frame.read().id
    if id_ is not ABSENT and id_ is not None:
        text = "an error that rejects a notification or response must not have an `id`"
        yield make_finding("L-HTTP-15", text, "/id", frame.revision)


def _is_refused(frame: HttpFrame, history: History) -> bool:
    is_error = frame.kind is MessageKind.ERROR and not frame.exchange.is_good
    return is_error and _is_of_message(frame, history)


_SENDING = "Sending Messages to the Server"
_ON_HEADERS, _ON_BODY = On(Subject.HTTP), On(Subject.BODY)

RULES = (
    Rule(
        "L-HTTP-03",
        Severity.WARNING,
        "http",
        "accepted notification without HTTP 202",
        why="Clients that check the status treat an accepted notification as failed.",
        hint="Respond to a notification or a response with HTTP 202 and no body.",
        section=_SENDING,
        level="MUST",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_acceptance,
        when=_is_accepted,
    ),
    Rule(
        "rejected-notification",
        Severity.WARNING,
        "http",
        "rejected notification",
        why="The server misses what the client reports: without `notifications/initialized` it may refuse every request that follows.",
        hint="Accept every notification and response with HTTP 202, those that the server has no use for as well.",
        section=_SENDING,
        level="quality",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS,),
        check=check_rejection,
        when=_is_rejected,
    ),
    Rule(
        "L-HTTP-04",
        Severity.WARNING,
        "http",
        "202 with a body",
        why="A client that keeps the connection may read the body as part of the next response.",
        hint="Send HTTP 202 without a body.",
        section=_SENDING,
        level="MUST",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS, _ON_BODY),
        check=check_empty_body,
        when=_is_accepted_by_202,
    ),
    Rule(
        "L-HTTP-05",
        Severity.ERROR,
        "http",
        "JSON-RPC response to a notification",
        why="The response matches no request: clients report an unknown id, or disconnect.",
        hint="Reject a notification or a response with a status such as 400; accept it with 202.",
        section=_SENDING,
        level="MUST",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_HEADERS, _ON_BODY),
        check=check_needless_response,
        when=_is_accepted,
    ),
    Rule(
        "L-HTTP-15",
        Severity.WARNING,
        "http",
        "error with an id for a notification",
        why="Clients match the error to a request that it does not belong to.",
        hint="Leave `id` out of the error that rejects a notification or a response.",
        section=_SENDING,
        level="RULE",
        since=2,
        transports=HTTP_ONLY,
        on=(_ON_BODY,),
        check=check_refusal_id,
        when=_is_refused,
    ),
)
