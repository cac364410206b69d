"""Calls that take several questions or several rounds. In a session they send requests, elsewhere they end and come again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.demo.content import pretty, result, text
from inspector.demo.embedded_inputs import ROOTS, form, prompt
from inspector.demo.schema import number, record, whole
from inspector.demo.tool import Tool, reads

if TYPE_CHECKING:
    from inspector.demo.call import Call
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

PATIENCE = number("How long to wait for each answer", minimum=1, maximum=3600, default=300)
PAUSE_SECONDS = 0.25


def _several(call: Call) -> JsonObject:
    """Only for what the client declared."""
    questions = {
        "name": form("Whom shall the model greet?", "name", "Name"),
        "greeting": prompt("Greet somebody in five words."),
        "roots": ROOTS,
    }
    needs = {"name": "elicitation", "greeting": "sampling", "roots": "roots"}
    declared = call.conversation.capabilities
    requested = {key: asked for key, asked in questions.items() if needs[key] in declared}
    if not requested:
        call.conversation.require("elicitation", "elicitation/create", part="form")
    answers = call.ask_all(requested, seconds=call.arguments.number("wait_seconds"), remember=True)
    return result(*(text(f"{key}: {pretty(answer)}") for key, answer in answers.items()))


def _one_by_one(call: Call) -> JsonObject:
    """Each question depends on the answer before."""
    call.conversation.require("elicitation", "elicitation/create", part="form")
    seconds = call.arguments.number("wait_seconds")
    texts: list[str] = []
    for number_ in range(1, call.arguments.whole("rounds") + 1):
        before = f" After “{texts[-1]}”, that is." if texts else ""
        message = f"Question {number_}: which word comes next?{before}"
        asked = form(message, "word", "Word")
        answer = call.ask(asked.method, asked.params, seconds=seconds, key=f"word_{number_}")
        texts.append(_word(answer))
    return result(text(" ".join(texts)))


def _word(answer: JsonObject) -> str:
    found: Json = answer.get("result")
    content = found.get("content") if isinstance(found, dict) else None
    word = content.get("word") if isinstance(content, dict) else None
    return word if isinstance(word, str) else "…"


def _later(call: Call) -> JsonObject:
    """Too busy at first: the client is to come again, and asked for nothing."""
    rounds = call.arguments.whole("rounds")
    if call.conversation.inputs is None:
        call.wait(rounds * PAUSE_SECONDS)
    else:
        call.conversation.inputs.put_off(rounds)
    return result(text(f"Here you are; you came back {rounds} times."))


def _has_rounds(revision: Revision) -> bool:
    return revision.has_input_required


TOOLS = (
    Tool(
        "ask_several",
        "Ask for several things",
        "Requests elicitation, sampling and roots, as declared by the client, together if the revision allows it.",
        _several,
        record({"wait_seconds": PATIENCE}),
        hints=reads(open_world=True),
        is_known=lambda revision: revision.has_elicitation,
    ),
    Tool(
        "ask_one_by_one",
        "Ask again and again",
        "Requests one word per round; each round depends on the previous answer.",
        _one_by_one,
        record(
            {
                "rounds": whole("How many words", minimum=1, maximum=100, default=3),
                "wait_seconds": PATIENCE,
            }
        ),
        hints=reads(open_world=True),
        is_known=lambda revision: revision.has_elicitation,
    ),
    Tool(
        "ask_later",
        "Put off",
        "Returns only requestState at first and requires the call to be resent.",
        _later,
        record({"rounds": whole("How often", minimum=0, maximum=100, default=3)}),
        is_known=_has_rounds,
    ),
)
