"""A next round over another connection. Source: basic, "Statelessness"; basic/patterns/mrtr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import needs_http
from inspector.probes.own_connection import own_connection
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


async def run(context: ProbeContext) -> ProbeResult:
    """Expect what the same round over the connection of the session leads to."""
    question = await find_question(context)
    if question is None:
        return NOT_ASKED
    usual = await next_round(context, question, question.answers(), question.state)
    again = await ask_again(context, question)
    if again is None:
        return NOT_ASKED
    params = context.session.stamped(again.retry(again.answers(), again.state))
    async with own_connection(context) as connection:
        answer = await connection.ask(again.method, params)
    if answer.is_error and not usual.is_error:
        text = f"the next round over another connection failed: {answer.text}"
        return context.find("L-MRTR-13", text, answer.frame)
    return context.conclude(answer)


def needs(context: ProbeContext) -> str:
    """Apply to HTTP: over stdio another connection is another process, whose keys may differ."""
    return needs_http(context) or needs_questions(context)


PROBE = Probe(
    "round-elsewhere",
    "Input over another connection",
    "a call that asks for input, twice, with the next round over another connection the second time",
    ("L-MRTR-13",),
    run,
    needs,
    Effect.CALLS_TOOL,
    requests=8,
    edits_headers=True,
)
