"""Who may ask for tokens: clients known from the start, and those that registered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.auth.redirect_uris import is_loopback, matches
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

MAX_CLIENTS = 1000
"""The oldest is forgotten for the next."""


class Client(FrozenStruct, frozen=True):
    """One client."""

    id: str
    """What it calls itself in every request."""
    name: str
    """What the user reads."""
    method: str
    """How it authenticates at the token endpoint."""
    redirect_uris: tuple[str, ...] = ()
    """Where answers may go."""
    grant_types: tuple[str, ...] = ("authorization_code",)
    """What it may trade for tokens."""
    secret: str = ""
    """Its secret; empty without one."""
    keys: JsonObject | None = None
    """JWK set of `private_key_jwt`."""
    is_native: bool = False
    """Whether it runs on the user's machine, where the port of the redirect URI changes."""
    takes_any_loopback: bool = False
    """Whether every loopback redirect URI is as good as registered."""

    def redirects_to(self, uri: str, *, exact_port: bool = False) -> bool:
        """Whether an answer may go there."""
        if self.takes_any_loopback and is_loopback(uri):
            return True
        any_port = self.is_native and not exact_port
        return any(matches(uri, each, any_port=any_port) for each in self.redirect_uris)


EVERY_GRANT = ("authorization_code", "refresh_token", "client_credentials")

PREREGISTERED = (
    Client(
        "demo-client",
        "Client with a secret, registered by hand",
        "client_secret_basic",
        grant_types=EVERY_GRANT,
        secret="demo-secret",
        is_native=True,
        takes_any_loopback=True,
    ),
    Client(
        "demo-post-client",
        "Client with a secret in the form, registered by hand",
        "client_secret_post",
        grant_types=EVERY_GRANT,
        secret="demo-secret",
        is_native=True,
        takes_any_loopback=True,
    ),
    Client(
        "demo-public-client",
        "Client without a secret, registered by hand",
        "none",
        grant_types=("authorization_code", "refresh_token"),
        is_native=True,
        takes_any_loopback=True,
    ),
)
"""Known from the start, for those who try what is done without registration."""


class Clients:
    """All clients of one run."""

    def __init__(self) -> None:
        """Start with those registered by hand."""
        self._known = {client.id: client for client in PREREGISTERED}

    def add(self, client: Client) -> None:
        """Know a client, or know it better."""
        self._known[client.id] = client
        if len(self._known) > MAX_CLIENTS:
            self._known.pop(list(self._known)[len(PREREGISTERED)])

    def find(self, client_id: str) -> Client | None:
        """The client of that id."""
        return self._known.get(client_id)

    def forget(self, client_id: str) -> None:
        """Know it no more."""
        self._known.pop(client_id, None)
