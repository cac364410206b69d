"""A method that no server has. Source: JSON-RPC 2.0, section 5.1; schema of 2026-07-28, `MethodNotFoundError`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Probe, always
from inspector.spec.error_codes import METHOD_NOT_FOUND

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

METHOD = "spyglass/unknown"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32601; before the stateless revisions another code is what SDKs send by default."""
    answer = await context.ask(METHOD)
    if answer.is_answered and answer.code != METHOD_NOT_FOUND:
        text = f"an unknown method must be answered by error {METHOD_NOT_FOUND}; the answer was {answer.text}"
        severity = Severity.INFO if context.revision.stateful else None
        return context.find("L-CAP-10", text, answer.frame, "/error/code", severity)
    return context.conclude(answer)


PROBE = Probe(
    "unknown-method",
    "Unknown method",
    f"a request with the method {METHOD}",
    ("L-CAP-10",),
    run,
    always,
)
