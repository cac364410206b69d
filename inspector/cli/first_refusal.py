"""Credentials that send no token and keep what the server says to that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.event import Event
from inspector.transport.http.credentials import Outcome

if TYPE_CHECKING:
    from inspector.auth.grant import Grant
    from inspector.transport.base import Sink
    from inspector.transport.http.credentials import Refusal


class FirstRefusal:
    """Sends nothing; keeps the first response that refused a request."""

    def __init__(self, grant: Grant | None) -> None:
        """Start without a refusal; `grant` is the login that is kept for the server, and not used."""
        self.grant = grant
        """The login that is kept."""
        self.secrets_found: Event[tuple[str, ...]] = Event()
        """Fired with values that nobody should see, before they are recorded."""
        self.refusal: Refusal | None = None
        """The first 401 or 403; None where there was none."""

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
