"""A next round with a changed state. Source: basic/patterns/mrtr, "Server Requirements": integrity, where the state matters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult
from inspector.probes.rounds import (
    NOT_ASKED,
    ask_again,
    find_question,
    is_complete,
    needs_questions,
    next_round,
)

if TYPE_CHECKING:
    from inspector.probes.probe import Answer, ProbeContext
    from inspector.probes.rounds import Question
    from inspector.wire.json_codec import Json

MIN_LENGTH = 3
"""Characters of a state of which one is changed."""


async def run(context: ProbeContext) -> ProbeResult:
    """Expect no result, where the request is not completed without the state either."""
    question = await find_question(context)
    state = question.state if question is not None else None
    if question is None or not isinstance(state, str) or len(state) < MIN_LENGTH:
        return NOT_ASKED
    usual = await next_round(context, question, question.answers(), state)
    without = await _round(context, question, changes=False)
    changed = await _round(context, question, changes=True)
    if not is_complete(usual) or without is None or changed is None:
        return ProbeResult(Outcome.NOT_TRIED, f"the usual round is not complete: {usual.text}")
    if is_complete(without):
        return ProbeResult(Outcome.PASSED, "the state does not matter", frame=without.frame)
    if is_complete(changed):
        text = "a changed `requestState` must be refused where it matters, and the request was completed"
        return context.find("L-MRTR-10", text, changed.frame, "/result")
    return context.conclude(changed)


async def _round(context: ProbeContext, question: Question, *, changes: bool) -> Answer | None:
    """Ask again, and answer with a changed state, or without one."""
    again = await ask_again(context, question)
    if again is None:
        return None
    return await next_round(
        context, again, again.answers(), _changed(again.state) if changes else None
    )


def _changed(state: Json) -> Json:
    """Return a state with another letter in the middle: at the end, some encodings have bits without meaning."""
    text = state if isinstance(state, str) else ""
    middle = len(text) // 2
    return f"{text[:middle]}{'A' if text[middle : middle + 1] != 'A' else 'B'}{text[middle + 1 :]}"


PROBE = Probe(
    "changed-state",
    "Changed requestState",
    "a call that asks for input, three times: with its `requestState`, without it, and with a changed one",
    ("L-MRTR-10",),
    run,
    needs_questions,
    Effect.CALLS_TOOL,
    requests=10,
)
