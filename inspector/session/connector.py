"""Connects to a server: carries out what `negotiation.py` decides, each attempt in a step.

The connector holds transport and protocol mode of a session. It may take several connections; the transcript has all of them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.errors import ConnectionLost, HttpStatus, InspectorError, PeerError
from inspector.session import diagnostics, discovery, error_responses, negotiation
from inspector.session.diagnostics import server_output
from inspector.session.discovery import DISCOVER, DiscoverProbe
from inspector.session.inbound import EarlyRequests
from inspector.session.link import Link
from inspector.session.negotiation import RetryDiscover, UseInitialize, UseStateless
from inspector.session.outgoing import MAX_SECONDS
from inspector.session.stateful import PING, StatefulMode
from inspector.session.stateless import StatelessMode
from inspector.session.steps import StepState
from inspector.session.transport_factory import transport_kind
from inspector.spec import methods
from inspector.spec.error_codes import METHOD_NOT_FOUND
from inspector.spec.keys import HEADER_SESSION_ID
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL, Revision
from inspector.spec.revision import Era as EraKind
from inspector.transcript.findings import SLOW_START_SECONDS, slow_start_text
from inspector.transport.base import NO_SESSION

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.era_cache import CachedEra
    from inspector.session.inbound import InboundRequest
    from inspector.session.link import Maker
    from inspector.session.negotiation import Decision
    from inspector.session.outgoing import RequestMeta
    from inspector.session.peer import Reply
    from inspector.session.protocol_mode import Agreement, ProtocolMode
    from inspector.session.session import Session
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.transport.base import Transport
    from inspector.wire.json_codec import Json


class Connector:
    """Connects one session."""

    def __init__(
        self, session: Session, make_transport: Callable[[ConnectionTarget], Transport]
    ) -> None:
        """Prepare to reach the server of `session` over what `make_transport` makes."""
        self.era: ProtocolMode | None = None
        self.recalled: CachedEra | None = None
        """What an earlier connection found; None after it proved wrong."""
        self._session = session
        self._profile, self._peer = session.profile, session.peer
        self._steps, self._transcript = session.steps, session.transcript
        self._make: Maker = lambda: make_transport(session.profile)
        self._wait = session.handshake_wait
        self.link = Link(session)
        """The connection."""
        self._reopened, self._tried = "", list[Revision]()
        self._early = EarlyRequests()
        self._refused: HttpStatus | None = None  # the HTTP response to `server/discover`
        self._greeting: asyncio.Task[Agreement] | None = None

    @property
    def transport(self) -> Transport | None:
        """The latest connection; None before the first one."""
        return self.link.transport

    async def agree(self) -> Agreement:
        """Connect and agree on a revision.

        Raises:
            InspectorError: a step failed, and there is nothing else to try.
        """
        began, before = self._steps.clock.monotonic(), self._transcript.count
        with self._wait.watching():
            greeting = await self._agree()
        took, step = self._steps.clock.monotonic() - began, self._steps[-1]
        if took >= SLOW_START_SECONDS:
            self._steps.set_text(step, f"{step.status_text}; {slow_start_text(took)}")
        if self._was_noted(NO_SESSION, before):
            self._steps.set_text(step, f"{step.status_text}; no {HEADER_SESSION_ID}")
        return greeting

    def _was_noted(self, event: str, before: int) -> bool:
        numbers = range(before + 1, self._transcript.count + 1)
        return any(
            server_output.note_event(self._transcript, number) == event for number in numbers
        )

    async def _agree(self) -> Agreement:
        pinned = self._profile.revision
        offer = negotiation.initial_offer(pinned)
        if pinned and not offer.stateful:
            try:
                return await self._greet(offer, self._make)
            except (PeerError, HttpStatus) as error:
                error.hint = negotiation.refused_stateless_pin(error) or error.hint
                raise
        if pinned or not transport_kind(self._profile.transport).can_be_stateless:
            return await self._by_handshake(
                offer if offer.stateful else NEWEST_STATEFUL, self._make
            )
        if self._is_known_stateful():
            try:
                return await self._by_handshake(NEWEST_STATEFUL, self._make)
            except (PeerError, HttpStatus) as error:
                if error_responses.is_unrelated(error):
                    raise
                self.recalled = None
                await self.link.close()
        return await self._by_discovery()

    async def again(self, revision: Revision) -> Agreement:
        """Repeat the handshake over a new connection of the same kind; a server that refuses may have been replaced by one of the other era.

        Raises:
            InspectorError: the handshake failed.
        """
        await self.link.close()
        self._reopened = ""
        try:
            return await self._negotiate(revision, self.link.made_with)
        except (PeerError, HttpStatus) as error:
            if (
                self._profile.revision
                or not transport_kind(self._profile.transport).can_be_stateless
                or error_responses.is_unrelated(error)
            ):
                raise
        self.recalled = None
        await self.link.close()
        return await self._by_discovery()

    async def serve(
        self, inbound: InboundRequest, responder: Callable[[InboundRequest], Awaitable[Json]] | None
    ) -> Json:
        """Return the result of a request of the server by the rules of the era; until the era is known, only `ping` gets one.

        A server of the stateful era may ping before it responds to anything: basic/lifecycle, "Initialization" (C-PNG-01). A request
        that opens a session is refused at once: it comes from a program that repeats its input, which repeats the error as well.

        Raises:
            PeerError: the server gets this error.
            NoResponse: the server gets no response.
        """
        if inbound.message.method == PING and self._early.are_held:
            return {}
        if methods.opens_session(inbound.message.method) and self._early.are_held:
            raise PeerError(METHOD_NOT_FOUND, "Method not found")
        with self._peer.serving.deferring():
            await self._early.wait()
        if self.era is None:
            raise PeerError(None, "not connected")
        return await self.era.handle_request(inbound, responder)

    async def verify(self) -> None:
        """Return when it is known whether the connection still works; see `Transport.verify`."""
        if self.transport is not None:
            await self.transport.verify()

    def _is_known_stateful(self) -> bool:
        known = self.recalled
        return (
            known is not None and known.era is EraKind.STATEFUL and known.applies_to(self._profile)
        )

    # Discovery

    async def _by_discovery(self) -> Agreement:
        """Send `server/discover`, then continue as its response decides."""
        stamp = self._session.declare_for(NEWEST)
        self._early.defer()
        self.era = era = StatelessMode(NEWEST, self._session)
        await self.link.open(self._make)
        probe, decision = await self._probe(era, stamp, self._wait.probe_seconds)
        if isinstance(decision, RetryDiscover):
            stamp = self._session.declare_for(decision.revision)
            stamp = replace(stamp, capabilities={**stamp.capabilities, **decision.declare})
            self.era = era = StatelessMode(decision.revision, self._session)
            probe, decision = await self._probe(era, stamp, self._wait.probe_seconds)
        if isinstance(decision, UseStateless):
            return await self._use_stateless(decision.revision, await probe.answer(0))
        if isinstance(decision, RetryDiscover):
            raise await diagnostics.connect_failures.contradiction(probe, decision, self._steps)
        return await self._initialize_after(probe, decision)

    async def _probe(
        self, era: StatelessMode, stamp: RequestMeta, seconds: float
    ) -> tuple[DiscoverProbe, Decision]:
        with self._steps.run(f"Detect protocol: {DISCOVER} ({era.revision})") as step:
            self._steps.await_response(step, seconds)
            probe = DiscoverProbe(era, self._peer, stamp)
            try:
                decision = await self._decide(probe, seconds)
            except BaseException:
                probe.forget()
                raise
            if self._peer.ended_with is not None:
                step.state = StepState.FAILED
            text, frame = _text(decision), None
            if isinstance(decision, UseInitialize):
                frame = decision.frame
                if self._peer.ended_with is None:  # otherwise they are about the end of the process
                    text += discovery.stderr_text(probe, self._transcript)
            self._steps.set_text(step, text, frame=frame or self._transcript.count)
            if isinstance(decision, UseInitialize) and probe.is_done:
                probe.set_aside(self._transcript)
        return probe, decision

    async def _decide(self, probe: DiscoverProbe, seconds: float) -> Decision:
        outcome: Reply | InspectorError | None
        try:
            outcome = await probe.answer(seconds)
        except InspectorError as error:
            outcome = error
            self._refused = error_responses.http_of(error)
        ended = self._peer.ended_with
        if ended is not None and not self.link.is_shut_down:
            text = f"{ended.reason}, before it responded to {DISCOVER}; retrying without it"
            return UseInitialize(NEWEST_STATEFUL, text, ended.frame)
        return discovery.decide(outcome, seconds)

    async def _use_stateless(self, revision: Revision, reply: Reply | None) -> Agreement:
        assert reply is not None
        self.era = era = StatelessMode(revision, self._session)
        self._early.release()
        greeting = discovery.greeting(reply, era)
        self._session.declare_for(revision)
        await era.open_server_stream(self._peer)
        return greeting

    async def _initialize_after(self, probe: DiscoverProbe, decision: UseInitialize) -> Agreement:
        """Use a handshake, on the connection of `server/discover` if it is still open."""
        make = None
        if self._peer.ended_with is not None:
            make, self._reopened = self._make, _WITHOUT
        try:
            return await self._by_handshake(decision.offer, make, probe)
        except ConnectionLost:
            if make is not None or self.link.is_shut_down or self._peer.ended_with is None:
                raise
        except (HttpStatus, PeerError) as error:
            cause = diagnostics.connect_failures.cause_of_openings(
                self._refused, error, self._steps
            )
            # an error that is its own cause has no end
            raise cause from (None if cause is error else error)
        finally:
            probe.forget()
            probe.set_aside(self._transcript)
        self._reopened = _WITHOUT
        return await self._by_handshake(decision.offer, self._make)

    # Handshakes

    async def _by_handshake(
        self, offer: Revision, make: Maker | None, probe: DiscoverProbe | None = None
    ) -> Agreement:
        """Offer a revision, then use the older transport if the server seems to know only that."""
        try:
            return await self._negotiate(offer, make, probe)
        except (HttpStatus, PeerError) as error:
            refusal, older = error, self._older(error)
            if older is None:
                raise
        tried = len(self._steps)
        await self.link.close()
        try:
            return await self._negotiate(offer, older)
        except InspectorError as error:
            cause = diagnostics.connect_failures.cause_of_transports(
                refusal, error, self._steps, tried
            )
            raise cause from (None if cause is error else error)

    def _older(self, refusal: HttpStatus | PeerError) -> Maker | None:
        refusal.hint = self._steps[-1].hint = error_responses.initialize_hint(refusal, self._tried)
        used = self.transport
        if used is None or used.fallback() is None or not error_responses.may_be_older(refusal):
            return None
        return lambda: used.fallback() or used

    async def _negotiate(
        self, offer: Revision, make: Maker | None, probe: DiscoverProbe | None = None
    ) -> Agreement:
        try:
            return await self._greet(offer, make, probe)
        except PeerError as error:
            better = negotiation.counter_offer(error, offer)
            if better is None:
                diagnostics.connect_failures.explain_refusal(
                    error, offer, probe, self._profile.revision, self._steps
                )
                raise
            if self._profile.revision and (
                better.stateful is False or negotiation.is_pinned(self._profile.revision)
            ):
                error.hint = negotiation.refused_pin(better)
                raise
            if not better.stateful:
                return await self._discover_after_refusal(error, better)
        await self.link.close()
        return await self._greet(better, make or self.link.made_with)

    async def _greet(
        self, offer: Revision, make: Maker | None, probe: DiscoverProbe | None = None
    ) -> Agreement:
        self._tried.append(offer)
        stamp = self._session.declare_for(offer)
        self.era = era = (
            StatefulMode(offer) if offer.stateful else StatelessMode(offer, self._session)
        )
        self._early.release()
        if make is not None:
            await self.link.open(make, why=self._reopened)
        if probe is None or probe.is_done:
            greeting = await self._greeted(era, stamp)
        else:
            greeting = await self._race(era, stamp, probe)
        await self.era.open_server_stream(self._peer)
        return greeting

    async def _greeted(self, era: ProtocolMode, stamp: RequestMeta) -> Agreement:
        return await era.handshake(
            self._peer, self._steps, stamp=stamp, timeouts=self._wait.timeouts
        )

    async def _race(self, era: ProtocolMode, stamp: RequestMeta, probe: DiscoverProbe) -> Agreement:
        """Send `initialize`, unless a late result of `server/discover` arrives."""
        self._greeting = greeting = asyncio.ensure_future(self._greeted(era, stamp))
        try:
            late = await probe.outlast(greeting, self._patience)
            if late is None:
                return await greeting
            await self._cancel(greeting)
            return await self._take_late(late)
        finally:
            greeting.cancel("cancelled")

    def _patience(self, failure: BaseException) -> float:
        return negotiation.late_seconds(failure, self._wait.timeouts.idle_seconds)

    async def _cancel(self, greeting: asyncio.Task[Agreement]) -> None:
        """Cancel the handshake; its outcome does not count any more."""
        text = f"not needed: a late {DISCOVER} response was received"
        if greeting.done():
            text = f"{greeting.exception()}; {text}"
        greeting.cancel(f"received a late {DISCOVER} response")
        await asyncio.wait({greeting})
        discovery.set_aside_latest(self._transcript, "initialize")
        self._steps.skip(self._steps[-1], text)

    async def _take_late(self, reply: Reply) -> Agreement:
        with self._steps.run(f"Use the late {DISCOVER} response") as step:
            decision = negotiation.after_answer(discovery.view_of(reply), reply.frame)
            assert isinstance(decision, UseStateless)
            self._steps.set_text(step, _text(decision), frame=reply.frame)
            return await self._use_stateless(decision.revision, reply)

    async def _discover_after_refusal(self, refusal: PeerError, revision: Revision) -> Agreement:
        """Send `server/discover` once more, with the revision that a refused handshake names, on the same connection.

        Raises:
            InspectorError: the server does not support that revision either.
        """
        refused = self._steps[-1]
        self._tried.append(revision)
        self.era = era = StatelessMode(revision, self._session)
        stamp = self._session.declare_for(revision)
        seconds = min(self._wait.timeouts.idle_seconds, MAX_SECONDS)
        probe, decision = await self._probe(era, stamp, seconds)
        if not isinstance(decision, UseStateless):
            probe.forget()
            if probe.has_result:  # one that names no revisions
                reason, hint = negotiation.no_opening(refusal, has_discovered=True)
                refusal.reason, refusal.hint = reason, hint
                self._steps.fail(self._steps[-1], refusal)
            raise refusal
        self._steps.skip(refused, f"{refusal.reason}; retried with {DISCOVER}")
        discovery.set_aside_latest(self._transcript, "initialize")
        return await self._use_stateless(decision.revision, await probe.answer(0))


_WITHOUT = f" without {DISCOVER}"


def _text(decision: Decision) -> str:
    if isinstance(decision, UseStateless):
        return f"stateless: using {decision.revision}"
    if isinstance(decision, RetryDiscover):
        return f"{decision.reason}; retrying"
    return f"{decision.reason}; using initialize"
