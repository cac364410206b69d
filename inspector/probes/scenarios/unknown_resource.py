"""A resource that does not exist. Source: server/resources, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Probe, needs_capability

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

URI = "spyglass-unknown://missing"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect the code that the revision has for it, and no empty contents."""
    answer = await context.ask("resources/read", {"uri": URI})
    expected, stateful = context.revision.resource_not_found_code, context.revision.stateful
    if answer.result is not None:
        text = "a missing resource is answered by a result"
        return context.find("L-RES-10", text, answer.frame, "/result", Severity.WARNING)
    if answer.is_error and answer.code != expected:
        text = (
            f"a missing resource must be answered by error {expected}; the answer was {answer.text}"
        )
        rule, severity = ("L-RES-09", Severity.INFO) if stateful else ("L-RES-08", None)
        return context.find(rule, text, answer.frame, "/error/code", severity)
    return context.conclude(answer)


PROBE = Probe(
    "unknown-resource",
    "Missing resource",
    f"resources/read of {URI}",
    ("L-RES-08", "L-RES-09", "L-RES-10"),
    run,
    needs_capability("resources"),
)
