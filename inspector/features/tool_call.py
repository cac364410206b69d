"""One call of a tool, from the click to its end."""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.errors import (
    ConnectionLost,
    InspectorError,
    InvalidResult,
    PeerError,
    RequestAborted,
    TimedOut,
)
from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.session.large_results import read_in_slices, result_of
from inspector.session.task_record import outcome_of, settled_outcome_of
from inspector.spec import tasks
from inspector.spec.views.call_result import CallToolResultView
from inspector.spec.views.notifications import ProgressView
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError, RawJson

if TYPE_CHECKING:
    from inspector.session.peer import Reply
    from inspector.session.run import Run
    from inspector.session.session import Session
    from inspector.session.task_poller import TaskPoller
    from inspector.session.task_record import TaskRecord
    from inspector.session.timeouts import Timeouts
    from inspector.spec.revision import Revision
    from inspector.spec.views.tool import ToolView
    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import JsonObject


class CallState(StrEnum):
    """Where a call stands, in the words of the screen."""

    RUNNING = "running"
    DONE = "ok"
    TOOL_ERROR = "tool error"
    """A result that says `isError`."""
    ERROR = "error"
    """A JSON-RPC error, or whatever else `error` says."""
    CANCELLED = "cancelled"
    TIMED_OUT = "timed out"
    LOST = "lost"
    """The connection ended first."""


class AsTask(FrozenStruct, frozen=True):
    """That a call is to run as a task."""

    ttl_ms: int | None = None
    """How long the server is asked to keep the task, in milliseconds; None leaves that to the server."""


