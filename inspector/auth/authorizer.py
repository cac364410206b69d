"""The credentials of one server: finds, uses, renews and replaces its token. What transports are given, and what outlives their connections.

A token is sent to the origin of the server alone, in a header. Many requests that are refused at once lead to one renewal: whoever comes
second finds a token that the request did not carry, and sends it again.

Source: basic/authorization, "Token Usage", "Step-Up Authorization Flow", "Refresh Tokens"; RFC 6750, section 2.1; RFC 9449, sections 7 and 9;
C-AUT-03, C-AUT-28 to C-AUT-35, C-AUT-43.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import clock_skew, refreshing, rejection, signing, urls
from inspector.auth import grant as grants
from inspector.auth.exchange import Exchanges
from inspector.auth.flow import Flow, FlowFailed, LoginNeeded
from inspector.auth.held_grant import HeldGrant
from inspector.auth.state import State
from inspector.auth.steps import NONCE_ERROR
from inspector.clock import SystemClock
from inspector.errors import AuthError, InspectorError
from inspector.event import Event
from inspector.spec.revision import NEWEST
from inspector.transport.http.credentials import Outcome
from inspector.wire import challenge
from inspector.wire.message import read as read_message

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.grant import Grant, Grants
    from inspector.auth.messages import Pairs
    from inspector.auth.settings import Settings
    from inspector.auth.user_agent import Sender, UserAgent
    from inspector.clock import Clock
    from inspector.spec.revision import Revision
    from inspector.transport.base import Sink
    from inspector.transport.http.address import HttpAddress
    from inspector.transport.http.credentials import Refusal
    from inspector.wire.challenge import Challenges

MAX_STEP_UPS = 2
"""Authorizations for more scopes that one operation may cause (C-AUT-35)."""

INSUFFICIENT = "insufficient_scope"


class Authorizer:
    """Lets requests of one server in."""

    def __init__(
        self,
        address: HttpAddress,
        settings: Settings,
        kept: Grants,
        *,
        make_user_agent: Callable[[Sender], UserAgent] | None = None,
        asks_first: bool = False,
        revision: Callable[[], Revision] = lambda: NEWEST,
        clock: Clock | None = None,
    ) -> None:
        """Get tokens for the server at `address` as `settings` say, and keep them in `kept`.

        Without a user agent nobody can log in. With `asks_first` a refusal leads to the user only after `allow_login`; `revision` gives the
        rules.
        """
        self.secrets_found: Event[tuple[str, ...]] = Event()
        """Fired with values that nobody should see, before they are sent or recorded."""
        self.changed: Event[()] = Event()
        """Fired when there is another grant, or another flow."""
        self.settings = settings
        self.flow: Flow | None = None
        """The latest authorization, done or under way."""
        self.address = address
        """The server."""
        self._held = HeldGrant(address.url, kept, self._on_grant)
        self._make_user_agent = make_user_agent
        self._asks_first = asks_first
        self._is_login_allowed = False
        self._revision = revision
        self._clock = clock or SystemClock()
        self._sink: Sink | None = None
        self._lock = asyncio.Lock()
        self._is_loaded = False
        self._nonce = ""
        self._fresh = ""  # the token that a flow gave, until the server takes it
        self._issuer_ahead: float | None = None  # the clock of who gave it
        self._unrenewable = ""
        self._failures = 0
        self._latest = Outcome()
        self._step_ups: Counter[str] = Counter()

    @property
    def grant(self) -> Grant | None:
        """What is used now; None before it is looked for, and where there is none."""
        return self._held.value

    # As credentials

    def attach(self, sink: Sink) -> None:
        """Record into `sink` what is exchanged from now on."""
        self._sink = sink
        self.secrets_found.fire(self.settings.secrets)
        if self.grant is not None:
            self.secrets_found.fire(self.grant.secrets)

    async def headers(self, verb: str, url: str) -> Pairs:
        """The access token for a request to the server; nothing for any other host (C-AUT-28 to C-AUT-30)."""
        if urls.origin(url) != urls.origin(self.address.url):
            return ()
        await self._held.read()
        held = self.grant
        if held is not None and held.tokens.refresh and held.expires_soon(self._clock.wall()):
            await self._renew_early(held)
        held = self.grant
        if held is None:
            return ()
        if not held.tokens.is_bound:
            return (("Authorization", f"Bearer {held.tokens.access}"),)
        await signing.load()
        proof = signing.proof(
            held.dpop_key,
            verb=verb,
            url=url,
            now=self._clock.wall(),
            nonce=self._nonce,
            token=held.tokens.access,
        )
        return (("Authorization", f"DPoP {held.tokens.access}"), ("DPoP", proof))

    def accepted(self, sent: Pairs, headers: Pairs) -> None:
        """Take note that a token is good: one that is refused later is over, and was not wrong from the beginning."""
        if self._fresh and _token_in(sent) == self._fresh:
            self._fresh = ""
        self._nonce = _header(headers, "dpop-nonce") or self._nonce  # RFC 9449, section 8.2

    async def refused(self, refusal: Refusal) -> Outcome:
        """Renew the token, or get another one, where the refusal is about the token (C-AUT-03, C-AUT-33)."""
        fields = [v for name, v in refusal.headers if name.lower() == "www-authenticate"]
        found = challenge.read(fields)
        if self._takes_nonce(refusal, found):
            return Outcome(sends_again=True)
        if refusal.status == 403 and found.get("error") != INSUFFICIENT:
            return Outcome()
        if found.items and not found.oauth:
            return Outcome()  # a password or a key is asked for, which no authorization server has
        used, failures = _token_in(refusal.sent), self._failures
        async with self._lock:
            if self.grant is not None and self.grant.tokens.access != used:
                return Outcome(sends_again=True)
            if self._failures != failures:  # it failed for somebody who was first
                return self._latest
            outcome = await self._replaced(refusal, found, used)
            if not outcome.sends_again:
                self._failures += 1
                self._latest = outcome
            return outcome

    # For the user

    def allow_login(self, *, is_allowed: bool = True) -> None:
        """Let the next authorization that a refusal causes involve the user, or take that back."""
        self._is_login_allowed = is_allowed

    def new_flow(self, challenges: Challenges | None = None, status: int = 0) -> Flow:
        """An authorization from its first step, not yet run, recorded into the latest connection. Give it to `take` and close it when it is over."""
        state = State(self.address.url, self._revision(), self.settings, status=status)
        return self._flow(replace(state, challenges=challenges or state.challenges))

    async def take(self, flow: Flow) -> None:
        """Use and keep what an authorization came to.

        Raises:
            StorageError: it cannot be kept.
        """
        found = grants.of_state(flow.state)
        if found is not None:
            await self._held.keep(found)
            self._fresh, self._issuer_ahead = found.tokens.access, flow.state.issuer_ahead

    async def find(self) -> Grant | None:
        """Look for a kept grant, and return what is used now.

        Raises:
            StorageError: the place where it is kept cannot be read.
        """
        await self._held.read()
        return self.grant

    async def refresh(self) -> bool:
        """Renew the token now; false where that is not possible."""
        await self.find()
        async with self._lock:
            return self.grant is not None and await self._refresh(self.grant)

    async def forget(self) -> None:
        """Forget the grant, and the client of its issuer.

        Raises:
            StorageError: they cannot be forgotten.
        """
        held = await self.find()
        if held is not None:
            await self._held.drop(held)
            await self._held.drop_client(held.issuer)

    def expire(self) -> None:
        """Act as if the access token were over."""
        self._unrenewable = ""
        self._held.expire()

    async def revoke(self) -> str:
        """Revoke the tokens and forget them; gives what went wrong in words, empty where nothing did.

        Raises:
            StorageError: they cannot be read or forgotten.
        """
        held = await self.find()
        if held is None:
            return "there is no token"
        sender = self._sender()
        try:
            words = await refreshing.revoke(held, self.settings, sender, self._clock.wall())
        finally:
            await sender.aclose()
        await self.forget()
        return words

    # Replacing

    async def _replaced(self, refusal: Refusal, found: Challenges, used: str) -> Outcome:
        """What comes of a refusal; whatever the server waits for meanwhile is our doing."""
        release = self._sink.hold() if self._sink is not None else None
        try:
            if refusal.status == 403:
                return await self._step_up(refusal, found)
            return await self._replace(refusal, found, used)
        except LoginNeeded as error:
            return Outcome(words=error.words, remedy=error.remedy, needs_user=True)
        except InspectorError as error:
            words = f"authorization failed: {error.words}"
            return Outcome(words=words, remedy=error.remedy)
        finally:
            if release is not None:
                release()

    async def _replace(self, refusal: Refusal, found: Challenges, used: str) -> Outcome:
        held = self.grant
        now = self._clock.wall()
        if held is not None and used == self._fresh and held.tokens.expires_at > now:
            ahead = clock_skew.seconds_ahead(_header(refusal.headers, "date"), now)
            words, remedy = rejection.explain(
                held, now, issuer_ahead=self._issuer_ahead, server_ahead=ahead
            )
            return Outcome(words=words, remedy=remedy)
        if held is not None and held.tokens.refresh and await self._refresh(held):
            self._fresh = ""
            return Outcome(sends_again=True)
        await self._authorize(refusal, found, (), sent_token=bool(used))
        return Outcome(sends_again=True)

    async def _step_up(self, refusal: Refusal, found: Challenges) -> Outcome:
        """Ask for more scopes, as often as the rules allow (C-AUT-33 to C-AUT-35)."""
        operation, held = _operation(refusal), self.grant
        done = self._step_ups[operation]
        if done >= MAX_STEP_UPS or (done and held is not None and held.was_asked(found.scopes)):
            return Outcome(
                words=_still_wanted(operation, found, held),
                remedy="Check which scopes the authorization server grants, and which ones the server wants.",
            )
        self._step_ups[operation] += 1
        earlier = (*held.scopes, *held.tokens.scopes) if held is not None else ()
        try:
            await self._authorize(refusal, found, tuple(dict.fromkeys(earlier)), sent_token=True)
        except LoginNeeded:
            self._step_ups[operation] -= 1
            raise
        return Outcome(sends_again=True)

    async def _authorize(
        self, refusal: Refusal, found: Challenges, earlier: tuple[str, ...], *, sent_token: bool
    ) -> None:
        state = State(
            self.address.url,
            self._revision(),
            self.settings,
            found,
            refusal.status,
            sent_token=sent_token,
            earlier_scopes=earlier,
        )
        may_ask = self._is_login_allowed or not self._asks_first
        self._is_login_allowed = False
        flow = self._flow(state, with_user=may_ask)
        try:
            await flow.run()
        except FlowFailed as failure:
            await self._held.doubt_client(failure)
            raise
        finally:
            await self._held.keep_client(flow)
            await flow.aclose()
        await self.take(flow)

    def _flow(self, state: State, *, with_user: bool = True) -> Flow:
        sender, make = self._sender(), self._make_user_agent
        agent = make(sender) if make is not None and with_user else None
        self.flow = Flow(state, sender, agent, stored_client=self._held.client, clock=self._clock)
        self.changed.fire()
        return self.flow

    def _sender(self) -> Exchanges:
        if self._sink is None:
            raise AuthError("there is no connection")
        return Exchanges(self.address, self._sink, on_secrets=self.secrets_found.fire)

    # Renewing

    async def _renew_early(self, held: Grant) -> None:
        """Renew a token that is about to expire, once for everybody who waits for it."""
        async with self._lock:
            is_done = self.grant is not held or self._unrenewable == held.tokens.access
            if not is_done and self._sink is not None and not await self._refresh(held):
                self._unrenewable = held.tokens.access

    async def _refresh(self, held: Grant) -> bool:
        """Renew a token, unless somebody else did so since; false where that is not possible."""
        async with self._held.locked():
            return await self._held.take_newer(held) or await self._renew(held)

    async def _renew(self, held: Grant) -> bool:
        sender = self._sender()
        try:
            answer, nonce = await refreshing.refresh(held, self.settings, sender, self._clock.wall)
        finally:
            await sender.aclose()
        if answer.tokens is not None:
            await self._held.keep(replace(grants.renewed(held, answer.tokens), dpop_nonce=nonce))
            return True
        if answer.error == "invalid_grant":
            await self._held.drop(held)
        return False

    def _on_grant(self, grant: Grant | None) -> None:
        if grant is not None:
            self.secrets_found.fire(grant.secrets)
        self.changed.fire()

    def _takes_nonce(self, refusal: Refusal, found: Challenges) -> bool:
        """Whether only a nonce was missing from the proof (RFC 9449, section 9)."""
        nonce = _header(refusal.headers, "dpop-nonce")
        is_new = bool(nonce) and nonce != self._nonce
        self._nonce = nonce or self._nonce
        return is_new and refusal.status == 401 and found.get("error") == NONCE_ERROR


def _still_wanted(operation: str, found: Challenges, held: Grant | None) -> str:
    """What a server wants in spite of an authorization for more scopes."""
    wanted = " ".join(found.scopes) or "a scope that it does not name"
    words = f"{operation} still needs {wanted}"
    if held is None:
        return words
    asked, granted = " ".join(held.scopes), " ".join(held.tokens.scopes)
    return f"{words}; requested were {asked or 'none'}, granted were {granted or 'none'}"


def _header(headers: Pairs, name: str) -> str:
    """The first header of a name, which is in lower case; empty where there is none."""
    return next((value for each, value in headers if each.lower() == name), "")


def _token_in(sent: Pairs) -> str:
    """The access token that a request carried."""
    found = (value.partition(" ")[2] for name, value in sent if name == "Authorization")
    return next(found, "")


def _operation(refusal: Refusal) -> str:
    """What a request asks for, as the user would call it."""
    if not refusal.message:
        return refusal.verb
    message = read_message(refusal.message)
    params = message.params
    named = (params.get("name") or params.get("uri")) if isinstance(params, dict) else None
    return f"{message.method} {named}" if isinstance(named, str) else message.method
