"""The grant in use for one server: read once, saved at every change (in a thread), renewed, revoked, and broken on purpose.

A newer grant that another process saved is never deleted but used instead of renewing again: rotation would revoke the tokens of that process.

Source: RFC 6749, section 6; RFC 7009, section 2; RFC 9449, section 8; C-AUT-43.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, asynccontextmanager
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import client as clients
from inspector.auth import grant as grants
from inspector.auth import signing, steps, tokens
from inspector.auth.client import Origin
from inspector.auth.user_agent import SHOWS_ERROR

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from inspector.auth.client import Client
    from inspector.auth.flow import Flow, FlowFailed
    from inspector.auth.grant import Grant, Grants
    from inspector.auth.settings import Settings
    from inspector.auth.tokens import TokenResponse
    from inspector.auth.user_agent import Sender
    from inspector.transport.http.credentials import Refusal


class HeldGrant:
    """The grant in use for one server. Every coroutine may raise `StorageError`."""

    def __init__(
        self, server_url: str, kept: Grants, on_changed: Callable[[Grant | None], object]
    ) -> None:
        """Save the grant for `server_url` in `kept`; `on_changed` is called with every new one."""
        self.value: Grant | None = None
        """The grant; None before it is read, and without one."""
        self._server_url = server_url
        self._kept = kept
        self._on_changed = on_changed
        self._is_read = False

    def use(self, grant: Grant | None) -> None:
        """Use another grant without saving it."""
        self.value = grant
        self._on_changed(grant)

    async def read(self) -> None:
        """Read the saved grant, once."""
        if not self._is_read:
            self._is_read = True
            found = await asyncio.to_thread(self._kept.find, self._server_url)
            if found is not None and self.value is None:
                self.use(found)

    async def keep(self, grant: Grant) -> None:
        """Use a grant, and save it."""
        self._is_read = True
        self.use(grant)
        await asyncio.to_thread(self._kept.put, grant)

    @asynccontextmanager
    async def locked(self) -> AsyncGenerator[None]:
        """Hold the lock that renewing the grant requires, in all processes."""
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
        """Use the grant that another process saved since `grant`; false without one."""
        kept = await asyncio.to_thread(self._kept.find, self._server_url)
        if kept is None or grants.is_same(kept, grant):
            return False
        self.use(kept)
        return True

    async def drop(self, grant: Grant) -> None:
        """Delete a grant, and use none."""
        self.use(None)
        await asyncio.to_thread(self._kept.drop, grant)

    def expire(self) -> None:
        """Treat the access token as expired."""
        if self.value is not None:
            self.use(replace(self.value, tokens=replace(self.value.tokens, expires_at=0.0)))

    async def client(self, issuer: str) -> Client | None:
        """Return the client that was used at an issuer before."""
        found = await asyncio.to_thread(self._kept.client, issuer)
        return replace(found, origin=Origin.STORED) if found is not None else None

    async def drop_client(self, issuer: str) -> None:
        """Delete the client of an issuer."""
        await asyncio.to_thread(self._kept.drop_client, issuer)

    async def keep_client(self, flow: Flow) -> None:
        """Save a client that was registered, also if the flow failed: the next one need not register again."""
        client = flow.state.client
        if client is not None and client.origin is Origin.REGISTERED:
            await asyncio.to_thread(self._kept.put_client, client)

    async def doubt_client(self, failure: FlowFailed) -> None:
        """Delete a saved client that the authorization server no longer knows, or not with this redirect URI.

        The next flow registers another one: the port of a loopback redirect URI may change (RFC 8252, section 7.3), but some servers demand
        the one that was registered.
        """
        client, problem = failure.step.before.client, failure.step.problem
        is_kept = client is not None and client.origin is Origin.STORED
        is_refused = "invalid_client" in problem or problem.startswith(SHOWS_ERROR)
        if client is not None and is_kept and is_refused:
            await self.drop_client(client.issuer)


class BrokenStatus(StrEnum):
    """The status of the latest broken token."""

    NONE = "none"
    SENT = "sent"
    """The next request carries it, or the latest one does and waits for its response."""
    REJECTED = "rejected"
    """As it must be."""
    ACCEPTED = "accepted"
    """The server does not verify the signature."""


class BrokenTokens:
    """Lets one request carry a token that was broken on purpose: only that shows whether a server checks the tokens that it accepts."""

    def __init__(self, held: HeldGrant) -> None:
        """Break the token of `held`."""
        self.status = BrokenStatus.NONE
        self.rejection: Refusal | None = None
        """The response that rejected the latest one."""
        self._held = held
        self._access = ""
        self._right: Grant | None = None

    def send(self) -> None:
        """Let the next request carry a token with a wrong signature; does nothing without a token."""
        right = self._held.value
        if right is None or right.tokens.access == self._access:
            return
        self._right, self._access = right, broken(right.tokens.access)
        self.status = BrokenStatus.SENT
        self._held.use(replace(right, tokens=replace(right.tokens, access=self._access)))

    def accepted(self, token: str) -> None:
        """Note that the server accepts a token."""
        if token and token == self._access:
            self._put_back(BrokenStatus.ACCEPTED)

    def rejected(self, token: str, refusal: Refusal) -> bool:
        """Note that the server rejects a token; return whether it was the broken one."""
        if not token or token != self._access:
            return False
        self.rejection = refusal
        self._put_back(BrokenStatus.REJECTED)
        return True

    def _put_back(self, status: BrokenStatus) -> None:
        self.status, self._access = status, ""
        right, self._right = self._right, None
        self._held.use(right)


def broken(access: str) -> str:
    """Return `access` with another character in the middle of its last part: the signature, where it is a JSON Web Token."""
    start = access.rfind(".") + 1
    at = start + (len(access) - start) // 2
    if at >= len(access):
        return f"{access}x"
    return f"{access[:at]}{'A' if access[at] != 'A' else 'B'}{access[at + 1 :]}"


async def refresh_tokens(
    grant: Grant, settings: Settings, sender: Sender, wall_s: Callable[[], float]
) -> tuple[TokenResponse, str]:
    """Renew the tokens; return the response and the nonce for the next time. A second request if the server requires a nonce.

    Raises:
        AuthError: a key that the user gave cannot be used.
    """
    await _load(grant, settings)
    fields = tokens.fields_of(
        tokens.REFRESH, refresh_token=grant.tokens.refresh, resource=grant.resource
    )
    nonce = grant.dpop_nonce
    while True:
        assertion = steps.client_assertion(settings, grant.client, wall_s())
        request = tokens.request(grant.token_endpoint, grant.client, fields, assertion=assertion)
        request = steps.with_proof(request, grant.dpop_key, nonce, wall_s())
        response = await sender.send(request)
        asked = grant.tokens.scopes or grant.scopes
        answer = tokens.read(response, requested=asked, now=wall_s())
        required = response.header("dpop-nonce")
        if answer.error != signing.NONCE_ERROR or not required or nonce != grant.dpop_nonce:
            return answer, required or nonce
        nonce = required


async def revoke_tokens(grant: Grant, settings: Settings, sender: Sender, now: float) -> str:
    """Revoke the refresh token, or the access token without one; return the reason if that failed, else an empty string.

    Raises:
        AuthError: a key that the user gave cannot be used.
    """
    if not grant.revocation_endpoint:
        return "the authorization server does not revoke tokens"
    await _load(grant, settings)
    held = grant.tokens
    token, kind = (held.refresh, "refresh_token") if held.refresh else (held.access, "access_token")
    fields = (("token", token), ("token_type_hint", kind))
    assertion = steps.client_assertion(settings, grant.client, now)
    request = tokens.request(grant.revocation_endpoint, grant.client, fields, assertion=assertion)
    response = await sender.send(request)
    if response.is_good:
        return ""
    return response.problem or clients.refusal_text(response)


async def _load(grant: Grant, settings: Settings) -> None:
    if grant.dpop_key or settings.private_key:
        await signing.load()
