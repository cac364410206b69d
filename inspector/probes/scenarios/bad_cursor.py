"""A cursor that the server never gave. Source: server/utilities/pagination, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Outcome, Probe, ProbeResult
from inspector.spec.error_codes import INVALID_PARAMS

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext

CURSOR = "spyglass-no-such-cursor"
LISTS = {"tools": "tools/list", "prompts": "prompts/list", "resources": "resources/list"}
"""By capability."""


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32602 of each list; the SDKs ignore a cursor by default."""
    last = None
    for capability, method in LISTS.items():
        if context.session.declares(capability):
            last = await context.ask(method, {"cursor": CURSOR})
            if last.is_answered and last.code != INVALID_PARAMS:
                text = f"{method} with an invalid cursor must be answered by error {INVALID_PARAMS}; the answer was {last.text}"
                pointer = "/error/code" if last.is_error else "/result"
                context.find("L-PAG-02", text, last.frame, pointer, Severity.INFO)
    return (
        ProbeResult(Outcome.NOT_APPLICABLE, "no lists") if last is None else context.conclude(last)
    )


def needs(context: ProbeContext) -> str:
    """Apply to servers with a list."""
    return (
        "" if any(context.session.declares(each) for each in LISTS) else "the server has no lists"
    )


PROBE = Probe(
    "bad-cursor",
    "Invalid cursor",
    "each list with a cursor that the server never gave",
    ("L-PAG-02",),
    run,
    needs,
    requests=len(LISTS),
)
