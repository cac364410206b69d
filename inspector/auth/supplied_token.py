"""Credentials of one server whose access token comes from outside (`token_source.py`).

The token is read before the first request that needs it and kept in memory only. It is sent to the origin of the server alone, in a header.
A source that can change is read once more after a 401; a second 401 in a row ends in words.

Source: RFC 6750, section 2.1; C-AUT-28 to C-AUT-30.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.auth import urls
from inspector.errors import AuthError
from inspector.event import Event
from inspector.transport.http.credentials import Outcome

if TYPE_CHECKING:
    from inspector.auth.messages import Pairs
    from inspector.auth.settings import Settings
    from inspector.auth.token_source import TokenSource
    from inspector.transport.base import Sink
    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.credentials import Refusal

UNAUTHORIZED = 401


class SuppliedToken:
    """Sends a token from outside with the requests to one server."""

    def __init__(self, address: HttpConfig, settings: Settings, source: TokenSource) -> None:
        """Send the token of `source`, which `settings` name, to the server at `address`."""
        self.secrets_found: Event[tuple[str, ...]] = Event()
        """Fired with the token before it is sent or recorded."""
        self.address = address
        """The server."""
        self.settings = settings
        """What the user chose."""
        self._source = source
        self._token = ""
        self._is_renewed = False  # since the server accepted a token
        self._sink: Sink | None = None
        self._lock = asyncio.Lock()

    def attach(self, sink: Sink) -> None:
        """Tell a new connection the token, so that its recording holds a marker in its place."""
        self._sink = sink
        if self._token:
            self.secrets_found.fire((self._token,))

    async def headers(self, verb: str, url: str) -> Pairs:
        """The token for a request to the server; nothing for any other host.

        Raises:
            AuthError: there is no token.
        """
        del verb
        if urls.origin(url) != urls.origin(self.address.url):
            return ()
        async with self._lock:
            if not self._token:
                await self._read()
        return (("Authorization", f"Bearer {self._token}"),)

    def accepted(self, sent: Pairs, headers: Pairs) -> None:
        """Note that the server accepts the token: a later 401 means that it expired."""
        del headers
        if self._token and _token_in(sent) == self._token:
            self._is_renewed = False

    async def refused(self, refusal: Refusal) -> Outcome:
        """Read the source once more where the server rejects the token."""
        if refusal.status != UNAUTHORIZED:
            return Outcome()
        used = _token_in(refusal.sent)
        async with self._lock:
            if self._token != used:
                return Outcome(sends_again=True)
            rejected = f"the server rejects the token of {self._source.label}"
            if self._is_renewed or not self._source.can_change:
                return Outcome(reason=rejected, hint=self._source.hint)
            self._is_renewed = True
            try:
                await self._read()
            except AuthError as error:
                return Outcome(reason=f"{rejected}; {error.reason}", hint=error.hint)
            if self._token == used:
                text = f"{rejected}, which gives the same one again"
                return Outcome(reason=text, hint=self._source.hint)
            return Outcome(sends_again=True)

    async def _read(self) -> None:
        """Read the source; the server is not to blame for the time that takes."""
        release = self._sink.pause_timeouts() if self._sink is not None else None
        try:
            self._token = await self._source.read()
        finally:
            if release is not None:
                release()
        self.secrets_found.fire((self._token,))


def _token_in(sent: Pairs) -> str:
    """The token that a request carried."""
    return next((value.partition(" ")[2] for name, value in sent if name == "Authorization"), "")
