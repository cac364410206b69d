"""Requests whose result asks for input, and the next round of each, for the probes that answer in other ways than clients do."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.probes.probe import Outcome, ProbeResult
from inspector.spec.keys import RESULT_COMPLETE, RESULT_INPUT_REQUIRED

if TYPE_CHECKING:
    from inspector.probes.probe import Answer, ProbeContext
    from inspector.wire.json_codec import Json, JsonObject

MAX_TRIED = 5
"""Requests of which it is tried whether they ask for input."""

ANSWERS: dict[str, JsonObject] = {
    "elicitation/create": {"action": "decline"},
    "roots/list": {"roots": []},
    "sampling/createMessage": {
        "role": "assistant",
        "content": {"type": "text", "text": "probe"},
        "model": "spyglass-probe",
        "stopReason": "endTurn",
    },
}
"""What a client may answer, by method."""

NOT_ASKED = ProbeResult(Outcome.NOT_APPLICABLE, "no request that may be sent asks for input")


class Question(NamedTuple):
    """A request, and what its result asks for."""

    method: str
    params: JsonObject
    """Those of the request, without `_meta`."""
    requests: JsonObject
    """What is asked for, by key."""
    state: Json = None
    """Null without one."""

    def answers(self) -> JsonObject:
        """Return a proper answer to each request."""
        named = {
            key: each.get("method") if isinstance(each, dict) else None
            for key, each in self.requests.items()
        }
        return {
            key: ANSWERS.get(method, {}) if isinstance(method, str) else {}
            for key, method in named.items()
        }

    def retry(self, answers: JsonObject, state: Json) -> JsonObject:
        """Return the params of the next round; without a state for null."""
        given: JsonObject = {"inputResponses": answers} if self.requests else {}
        kept: JsonObject = {} if state is None else {"requestState": state}
        return {**self.params, **given, **kept}


async def find_question(context: ProbeContext) -> Question | None:
    """Send requests that are allowed until one asks for input; None if none does."""
    for method, params in _candidates(context)[:MAX_TRIED]:
        found = await ask(context, method, params)
        if found is not None:
            return found
    return None


async def ask(context: ProbeContext, method: str, params: JsonObject) -> Question | None:
    """Send a request; return what its result asks for, or None."""
    answer = await context.ask_bare(method, context.session.stamped(params))
    result = answer.result or {}
    if result.get("resultType") != RESULT_INPUT_REQUIRED:
        return None
    requests = result.get("inputRequests")
    return Question(
        method, params, requests if isinstance(requests, dict) else {}, result.get("requestState")
    )


async def ask_again(context: ProbeContext, question: Question) -> Question | None:
    """Ask the same once more: a state may be good for one round only."""
    return await ask(context, question.method, question.params)


async def next_round(
    context: ProbeContext, question: Question, answers: JsonObject, state: Json
) -> Answer:
    """Send the next round of a question."""
    params = context.session.stamped(question.retry(answers, state))
    return await context.ask_bare(question.method, params)


def is_complete(answer: Answer) -> bool:
    """Return whether an answer is the result, and asks for nothing more."""
    result = answer.result
    return result is not None and result.get("resultType", RESULT_COMPLETE) == RESULT_COMPLETE


def needs_questions(context: ProbeContext) -> str:
    """Apply where results may ask for input, and a call that the user made may be made again: others would be called in vain."""
    if context.revision.stateful:
        return "results do not ask for input in this revision"
    return "" if _candidates(context) else "no call of the user may be made again"


def _candidates(context: ProbeContext) -> list[tuple[str, JsonObject]]:
    return [
        ("tools/call", {"name": use.name, "arguments": use.arguments})
        for use in context.uses
        if use.was_called and use.arguments is not None
    ]
