"""A request of a megabyte. Source: JSON-RPC 2.0: each request has a response."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Probe, always

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

SIZE = 1 << 20


async def run(context: ProbeContext) -> ProbeResult:
    """Expect any response, and that the server still answers afterwards."""
    answer = await context.ask("spyglass/large", {"text": "x" * SIZE})
    if answer.is_late:
        return context.find(
            "L-JR-14", f"a request of 1 MB has no response: {answer.text}", answer.frame
        )
    return context.conclude(answer)


PROBE = Probe(
    "large-request",
    "Request of 1 MB",
    "an unknown method with a text of 1 MB",
    ("L-JR-14",),
    run,
    always,
)
