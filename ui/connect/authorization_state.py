"""What a connection needs of the user to be authorized, and the facts about it. Pure: reads a session and its authorizer."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from inspector.auth import urls
from inspector.session.error_responses import http_of
from inspector.session.session import SessionState
from inspector.transport.http.credentials import REFUSALS
from ui.widgets.key_values import KeyValue

if TYPE_CHECKING:
    from inspector.auth.authorizer import Authorizer
    from inspector.auth.flow import Flow, FlowStep
    from inspector.auth.state import State
    from inspector.errors import HttpStatus
    from inspector.session.session import Session


AUTOMATIC = "registered automatically"
NO_CLIENT = "none"
"""The client is registered when the user logs in, or does not exist."""


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


def facts_of(flow: Flow) -> tuple[KeyValue, ...]:
    """What the server asks for, as far as it is known."""
    state = flow.state
    issuer = state.server.issuer if state.server is not None else state.issuer
    scopes = " ".join(state.scopes)
    facts = (
        KeyValue("Response", _challenge_text(state)),
        KeyValue("Resource metadata", _resource_text(state)),
        KeyValue("Authorization server", issuer),
        KeyValue("Scopes", scopes or "chosen by the authorization server", mono=bool(scopes)),
        KeyValue("Client", client_text(state), mono=False),
    )
    return tuple(fact for fact in facts if fact.value)


def login_host(flow: Flow) -> str:
    """The host of the login page; empty where that is unknown."""
    server = flow.state.server
    parts = urls.split(server.authorization_endpoint) if server is not None else None
    return parts.netloc if parts is not None else ""


def client_text(state: State) -> str:
    """Which client the authorization server will see; empty where that is unknown."""
    if state.settings.client_id:
        return f"{state.settings.client_id} (from the settings of this server)"
    stored = state.stored_client
    if stored is not None and state.server is not None and stored.issuer == state.server.issuer:
        return f"{stored.id} (registered before)"
    if state.server is None:
        return ""
    if state.server.takes_client_documents and state.settings.client_metadata_url:
        return state.settings.client_metadata_url
    if state.server.takes_client_documents and state.settings.serves_client_metadata:
        return "described by a document on this computer"
    if state.server.registration_endpoint:
        return AUTOMATIC
    return NO_CLIENT


def what_happens(state: State) -> str:
    """What *Authorize…* does, or what is missing before it, in a sentence or two."""
    client = client_text(state)
    if client == NO_CLIENT:
        return "The authorization server offers no registration. Register a client there, and enter its ID in the settings."
    first = "Spyglass"
    if client == AUTOMATIC:
        first = "Spyglass registers at the authorization server, then"
    return (
        f"{first} shows the URL of the login page. It opens in your browser when you confirm it. "
        "The connection continues after the login."
    )


def _challenge_text(state: State) -> str:
    asked = [each.scheme for each in state.challenges.items]
    scheme = f"WWW-Authenticate: {', '.join(asked)}" if asked else "no WWW-Authenticate"
    error = state.challenges.get("error")
    return ", ".join(part for part in (f"HTTP {state.status}", scheme, error) if part)


def _resource_text(state: State) -> str:
    if state.resource is not None:
        return state.resource.document.url
    tried = [each.url for each in state.resource_documents]
    return f"not found at {' or '.join(tried)}" if tried else "not requested"
