"""A prompt that is not listed. Source: server/prompts, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Probe, needs_capability
from inspector.spec.error_codes import INVALID_PARAMS

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

NAME = "spyglass_unknown_prompt"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32602; codes that SDKs make of an exception are a note."""
    answer = await context.ask("prompts/get", {"name": NAME})
    if answer.is_answered and answer.code != INVALID_PARAMS:
        text = f"an unknown prompt must be answered by error {INVALID_PARAMS}; the answer was {answer.text}"
        severity = Severity.INFO if answer.is_exception else None
        pointer = "/error/code" if answer.is_error else "/result"
        return context.find("L-PRM-06", text, answer.frame, pointer, severity)
    return context.conclude(answer)


PROBE = Probe(
    "unknown-prompt",
    "Unknown prompt",
    f"prompts/get of {NAME}",
    ("L-PRM-06",),
    run,
    needs_capability("prompts"),
)
