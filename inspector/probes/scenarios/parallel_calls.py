"""Calls of one tool at once. Source: basic, "Requests" and "Responses": each response names its request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext
    from inspector.wire.json_codec import JsonObject

COUNT = 5


def params_of(context: ProbeContext) -> JsonObject | None:
    """Return the params of a call of a read-only tool with known arguments; None without one."""
    found = (use for use in context.uses if use.is_read_only and use.arguments is not None)
    use = next(found, None)
    return None if use is None else {"name": use.name, "arguments": use.arguments}


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a response to each."""
    params = params_of(context)
    if reason := await context.why_slow("tools/call", params, COUNT):
        return ProbeResult(Outcome.NOT_TRIED, reason)
    answers = await asyncio.gather(*(context.ask("tools/call", params) for _ in range(COUNT)))
    for answer in answers:
        if answer.is_late:
            text = f"one of {COUNT} calls at once has no response: {answer.text}"
            return context.find("L-JR-14", text, answer.frame)
    return context.conclude(answers[0], f"{COUNT} responses") if params else _NONE


def needs(context: ProbeContext) -> str:
    """Apply where a read-only tool may be called with arguments that are known."""
    return "" if params_of(context) is not None else _NONE.text


_NONE = ProbeResult(Outcome.NOT_APPLICABLE, "no read-only tool may be called with known arguments")

PROBE = Probe(
    "parallel-calls",
    "Calls of a tool at once",
    f"tools/call of a read-only tool, and then {COUNT} times at once",
    ("L-JR-14",),
    run,
    needs,
    Effect.CALLS_TOOL,
    requests=COUNT + 1,
)
