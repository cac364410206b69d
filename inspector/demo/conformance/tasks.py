"""Tools that become tasks of the extension, as the conformance suite names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import content
from inspector.demo.embedded_inputs import Asked
from inspector.demo.request_errors import INTERNAL_ERROR, RpcError
from inspector.demo.schema import flag, number, record, string
from inspector.demo.tool import Tool

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.demo.tool import Run
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject

ANSWER_SECONDS = 60.0
"""How long an answer of the client is waited for."""

JOB_SECONDS = 0.5

ELICIT = "elicitation/create"
_CONFIRM: JsonObject = record({"confirm": flag("Resume")}, "confirm")
_NAME: JsonObject = record({"name": string("What to call you")}, "name")


def _greet(call: Call) -> JsonObject:
    return content.result(content.text(f"Hello, {call.arguments.text('name')}!"))


def _compute(call: Call) -> JsonObject:
    call.wait(call.arguments.number("seconds"))
    return content.result(content.text(f"Computed {call.arguments.text('label')}."))


def _fail(call: Call) -> JsonObject:
    call.wait(JOB_SECONDS)
    return content.failure("The job failed.")


def _break(call: Call) -> JsonObject:
    call.wait(JOB_SECONDS)
    raise RpcError(INTERNAL_ERROR, "The job broke")


def _delete(call: Call) -> JsonObject:
    name = call.arguments.text("filename")
    question: JsonObject = {"message": f"Delete {name}?", "requestedSchema": _CONFIRM}
    call.ask(ELICIT, question, seconds=ANSWER_SECONDS)
    return content.result(content.text(f"Asked about {name}."))


def _two_inputs(call: Call) -> JsonObject:
    questions = {
        key: Asked(ELICIT, {"message": f"The {key} one?", "requestedSchema": _NAME})
        for key in ("first", "second")
    }
    answers = call.ask_all(questions, seconds=ANSWER_SECONDS)
    return content.result(content.text(f"Got {len(answers)} answers."))


def _ask_name(call: Call) -> None:
    call.ask(ELICIT, _WHO, seconds=ANSWER_SECONDS, key=_USER)


def _use_name(call: Call) -> JsonObject:
    inputs = call.conversation.inputs
    answers = inputs.demand({_USER: Asked(ELICIT, _WHO)}) if inputs is not None else {}
    return content.result(content.text(content.pretty(answers.get(_USER))))


_USER = "user_name"
_WHO: JsonObject = {"message": "Who are you?", "requestedSchema": _NAME}


def _has_extensions(revision: Revision) -> bool:
    return revision.has_extensions


def _tool(name: str, run: Run, support: str = "", schema: JsonObject | None = None) -> Tool:
    own = record({}) if schema is None else schema
    text = "A tool of the conformance suite."
    return Tool(name, name, text, run, own, is_known=_has_extensions, task_support=support)


TOOLS = (
    _tool("greet", _greet, schema=record({"name": string("Whom")})),
    _tool(
        "slow_compute",
        _compute,
        "optional",
        record({"seconds": number("How long"), "label": string("What to call it")}),
    ),
    _tool("failing_job", _fail, "required"),
    _tool("protocol_error_job", _break, "optional"),
    _tool("confirm_delete", _delete, "optional", record({"filename": string("What to delete")})),
    _tool("multi_input", _two_inputs, "optional"),
    Tool(
        "test_tool_with_task",
        "test_tool_with_task",
        "Asks before it becomes a task.",
        _use_name,
        is_known=_has_extensions,
        task_support="required",
        before=_ask_name,
    ),
)
