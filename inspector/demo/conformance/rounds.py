"""Tools and a prompt that ask the client through the results of its own requests, and what only that era has besides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo import content
from inspector.demo.content import pretty, result, text
from inspector.demo.embedded_inputs import ROOTS, Asked, form, prompt
from inspector.demo.prompt import Prompt, says
from inspector.demo.schema import HEADER, flag, record, string
from inspector.demo.tool import Tool, reads, writes

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.demo.call import Call
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

PAUSE_SECONDS = 0.05
SECONDS = 20

CONFIRM = Asked(
    "elicitation/create",
    {"message": "Please confirm", "requestedSchema": record({"ok": flag("Whether it is so")})},
)
NAME = form("What is your name?", "name", "Name")


def _asks(key: str, asked: Asked, prefix: str) -> Callable[[Call], JsonObject]:
    def run(call: Call) -> JsonObject:
        answer = call.ask_all({key: asked}, seconds=SECONDS)[key]
        return result(text(f"{prefix}{pretty(answer.get('result'))}"))

    return run


def _greeting(call: Call) -> JsonObject:
    answer = call.ask_all({"user_name": NAME}, seconds=SECONDS)["user_name"]
    return result(text(f"Hello, {_content(answer).get('name')}!"))


def _content(answer: JsonObject) -> JsonObject:
    found: Json = answer.get("result")
    inner = found.get("content") if isinstance(found, dict) else None
    return inner if isinstance(inner, dict) else {}


def _state(call: Call) -> JsonObject:
    call.ask_all({"confirm": CONFIRM}, seconds=SECONDS, remember=True)
    return result(text("state-ok"))


def _several(call: Call) -> JsonObject:
    questions = {
        "user_name": NAME,
        "greeting": prompt("Generate a greeting"),
        "client_roots": ROOTS,
    }
    answers = call.ask_all(questions, seconds=SECONDS, remember=True)
    return result(*(text(f"{key}: {pretty(answer)}") for key, answer in answers.items()))


def _in_steps(call: Call) -> JsonObject:
    steps = {
        "step1": form("Step 1: What is your name?", "name", "Name"),
        "step2": form("Step 2: What is your favorite color?", "color", "Colour"),
    }
    texts = [
        call.ask_all({key: asked}, seconds=SECONDS, remember=True) for key, asked in steps.items()
    ]
    return result(text("\n".join(pretty({**each}) for each in texts)))


def _declared(call: Call) -> JsonObject:
    questions = {"sampling": prompt("What is the capital of France?"), "elicitation": NAME}
    declared = call.conversation.capabilities
    requested = {key: asked for key, asked in questions.items() if key in declared}
    if not requested:
        call.conversation.require("elicitation", "elicitation/create")
    return result(text(pretty({**call.ask_all(requested, seconds=SECONDS)})))


def _needs_sampling(call: Call) -> JsonObject:
    call.conversation.require("sampling", "sampling/createMessage")
    return result(text("The client declared sampling."))


def _streaming(call: Call) -> JsonObject:
    call.progress(0, 1)
    call.wait(PAUSE_SECONDS)
    return _greeting(call)


def _logging(call: Call) -> JsonObject:
    for message in ("The tool has begun", "The tool is done"):
        call.conversation.log("info", message, "conformance")
        call.wait(PAUSE_SECONDS)
    return result(text("Two messages were logged, if they were asked for."))


def _change(what: str) -> Callable[[Call], JsonObject]:
    def run(call: Call) -> JsonObject:
        call.conversation.toggle(what)
        return result(text(f"The list of {what}s changed."))

    return run


def _headed(call: Call) -> JsonObject:
    return result(text(pretty(call.arguments.values)))


def _with_context(values: dict[str, str]) -> list[Json]:
    return [says("user", content.text(f"A prompt with this context: {values['user_context']}"))]


def _is_stateless(revision: Revision) -> bool:
    return revision.has_input_required


def _tool(
    name: str, text: str, run: Callable[[Call], JsonObject], schema: JsonObject | None = None
) -> Tool:
    title = name.removeprefix("test_").replace("_", " ").capitalize()
    hints = writes() if "trigger" in name else reads(open_world=True)
    given = () if schema is None else (schema,)
    return Tool(name, title, text, run, *given, hints=hints, is_known=_is_stateless)


def _of_rounds(name: str, text: str, run: Callable[[Call], JsonObject]) -> Tool:
    return _tool(f"test_input_required_result_{name}", text, run)


TOOLS = (
    _tool("test_missing_capability", "Needs sampling to be declared.", _needs_sampling),
    _tool("test_streaming_elicitation", "Reports progress, then asks.", _streaming),
    _tool("test_logging_tool", "Logs if that was asked for.", _logging),
    _tool("test_trigger_tool_change", "Changes the list of tools.", _change("tool")),
    _tool("test_trigger_prompt_change", "Changes the list of prompts.", _change("prompt")),
    _tool(
        "test_x_mcp_header",
        "Has an argument that is repeated in a header.",
        _headed,
        record({"region": string("Repeated in a header", **{HEADER: "Region"})}),
    ),
    _of_rounds("elicitation", "Asks for a name, without any state.", _greeting),
    _of_rounds(
        "sampling",
        "Asks the model.",
        _asks("capital_question", prompt("What is the capital of France?"), "LLM response: "),
    ),
    _of_rounds("list_roots", "Asks for roots.", _asks("client_roots", ROOTS, "Roots: ")),
    _of_rounds("request_state", "Hands out state and wants it back.", _state),
    _of_rounds("multiple_inputs", "Asks for three things at once.", _several),
    _of_rounds("multi_round", "Asks twice, one after the other.", _in_steps),
    _of_rounds("tampered_state", "Refuses state that was changed.", _state),
    _of_rounds("capabilities", "Asks for what the client declared.", _declared),
)

PROMPTS = (
    Prompt(
        "test_input_required_result_prompt",
        "Asks first",
        "Asks for a context before it is filled in.",
        _with_context,
        questions={
            "user_context": form("What context should the prompt use?", "context", "Context")
        },
    ),
)
