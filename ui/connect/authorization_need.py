"""What the user can do about the authorization of a connection. Pure."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from inspector.session.error_responses import http_of
from inspector.session.session_state import SessionState
from inspector.transport.http.credentials import REFUSALS

if TYPE_CHECKING:
    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import FlowStep
    from inspector.errors import HttpStatus
    from inspector.session.session import Session


class Need(Enum):
    """What the user can do about the authorization of a connection."""

    NOTHING = auto()
    LOGIN = auto()
    """The server asked for authorization; the user was not asked yet."""
    PATIENCE = auto()
    """An authorization runs, and the user has no part in this step."""
    BROWSER = auto()
    """The login page waits for the user."""
    REPAIR = auto()
    """An authorization failed."""
    CREDENTIALS = auto()
    """The server wants credentials that are not of OAuth."""


def need_of(session: Session | None, authorizer: Authorizer | None) -> Need:
    """What `session` needs."""
    if session is None:
        return Need.NOTHING
    step = latest_step(authorizer)
    if session.state is SessionState.CONNECTING:
        if step is None or not step.is_running:
            return Need.NOTHING
        return Need.BROWSER if step.waits_for_user else Need.PATIENCE
    refused = refusal_of(session)
    if refused is None:
        return Need.NOTHING
    if refused.needs_user:
        return Need.LOGIN
    flow = authorizer.flow if authorizer is not None else None
    if flow is not None and step is not None and step.has_failed:
        asks_for_oauth = bool(flow.state.challenges.oauth) or flow.state.server is not None
        return Need.REPAIR if asks_for_oauth else Need.CREDENTIALS
    is_asked = refused.status == 401 and authorizer is not None and authorizer.grant is None
    return Need.CREDENTIALS if is_asked else Need.NOTHING


def offers_login(session: Session | None) -> bool:
    """Whether connecting failed because the user has to log in, which they have not been prompted to yet."""
    refused = refusal_of(session) if session is not None else None
    return refused is not None and refused.needs_user


def refusal_of(session: Session) -> HttpStatus | None:
    """The 401 or 403 by which connecting failed; None if it did not fail, or by another error."""
    if session.state is not SessionState.FAILED or session.failure is None:
        return None
    http = http_of(session.failure)
    return http if http is not None and http.status in REFUSALS else None


def latest_step(authorizer: Authorizer | None) -> FlowStep | None:
    """The latest step of the latest authorization; None without one."""
    flow = authorizer.flow if authorizer is not None else None
    return flow.steps[-1] if flow is not None and flow.steps else None
