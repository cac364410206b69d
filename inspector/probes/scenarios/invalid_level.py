"""A log level that does not exist. Source: server/utilities/logging, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Probe, needs_capability
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.keys import META_LOG_LEVEL

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

LEVEL = "loud"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32602: of `logging/setLevel`, or of a request whose `_meta` has the level."""
    stateful = context.revision.stateful
    if stateful:
        answer = await context.ask("logging/setLevel", {"level": LEVEL})
    else:
        answer = await context.ask("server/discover", meta={META_LOG_LEVEL: LEVEL})
    if answer.is_answered and answer.code != INVALID_PARAMS:
        if stateful and answer.is_error:  # it is refused after all
            return context.conclude(
                answer, f"refused by another code than {INVALID_PARAMS}: {answer.text}"
            )
        text = f"an unknown log level must be answered by error {INVALID_PARAMS}; the answer was {answer.text}"
        pointer = "/error/code" if answer.is_error else "/result"
        rule = "L-LOG-03" if stateful else "L-LOG-11"
        severity = Severity.INFO if answer.is_error else None
        return context.find(rule, text, answer.frame, pointer, severity)
    return context.conclude(answer)


PROBE = Probe(
    "invalid-level",
    "Unknown log level",
    f"the log level {LEVEL}",
    ("L-LOG-03", "L-LOG-11"),
    run,
    needs_capability("logging"),
)
