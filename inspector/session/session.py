"""One conversation with one server, from the first step of connecting to the last frame.

A session connects once: to connect again, make another. Closing it ends everything it started. It knows what was agreed; what can be done
with that is in `features/`.
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.background_tasks import BackgroundTasks
from inspector.clock import Clock, SystemClock
from inspector.errors import ConnectionLost, InspectorError, PeerError, SessionExpired
from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.session import era_cache
from inspector.session.connector import Connector
from inspector.session.diagnostics import connect_failures
from inspector.session.error_responses import not_initialized_hint
from inspector.session.handshake_wait import HandshakeWait
from inspector.session.notification_streams import NotificationStreams
from inspector.session.outgoing import ClientInfo, OutgoingRequest, RequestMeta, note_sent
from inspector.session.peer import Peer, Pending, Reply
from inspector.session.session_recovery import NEW_SESSION, Interruptions, SessionRenewal
from inspector.session.steps import Steps, StepState
from inspector.session.timeouts import Timeouts
from inspector.spec import methods
from inspector.spec.keys import META_CLIENT_CAPABILITIES
from inspector.version import VERSION
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.era_cache import CachedEra
    from inspector.session.inbound import InboundRequest
    from inspector.session.protocol_mode import Agreement, ProtocolMode
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.transport.base import SendContext, Transport
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message

IDENTITY = ClientInfo("spyglass", "Spyglass", VERSION)
"""What we say of ourselves."""


class SessionState(StrEnum):
    """Where a session stands."""

    CONNECTING = "connecting"
    READY = "connected"
    CLOSING = "disconnecting"
    CLOSED = "disconnected"
    FAILED = "failed"


class Run(FrozenStruct, frozen=True):
    """One of several connections of one server."""

    number: int = 1
    """From 1."""
    reason: str = ""
    """Why it was started; empty for the first."""


class Session:
    """A conversation."""

    def __init__(
        self,
        profile: ConnectionTarget,
        transcript: Transcript,
        make_transport: Callable[[ConnectionTarget], Transport],
        *,
        clock: Clock | None = None,
    ) -> None:
        """Prepare to talk to `profile` over what `make_transport` makes, recording into `transcript`."""
        self.profile = profile
        self.transcript = transcript
        self.changed: Event[()] = Event()
        self.renewed: Event[()] = Event()
        """Fired when a new session stands in the place of one that the server ended: it knows nothing of the old one."""
        self.run = Run()
        self.state = SessionState.CONNECTING
        self.failure: InspectorError | None = None
        self.closed_words = ""
        self.greeting: Agreement | None = None
        self.client_capabilities: JsonObject = {}
        self.declare: Callable[[Revision], JsonObject] | None = None
        """What to declare by a revision; without it, what is declared stays."""
        self.identity: ClientInfo | None = IDENTITY
        """What we say of ourselves; none where a request may be silent about it."""
        self.log_level = ""
        """From which level servers log for each request, where requests say that."""
        self.meta: JsonObject = {}
        """Members of `_meta` set by hand, for every request."""
        self.responders: dict[str, Callable[[InboundRequest], Awaitable[Json]]] = {}
        self.tasks = BackgroundTasks()
        self.steps = Steps(clock or SystemClock())
        self.timeouts = Timeouts(profile.timeout_seconds, profile.total_timeout_seconds)
        self.peer = Peer(
            transcript, self.tasks, serve=self._serve, abandon=self._abandon, dress=self._dress
        )
        self.peer.ended_event.subscribe(self._on_ended)
        transcript.reach_changed.subscribe(self.changed.fire)
        transcript.filled.subscribe(self._on_filled)
        self.handshake_wait = HandshakeWait(self)
        self._way = Connector(self, make_transport)
        self._renewing = SessionRenewal(self, greet=self._greet_again, fail=self._end_with)
        self.interruptions = Interruptions(self)
        self.listening = NotificationStreams(self)
        self._suspicion: tuple[str, int] | None = None
        self._last_token = 0
        self._closing: asyncio.Task[None] | None = None

    @property
    def revision(self) -> Revision | None:
        """The revision that was agreed on."""
        return self.greeting.revision if self.greeting is not None else None

    @property
    def max_rounds(self) -> int:
        """How often a request is sent again because its result requires input."""
        return self.listening.wishes.most_rounds

    @max_rounds.setter
    def max_rounds(self, count: int) -> None:
        self.listening.wishes.most_rounds = count

    @property
    def transport_name(self) -> str:
        """`stdio`, `http`, …; empty before there is one."""
        return self._way.transport.name if self._way.transport is not None else ""

    @property
    def mirrors_headers(self) -> bool:
        """Whether parts of what is sent are repeated in HTTP headers."""
        transport, revision = self._way.transport, self.revision
        has_headers = transport is not None and transport.channel is Channel.BODY
        return has_headers and revision is not None and revision.has_standard_headers

    @property
    def verdict(self) -> CachedEra | None:
        """What was found out of the server, to be given to the next session as `recall`; none before it is greeted, or when it changed."""
        if self.greeting is None:
            return None
        found, known = era_cache.of(self.greeting, self.profile), self._way.recalled
        return None if known is not None and known.server != found.server else found

    def use_cached(self, found: CachedEra | None) -> None:
        """Begin with what an earlier session found out."""
        self._way.recalled = found

    def declares(self, *path: str) -> bool:
        """Whether the server declared a capability, or did not say what it can do."""
        greeting = self.greeting
        return greeting is not None and (not greeting.is_told or greeting.server.declares(*path))

    def supports(self, method: str) -> bool:
        """Whether we may send `method` in the revision that was agreed on."""
        greeting = self.greeting
        return greeting is not None and methods.offered(
            method, greeting.revision, extensions=greeting.extensions
        )

    def stamped(self, params: JsonObject, *, with_token: bool = False) -> JsonObject:
        """`params` as the next request will carry them; `with_token` as one that asks for progress.

        Raises:
            ConnectionLost: there is no connection.
        """
        stamp = self._stamp()
        token = f"p-{self._last_token + 1}" if with_token else ""
        return self._era.add_meta(params, replace(stamp, token=token))

    def declare_for(self, revision: Revision) -> RequestMeta:
        """Declare from now on what fits `revision`; return what its requests carry."""
        if self.declare is not None:
            self.client_capabilities = self.declare(revision)
        return self._stamp()

    async def connect(self) -> None:
        """Go through the steps until the session is ready.

        Raises:
            InspectorError: a step failed; `failure` and `steps` say which and why.
        """
        try:
            self.greeting = await self._way.agree()
            self._set_state(SessionState.READY)
        except InspectorError as error:
            if self._closing is None:  # else somebody changed his mind, which is no failure
                self.failure = error
                connect_failures.explain(
                    error, self.steps, self.transcript, self.profile, self._suspicion
                )
                before = self.transcript.count
                await self._way.close()
                connect_failures.explain_end(error, self.steps, self.transcript, before)
                self._set_state(SessionState.FAILED)
            raise

    async def request(
        self,
        method: str,
        params: JsonObject | None = None,
        *,
        timeouts: Timeouts | None = None,
        on_progress: Callable[[JsonObject], None] | None = None,
        on_sent: Callable[[int], None] | None = None,
        on_notice: Callable[[int, Message], None] | None = None,
        meta: JsonObject | None = None,
    ) -> Reply:
        """Ask the server, as often as it takes. Cancelling the waiting task cancels the request on the wire.

        `on_progress` takes the params of each progress notification and opts in to them; `on_notice` frame and message of other
        notifications that belong to the request; `on_sent` the frame in which it begins. `meta` are members of `_meta` that win over
        those every request carries.

        Raises:
            PeerError: the server answered with an error.
            TimedOut: it did not answer in time.
            ConnectionLost: it cannot answer any more.
            InvalidResult: it answered with a result that the revision does not know.
            RequestAborted: it asked for input that is not given.
        """

        async def ask(sent: JsonObject, told: Callable[[int], None] | None) -> Reply:
            stamp = self._stamp(with_token=on_progress is not None, meta=meta)
            return await self.peer.request(
                method,
                self._era.add_meta(sent, stamp),
                timeouts=timeouts or self.timeouts,
                on_progress=on_progress,
                on_notice=on_notice,
                on_sent=lambda frame: note_sent(self.transcript, frame, sent, stamp, told),
            )

        declared = (meta or {}).get(META_CLIENT_CAPABILITIES, self.client_capabilities)
        capabilities = declared if isinstance(declared, dict) else {}
        call = OutgoingRequest(method, params or {}, ask, on_sent, capabilities)
        return await self._see_through(call)

    async def _see_through(self, call: OutgoingRequest) -> Reply:
        """Have a call settled, in a new session where the old one is gone and that is safe."""
        await self._way.verify()
        await self._renewing.settled()
        try:
            reply = await self._era.complete(call)
        except PeerError as error:
            if self.greeting is not None and not error.hint:
                error.hint = not_initialized_hint(error, self.greeting, self.transcript)
            raise
        except SessionExpired as gone:
            if self._renewing.is_running:
                gone.hint = NEW_SESSION
            if not self._renewing.is_running or not methods.is_repeatable(call.method):
                raise
            await self._renewing.settled()
            if self.state is not SessionState.READY:
                raise
            self.transcript.note("sent-again", f"{call.method} changes nothing: {gone.reason}")
            reply = await self._era.complete(call)
        self._renewing.confirm()
        self.interruptions.check_server(reply)
        return reply

    def redeclare(self) -> bool:
        """Declare what is wanted now from the next request on; False where that takes a new connection."""
        greeting = self.greeting
        if self.declare is None or greeting is None or not greeting.revision.has_request_meta:
            return False
        self.client_capabilities = self.declare(greeting.offered)
        self.changed.fire()
        return True

    async def set_log_level(self, level: str) -> None:
        """Have the server log from `level` on; empty for silence, where requests say that.

        Raises:
            InspectorError: it refuses.
        """
        if self.supports("logging/setLevel"):
            await self.request("logging/setLevel", {"level": level})
        self.log_level = level

    def suspect(self, text: str, frame: int) -> None:
        """Tell, beside the step that runs, what may be the reason that it takes so long."""
        running = next((step for step in self.steps if step.state is StepState.RUNNING), None)
        if running is not None:
            self._suspicion = self._suspicion or (text, frame)
            self.steps.set_text(running, text, frame=frame)

    async def aclose(self) -> None:
        """End the conversation and everything it started; may be called at any time and more than once."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    # What requests carry

    @property
    def _era(self) -> ProtocolMode:
        if self._way.era is None:
            raise ConnectionLost("there is no connection")
        return self._way.era

    def _stamp(self, *, with_token: bool = False, meta: JsonObject | None = None) -> RequestMeta:
        self._last_token += with_token
        token = f"p-{self._last_token}" if with_token else ""
        by_hand = {**self.meta, **(meta or {})}
        return RequestMeta(token, self.log_level, self.identity, self.client_capabilities, by_hand)

    def _dress(self, message: Message, sending: SendContext) -> SendContext:
        return (
            self._way.era.http_headers(message, sending) if self._way.era is not None else sending
        )

    # What the server wants

    async def _serve(self, inbound: InboundRequest) -> Json:
        responder = self.responders.get(inbound.message.method)
        return await self._way.serve(inbound, responder)

    async def _abandon(self, pending: Pending, why: str) -> None:
        if self._way.era is not None:
            await self._way.era.cancel(self.peer, pending, why)

    # The end

    def _on_ended(self) -> None:
        error = self.peer.ended_with
        is_ours = self._closing is not None or self.failure is not None
        is_ready = self.state is SessionState.READY and not is_ours
        if is_ready and isinstance(error, SessionExpired) and self._renewing.start(error):
            return
        if self._renewing.is_running:  # it closes what did not answer, and tells when it fails
            return
        if error is not None and not is_ours:
            self.closed_words = error.reason
        if self.state is SessionState.READY:
            self._end_with(error)

    def _on_filled(self) -> None:
        """End before the record takes all memory; nothing more is read from now on."""
        text = f"the session has {self.transcript.count:,} frames, as many as one may have"
        error = ConnectionLost(text, hint="Reconnect to begin a new recording.")
        self.transcript.note("full", text)
        if self.state is SessionState.READY:
            self._end_with(error)
        self.tasks.spawn(self._way.give_up(), name="end a session that is full")

    async def _greet_again(self) -> None:
        assert self.greeting is not None
        self.greeting = await self._way.again(self.greeting.revision)
        self.changed.fire()
        self.renewed.fire()

    def _end_with(self, error: InspectorError | None) -> None:
        if self._closing is not None:
            return
        if error is not None:
            self.closed_words = error.reason
        self.failure = error
        self._set_state(SessionState.CLOSED)

    async def _close(self) -> None:
        if self.state in {SessionState.CONNECTING, SessionState.READY}:
            self._set_state(SessionState.CLOSING)
        await self._way.give_up()
        await self.tasks.aclose()
        self.peer.deadlines.close()
        await self.transcript.aclose()
        if self.state is not SessionState.FAILED:
            self._set_state(SessionState.CLOSED)

    def _set_state(self, state: SessionState) -> None:
        self.state = state
        self.changed.fire()
