"""Completion of a prompt that is not listed. Source: server/utilities/completion, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Probe, needs_capability
from inspector.spec.error_codes import INVALID_PARAMS

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult
    from inspector.wire.json_codec import JsonObject

NAME = "spyglass_unknown_prompt"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32602; an empty list, or the code of an exception, is a note."""
    params: JsonObject = {
        "ref": {"type": "ref/prompt", "name": NAME},
        "argument": {"name": "a", "value": ""},
    }
    answer = await context.ask("completion/complete", params)
    if answer.is_answered and answer.code != INVALID_PARAMS:
        text = f"a completion of an unknown prompt must be answered by error {INVALID_PARAMS}; the answer was {answer.text}"
        usual = not answer.is_error or answer.is_exception
        pointer = "/error/code" if answer.is_error else "/result"
        severity = Severity.INFO if usual else None
        return context.find("L-CMP-05", text, answer.frame, pointer, severity)
    return context.conclude(answer)


PROBE = Probe(
    "unknown-reference",
    "Completion of an unknown prompt",
    f"completion/complete for {NAME}",
    ("L-CMP-05",),
    run,
    needs_capability("completions"),
)
