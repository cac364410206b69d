"""A next round with an answer that was not asked for. Source: basic/patterns/mrtr, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Effect, Probe
from inspector.probes.rounds import (
    NOT_ASKED,
    ask_again,
    find_question,
    needs_questions,
    next_round,
)

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult
    from inspector.wire.json_codec import JsonObject

KEY = "spyglass-unknown"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect what the answers alone lead to."""
    question = await find_question(context)
    if question is None or not question.requests:
        return NOT_ASKED
    usual = await next_round(context, question, question.answers(), question.state)
    again = await ask_again(context, question)
    if again is None:
        return NOT_ASKED
    more: JsonObject = {**again.answers(), KEY: {"action": "decline"}}
    answer = await next_round(context, again, more, again.state)
    if answer.is_error and not usual.is_error:
        text = f"an answer with an unknown key should be ignored; the request failed: {answer.text}"
        return context.find("L-MRTR-08", text, answer.frame, "/error")
    return context.conclude(answer)


PROBE = Probe(
    "unknown-answer",
    "Input with an unknown answer",
    f"a call that asks for input, twice, with the answer `{KEY}` the second time",
    ("L-MRTR-08",),
    run,
    needs_questions,
    Effect.CALLS_TOOL,
    requests=8,
)
