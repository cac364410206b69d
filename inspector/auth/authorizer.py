"""The credentials of one server: finds, uses, renews and replaces its token. It outlives the connections of the server.

A token is sent to the origin of the server alone, in a header. Many requests that are refused at once lead to one renewal: the later ones
find a token that they did not carry, and are sent again.

Source: basic/authorization, "Token Usage", "Step-Up Authorization Flow", "Refresh Tokens"; RFC 6750, section 2.1; RFC 9449, sections 7 and 9;
C-AUT-03, C-AUT-28 to C-AUT-35, C-AUT-43.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import call_step, held_grant, urls
from inspector.auth import grant as grants
from inspector.auth.exchange import Exchanges
from inspector.auth.flow import LOG_IN, Flow, FlowFailed, LoginNeeded
from inspector.auth.held_grant import BrokenTokens, HeldGrant
from inspector.auth.messages import token_in
from inspector.auth.signing import Proofs
from inspector.auth.state import State
from inspector.clock import SystemClock
from inspector.errors import AuthError, InspectorError
from inspector.event import Event
from inspector.spec.revision import NEWEST
from inspector.transport.http.credentials import Outcome
from inspector.wire import challenge

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.flow import FlowStep
    from inspector.auth.grant import Grant, Grants
    from inspector.auth.messages import Pairs
    from inspector.auth.settings import Settings
    from inspector.auth.user_agent import Sender, UserAgent
    from inspector.clock import Clock
    from inspector.spec.revision import Revision
    from inspector.transport.base import Sink
    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.credentials import Refusal
    from inspector.wire.challenge import Challenges

MAX_STEP_UPS = 2
"""Authorizations for more scopes that one operation may cause (C-AUT-35)."""

CANCELLED = "the login was cancelled"

INSUFFICIENT = "insufficient_scope"


class Authorizer:
    """Gets the access tokens for one server."""

    def __init__(
        self,
        address: HttpConfig,
        settings: Settings,
        kept: Grants,
        *,
        make_user_agent: Callable[[Sender], UserAgent] | None = None,
        requires_consent: bool = False,
        revision: Callable[[], Revision] = lambda: NEWEST,
        clock: Clock | None = None,
    ) -> None:
        """Get tokens for the server at `address` as `settings` say, and keep them in `kept`.

        Without a user agent the user cannot log in. With `requires_consent`, a refusal leads to a login only after `allow_login`; `revision` returns
        the revision whose rules apply.
        """
        self.secrets_found: Event[tuple[str, ...]] = Event()
        """Fired with values that must not be displayed, before they are sent or recorded."""
        self.changed: Event[()] = Event()
        """Fired when the grant or the flow is replaced."""
        self.progressed: Event[()] = Event()
        """Fired when a step of the flow begins, ends, or waits for the user."""
        self.settings = settings
        self.flow: Flow | None = None
        """The latest authorization, done or running."""
        self.address = address
        """The server."""
        self.refusal: Refusal | None = None
        """The latest response that required a token, or another one."""
        self._held = HeldGrant(address.url, kept, self._on_grant)
        self.broken = BrokenTokens(self._held)
        """Sends a token that was broken on purpose."""
        self._make_user_agent = make_user_agent
        self._requires_consent = requires_consent
        self._is_login_allowed = False
        self._revision = revision
        self._clock = clock or SystemClock()
        self._sink: Sink | None = None
        self._lock = asyncio.Lock()
        self._proofs = Proofs()
        self._fresh = ""  # the token that a flow gave, until the server takes it
        self._issuer_ahead: float | None = None  # the clock of who gave it
        self._unrenewable = ""
        self._failures = 0
        self._latest = Outcome()
        self._step_ups: Counter[str] = Counter()

    @property
    def grant(self) -> Grant | None:
        """The grant in use; None before it is read, and without one."""
        return self._held.value

    @property
    def waits_for_user(self) -> bool:
        """Whether a login page waits for the user."""
        step = self.flow.steps[-1] if self.flow is not None and self.flow.steps else None
        return step is not None and step.is_running and step.waits_for_user

    # As credentials

    def attach(self, sink: Sink) -> None:
        """Record the exchanges from now on into `sink`."""
        self._sink = sink
        self.secrets_found.fire(self.settings.secrets)
        if self.grant is not None:
            self.secrets_found.fire(self.grant.secrets)

    async def headers(self, verb: str, url: str) -> Pairs:
        """Return the access token for a request to the server; nothing for any other host (C-AUT-28 to C-AUT-30)."""
        if urls.origin(url) != urls.origin(self.address.url):
            return ()
        await self._held.read()
        held = self.grant
        if held is not None and held.tokens.refresh and held.expires_soon(self._clock.wall_s()):
            await self._renew_early(held)
        held = self.grant
        if held is None:
            return ()
        return await self._proofs.headers(held, verb, url, self._clock.wall_s())

    def accepted(self, sent: Pairs, headers: Pairs) -> None:
        """Note that the server accepts a token: a later 401 means that it expired, not that it was wrong."""
        token = token_in(sent)
        if self._fresh and token == self._fresh:
            self._fresh = ""
            self._conclude(call_step.accepted(self.address.url))
        self.broken.accepted(token)
        self._proofs.take_next_nonce(headers)

    async def refused(self, refusal: Refusal) -> Outcome:
        """Renew the token, or get another one, if the refusal is about the token (C-AUT-03, C-AUT-33)."""
        self.refusal = refusal
        found = _challenges(refusal)
        if self._proofs.take_nonce(refusal, found):
            return Outcome(sends_again=True)
        used, failures = token_in(refusal.sent), self._failures
        if self.broken.rejected(used, refusal):
            return Outcome(sends_again=True)
        if refusal.status == 403 and found.get("error") != INSUFFICIENT:
            return Outcome()
        if found.items and not found.oauth:
            return Outcome()  # a password or a key is required, which no authorization server has
        async with self._lock:
            if self.grant is not None and self.grant.tokens.access != used:
                return Outcome(sends_again=True)
            if self._failures != failures:  # it failed for an earlier request
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
        """Return an authorization that has not started, recorded into the latest connection; pass it to `take` and close it when it is done.

        Without challenges it starts with those of the latest refusal.
        """
        if challenges is None and self.refusal is not None:
            challenges, status = _challenges(self.refusal), self.refusal.status
        state = State(self.address.url, self._revision(), self.settings, status=status)
        return self._flow(replace(state, challenges=challenges or state.challenges))

    async def take(self, flow: Flow) -> None:
        """Use and save the grant of an authorization, and the client that it registered.

        Raises:
            StorageError: they cannot be saved.
        """
        await self._held.keep_client(flow)
        found = grants.of_state(flow.state)
        if found is not None:
            await self._held.keep(found)
            self._fresh, self._issuer_ahead = found.tokens.access, flow.state.issuer_ahead

    async def find(self) -> Grant | None:
        """Read the saved grant if it was not read yet, and return the grant in use.

        Raises:
            StorageError: it cannot be read.
        """
        await self._held.read()
        return self.grant

    async def refresh(self) -> bool:
        """Renew the token now; false if that is not possible."""
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
        """Treat the access token as expired."""
        self._unrenewable = ""
        self._held.expire()

    async def aclose(self) -> None:
        """Stop the latest authorization."""
        if self.flow is not None:
            self.flow.stop()
            await self.flow.aclose()

    async def revoke(self) -> str:
        """Revoke the tokens and forget them; return the reason if they were not revoked, else an empty string.

        Raises:
            StorageError: they cannot be read or forgotten.
        """
        held = await self.find()
        if held is None:
            return "there is no token"
        sender = self._sender()
        try:
            text = await held_grant.revoke_tokens(held, self.settings, sender, self._clock.wall_s())
        finally:
            await sender.aclose()
        await self.forget()
        return text

    def _conclude(self, step: FlowStep) -> None:
        """Add the outcome of the new token to the flow that requested it."""
        if self.flow is not None and self.flow.tokens is not None:
            self.flow.conclude(replace(step, began_wall=self._clock.wall_s()))

    # Replacing

    async def _replaced(self, refusal: Refusal, found: Challenges, used: str) -> Outcome:
        """Return the outcome of a refusal; timeouts of the server are paused meanwhile."""
        release = self._sink.pause_timeouts() if self._sink is not None else None
        try:
            if refusal.status == 403:
                return await self._step_up(refusal, found)
            return await self._replace(refusal, found, used)
        except LoginNeeded as error:
            return Outcome(reason=error.reason, hint=error.hint, needs_user=True)
        except InspectorError as error:
            text = f"authorization failed: {error.reason}"
            return Outcome(reason=text, hint=error.hint)
        finally:
            if release is not None:
                release()

    async def _replace(self, refusal: Refusal, found: Challenges, used: str) -> Outcome:
        held = self.grant
        now = self._clock.wall_s()
        if held is not None and used == self._fresh and held.tokens.expires_at > now:
            step = call_step.rejected(refusal, held, now, issuer_ahead=self._issuer_ahead)
            self._conclude(step)
            return Outcome(reason=step.problem, hint=step.hint)
        if held is not None and held.tokens.refresh and await self._refresh(held):
            self._fresh = ""
            return Outcome(sends_again=True)
        await self._authorize(refusal, found, (), sent_token=bool(used))
        return Outcome(sends_again=True)

    async def _step_up(self, refusal: Refusal, found: Challenges) -> Outcome:
        """Request more scopes, as often as the rules allow (C-AUT-33 to C-AUT-35)."""
        operation, held = call_step.operation_label(refusal), self.grant
        done = self._step_ups[operation]
        if done >= MAX_STEP_UPS or (
            done and held is not None and held.was_requested_with(found.scopes)
        ):
            step = call_step.not_enough(
                refusal, call_step.missing_scopes_text(operation, found, held)
            )
            self._conclude(step)
            return Outcome(reason=step.problem, hint=step.hint)
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
        may_ask = self._is_login_allowed or not self._requires_consent
        self._is_login_allowed = False
        flow = self._flow(state, with_user=may_ask)
        try:
            await flow.run()
            await self.take(flow)
        except FlowFailed as failure:
            await self._held.doubt_client(failure)
            if flow.is_stopped:
                raise LoginNeeded(CANCELLED, hint=LOG_IN) from failure
            raise
        finally:
            if flow.tokens is None:  # else it is kept already
                await self._held.keep_client(flow)
            await flow.aclose()

    def _flow(self, state: State, *, with_user: bool = True) -> Flow:
        sender, make = self._sender(), self._make_user_agent
        flow = Flow(state, sender, stored_client=self._held.client, clock=self._clock)
        if make is not None:
            flow.invite(partial(make, sender))
            if with_user:
                flow.involve_user()
        flow.changed.subscribe(self.progressed.fire)
        self.flow = flow
        self.changed.fire()
        return flow

    def _sender(self) -> Exchanges:
        if self._sink is None:
            raise AuthError("there is no connection")
        return Exchanges(self.address, self._sink, on_secrets=self.secrets_found.fire)

    # Renewing

    async def _renew_early(self, held: Grant) -> None:
        """Renew a token that is about to expire, once for all requests that wait for it."""
        async with self._lock:
            is_done = self.grant is not held or self._unrenewable == held.tokens.access
            if not is_done and self._sink is not None and not await self._refresh(held):
                self._unrenewable = held.tokens.access

    async def _refresh(self, held: Grant) -> bool:
        """Renew a token, unless another process did; false if that is not possible."""
        async with self._held.locked():
            return await self._held.take_newer(held) or await self._renew(held)

    async def _renew(self, held: Grant) -> bool:
        sender = self._sender()
        try:
            answer, nonce = await held_grant.refresh_tokens(
                held, self.settings, sender, self._clock.wall_s
            )
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


def _challenges(refusal: Refusal) -> Challenges:
    fields = [v for name, v in refusal.headers if name.lower() == "www-authenticate"]
    return challenge.read(fields)
