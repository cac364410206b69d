"""One session with one server, from the first connection step to the last frame.

A session connects once: to connect again, make another. Closing it ends everything it started. It holds what was agreed on; what a user
can do with a server is in `features/`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, ClassVar

from msgspec.structs import replace

from inspector.background_tasks import BackgroundTasks
from inspector.clock import Clock, SystemClock
from inspector.errors import (
    ConnectionLost,
    HttpStatus,
    InspectorError,
    PeerError,
    SessionExpired,
)
from inspector.event import Event
from inspector.session import diagnostics, era_cache
from inspector.session.connector import Connector
from inspector.session.handshake_wait import HandshakeWait
from inspector.session.notification_streams import NotificationStreams
from inspector.session.outgoing import ClientInfo, OutgoingRequest, RequestMeta, Timeouts, note_sent
from inspector.session.peer import Peer, Pending, Reply
from inspector.session.run import Run
from inspector.session.session_recovery import EXAMINE_SECONDS, Interruptions, SessionRenewal
from inspector.session.session_state import SessionState
from inspector.session.steps import Steps, StepState
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
"""The client, as requests name it."""


class Session:
    """One session with one server."""

    is_recorded: ClassVar[bool] = False
    """Whether it is read from a recording: nothing can be sent, and connecting again is not offered."""

    def __init__(
        self,
        profile: ConnectionTarget,
        transcript: Transcript,
        make_transport: Callable[[ConnectionTarget], Transport],
        *,
        clock: Clock | None = None,
    ) -> None:
        """Prepare to connect to `profile` over what `make_transport` makes, recording into `transcript`."""
        self.profile = profile
        self.transcript = transcript
        self.changed: Event[()] = Event()
        self.renewed: Event[()] = Event()
        """Fired when a new MCP session has replaced one that the server ended: the server knows nothing of the old one."""
        self.run = Run()
        self.state = SessionState.CONNECTING
        self.failure: InspectorError | None = None
        self.closed_reason = ""
        self.greeting: Agreement | None = None
        self.client_capabilities: JsonObject = {}
        self.declare: Callable[[Revision], JsonObject] | None = None
        """Returns the capabilities to declare in a revision; None keeps `client_capabilities`."""
        self.identity: ClientInfo | None = IDENTITY
        """The client, as requests name it; None for no name where the revision allows that."""
        self.log_level = ""
        """The minimum level of log messages, which requests of the stateless era carry."""
        self.meta: JsonObject = {}
        """Members of `_meta` that the user set for every request."""
        self.responders: dict[str, Callable[[InboundRequest], Awaitable[Json]]] = {}
        self.tasks = BackgroundTasks()
        self.steps = Steps(clock or SystemClock())
        self.timeouts = Timeouts(profile.timeout_seconds, profile.total_timeout_seconds)
        self.peer = Peer(
            transcript,
            self.tasks,
            serve=self._serve,
            cancel=self._cancel,
            add_headers=self._add_headers,
        )
        self.peer.ended_event.subscribe(self._on_ended)
        transcript.reach_changed.subscribe(self.changed.fire)
        transcript.filled.subscribe(self._on_filled)
        self.handshake_wait = HandshakeWait(self)
        self._connector = Connector(self, make_transport)
        self._renewing = SessionRenewal(self, self._connector, fail=self._end_with)
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
        return self.listening.desired.max_rounds

    @max_rounds.setter
    def max_rounds(self, count: int) -> None:
        self.listening.desired.max_rounds = count

    @property
    def transport_name(self) -> str:
        """`stdio`, `http`, …; empty before there is one."""
        return self._connector.transport.name if self._connector.transport is not None else ""

    @property
    def mirrors_headers(self) -> bool:
        """Whether parts of messages are repeated in HTTP headers."""
        transport, revision = self._connector.transport, self.revision
        has_headers = transport is not None and transport.channel is Channel.BODY
        return has_headers and revision is not None and revision.has_standard_headers

    @property
    def cached_era(self) -> CachedEra | None:
        """The era of the server, for `use_cached` of the next session; None before the handshake, or if the server changed."""
        if self.greeting is None:
            return None
        found, known = era_cache.of(self.greeting, self.profile), self._connector.recalled
        return None if known is not None and known.server != found.server else found

    def use_cached(self, found: CachedEra | None) -> None:
        """Start with the era that an earlier session found."""
        self._connector.recalled = found

    def declares(self, *path: str) -> bool:
        """Whether the server declared a capability, or declared nothing at all."""
        greeting = self.greeting
        return greeting is not None and (
            not greeting.is_declared or greeting.server.declares(*path)
        )

    def supports(self, method: str) -> bool:
        """Whether the client may send `method` in the revision that was agreed on."""
        greeting = self.greeting
        return greeting is not None and methods.offered(
            method, greeting.revision, extensions=greeting.extensions
        )

    def stamped(self, params: JsonObject, *, with_token: bool = False) -> JsonObject:
        """Return `params` as the next request will carry them, with a progress token for `with_token`.

        Raises:
            ConnectionLost: there is no connection.
        """
        stamp = self._stamp()
        token = f"p-{self._last_token + 1}" if with_token else ""
        return self._era.add_meta(params, replace(stamp, token=token))

    def declare_for(self, revision: Revision) -> RequestMeta:
        """Declare the capabilities for `revision` from now on; return what its requests carry."""
        if self.declare is not None:
            self.client_capabilities = self.declare(revision)
        return self._stamp()

    async def connect(self) -> None:
        """Go through the steps until the session is ready.

        Raises:
            InspectorError: a step failed; `failure` and `steps` say which and why.
        """
        try:
            self.greeting = await self._connector.agree()
            self._set_state(SessionState.READY)
        except InspectorError as error:
            if self._closing is None:  # closing while connecting is not a failure
                self.failure = error
                diagnostics.connect_failures.explain(error, self, self._suspicion)
                before = self.transcript.count
                await self._connector.link.close()
                diagnostics.connect_failures.explain_end(error, self, before)
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
        """Send a request, in several rounds if need be, and return its result. Cancelling the awaiting task cancels it on the wire.

        `on_progress` takes the params of each progress notification and requests them; `on_notice` takes frame and message of other
        notifications that belong to the request, `on_sent` the frame of the first round. Members of `meta` replace those of `_meta`
        that every request carries.

        Raises:
            PeerError: the server responded with an error.
            TimedOut: it did not respond in time.
            ConnectionLost: it cannot respond any more.
            InvalidResult: the result is of a type that the revision does not have.
            RequestAborted: the result requires input that is not sent.
        """

        async def ask(sent: JsonObject, on_sent: Callable[[int], None] | None) -> Reply:
            stamp = self._stamp(with_token=on_progress is not None, meta=meta)
            return await self.peer.request(
                method,
                self._era.add_meta(sent, stamp),
                timeouts=timeouts or self.timeouts,
                on_progress=on_progress,
                on_notice=on_notice,
                on_sent=lambda frame: note_sent(self.transcript, frame, sent, stamp, on_sent),
            )

        declared = (meta or {}).get(META_CLIENT_CAPABILITIES, self.client_capabilities)
        capabilities = declared if isinstance(declared, dict) else {}
        call = OutgoingRequest(method, params or {}, ask, on_sent, capabilities)
        return await self._complete(call)

    async def _complete(self, call: OutgoingRequest) -> Reply:
        """Complete a request; in a new MCP session if the old one expired and that is safe."""
        await self._connector.verify()
        await self._renewing.settled()
        agreed = self.greeting
        try:
            reply = await self._era.complete(call)
        except (PeerError, HttpStatus) as error:
            if agreed is not None and isinstance(error, PeerError):
                error.hint = diagnostics.refusals.refusal_hint(error, call, agreed, self.transcript)
            await self._renewing.examine(error, agreed)
            raise
        except SessionExpired as expired:
            is_sent_again = self._renewing.is_running and methods.is_repeatable(call.method)
            await self._renewing.explain(expired, None if is_sent_again else EXAMINE_SECONDS)
            if not is_sent_again or self.state is not SessionState.READY:
                raise
            self.transcript.note(
                "sent-again", f"resending {call.method} (no side effects): {expired.reason}"
            )
            try:
                reply = await self._era.complete(call)
            except SessionExpired as again:
                await self._renewing.explain(again, EXAMINE_SECONDS)
                raise
        self._renewing.confirm()
        self.interruptions.check_server(reply)
        return reply

    def new_transport(self) -> Transport:
        """Return another connection like the latest one, not yet open."""
        make = self._connector.link.made_with
        assert make is not None
        return make()

    def redeclare(self) -> bool:
        """Declare the capabilities of now from the next request on; False if that takes a new connection."""
        greeting = self.greeting
        if self.declare is None or greeting is None or not greeting.revision.has_request_meta:
            return False
        self.client_capabilities = self.declare(greeting.offered)
        self.changed.fire()
        return True

    async def set_log_level(self, level: str) -> None:
        """Set the minimum level of log messages; empty for none, in the stateless era.

        Raises:
            InspectorError: the server refuses the level.
        """
        if self.supports("logging/setLevel"):
            await self.request("logging/setLevel", {"level": level})
        self.log_level = level

    def suspect(self, text: str, frame: int) -> None:
        """Show in the step that runs what may be the reason that it takes so long."""
        running = next((step for step in self.steps if step.state is StepState.RUNNING), None)
        if running is not None:
            self._suspicion = self._suspicion or (text, frame)
            self.steps.set_text(running, text, frame=frame)

    async def aclose(self) -> None:
        """End the session and everything it started; may be called at any time and more than once."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    # What requests carry

    @property
    def _era(self) -> ProtocolMode:
        if self._connector.era is None:
            raise ConnectionLost("not connected")
        return self._connector.era

    def _stamp(self, *, with_token: bool = False, meta: JsonObject | None = None) -> RequestMeta:
        self._last_token += with_token
        token = f"p-{self._last_token}" if with_token else ""
        overrides = {**self.meta, **(meta or {})}
        return RequestMeta(
            token, self.log_level, self.identity, self.client_capabilities, overrides
        )

    def _add_headers(self, message: Message, sending: SendContext) -> SendContext:
        return (
            self._connector.era.http_headers(message, sending)
            if self._connector.era is not None
            else sending
        )

    # Requests of the server

    async def _serve(self, inbound: InboundRequest) -> Json:
        responder = self.responders.get(inbound.message.method)
        return await self._connector.serve(inbound, responder)

    async def _cancel(self, pending: Pending, why: str) -> None:
        if self._connector.era is not None:
            await self._connector.era.cancel(self.peer, pending, why)

    # The end

    def _on_ended(self) -> None:
        error = self.peer.ended_with
        is_ours = self._closing is not None or self.failure is not None
        is_ready = self.state is SessionState.READY and not is_ours
        if is_ready and isinstance(error, SessionExpired) and self._renewing.start(error):
            return
        if (
            self._renewing.is_running
        ):  # it closes a connection without response, and reports when it fails
            return
        if error is not None and not is_ours:
            self.closed_reason = error.reason
        if self.state is SessionState.READY:
            self._end_with(error)

    def _on_filled(self) -> None:
        """End before the transcript takes all memory; nothing more is read from now on."""
        text = f"the session has {self.transcript.count:,} frames, the maximum"
        error = ConnectionLost(text, hint="Reconnect to start a new recording.")
        self.transcript.note("full", text)
        if self.state is SessionState.READY:
            self._end_with(error)
        self.tasks.spawn(self._connector.link.shut_down(), name="end a full session")

    def _end_with(self, error: InspectorError | None) -> None:
        if self._closing is not None:
            return
        if error is not None:
            self.closed_reason = error.reason
        self.failure = error
        self._set_state(SessionState.CLOSED)

    async def _close(self) -> None:
        if self.state in {SessionState.CONNECTING, SessionState.READY}:
            self._set_state(SessionState.CLOSING)
        await self._connector.link.shut_down()
        await self.tasks.aclose()
        self.peer.deadlines.close()
        await self.transcript.aclose()
        if self.state is not SessionState.FAILED:
            self._set_state(SessionState.CLOSED)

    def _set_state(self, state: SessionState) -> None:
        self.state = state
        self.changed.fire()
