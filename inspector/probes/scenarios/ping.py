"""Pings in a row. Source: basic/utilities/ping."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Answer, Probe

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

COUNT = 3


async def run(context: ProbeContext) -> ProbeResult:
    """Expect an empty result each time."""
    answer = Answer(0)
    for _ in range(COUNT):
        answer = await context.ask("ping")
        if answer.is_error or answer.is_late:
            return context.find("L-LC-08", f"ping: {answer.text}", answer.frame)
    return context.conclude(answer, f"{COUNT} empty results")


def needs(context: ProbeContext) -> str:
    """Apply to revisions with ping."""
    return "" if context.revision.has_ping else "the revision has no ping"


PROBE = Probe(
    "ping", "Ping", f"{COUNT} pings, one after another", ("L-LC-08",), run, needs, requests=COUNT
)
