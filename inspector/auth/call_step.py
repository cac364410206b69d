"""The last step of an authorization: the first request with the new token, which the transport sends. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import rejection
from inspector.auth.flow import FlowStep, StepStatus
from inspector.auth.messages import HttpResponse, first_header
from inspector.auth.state import Stage, State
from inspector.spec.revision import NEWEST
from inspector.wire.message import read as read_message

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from inspector.transport.http.credentials import Refusal
    from inspector.wire.challenge import Challenges

TITLE = "Call the server with the token"


def accepted(server_url: str) -> FlowStep:
    """Return the step of a token that the server accepts."""
    before, text = State(server_url, NEWEST), "the server accepts the token"
    return FlowStep(0, Stage.CALL, TITLE, StepStatus.DONE, before, reason=text)


def not_enough(refusal: Refusal, reason: str) -> FlowStep:
    """Return the step of a token whose scopes do not suffice for an operation, although more were requested."""
    hint = "Check which scopes the authorization server grants, and which ones the server requires."
    return replace(_refused(refusal.url, refusal), problem=reason, hint=hint)


def rejected(refusal: Refusal, grant: Grant, now: float, *, issuer_ahead: float | None) -> FlowStep:
    """Return the step of a token that the server rejected although it is new.

    `now` is wall time, `issuer_ahead` the seconds that the clock of the authorization server is ahead.
    """
    ahead = rejection.seconds_ahead(first_header(refusal.headers, "date"), now)
    reason, hint = rejection.explain(grant, now, issuer_ahead=issuer_ahead, server_ahead=ahead)
    audience = rejection.wrong_audience(grant)
    return replace(
        _refused(grant.server_url, refusal),
        checks=rejection.check(grant, now + (ahead or 0.0)),
        problem=reason,
        hint=hint,
        expected=grant.server_url if audience else "",
        received=audience,
    )


def _refused(server_url: str, refusal: Refusal) -> FlowStep:
    before = State(server_url, NEWEST)
    response = HttpResponse(refusal.status, refusal.headers, refusal.body, refusal.frame)
    return FlowStep(0, Stage.CALL, TITLE, StepStatus.FAILED, before, response=response)


def missing_scopes_text(operation: str, found: Challenges, held: Grant | None) -> str:
    """Return which scopes a server still requires after an authorization for more of them."""
    missing = " ".join(found.scopes) or "a scope that it does not name"
    text = f"{operation} still needs {missing}"
    if held is None:
        return text
    asked, granted = " ".join(held.scopes), " ".join(held.tokens.scopes)
    return f"{text}; requested were {asked or 'none'}, granted were {granted or 'none'}"


def operation_label(refusal: Refusal) -> str:
    """Return the operation of a request as users know it: method and name."""
    if not refusal.message:
        return refusal.verb
    message = read_message(refusal.message)
    params = message.params
    named = (params.get("name") or params.get("uri")) if isinstance(params, dict) else None
    return f"{message.method} {named}" if isinstance(named, str) else message.method
