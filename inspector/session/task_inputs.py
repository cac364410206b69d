"""Input requests of tasks: responded to like server requests, and sent back by a request of its own.

A task lists all its open input requests in every state. Each key gets one response in the life of the task; a response that does not
reach the server is tried again up to `MAX_TRIES` times. Input requests that are no longer listed are withdrawn from the inbox. Nothing is
given that was not declared.

Source: the tasks extension, "Task Update Requests"; C-TKX-06 to C-TKX-10.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import InspectorError, PeerError
from inspector.session.inbound import InboundRequest
from inspector.session.task_record import InputState, TaskInput
from inspector.spec import capabilities, methods
from inspector.spec.json_types import format_value
from inspector.spec.method import Side
from inspector.spec.views.task import DetailedTaskView
from inspector.wire import json_codec
from inspector.wire.message import ABSENT, Message, MessageKind

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.session.task_record import TaskRecord
    from inspector.session.task_registry import TaskRegistry
    from inspector.spec.views.input_required import InputRequest
    from inspector.spec.views.task import TaskView
    from inspector.wire.json_codec import Json, JsonObject

MAX_TRIES = 3
"""How often something is got for the server that cannot be given to it."""

MAX_INPUTS = 200
"""Things that one task may ask for in its life; the rest is not answered."""


class TaskInputs:
    """Gets what the tasks of one server ask for."""

    def __init__(self, session: Session, table: TaskRegistry) -> None:
        """Give it over `session`."""
        self._session = session
        self._table = table
        table.notified.subscribe(self._on_reported)

    def _on_reported(self, record: TaskRecord, view: TaskView, frame: int) -> None:
        dialect = self._table.dialect
        if dialect is None or not dialect.update_method or not isinstance(view, DetailedTaskView):
            return
        asked = view.requests if view.status == "input_required" else ()
        self._withdraw(record, {request.key for request in asked})
        for request in asked:
            self._take(record, request, frame)

    def _withdraw(self, record: TaskRecord, asked: set[str]) -> None:
        """Withdraw input requests that are not listed any more (C-TKX-10)."""
        for key, known in record.inputs.items():
            if key not in asked and known.state is InputState.OPEN:
                known.state = InputState.WITHDRAWN
                if known.work is not None:
                    known.work.cancel()

    def _take(self, record: TaskRecord, request: InputRequest, frame: int) -> None:
        known = record.inputs.get(request.key)
        if known is None:
            if len(record.inputs) < MAX_INPUTS:
                known = record.inputs[request.key] = TaskInput(request)
                self._begin(record, known, frame)
        elif known.request.raw is not None and known.request.raw != request.raw:
            return  # another request under the same key is not responded to
        elif known.state is InputState.FAILED and known.tries < MAX_TRIES:
            self._begin(record, known, frame)

    def _begin(self, record: TaskRecord, known: TaskInput, frame: int) -> None:
        known.tries += 1
        known.status_text = self._objection(known.request)
        known.state = InputState.REFUSED if known.status_text else InputState.OPEN
        if not known.status_text:
            work = self._answer(record, known, frame)
            known.work = self._session.tasks.spawn(work, name=f"get {known.request.method}")

    def _objection(self, request: InputRequest) -> str:
        """Return why an input request is not responded to; empty if it is (C-TKX-08)."""
        method, revision = request.method, self._session.revision
        if revision is None or not request.is_known or method not in self._session.responders:
            return f"{format_value(method)} is not allowed as an input request"
        need = methods.required_capability(method, revision, Side.SERVER)
        if capabilities.satisfied(need, self._session.client_capabilities, {}):
            return ""
        return f"the server requests {method} although the client did not declare `{need.name if need else method}`"

    async def _answer(self, record: TaskRecord, known: TaskInput, frame: int) -> None:
        request, responder = known.request, self._session.responders[known.request.method]
        cause = record.origin_frame or record.asked_frame
        try:
            answer = await responder(
                InboundRequest(frame, _message(request), request.pointer, cause)
            )
        except PeerError as refusal:
            known.state, known.status_text = InputState.REFUSED, refusal.message
        else:
            await self._give(record, known, answer)
        finally:
            known.work = None
            self._table.notify(record)

    async def _give(self, record: TaskRecord, known: TaskInput, answer: Json) -> None:
        dialect = self._table.dialect
        if dialect is None or known.state is not InputState.OPEN:
            return
        known.state = InputState.SENT  # from here on it may be asked for no longer
        params: JsonObject = {"taskId": record.id, "inputResponses": {known.request.key: answer}}
        try:
            await self._session.request(dialect.update_method, params)
        except InspectorError as error:
            known.state, known.status_text = InputState.FAILED, error.reason
            record.polling_error = error
        else:
            known.state = InputState.GIVEN


def _message(request: InputRequest) -> Message:
    """What is asked for, as if it were a request of its own."""
    body: JsonObject = request.raw if isinstance(request.raw, dict) else {}
    raw = json_codec.write_bytes(body)
    return Message(MessageKind.REQUEST, raw, ABSENT, request.method, _body=body)