class ToolCall:
    """A call and what became of it. Results are read from the transcript when asked for, so old calls cost nothing.

    A call that runs as a task is over when the task is, and its answer is the result of the task.
    """

    def __init__(
        self,
        session: Session,
        tool: ToolView,
        arguments: str | None,
        timeouts: Timeouts | None,
        *,
        as_task: AsTask | None = None,
        meta: JsonObject | None = None,
        watch: TaskPoller | None = None,
    ) -> None:
        """Prepare to call `tool` with the JSON text `arguments`; `watch` follows it if it becomes a task.

        `meta` are members of `_meta` that win over those every request carries.

        Raises:
            ValueError: `arguments` is not JSON.
        """
        self.changed: Event[()] = Event()
        self.tool = tool
        self.arguments = arguments
        self.as_task = as_task
        self.meta = meta
        self.task: TaskRecord | None = None
        self.excluded = ""
        """Why nothing is sent, if nothing is."""
        self.state = CallState.RUNNING
        self.error: InspectorError | None = None
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
        self._params = _params(tool, arguments)
        if as_task is not None:
            self._params["task"] = tasks.task_param(as_task.ttl_ms)
        self._watch = watch
        self._task: asyncio.Task[None] | None = None
        self._gives_up = False

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
    def response(self) -> bytes:
        """The answer as it came, a result or an error; empty while there is none."""
        frame = self.response_frame or self.late_frame
        return self._session.transcript.raw(frame) if frame else b""

    @property
    def message(self) -> bytes:
        """The JSON text of that answer: over HTTP, it may come wrapped in an event of a stream."""
        frame = self.response_frame or self.late_frame
        return self._session.transcript.message(frame).raw if frame else b""

    @property
    def is_over(self) -> bool:
        """Nothing more will come, but for a late answer."""
        return self.state is not CallState.RUNNING

    @property
    def took_seconds(self) -> float:
        """How long it took, or takes so far."""
        ended = (
            self.ended_at if self.ended_at is not None else self._session.steps.clock.monotonic()
        )
        return ended - self.started_at

    @property
    def result(self) -> CallToolResultView | None:
        """The result, read anew from the record; none while or where there is none."""
        if not self.response_frame or self.state not in {CallState.DONE, CallState.TOOL_ERROR}:
            return None
        transcript = self._session.transcript
        if self.task is not None:
            outcome = settled_outcome_of(self.task, transcript)
            return CallToolResultView(outcome, revision=self._session.revision)
        result = result_of(transcript.message(self.response_frame), "content")
        return CallToolResultView(result, revision=self._session.revision)

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
        given_up = self.state in {CallState.CANCELLED, CallState.TIMED_OUT}
        if not self.request_frame or not given_up or self.task is not None:
            return 0
        exchange = self.exchange
        return exchange.response or 0 if exchange is not None and exchange.late else 0

    def start(self) -> None:
        """Send it."""
        self._task = self._session.tasks.spawn(self._run(), name=f"call {self.tool.id_label}")
        self._task.add_done_callback(self._on_done)

    def cancel(self) -> None:
        """Give it up, on the wire as well; does nothing once it is over.

        A task is cancelled as tasks are (C-CAN-11). Where that was tried and did not end it, it is no longer followed.
        """
        if self._task is None or self.is_over:
            return
        if self.task is None or self._watch is None:
            self._task.cancel()
        elif self._gives_up:
            self.task.leave()
        else:
            self._gives_up = True
            work = self._watch.cancel(self.task)
            self._session.tasks.spawn(work, name=f"cancel the task of {self.tool.id_label}")

    async def wait(self) -> None:
        """Return when it is over."""
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            if self.excluded:
                raise RequestAborted(
                    f"not sent: {self.excluded}", hint="Call it anyway to see what happens."
                )
            reply = await self._session.request(
                "tools/call",
                self._params,
                timeouts=self._timeouts,
                on_progress=self._on_progress,
                on_sent=self._on_sent,
                meta=self.meta,
            )
            if not await self._follow(reply):
                await read_in_slices(reply, _PROMISED if self.tool.has_output_schema else _SHOWN)
                self._succeed(reply)
        except asyncio.CancelledError:
            self._end(CallState.CANCELLED)
            raise
        except InspectorError as error:
            self._fail(error)

    async def _follow(self, reply: Reply) -> bool:
        """Wait for the task that the answer is, if it is one."""
        if self._watch is None:
            return False
        origin, asked = f"tools/call {self.tool.id_label}", self.as_task is not None
        task = self.task = self._watch.take(reply, origin=origin, asked=asked)
        if task is None:
            return False
        forget = task.changed.subscribe(self._on_task_changed)
        try:
            await task.settled.wait()
        finally:
            forget()
        self._take_outcome(task)
        return True

    def _on_task_changed(self) -> None:
        progress = self.task.progress if self.task is not None else None
        if progress is not None and progress is not self.progress:
            self.progress = progress
            self.progress_count += 1
        self.changed.fire()

    def _take_outcome(self, task: TaskRecord) -> None:
        """What the task gave is what the call gave."""
        self.response_frame = task.result_frame or task.frame
        if task.error is not None:
            self._fail(task.error)
        elif task.result_frame:
            self._end(CallState.TOOL_ERROR if self._says_error(task) else CallState.DONE)
        elif task.trouble is not None and not (self._gives_up or task.is_cancel_sent):
            self._fail(task.trouble)
        else:
            self._end(CallState.CANCELLED)

    def _says_error(self, task: TaskRecord) -> bool:
        result = outcome_of(task, self._session.transcript)
        return CallToolResultView(result, revision=self._session.revision).is_error

    def _on_done(self, task: asyncio.Task[None]) -> None:
        """A task that is cancelled before its first step never runs."""
        if task.cancelled() and not self.is_over:
            self._end(CallState.CANCELLED)

    def _on_sent(self, frame: int) -> None:
        if self.request_frame:
            self.earlier_frames = (*self.earlier_frames, self.request_frame)
        self.request_frame = frame
        self.started_at = self._session.transcript.row(frame).monotonic_s  # as the traffic has it
        self.changed.fire()

    def _on_progress(self, params: JsonObject) -> None:
        self.progress = ProgressView(params, revision=self._session.revision)
        self.progress_count += 1
        self.changed.fire()

    def _succeed(self, reply: Reply) -> None:
        self.response_frame = reply.frame
        exchange = self._session.transcript.exchange(reply.request_frame)
        if exchange is not None:
            self.started_at, self.ended_at = exchange.started_at, exchange.ended_at
        failed = exchange is not None and exchange.status == CallState.TOOL_ERROR
        self._end(CallState.TOOL_ERROR if failed else CallState.DONE)

    def _fail(self, error: InspectorError) -> None:
        self.error = error
        if isinstance(error, PeerError | InvalidResult):
            self.response_frame = error.frame or self.response_frame
        self._end(next(state for kind, state in _FAILURES if isinstance(error, kind)))

    def _end(self, state: CallState) -> None:
        self.state = state
        if self.ended_at is None:
            self.ended_at = self._session.steps.clock.monotonic()
        self.changed.fire()


_FAILURES: tuple[tuple[type[InspectorError], CallState], ...] = (
    (PeerError, CallState.ERROR),
    (TimedOut, CallState.TIMED_OUT),
    (ConnectionLost, CallState.LOST),
    (InspectorError, CallState.ERROR),
)


def _params(tool: ToolView, arguments: str | None) -> JsonObject:
    params: JsonObject = {"name": tool.exact_id} if tool.has("name") else {}
    if arguments is None:
        return params
    try:
        json_codec.read(arguments.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        raise ValueError(f"the arguments are not JSON: {error}") from error
    return {**params, "arguments": RawJson(json_codec.compact(arguments))}


_SHOWN = ("content",)
"""Members of a result that are looked at from end to end."""
_PROMISED = ("content", "structuredContent")
"""The same where a schema tells what the result is to be."""
