"""What the user started (a tool call, a prompt, a read), from click to end, and the history of such operations.

An operation keeps frame numbers, not results: a result is read from the transcript each time, so that old operations cost nothing.
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from inspector.errors import (
    ConnectionLost,
    InspectorError,
    InvalidResult,
    PeerError,
    TimedOut,
)
from inspector.event import Event
from inspector.session import diagnostics
from inspector.spec.views.notifications import ProgressView
from inspector.transcript.exchange import Status, response_in
from inspector.wire.lazy_json import LazyObject
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.outgoing import Timeouts
    from inspector.session.peer import Reply
    from inspector.session.run import Run
    from inspector.session.session import Session
    from inspector.spec.revision import Revision
    from inspector.spec.view import View
    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject
    from inspector.wire.message import Message

V = TypeVar("V", bound="View")

MAX_OPERATIONS = 1000
"""Operations that a history keeps; earlier ones are in the traffic."""

LARGE_BYTES = 1 << 20
"""Size of a response from which its result is read over several turns of the event loop."""


class OperationState(StrEnum):
    """Whether an operation is running, or how it ended. The values are displayed."""

    RUNNING = "running"
    DONE = "ok"
    TOOL_ERROR = "tool error"
    """A result with `isError`; of tool calls only."""
    ERROR = "error"
    """A JSON-RPC error, or what `error` says."""
    CANCELLED = "cancelled"
    TIMED_OUT = "timed out"
    NO_RESPONSE = "no response"
    """The connection ended first."""


class CancelledBy(StrEnum):
    """Who or what cancelled an operation. The values complete “cancelled by”."""

    USER = "you"
    SERVER = "server"
    """Of calls that became tasks: other requests cannot be cancelled by a server."""
    DISCONNECT = "disconnecting"


_STATE_OF: tuple[tuple[type[InspectorError], OperationState], ...] = (
    (PeerError, OperationState.ERROR),
    (TimedOut, OperationState.TIMED_OUT),
    (ConnectionLost, OperationState.NO_RESPONSE),
    (InspectorError, OperationState.ERROR),
)


class Operation:
    """One logical request and its outcome."""

    LARGE_MEMBERS: ClassVar[tuple[str, ...]] = ()
    """Members of the result that may be large and are displayed completely."""

    def __init__(
        self,
        session: Session,
        method: str,
        params: JsonObject,
        *,
        timeouts: Timeouts | None = None,
        meta: JsonObject | None = None,
    ) -> None:
        """Prepare to request `method` with `params`; `meta` are members of `_meta` that win over those of every request."""
        self.changed: Event[()] = Event()
        self.method = method
        self.params = params
        self.meta = meta
        self.state = OperationState.RUNNING
        self.error: InspectorError | None = None
        self.cancelled_by: CancelledBy | None = None
        """None unless it was cancelled, or where a recording does not say it."""
        self.request_frame = 0
        self.earlier_frames: tuple[int, ...] = ()
        """Frames of the same request that were sent before, and led to nothing."""
        self.response_frame = 0
        self.progress: ProgressView | None = None
        self.progress_count = 0
        self.started_at = session.steps.clock.monotonic()
        self.ended_at: float | None = None
        self._session = session
        self._timeouts = timeouts
        self._work: asyncio.Task[None] | None = None

    @property
    def run(self) -> Run:
        """The run in which it was made."""
        return self._session.run

    @property
    def transcript(self) -> Transcript:
        """The transcript that has its frames."""
        return self._session.transcript

    @property
    def revision(self) -> Revision | None:
        """The revision of its session; None before one is agreed on."""
        return self._session.revision

    @property
    def is_finished(self) -> bool:
        """Whether it ended; only a late response may still come."""
        return self.state is not OperationState.RUNNING

    @property
    def has_result(self) -> bool:
        """Whether it ended with a result."""
        return self.state in {OperationState.DONE, OperationState.TOOL_ERROR}

    @property
    def took_seconds(self) -> float:
        """Its duration, until now if it is running."""
        ended = self.ended_at
        return (self._session.steps.clock.monotonic() if ended is None else ended) - self.started_at

    def age_seconds(self) -> float:
        """Return the time since it ended; 0 while it is running."""
        ended, now = self.ended_at, self._session.steps.clock.monotonic()
        return 0.0 if ended is None else now - ended

    @property
    def response(self) -> bytes:
        """The raw frame with the response, which may be late; empty before there is one."""
        frame = self.response_frame or self.late_frame
        return self.transcript.raw(frame) if frame else b""

    @property
    def message(self) -> bytes:
        """The JSON text of that response: over HTTP, its frame may be an SSE event."""
        frame = self.response_frame or self.late_frame
        return response_in(self.transcript, frame, self.request_frame).raw if frame else b""

    @property
    def raw_result(self) -> Json:
        """The result, read from the transcript; None without one."""
        if not self.has_result:
            return None
        response = response_in(self.transcript, self.response_frame, self.request_frame)
        return result_of(response, *self.LARGE_MEMBERS)

    @property
    def exchange(self) -> Exchange | None:
        """The exchange with all its rounds; None before the request was sent."""
        return self.transcript.exchange(self.request_frame) if self.request_frame else None

    @property
    def max_rounds(self) -> int:
        """How many times the request may be sent again because its result requires input."""
        return self._session.max_rounds

    @property
    def late_frame(self) -> int:
        """The frame of a response that came after cancellation or timeout; 0 if none did."""
        if self.state not in {OperationState.CANCELLED, OperationState.TIMED_OUT}:
            return 0
        exchange = self.exchange
        return exchange.response or 0 if exchange is not None and exchange.late else 0

    def start(self) -> None:
        """Send the request."""
        self._work = self._session.tasks.spawn(self._run(), name=self.method)
        self._work.add_done_callback(self._on_work_done)

    def cancel(self) -> None:
        """Cancel it, on the wire as well; does nothing once it ended."""
        if self._work is not None and not self.is_finished:
            self.cancelled_by = CancelledBy.USER
            self._work.cancel()

    async def wait(self) -> None:
        """Return when it ended."""
        if self._work is not None:
            await asyncio.wait([self._work])

    async def _run(self) -> None:
        try:
            await self._finish_with(await self._request())
        except asyncio.CancelledError:
            self._end_cancelled(CancelledBy.DISCONNECT)
            raise
        except InspectorError as error:
            self._fail(error)

    async def _request(self) -> Reply:
        return await self._session.request(
            self.method,
            self.params,
            timeouts=self._timeouts,
            on_progress=self._on_progress,
            on_sent=self._on_sent,
            meta=self.meta,
        )

    async def _finish_with(self, reply: Reply) -> None:
        """End with the result in `reply`."""
        await read_in_slices(reply, self.LARGE_MEMBERS)
        self.response_frame = reply.frame
        exchange = self.transcript.exchange(reply.request_frame)
        if exchange is not None:
            self.started_at, self.ended_at = exchange.started_at, exchange.ended_at
        failed = exchange is not None and exchange.status is Status.TOOL_ERROR
        self._end(OperationState.TOOL_ERROR if failed else OperationState.DONE)

    def _view(self, view: type[V]) -> V | None:
        """Return the result as a `view`; None without a result."""
        if not self.has_result:
            return None
        return view(self.raw_result, revision=self.revision)

    def _on_work_done(self, work: asyncio.Task[None]) -> None:
        if work.cancelled() and not self.is_finished:  # before its first step: `_run` never ran
            self._end_cancelled(CancelledBy.DISCONNECT)

    def _on_sent(self, frame: int) -> None:
        if self.request_frame:
            self.earlier_frames = (*self.earlier_frames, self.request_frame)
        self.request_frame = frame
        self.started_at = self.transcript.row(frame).monotonic_s  # the time that the traffic shows
        self.changed.fire()

    def _on_progress(self, params: JsonObject) -> None:
        self._set_progress(ProgressView(params, revision=self.revision))

    def _set_progress(self, progress: ProgressView) -> None:
        self.progress = progress
        self.progress_count += 1
        self.changed.fire()

    def _fail(self, error: InspectorError) -> None:
        diagnostics.process_exit.explain_exit(error, self.transcript, self._session.profile)
        self.error = error
        if isinstance(error, PeerError | InvalidResult):
            self.response_frame = error.frame or self.response_frame
            exchange = self.exchange
            if exchange is not None and exchange.response == self.response_frame:
                self.ended_at = exchange.ended_at  # the time that the traffic shows
        self._end(next(state for kind, state in _STATE_OF if isinstance(error, kind)))

    def _end_cancelled(self, by: CancelledBy) -> None:
        """End it as cancelled `by` something, unless the user did so before."""
        self.cancelled_by = self.cancelled_by or by
        self._end(OperationState.CANCELLED)

    def _end(self, state: OperationState) -> None:
        self.state = state
        if self.ended_at is None:
            self.ended_at = self._session.steps.clock.monotonic()
        self.changed.fire()


Op = TypeVar("Op", bound=Operation)


class OperationHistory(Generic[Op]):
    """The operations of one kind in one session, oldest first; beyond `MAX_OPERATIONS` the oldest are dropped and counted."""

    def __init__(self) -> None:
        """Start empty."""
        self.started: Event[Op] = Event()
        """Fired with each operation before it is sent."""
        self.operations: list[Op] = []
        self.dropped = 0

    def start(self, operation: Op) -> Op:
        """Add `operation` and start it."""
        self.operations.append(operation)
        if len(self.operations) > MAX_OPERATIONS:
            del self.operations[0]
            self.dropped += 1
        self.started.fire(operation)
        operation.start()
        return operation

    def of(self, matches: Callable[[Op], bool]) -> list[Op]:
        """Return the operations that match, oldest first."""
        return [operation for operation in self.operations if matches(operation)]


async def read_in_slices(reply: Reply, members: tuple[str, ...]) -> None:
    """Read these members of a large result over several turns of the event loop, so that nothing else has to wait."""
    if len(reply.message.raw) < LARGE_BYTES:
        return
    await asyncio.sleep(0)
    result = or_null(reply.message.lazy_result)
    await asyncio.sleep(0)
    if isinstance(result, LazyObject):
        for member in members:
            for _ in result.settling(member):
                await asyncio.sleep(0)


def result_of(message: Message, *members: str) -> Json:
    """Return the result with these members read; other large members are read on access."""
    result = or_null(message.lazy_result)
    if isinstance(result, LazyObject):
        for member in members:
            result.materialize(member)
    return result
