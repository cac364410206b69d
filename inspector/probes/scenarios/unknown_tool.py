"""A tool that is not listed. Source: server/tools, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Probe, needs_capability
from inspector.spec.error_codes import INVALID_PARAMS

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

NAME = "spyglass_unknown_tool"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32602; a result with `isError` is what both SDKs send by default."""
    answer = await context.ask("tools/call", {"name": NAME, "arguments": {}})
    if not answer.is_answered or (answer.is_error and answer.code == INVALID_PARAMS):
        return context.conclude(answer)
    failed = answer.result is not None and answer.result.get("isError") is True
    got = "a result with `isError`" if failed else answer.text
    text = f"an unknown tool must be answered by error {INVALID_PARAMS}; the answer was {got}"
    severity = Severity.INFO if failed else None
    pointer = "/error/code" if answer.is_error else "/result"
    return context.find("L-TOOL-27", text, answer.frame, pointer, severity)


PROBE = Probe(
    "unknown-tool",
    "Unknown tool",
    f"tools/call of {NAME}",
    ("L-TOOL-27",),
    run,
    needs_capability("tools"),
)
