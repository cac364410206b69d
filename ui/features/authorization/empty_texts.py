"""What the page says where there is nothing to authorize, and the next step. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import HttpStatus
from inspector.session.session import SessionState

if TYPE_CHECKING:
    from inspector.workspace import OpenSession

HTTP = ("http", "sse")
"""Transports with authorization."""


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
    if session.profile.transport not in HTTP:
        return LOCAL
    if status := rejection_status(session):
        return EmptyText(
            "This server requires authorization",
            f"It rejected the connection with HTTP {status}. Select how to authorize in the server settings.",
            "Set up authorization…",
        )
    is_connecting = session.session.state is SessionState.CONNECTING
    return CONNECTING if is_connecting else NOT_REQUIRED


def rejection_status(session: OpenSession) -> int:
    """Return the status with which the connection was rejected for lack of authorization; 0 for none."""
    failure = session.session.failure
    if isinstance(failure, HttpStatus) and failure.status in {401, 403}:
        return failure.status
    return 0
