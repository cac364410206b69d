"""Something that a person asked of the server, from the click to its end.

The answer is read from the record when asked for, so that what is over costs nothing.
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.errors import (
    ConnectionLost,
    InspectorError,
    InvalidResult,
    PeerError,
    TimedOut,
)
from inspector.event import Event
from inspector.session.large_results import read_in_slices, result_of
from inspector.spec.views.notifications import ProgressView

if TYPE_CHECKING:
    from inspector.session.peer import Reply
    from inspector.session.run import Run
    from inspector.session.session import Session
    from inspector.session.timeouts import Timeouts
    from inspector.spec.revision import Revision
    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject


class OperationState(StrEnum):
    """Where an attempt stands, in the words of the screen."""

    RUNNING = "running"
    DONE = "ok"
    ERROR = "error"
    """A JSON-RPC error, or whatever else `error` says."""
    CANCELLED = "cancelled"
    TIMED_OUT = "timed out"
    LOST = "lost"
    """The connection ended first."""


class Operation:
    """One request and what became of it."""

    def __init__(
        self,
        session: Session,
        method: str,
        params: JsonObject,
        *,
        timeouts: Timeouts | None = None,
        meta: JsonObject | None = None,
        parts: tuple[str, ...] = (),
    ) -> None:
        """Prepare to ask for `method` with `params`.

        `meta` are members of `_meta` that win over those every request carries, `parts` those of the result that may be large and are
        looked at from end to end.
        """
        self.changed: Event[()] = Event()
        self.method = method
        self.params = params
        self.meta = meta
        self.state = OperationState.RUNNING
        self.error: InspectorError | None = None
        self.request_frame = 0
        self.earlier_frames: tuple[int, ...] = ()
        """Frames of the same request that were sent before, and led to nothing."""
        self.response_frame = 0
        self.progress: ProgressView | None = None
        self.started_at = session.steps.clock.monotonic()
        self.ended_at: float | None = None
        self._session = session
        self._timeouts = timeouts
        self._parts = parts
        self._task: asyncio.Task[None] | None = None

    @property
    def run(self) -> Run:
        """The run in which it was made."""
        return self._session.run

    @property
    def transcript(self) -> Transcript:
        """Where its frames are."""
        return self._session.transcript

    @property
    def revision(self) -> Revision | None:
        """The revision that is spoken."""
        return self._session.revision

    @property
    def is_over(self) -> bool:
        """Nothing more will come, but for a late answer."""
        return self.state is not OperationState.RUNNING

    @property
    def took_seconds(self) -> float:
        """How long it took, or takes so far."""
        ended = self.ended_at
        return (self._session.steps.clock.monotonic() if ended is None else ended) - self.started_at

    def age_seconds(self) -> float:
        """How long ago it ended; 0 while it goes on."""
        ended, now = self.ended_at, self._session.steps.clock.monotonic()
        return 0.0 if ended is None else now - ended

    @property
    def response(self) -> bytes:
        """The answer as it came, a result or an error, even a late one; empty while there is none."""
        frame = self.response_frame or self.late_frame
        return self._session.transcript.raw(frame) if frame else b""

    @property
    def message(self) -> bytes:
        """The JSON text of that answer: over HTTP, it may come wrapped in an event of a stream."""
        frame = self.response_frame or self.late_frame
        return self._session.transcript.message(frame).raw if frame else b""

    @property
    def result(self) -> Json:
        """The result, read anew from the record; none while or where there is none."""
        if self.state is not OperationState.DONE:
            return None
        return result_of(self._session.transcript.message(self.response_frame), *self._parts)

    @property
    def exchange(self) -> Exchange | None:
        """What the record knows of it, all its rounds included; none before it left."""
        return self._session.transcript.exchange(self.request_frame) if self.request_frame else None

    @property
    def most_rounds(self) -> int:
        """How often it may be sent again because its result asks."""
        return self._session.max_rounds

    @property
    def late_frame(self) -> int:
        """The frame of an answer that came after we had stopped waiting; 0 for none."""
        given_up = self.state in {OperationState.CANCELLED, OperationState.TIMED_OUT}
        if not self.request_frame or not given_up:
            return 0
        exchange = self.exchange
        return exchange.response or 0 if exchange is not None and exchange.late else 0

    def start(self) -> None:
        """Send it."""
        self._task = self._session.tasks.spawn(self._run(), name=self.method)
        self._task.add_done_callback(self._on_done)

    def cancel(self) -> None:
        """Give it up, on the wire as well; does nothing once it is over."""
        if self._task is not None and not self.is_over:
            self._task.cancel()

    async def wait(self) -> None:
        """Return when it is over."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            reply = await self._session.request(
                self.method,
                self.params,
                timeouts=self._timeouts,
                on_progress=self._on_progress,
                on_sent=self._on_sent,
                meta=self.meta,
            )
            await read_in_slices(reply, self._parts)
        except asyncio.CancelledError:
            self._end(OperationState.CANCELLED)
            raise
        except InspectorError as error:
            self._fail(error)
        else:
            self._succeed(reply)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        """A task that is cancelled before its first step never runs."""
        if task.cancelled() and not self.is_over:
            self._end(OperationState.CANCELLED)

    def _on_sent(self, frame: int) -> None:
        if self.request_frame:
            self.earlier_frames = (*self.earlier_frames, self.request_frame)
        self.request_frame = frame
        self.started_at = self._session.transcript.row(frame).monotonic_s  # as the traffic has it
        self.changed.fire()

    def _on_progress(self, params: JsonObject) -> None:
        self.progress = ProgressView(params, revision=self._session.revision)
        self.changed.fire()

    def _succeed(self, reply: Reply) -> None:
        self.response_frame = reply.frame
        exchange = self._session.transcript.exchange(reply.request_frame)
        if exchange is not None:
            self.started_at, self.ended_at = exchange.started_at, exchange.ended_at
        self._end(OperationState.DONE)

    def _fail(self, error: InspectorError) -> None:
        self.error = error
        if isinstance(error, PeerError | InvalidResult):
            self.response_frame = error.frame or 0
        self._end(next(state for kind, state in _FAILURES if isinstance(error, kind)))

    def _end(self, state: OperationState) -> None:
        self.state = state
        if self.ended_at is None:
            self.ended_at = self._session.steps.clock.monotonic()
        self.changed.fire()


_FAILURES: tuple[tuple[type[InspectorError], OperationState], ...] = (
    (PeerError, OperationState.ERROR),
    (TimedOut, OperationState.TIMED_OUT),
    (ConnectionLost, OperationState.LOST),
    (InspectorError, OperationState.ERROR),
)
