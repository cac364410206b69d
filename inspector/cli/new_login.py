"""A place for grants where an earlier login is not looked for: who logs in wants another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from inspector.auth.client import Client
    from inspector.auth.grant import Grant, Grants


class NewLogin:
    """Finds the grants that are put here, and keeps them, and clients, where they belong."""

    def __init__(self, kept: Grants, *, with_kept_client: bool = True) -> None:
        """Keep everything in `kept`; without `with_kept_client` no client that was registered before is found."""
        self._kept = kept
        self._with_kept_client = with_kept_client
        self._has_new = False

    def find(self, server_url: str) -> Grant | None:
        """The grant for a server, once there is a new one."""
        return self._kept.find(server_url) if self._has_new else None

    def put(self, grant: Grant) -> None:
        """Keep a grant."""
        self._has_new = True
        self._kept.put(grant)

    def drop(self, grant: Grant) -> None:
        """Forget a grant."""
        self._kept.drop(grant)

    def lock(self, server_url: str) -> AbstractContextManager[None]:
        """Keep everybody else from renewing the grant for a server."""
        return self._kept.lock(server_url)

    def client(self, issuer: str) -> Client | None:
        """The client that was registered at an authorization server."""
        return self._kept.client(issuer) if self._with_kept_client else None

    def put_client(self, client: Client) -> None:
        """Keep a client."""
        self._kept.put_client(client)

    def drop_client(self, issuer: str) -> None:
        """Forget a client."""
        self._kept.drop_client(issuer)
