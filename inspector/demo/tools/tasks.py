"""Tools that run as tasks, and one that wants the client to."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inspector.demo import extension_task_faults
from inspector.demo.content import failure, pretty, result, text
from inspector.demo.embedded_inputs import Asked
from inspector.demo.request_errors import INTERNAL_ERROR, RpcError, ToolError
from inspector.demo.samples.icons import CLOCK
from inspector.demo.schema import choice, flag, number, record, string, titled_choice, whole
from inspector.demo.task_faults import FAULT_TOOL, FAULTS
from inspector.demo.tool import Tool, reads

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.demo.call import Call
    from inspector.demo.tool import Run
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

REQUIRED, OPTIONAL, FORBIDDEN = "required", "optional", "forbidden"

HOST_POLL_SECONDS = 0.3
"""How often a task of the client is asked for."""

ENDLESS_SECONDS = 3.0
"""How often the task without an end says something."""

FAULT_SECONDS, FAULT_WAIT_SECONDS = 1.0, 60.0
"""How long a task that misbehaves takes, and how long it waits for an answer."""

FAULT_STEPS = 4
"""What is reported has to find a client that follows the task by then."""


def _quick(call: Call) -> JsonObject:
    how = "as a task" if call.task is not None else "like any other call"
    return result(text(f"Done at once, {how}."))


def _steps(call: Call) -> JsonObject:
    steps, seconds = call.arguments.whole("steps"), call.arguments.number("seconds")
    for done in range(steps):
        call.set_status(f"Step {done + 1} of {steps}")
        call.progress(done, steps, f"{steps - done} to go")
        call.wait(seconds / steps)
    call.progress(steps, steps, "Finished")
    return result(text(f"Went through {steps} steps in {seconds:g} seconds."))


def _fail(call: Call) -> JsonObject:
    call.wait(call.arguments.number("seconds"))
    if call.arguments.text("how") == "tool error":
        return failure("The task failed.")
    raise RpcError(INTERNAL_ERROR, "The machine is on fire", {"temperature": 451})


def _ask(call: Call) -> JsonObject:
    form = record({"name": string("What to call you", title="Name", minLength=1)}, "name")
    params: JsonObject = {"message": "Who wants to know?", "requestedSchema": form}
    if "elicitation" not in call.conversation.capabilities:
        raise ToolError("The client did not declare “elicitation”.")
    answer = call.ask("elicitation/create", params, seconds=call.arguments.number("wait_seconds"))
    call.set_status("Thinking about the answer")
    call.wait(0.3)
    return result(text("The person answered:"), text(pretty(answer.get("result", answer))))


def _give_up(call: Call) -> JsonObject | None:
    call.wait(call.arguments.number("seconds"))
    if call.task is None:
        return failure("The server gave up.")
    call.task.become("cancelled", "The server gave up")
    return None


def _never(call: Call) -> JsonObject:
    del call
    return result(text("This tool answers at once, or not at all."))


def _misbehave(call: Call) -> JsonObject:
    call.set_status("Misbehaving")
    call.wait(1)
    return result(text(f"This was {call.arguments.text('how')}."))


def _ask_as_task(call: Call) -> JsonObject:
    """Have the client run our request as a task, and look after that as a client would."""
    method = call.arguments.text("what")
    group = "sampling" if method == "sampling/createMessage" else "elicitation"
    declared: Json = call.conversation.capabilities
    for step in ("tasks", "requests", *method.split("/")):
        declared = _member(declared, step)
        if declared is None:
            raise ToolError(f"The client did not declare “tasks.requests” for “{method}”.")
    params: JsonObject = {**_PARAMS[group], "task": {"ttl": call.arguments.whole("ttl")}}
    created = call.ask(method, params, seconds=10)
    task = _member(created.get("result"), "task")
    if not isinstance(task, dict):
        return result(text("The client answered without a task:"), text(pretty(created)))
    named: JsonObject = {"taskId": task.get("taskId")}
    until = time.monotonic() + call.arguments.number("wait_seconds")
    while time.monotonic() < until and task.get("status") not in {"completed", "failed"}:
        if call.arguments.flag("cancel_it"):
            return result(text(pretty(call.ask("tasks/cancel", named, seconds=10))))
        call.wait(HOST_POLL_SECONDS)
        task = call.ask("tasks/get", named, seconds=10).get("result")
        if not isinstance(task, dict) or task.get("status") == "cancelled":
            return result(text("The task of the client is no more:"), text(pretty(task)))
    answer = call.ask("tasks/result", named, seconds=max(1, until - time.monotonic()))
    return result(text("The client answered:"), text(pretty(answer)))


def _member(value: Json, key: str) -> Json:
    return value.get(key) if isinstance(value, dict) else None


_FORM = record({"words": string("Anything", title="Answer")}, "words")

_PARAMS: dict[str, JsonObject] = {
    "sampling": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Name a colour."}}],
        "maxTokens": 50,
    },
    "elicitation": {
        "message": "Whenever you have time: what is your favorite color?",
        "requestedSchema": record({"colour": string("Any", title="Colour")}, "colour"),
    },
}


def _endless(call: Call) -> JsonObject:
    while True:
        call.set_status(f"Still working, {time.strftime('%H:%M:%S')}")
        call.wait(ENDLESS_SECONDS)


def _ask_twice(call: Call) -> JsonObject:
    call.conversation.require("elicitation", "elicitation/create", part="form")
    questions = {
        name: Asked("elicitation/create", {"message": message, "requestedSchema": _FORM})
        for name, message in (("first", "What comes first?"), ("then", "And what then?"))
    }
    answers = call.ask_all(questions, seconds=call.arguments.number("wait_seconds"))
    parts = (text(f"{key}: {pretty(each.get('result', each))}") for key, each in answers.items())
    return result(*parts)


def _break_rules(call: Call) -> JsonObject:
    how = call.arguments.text("how")
    call.set_status("Misbehaving")
    if how == "asks_too_much":
        call.ask("tools/call", {"name": "echo"}, seconds=FAULT_SECONDS)
    if how == "reuses_key":
        for message in ("What is this?", "And what is that?"):
            params: JsonObject = {"message": message, "requestedSchema": _FORM}
            call.ask("elicitation/create", params, seconds=FAULT_WAIT_SECONDS, key="same")
    for step in range(FAULT_STEPS if how == "progress" else 0):
        call.wait(FAULT_SECONDS / 2)
        call.set_status(f"Step {step + 1} of {FAULT_STEPS}")
    call.wait(FAULT_SECONDS)
    return result(text(f"This was {how}."))


def _has_core_tasks(revision: Revision) -> bool:
    return revision.has_tasks


def _has_lasting_tasks(revision: Revision) -> bool:
    return revision.has_extensions


def _has_tasks(revision: Revision) -> bool:
    return revision.has_tasks or revision.has_extensions


def _tool(
    name: str,
    title: str,
    text: str,
    run: Run,
    support: str,
    schema: JsonObject | None = None,
    *,
    is_known: Callable[[Revision], bool] = _has_tasks,
) -> Tool:
    return Tool(
        name,
        title,
        text,
        run,
        *([] if schema is None else [schema]),
        icons=CLOCK,
        is_known=is_known,
        task_support=support,
    )


SECONDS = number("How long it takes", minimum=0, maximum=3600, default=1)

TOOLS = (
    _tool("task_quick", "Quick task", "Is done at once, as a task or not.", _quick, OPTIONAL),
    _tool(
        "task_steps",
        "Task in steps",
        "Must run as a task. Reports its step and progress. Cancellable.",
        _steps,
        REQUIRED,
        record(
            {
                "steps": whole("How many", minimum=1, maximum=1000, default=5),
                "seconds": number("Total duration", minimum=0, maximum=3600, default=5),
            }
        ),
    ),
    _tool(
        "task_fails",
        "Task that fails",
        "Ends as `failed`: with a result that says so, or with an error.",
        _fail,
        OPTIONAL,
        record({"how": choice("In which way", "tool error", "protocol error"), "seconds": SECONDS}),
    ),
    _tool(
        "task_asks",
        "Task that asks",
        "Needs user input to continue: `input_required`.",
        _ask,
        REQUIRED,
        record({"wait_seconds": number("How long it waits", minimum=1, default=300)}),
    ),
    _tool(
        "task_gives_up",
        "Task that gives up",
        "Cancelled by the server after a delay.",
        _give_up,
        OPTIONAL,
        record({"seconds": SECONDS}),
    ),
    _tool(
        "task_asks_twice",
        "Task that asks for two things",
        "Requests two inputs, which can be provided one at a time.",
        _ask_twice,
        REQUIRED,
        record({"wait_seconds": number("How long it waits", minimum=1, default=300)}),
    ),
    _tool(
        "task_endless",
        "Task without an end",
        "Runs until cancelled.",
        _endless,
        REQUIRED,
    ),
    _tool("task_never", "No task", "Declares taskSupport: forbidden.", _never, FORBIDDEN),
    Tool(
        "ask_as_task",
        "Ask the client for a task",
        "Requests sampling or elicitation as a client-side task, polls it and gets the result.",
        _ask_as_task,
        record(
            {
                "what": choice("What to ask for", "elicitation/create", "sampling/createMessage"),
                "ttl": whole("How long to keep the task, ms", minimum=0, default=300_000),
                "cancel_it": flag("Cancel it at once"),
                "wait_seconds": number("How long to wait", minimum=1, default=300),
            }
        ),
        hints=reads(open_world=True),
        is_known=_has_core_tasks,
    ),
)

FAULT_TOOLS = (
    _tool(
        FAULT_TOOL,
        "Break the rules of tasks",
        "Runs as a task and violates a task rule.",
        _misbehave,
        OPTIONAL,
        record({"how": titled_choice("Which one", FAULTS)}),
        is_known=_has_core_tasks,
    ),
    _tool(
        extension_task_faults.FAULT_TOOL,
        "Break the rules of tasks",
        "Becomes a task and violates a task rule.",
        _break_rules,
        OPTIONAL,
        record({"how": titled_choice("Which one", extension_task_faults.FAULTS)}),
        is_known=_has_lasting_tasks,
    ),
)
"""Listed with the other faults."""
