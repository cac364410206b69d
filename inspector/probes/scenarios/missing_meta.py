"""A request without the `_meta` that its revision requires. Source: basic, "General fields"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Probe
from inspector.spec.error_codes import INVALID_PARAMS

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32602."""
    answer = await context.ask_bare("server/discover", {})
    if answer.is_answered and answer.code != INVALID_PARAMS:
        text = f"a request without `_meta` must be answered by error {INVALID_PARAMS}; the answer was {answer.text}"
        pointer = "/error/code" if answer.is_error else "/result"
        return context.find("L-DSC-08", text, answer.frame, pointer)
    return context.conclude(answer)


def needs(context: ProbeContext) -> str:
    """Apply to revisions whose requests carry `_meta`."""
    return "" if context.revision.has_request_meta else "the revision does not require `_meta`"


PROBE = Probe(
    "missing-meta",
    "Request without _meta",
    "server/discover without `_meta`",
    ("L-DSC-08",),
    run,
    needs,
)
