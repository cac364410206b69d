"""A next round without an answer that was asked for. Source: basic/patterns/mrtr, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Effect, Probe
from inspector.probes.rounds import NOT_ASKED, find_question, needs_questions, next_round

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect that the server asks again, or completes the request."""
    question = await find_question(context)
    if question is None or not question.requests:
        return NOT_ASKED
    answer = await next_round(context, question, {}, question.state)
    if answer.is_error:
        text = f"a missing answer should be asked for again; the request failed: {answer.text}"
        return context.find("L-MRTR-07", text, answer.frame, "/error")
    return context.conclude(answer)


PROBE = Probe(
    "missing-answer",
    "Input without an answer",
    "a call that asks for input, and its next round without any",
    ("L-MRTR-07",),
    run,
    needs_questions,
    Effect.CALLS_TOOL,
    requests=6,
)
