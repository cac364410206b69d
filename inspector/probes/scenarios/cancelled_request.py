"""A request that is cancelled at once. Source: basic/utilities/cancellation, "Error Handling"; basic/patterns/cancellation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import harmless
from inspector.probes.probe import Probe, always
from inspector.probes.scenarios.parallel_requests import list_method

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

COUNT = 5


async def run(context: ProbeContext) -> ProbeResult:
    """Expect that requests which follow have their responses."""
    for _ in range(COUNT):
        await context.ask_and_cancel(list_method(context))
    answer = await context.ask(harmless(context))
    if answer.is_late:
        text = f"after {COUNT} cancelled requests, the next one has no response: {answer.text}"
        return context.find("L-JR-14", text, answer.frame)
    return context.conclude(answer)


PROBE = Probe(
    "cancelled-request",
    "Requests that are cancelled at once",
    f"{COUNT} lists that are cancelled at once, then another request",
    ("L-JR-14",),
    run,
    always,
    requests=COUNT + 1,
)
