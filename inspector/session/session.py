"""One conversation with one server, from the first step of connecting to the last frame.

A session connects once: to connect again, make another. Closing it ends everything it started. It knows what was agreed; what can be done
with that is in `features/`.
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.clock import Clock, SystemClock
from inspector.errors import (
    ConnectionLost,
    HttpStatus,
    InspectorError,
    PeerError,
    ProcessExited,
    TimedOut,
)
from inspector.event import Event
from inspector.session import negotiate, story
from inspector.session.era import Era, Greeting, Identity
from inspector.session.peer import Peer, Pending, Reply
from inspector.session.steps import Step, Steps, StepState
from inspector.session.tasks import Tasks
from inspector.session.timeouts import Timeouts
from inspector.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.session.serving import Inbound
    from inspector.session.target import Target
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.transport.base import Transport
    from inspector.wire.jsontext import Json, JsonObject
    from inspector.wire.message import MaybeJson

IDENTITY = Identity("spyglass", "Spyglass", VERSION)
"""What we say of ourselves."""


class SessionState(StrEnum):
    """Where a session stands."""

    CONNECTING = "connecting"
    READY = "connected"
    CLOSING = "disconnecting"
    CLOSED = "disconnected"
    FAILED = "failed"


class Session:
    """A conversation."""

    def __init__(
        self,
        profile: Target,
        transcript: Transcript,
        make_transport: Callable[[Target], Transport],
        *,
        clock: Clock | None = None,
    ) -> None:
        """Prepare to talk to `profile` over what `make_transport` makes, recording into `transcript`."""
        self.profile = profile
        self.transcript = transcript
        self.changed: Event[()] = Event()
        self.state = SessionState.CONNECTING
        self.failure: InspectorError | None = None
        self.closed_words = ""
        self.greeting: Greeting | None = None
        self.client_capabilities: JsonObject = {}
        self.responders: dict[str, Callable[[Inbound], Awaitable[Json]]] = {}
        self.tasks = Tasks()
        self.steps = Steps(clock or SystemClock())
        self.timeouts = Timeouts(profile.timeout_seconds, profile.total_timeout_seconds)
        self.peer = Peer(transcript, self.tasks, serve=self._serve, abandon=self._abandon)
        self.peer.ended_event.subscribe(self._on_ended)
        self._make_transport = make_transport
        self._transport: Transport | None = None
        self._opening: asyncio.Task[None] | None = None
        self._era: Era | None = None
        self._suspicion: tuple[str, int] | None = None
        self._last_token = 0
        self._closing: asyncio.Task[None] | None = None

    @property
    def revision(self) -> Revision | None:
        """The revision that was agreed on."""
        return self.greeting.revision if self.greeting is not None else None

    @property
    def transport_name(self) -> str:
        """`stdio`, `http`, …; empty before there is one."""
        return self._transport.name if self._transport is not None else ""

    def declares(self, *path: str) -> bool:
        """Whether the server declared a capability."""
        return self.greeting is not None and self.greeting.server.declares(*path)

    async def connect(self) -> None:
        """Go through the steps until the session is ready.

        Raises:
            InspectorError: a step failed; `failure` and `steps` say which and why.
        """
        try:
            self.greeting = await self._agree()
            self._set_state(SessionState.READY)
        except InspectorError as error:
            if self._closing is None:  # else somebody changed his mind, which is no failure
                self.failure = error
                self._explain()
                await self._close_transport()
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
    ) -> Reply:
        """Ask the server. Cancelling the waiting task cancels the request on the wire.

        `on_progress` takes the params of each progress notification and opts in to them; `on_sent` the frame of the request.

        Raises:
            PeerError: the server answered with an error.
            TimedOut: it did not answer in time.
            ConnectionLost: it cannot answer any more.
        """
        if self._era is None:
            raise ConnectionLost("there is no connection")
        sent: MaybeJson = params if params is not None else {}
        if on_progress is not None:
            self._last_token += 1
            sent = self._era.stamp(method, params or {}, f"p-{self._last_token}")
        reply = await self.peer.request(
            method,
            sent,
            timeouts=timeouts or self.timeouts,
            on_progress=on_progress,
            on_sent=on_sent,
        )
        return await self._era.settle(reply)

    def suspect(self, words: str, frame: int) -> None:
        """Tell, beside the step that runs, what may be the reason that it takes so long."""
        running = next((step for step in self.steps if step.state is StepState.RUNNING), None)
        if running is not None:
            self._suspicion = self._suspicion or (words, frame)
            self.steps.tell(running, words, frame=frame)

    async def aclose(self) -> None:
        """End the conversation and everything it started; may be called at any time and more than once."""
        if self._closing is None:
            self._closing = asyncio.ensure_future(self._close())
        await asyncio.shield(self._closing)

    async def _agree(self) -> Greeting:
        """Try what the profile asks for, then the older transport where the server seems to know only that."""
        try:
            return await self._negotiate(lambda: self._make_transport(self.profile))
        except HttpStatus as error:
            refusal, older = error, self._older(error)
            if older is None:
                raise
        await self._close_transport()
        try:
            return await self._negotiate(older)
        except InspectorError as error:
            error.words = negotiate.neither(refusal, error)
            error.remedy = refusal.remedy or error.remedy
            raise

    def _older(self, refusal: HttpStatus) -> Callable[[], Transport] | None:
        refusal.remedy = self.steps[-1].remedy = negotiate.remedy(refusal)
        used = self._transport
        if used is None or used.older() is None or not negotiate.may_be_older(refusal):
            return None
        return lambda: used.older() or used

    async def _negotiate(self, make: Callable[[], Transport]) -> Greeting:
        offer = negotiate.first_offer(self.profile.revision)
        try:
            return await self._greet(offer, make)
        except PeerError as error:
            better = negotiate.counter_offer(error, offer)
            if better is None:
                raise
            if self.profile.revision:
                error.remedy = f"The server names {better}: choose that revision, or automatic."
                raise
        await self._close_transport()
        return await self._greet(better, make)

    async def _greet(self, offer: Revision, make: Callable[[], Transport]) -> Greeting:
        self._era = negotiate.era_for(offer)
        self._transport = make()
        with self.steps.run(_OPENING.get(self._transport.name, "Open the connection")) as step:
            self.peer.attach(self._transport)
            await self._open(self._transport)
            self.steps.tell(step, self._opened_words(), frame=self.transcript.count or None)
        greeting = await self._era.greet(
            self.peer,
            self.steps,
            identity=IDENTITY,
            capabilities=self.client_capabilities,
            timeouts=self.timeouts,
        )
        await self._era.listen(self.peer)
        return greeting

    async def _open(self, transport: Transport) -> None:
        """Open the connection, unless the session is closed in the meantime."""
        if self._closing is not None:
            raise ConnectionLost("disconnected")
        self._opening = asyncio.ensure_future(transport.open(self.peer))
        try:
            await self._opening
        except asyncio.CancelledError:
            if self._closing is None:
                raise
            raise ConnectionLost("disconnected") from None

    def _opened_words(self) -> str:
        note = (
            self.transcript.message(self.transcript.count).value if self.transcript.count else None
        )
        words = note.get("words") if isinstance(note, dict) else None
        return words if isinstance(words, str) else ""

    def _explain(self) -> None:
        """Put what the server printed beside the step that failed."""
        failed: Step | None = next(
            (step for step in self.steps if step.state is StepState.FAILED), None
        )
        if failed is None:
            with self.steps.run("Prepare") as failed:
                failed.state = StepState.FAILED
                failed.words = self.failure.words if self.failure else ""
                failed.remedy = self.failure.remedy if self.failure else ""
        failed = [step for step in self.steps if step.state is StepState.FAILED][-1]
        if self._suspicion and isinstance(self.failure, TimedOut):
            words, failed.frame = self._suspicion
            failed.words = self.failure.words = f"{words} ({self.failure.words})"
            failed.remedy = self.failure.remedy = ""
        failed.detail = _error_data(self.failure) + story.detail(self.transcript)
        if isinstance(self.failure, ProcessExited) and not failed.remedy:
            tail = story.stderr_tail(self.transcript)
            failed.remedy = (
                "Its last lines on stderr say why."
                if tail
                else "It said nothing on stderr; start it in a terminal."
            )
        self.steps.changed.fire()

    async def _serve(self, inbound: Inbound) -> Json:
        responder = self.responders.get(inbound.message.method)
        if responder is not None:
            return await responder(inbound)
        if self._era is None:
            raise PeerError(None, "not connected")
        return await self._era.serve(inbound)

    async def _abandon(self, pending: Pending, why: str) -> None:
        if self._era is not None:
            await self._era.abandon(self.peer, pending, why)

    def _on_ended(self) -> None:
        error = self.peer.ended_with
        if (
            error is not None and self._closing is None and self.failure is None
        ):  # else it is our doing
            self.closed_words = error.words
        if self.state is SessionState.READY:
            self.failure = error
            self._set_state(SessionState.CLOSED)

    async def _close(self) -> None:
        if self.state in {SessionState.CONNECTING, SessionState.READY}:
            self._set_state(SessionState.CLOSING)
        await self._close_transport()
        await self.tasks.aclose()
        self.peer.close()
        await self.transcript.aclose()
        if self.state is not SessionState.FAILED:
            self._set_state(SessionState.CLOSED)

    async def _close_transport(self) -> None:
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
            await asyncio.wait([self._opening])
        if self._transport is not None:
            await self._transport.aclose()

    def _set_state(self, state: SessionState) -> None:
        self.state = state
        self.changed.fire()


_OPENING = {
    "stdio": "Start process",
    "http": "Prepare streamable HTTP",
    "sse": "Open the event stream (HTTP+SSE)",
    "tcp": "Connect",
}


def _error_data(error: InspectorError | None) -> str:
    if not isinstance(error, PeerError) or error.data is None:
        return ""
    from inspector.wire import jsontext

    return f"data: {jsontext.write(error.data, indent=2)}\n\n"
