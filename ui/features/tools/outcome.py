"""How a call went, in words: the two kinds of failure apart, and everything that ended without an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.session.operation import OperationState
from inspector.spec.error_codes import explain
from inspector.wire import json_codec
from ui.models.round_text import (
    ended_words,
    is_ours_to_answer,
    repeated_words,
    running_words,
)
from ui.render.failure_text import failure
from ui.widgets.error_text import code_and_name

if TYPE_CHECKING:
    from inspector.errors import PeerError
    from inspector.features.tools import ToolCall
    from inspector.session.task_record import TaskRecord
    from inspector.spec.revision import Revision


class Outcome(NamedTuple):
    """A line to show."""

    text: str
    """What happened."""
    tone: str
    """The colour's name."""


_OUTCOMES = {
    OperationState.RUNNING: Outcome("running", "pending"),
    OperationState.DONE: Outcome("ok", "ok"),
    OperationState.TOOL_ERROR: Outcome("tool error (isError)", "error"),
    OperationState.CANCELLED: Outcome("cancelled", "warning"),
    OperationState.TIMED_OUT: Outcome("timed out", "warning"),
}
"""Ends that say all by themselves; for the others, the error does."""


def outcome(call: ToolCall) -> Outcome:
    """The line for a call."""
    text, tone = _OUTCOMES.get(call.state) or failure(call.error, was_sent=call.request_frame > 0)
    if call.state is OperationState.RUNNING and not call.request_frame:
        text = "sending"
    elif call.state is OperationState.RUNNING and call.task is not None:
        text = _task_words(call.task)
        tone = "person" if call.task.wants_input else tone
    elif call.state is OperationState.RUNNING:
        now = call.started_at + call.took_seconds
        asked = running_words(call.exchange, call.most_rounds, now)
        text = asked or text
        tone = "person" if asked and is_ours_to_answer(call.exchange) else tone
    elif rounds := ended_words(call.exchange):
        text += f" · {rounds}"
    if call.earlier_frames:
        text += f" · {repeated_words(call.earlier_frames, call.request_frame)}"
    if call.late_frame:
        text += f"; late response #{call.late_frame}"
    return Outcome(text, tone)


def _task_words(task: TaskRecord) -> str:
    if task.is_cancel_sent:
        return "running as a task; cancellation requested. Cancel again to stop waiting."
    return "running as a task: input required" if task.wants_input else "running as a task"


def error_words(error: PeerError, revision: Revision | None) -> tuple[str, str, str]:
    """Words, remedy and detail of a JSON-RPC error."""
    known = explain(error.code, revision)
    said = error.message or "(no message)"
    named = said.casefold().startswith(known.name.casefold())  # many servers begin with the name
    text = f"{error.code} {said}" if named else f"{code_and_name(error, revision)}: {said}"
    detail = known.summary
    if error.data is not None:
        detail += f"\n\ndata: {json_codec.write(error.data, indent=2)}"
    return text, error.hint or known.hint, detail
