"""The last step of an authorization: the first request that carries the new token. The transport sends it; here it becomes a step. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth import clock_skew, rejection
from inspector.auth.flow import FlowStep, StepStatus
from inspector.auth.messages import HttpResponse
from inspector.auth.proofs import header
from inspector.auth.stage import Stage
from inspector.auth.state import State
from inspector.spec.revision import NEWEST

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from inspector.transport.http.credentials import Refusal

TITLE = "Call the server with the token"


def accepted(server_url: str) -> FlowStep:
    """Return the step of a token that the server took."""
    before = State(server_url, NEWEST)
    text = "the server accepts the token"
    return FlowStep(0, Stage.CALL, TITLE, StepStatus.DONE, before, reason=text)


def not_enough(refusal: Refusal, reason: str) -> FlowStep:
    """Return the step of a token whose scopes do not suffice for an operation, although more were requested."""
    return FlowStep(
        0,
        Stage.CALL,
        TITLE,
        StepStatus.FAILED,
        State(refusal.url, NEWEST),
        response=_response(refusal),
        problem=reason,
        hint="Check which scopes the authorization server grants, and which ones the server requires.",
    )


def rejected(refusal: Refusal, grant: Grant, now: float, *, issuer_ahead: float | None) -> FlowStep:
    """Return the step of a token that the server rejected although it is new.

    `now` is wall time, `issuer_ahead` the seconds that the clock of the authorization server is ahead of ours.
    """
    ahead = clock_skew.seconds_ahead(header(refusal.headers, "date"), now)
    reason, hint = rejection.explain(grant, now, issuer_ahead=issuer_ahead, server_ahead=ahead)
    return FlowStep(
        0,
        Stage.CALL,
        TITLE,
        StepStatus.FAILED,
        State(grant.server_url, NEWEST),
        response=_response(refusal),
        checks=rejection.check(grant, now + (ahead or 0.0)),
        problem=reason,
        hint=hint,
        expected=grant.server_url if (audience := rejection.wrong_audience(grant)) else "",
        received=audience,
    )


def _response(refusal: Refusal) -> HttpResponse:
    return HttpResponse(refusal.status, refusal.headers, refusal.body, refusal.frame)
