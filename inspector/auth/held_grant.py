"""The grant that one server is reached with now, and the place where it is kept: read once, written at every change, in a thread.

What somebody else put there since is never deleted, and taken over instead of being renewed again: rotation would kill the other's tokens.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import grant as grants
from inspector.auth.client import Origin
from inspector.auth.first_look import SHOWS_ERROR

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from inspector.auth.client import Client
    from inspector.auth.flow import Flow, FlowFailed
    from inspector.auth.grant import Grant, Grants


class HeldGrant:
    """The grant for one server. Every method that waits raises `StorageError` when the place cannot be read or written."""

    def __init__(
        self, server_url: str, kept: Grants, on_changed: Callable[[Grant | None], object]
    ) -> None:
        """Keep the grant for `server_url` in `kept`; `on_changed` takes every other one."""
        self.value: Grant | None = None
        """What is used; None before it is looked for, and where there is none."""
        self._server_url = server_url
        self._kept = kept
        self._on_changed = on_changed
        self._is_read = False

    def hold(self, grant: Grant | None) -> None:
        """Use another one, without keeping it."""
        self.value = grant
        self._on_changed(grant)

    async def read(self) -> None:
        """Look for what was kept, once."""
        if not self._is_read:
            self._is_read = True
            found = await asyncio.to_thread(self._kept.find, self._server_url)
            if found is not None and self.value is None:
                self.hold(found)

    async def keep(self, grant: Grant) -> None:
        """Use a grant, and keep it."""
        self._is_read = True
        self.hold(grant)
        await asyncio.to_thread(self._kept.put, grant)

    @asynccontextmanager
    async def locked(self) -> AsyncGenerator[None]:
        """Keep everybody else from renewing the grant, other processes included."""
        stack = ExitStack()
        lock = self._kept.lock(self._server_url)
        entering = asyncio.get_running_loop().run_in_executor(None, stack.enter_context, lock)
        try:
            await asyncio.shield(entering)
        except asyncio.CancelledError:
            entering.add_done_callback(lambda _: stack.close())
            raise
        with stack:
            yield

    async def take_newer(self, grant: Grant) -> bool:
        """Use what somebody else kept in the place of `grant`; false where nobody did."""
        kept = await asyncio.to_thread(self._kept.find, self._server_url)
        if kept is None or grants.is_same(kept, grant):
            return False
        self.hold(kept)
        return True

    async def drop(self, grant: Grant) -> None:
        """Use and keep it no more."""
        self.hold(None)
        await asyncio.to_thread(self._kept.drop, grant)

    def expire(self) -> None:
        """Act as if the access token were over."""
        if self.value is not None:
            self.hold(replace(self.value, tokens=replace(self.value.tokens, expires_at=0.0)))

    async def client(self, issuer: str) -> Client | None:
        """The client that was used at an issuer before."""
        found = await asyncio.to_thread(self._kept.client, issuer)
        return replace(found, origin=Origin.STORED) if found is not None else None

    async def drop_client(self, issuer: str) -> None:
        """Forget the client of an issuer."""
        await asyncio.to_thread(self._kept.drop_client, issuer)

    async def keep_client(self, flow: Flow) -> None:
        """Keep a client that was registered, whatever became of the flow: nobody wants another one each time."""
        client = flow.state.client
        if client is not None and client.origin is Origin.REGISTERED:
            await asyncio.to_thread(self._kept.put_client, client)

    async def doubt_client(self, failure: FlowFailed) -> None:
        """Forget a kept client that the authorization server does not know any more, or not with this redirect URI.

        The next flow registers another one: the port of a loopback redirect URI may change (RFC 8252, section 7.3), but some servers demand
        the one that was registered.
        """
        client, problem = failure.step.before.client, failure.step.problem
        is_kept = client is not None and client.origin is Origin.STORED
        is_refused = "invalid_client" in problem or problem.startswith(SHOWS_ERROR)
        if client is not None and is_kept and is_refused:
            await self.drop_client(client.issuer)
