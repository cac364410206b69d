"""A request without a token: whether the server refuses it, and what its refusal holds."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from inspector.errors import InspectorError, PeerError
from inspector.event import Event
from inspector.session.error_responses import http_of
from inspector.transport.http.credentials import Outcome
from inspector.transport.http.refusals import names_credentials

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.grant import Grant
    from inspector.auth.state import State
    from inspector.session.session import Session
    from inspector.transport.base import Sink
    from inspector.transport.http.credentials import Refusal

LISTS = ("tools/list", "resources/list", "prompts/list")
"""Requests that a server may protect although anyone can connect."""

GOOD, FORBIDDEN = 200, 403


class FirstRefusal:
    """Sends nothing; keeps the first response that refused a request."""

    def __init__(self, grant: Grant | None) -> None:
        """Start without a refusal; `grant` is the saved login of the server, which is not used."""
        self.grant = grant
        """The saved login."""
        self.secrets_found: Event[tuple[str, ...]] = Event()
        """Fired with secret values, before they are recorded."""
        self.refusal: Refusal | None = None
        """The first 401 or 403; None if there was no refusal."""

    def attach(self, sink: Sink) -> None:
        """Nothing is exchanged."""

    async def headers(self, verb: str, url: str) -> tuple[tuple[str, str], ...]:
        """Return no header."""
        del verb, url
        return ()

    def accepted(
        self, sent: tuple[tuple[str, str], ...], headers: tuple[tuple[str, str], ...]
    ) -> None:
        """Nothing was sent."""

    async def refused(self, refusal: Refusal) -> Outcome:
        """Keep the first refusal, and leave the response as it is."""
        self.refusal = self.refusal or refusal
        return Outcome()


async def request_without_token(
    session: Session, is_refused: Callable[[], bool]
) -> InspectorError | None:
    """Connect and request lists until a request is refused; returns the failure of connecting."""
    try:
        await session.connect()
    except InspectorError as error:
        return error
    for method in LISTS:
        if not is_refused() and session.supports(method):
            await _request(session, method)
    return None


async def _request(session: Session, method: str) -> None:
    """Send a request; only a refusal matters, and the credentials keep it."""
    with contextlib.suppress(InspectorError):
        await session.request(method, {})


def status_of(failure: InspectorError | None) -> int:
    """The HTTP status with which connecting failed; 0 if it did not, or there was no response."""
    if failure is None:
        return 0
    http = http_of(failure)
    if http is not None:
        return http.status
    return GOOD if isinstance(failure, PeerError) else 0


def is_about_access(failure: InspectorError) -> bool:
    """Whether connecting may have failed because there was no token: there was a response without another reason."""
    http = http_of(failure)
    if http is None or http.status != FORBIDDEN:
        return bool(status_of(failure))
    has_challenge = any("authenticate" in each.lower() for each in http.explained)
    return has_challenge or not http.is_named or names_credentials(http.body)


def is_published(state: State) -> bool:
    """Whether a document of an authorization was found; endpoints that old revisions assume do not count."""
    return state.resource is not None or (state.server is not None and not state.server.is_guessed)
