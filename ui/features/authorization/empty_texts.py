"""What the page says of a server without an authorization to show: whether it requires one, and how it rejected the connection. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import HttpStatus
from inspector.session.session_state import SessionState
from inspector.session.transport_factory import transport_kind

if TYPE_CHECKING:
    from inspector.open_session import OpenSession

BAD_REQUEST, UNAUTHORIZED, FORBIDDEN = 400, 401, 403


class EmptyText(NamedTuple):
    """An empty state."""

    title: str
    text: str
    action: str
    """The word on its button, which leads to the settings of the server; empty for none."""


LOCAL = EmptyText(
    "No authorization over stdio",
    "A stdio server takes its credentials from its environment. Set them in the server settings.",
    "Edit server…",
)
CONNECTING = EmptyText(
    "Connecting…", "Whether the server requires authorization is known after that.", ""
)
NOT_REQUIRED = EmptyText(
    "This server does not require authorization",
    "No request was rejected. A bearer token, an API key or basic credentials can be sent in a header anyway.",
    "Send a token anyway…",
)


def empty_text(session: OpenSession) -> EmptyText:
    """Return what to say of the server of `session`."""
    if not transport_kind(session.profile.transport).has_headers:
        return LOCAL
    status = rejection_status(session)
    if status in {UNAUTHORIZED, FORBIDDEN}:
        return EmptyText(
            "This server requires authorization",
            f"It rejected the connection with HTTP {status}. Select how to authorize in the server settings.",
            "Set up authorization…",
        )
    is_connecting = session.session.state is SessionState.CONNECTING
    return CONNECTING if is_connecting else NOT_REQUIRED


def rejection_text(session: OpenSession) -> str:
    """Return what to say of a server that rejected the connection with another status than 401; empty for none."""
    status = rejection_status(session)
    if status in {0, UNAUTHORIZED}:
        return ""
    return f"Rejected with HTTP {status}: clients start authorization at HTTP 401 only"


def rejection_status(session: OpenSession) -> int:
    """Return the status with which the connection was rejected for lack of authorization; 0 for none."""
    failure = session.session.failure
    is_rejected = isinstance(failure, HttpStatus) and failure.status >= BAD_REQUEST
    return failure.status if is_rejected and isinstance(failure, HttpStatus) else 0
