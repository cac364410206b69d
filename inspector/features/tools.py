"""The tools of a server: their list, kept fresh, and the calls made in this session.

Arguments are sent exactly as typed, except for white space between tokens: one message is one line (C-STD-03).
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, ClassVar

from inspector.errors import ConnectionLost, RequestAborted
from inspector.frozen import FrozenStruct
from inspector.session.operation import (
    CancelledBy,
    Operation,
    OperationHistory,
    OperationState,
    read_in_slices,
)
from inspector.session.outgoing import preview_headers
from inspector.session.paginated_list import ListSpec, PaginatedList
from inspector.session.task_record import outcome_of, settled_outcome_of
from inspector.spec import tasks
from inspector.spec.keys import META
from inspector.spec.views.call_result import CallToolResultView
from inspector.spec.views.tool import ToolsPage, ToolView
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError, RawJson

if TYPE_CHECKING:
    from inspector.session.outgoing import Timeouts
    from inspector.session.peer import Reply
    from inspector.session.session import Session
    from inspector.session.task_poller import TaskPoller
    from inspector.session.task_record import TaskRecord
    from inspector.spec.mirrored_headers import MirroredHeaders
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "tools/call"

LIST_CHANGED = "notifications/tools/list_changed"

MAX_EXCLUDED_NOTES = 20
"""Excluded tools that the transcript names after a reading of the list; the list itself marks all of them."""

TOOLS_PER_TURN = 200
"""Tools whose schemas are examined in one turn of the event loop."""

RULES = ListSpec[ToolView]("tools/list", LIST_CHANGED, "tools", ToolsPage)


class AsTask(FrozenStruct, frozen=True):
    """Requests that a call runs as a task."""

    ttl_ms: int | None = None
    """How long the server should keep the task, in milliseconds; None leaves that to the server."""


class ToolCall(Operation):
    """One call of one tool. A call that becomes a task ends with the task, and its result is the result of the task."""

    LARGE_MEMBERS: ClassVar[tuple[str, ...]] = ("content",)

    def __init__(
        self,
        session: Session,
        tool: ToolView,
        arguments: str | None,
        timeouts: Timeouts | None,
        *,
        as_task: AsTask | None = None,
        meta: JsonObject | None = None,
        poller: TaskPoller | None = None,
        excluded: str = "",
    ) -> None:
        """Prepare to call `tool` with the JSON text `arguments`; `poller` follows the call if it becomes a task.

        With a reason in `excluded`, nothing is sent, and the call fails for that reason.

        Raises:
            ValueError: `arguments` is not JSON.
        """
        params = _params(tool, arguments)
        if as_task is not None:
            params["task"] = tasks.task_param(as_task.ttl_ms)
        super().__init__(session, METHOD, params, timeouts=timeouts, meta=meta)
        self.tool = tool
        self.arguments = arguments
        self.as_task = as_task
        self.task: TaskRecord | None = None
        self._excluded = excluded
        self._poller = poller
        self._is_task_cancelled = False

    @property
    def result(self) -> CallToolResultView | None:
        """The result; None without one."""
        return self._view(CallToolResultView)

    @property
    def raw_result(self) -> Json:
        """The result of the call or of its task; None without one."""
        if self.task is None or not self.has_result:
            return super().raw_result
        return settled_outcome_of(self.task, self.transcript)

    def cancel(self) -> None:
        """Cancel it, on the wire as well; does nothing once it ended.

        A task is cancelled by a request of its own (C-CAN-11). If that did not end it, a second `cancel` stops waiting for it.
        """
        if self.task is None or self._poller is None or self.is_finished:
            super().cancel()
        elif self._is_task_cancelled:
            self.task.leave()
        else:
            self._is_task_cancelled = True
            self.cancelled_by = CancelledBy.USER
            work = self._poller.cancel(self.task)
            self._session.tasks.spawn(work, name=f"cancel the task of {self.tool.id_label}")

    async def _request(self) -> Reply:
        if self._excluded:
            raise RequestAborted(f"not sent: {self._excluded}", hint="Use Call anyway to send it.")
        return await super()._request()

    async def _finish_with(self, reply: Reply) -> None:
        if await self._follow(reply):
            return
        if self.tool.has_output_schema:  # then it is validated as a whole
            await read_in_slices(reply, ("structuredContent",))
        await super()._finish_with(reply)

    async def _follow(self, reply: Reply) -> bool:
        """Wait for the task if `reply` has one."""
        if self._poller is None:
            return False
        origin = f"{METHOD} {self.tool.id_label}"
        task = self.task = self._poller.take(reply, origin=origin)
        if task is None:
            return False
        unsubscribe = task.changed.subscribe(self._on_task_changed)
        try:
            await task.settled.wait()
        finally:
            unsubscribe()
        self._finish_with_task(task)
        return True

    def _on_task_changed(self) -> None:
        progress = self.task.progress if self.task is not None else None
        if progress is not None and progress is not self.progress:
            self._set_progress(progress)
        else:
            self.changed.fire()

    def _finish_with_task(self, task: TaskRecord) -> None:
        self.response_frame = task.result_frame or task.frame
        if task.error is not None:
            self._fail(task.error)
        elif task.result_frame:
            result = CallToolResultView(outcome_of(task, self.transcript), revision=self.revision)
            self._end(OperationState.TOOL_ERROR if result.is_error else OperationState.DONE)
        elif task.polling_error is not None and not (
            self._is_task_cancelled or task.is_cancel_sent
        ):
            self._fail(task.polling_error)
        else:
            self._end_cancelled(CancelledBy.USER if task.is_cancel_sent else CancelledBy.SERVER)


class Tools(PaginatedList[ToolView]):
    """The list of tools and the history of calls."""

    def __init__(self, session: Session, poller: TaskPoller | None = None) -> None:
        """List the tools of `session`; nothing is read before `refresh`. `poller` follows calls that become tasks."""
        super().__init__(session, RULES)
        self.history: OperationHistory[ToolCall] = OperationHistory()
        self._poller = poller
        self._noted: set[str] = set()

    async def refresh(self) -> None:
        """Read the list, and note in the transcript which tools must not be called, and why (C-HTTP-27)."""
        await super().refresh()
        if not self._session.mirrors_headers:
            return
        noted = 0
        for number, tool in enumerate(self.items, 1):
            if noted == MAX_EXCLUDED_NOTES:
                return
            if not number % TOOLS_PER_TURN:
                await asyncio.sleep(0)  # the schema of each tool is examined
            noted += self._note_if_excluded(tool)

    def _note_if_excluded(self, tool: ToolView) -> bool:
        """Return whether the tool is excluded and was not noted before."""
        name, reason = tool.id_label, self.excluded(tool)
        if not reason or name in self._noted:
            return False
        self._noted.add(name)
        self._session.transcript.note("tool-excluded", f"{name} is excluded: {reason}", tool=name)
        return True

    def call(
        self,
        tool: ToolView,
        arguments: str | None,
        *,
        timeouts: Timeouts | None = None,
        as_task: AsTask | None = None,
        meta: JsonObject | None = None,
        anyway: bool = False,
    ) -> ToolCall:
        """Start a call with the JSON text `arguments`; None sends no arguments. `as_task` requests a task.

        `meta` are members of `_meta` that win over those of every request. An excluded tool is called only with `anyway`: else
        nothing is sent, and the call fails with the reason.

        Raises:
            ValueError: `arguments` is not JSON and would break the message.
        """
        call = ToolCall(
            self._session,
            tool,
            arguments,
            timeouts,
            as_task=as_task,
            meta=meta,
            poller=self._poller,
            excluded="" if anyway else self.excluded(tool),
        )
        return self.history.start(call)

    @property
    def mirrors_headers(self) -> bool:
        """Whether parts of a call are repeated in HTTP headers."""
        return self._session.mirrors_headers

    def excluded(self, tool: ToolView) -> str:
        """Return why the tool must not be called over this connection; empty if it may be (C-HTTP-26)."""
        if not self._session.mirrors_headers or not tool.header_problems:
            return ""
        return "; ".join(finding.summary for finding in tool.header_problems)

    def headers_of(
        self, tool: ToolView, arguments: str | None, meta: JsonObject | None = None
    ) -> MirroredHeaders:
        """Return the headers that repeat parts of a call with the JSON text `arguments`.

        `meta` are members of `_meta` that win over those of every request.
        """
        params: JsonObject = {"name": tool.exact_id, "arguments": _value_of(arguments)}
        return preview_headers(self._session, METHOD, params, meta, tool.input_schema)

    def raw_text(self, tool: ToolView, arguments: str, meta: JsonObject | None = None) -> str:
        """Return the JSON text of a call as it would be sent, with `arguments` as typed, JSON or not."""
        params: JsonObject = {"name": tool.exact_id, "arguments": RawJson(arguments)}
        with contextlib.suppress(ConnectionLost):  # then without what a connection adds
            params = self._session.stamped(params)
        if meta:
            carried = params.get(META)
            params[META] = {**(carried if isinstance(carried, dict) else {}), **meta}
        request: JsonObject = {"jsonrpc": "2.0", "id": "raw-1", "method": METHOD, "params": params}
        return json_codec.write(request)


def _params(tool: ToolView, arguments: str | None) -> JsonObject:
    params: JsonObject = {"name": tool.exact_id} if tool.has("name") else {}
    if arguments is None:
        return params
    try:
        json_codec.read(arguments.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        raise ValueError(f"the arguments are not JSON: {error}") from error
    return {**params, "arguments": RawJson(json_codec.compact(arguments))}


def _value_of(arguments: str | None) -> Json:
    """Return the value of the JSON text; None if it is not JSON."""
    try:
        return json_codec.read((arguments or "null").encode("utf-8", "surrogatepass")).value
    except JsonSyntaxError:
        return None
