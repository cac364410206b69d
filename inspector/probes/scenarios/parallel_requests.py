"""Many requests at once. Source: basic, "Requests" and "Responses": each response names its request."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.probes.probe import Outcome, Probe, ProbeResult, always

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext

COUNT = 20


def list_method(context: ProbeContext) -> str:
    """Return the method of a list that the server has, or another one without any effect."""
    features = ("tools", "prompts", "resources")
    listed = next((f"{each}/list" for each in features if context.session.declares(each)), "")
    return listed or ("ping" if context.revision.has_ping else "server/discover")


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a response to each."""
    method = list_method(context)
    if reason := await context.why_slow(method, None, COUNT):
        return ProbeResult(Outcome.NOT_TRIED, reason)
    answers = await asyncio.gather(*(context.ask(method) for _ in range(COUNT)))
    for answer in answers:
        if answer.is_late:
            text = f"one of {COUNT} requests at once has no response: {answer.text}"
            return context.find("L-JR-14", text, answer.frame)
    return context.conclude(answers[0], f"{COUNT} responses")


PROBE = Probe(
    "parallel-requests",
    "Many requests at once",
    f"a list, and then {COUNT} times at once",
    ("L-JR-14",),
    run,
    always,
    requests=COUNT + 1,
)
