"""A request without the header that repeats its method. Source: basic/transports/streamable-http, "Server Validation"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, needs_standard_headers
from inspector.probes.probe import Effect, Probe
from inspector.spec.error_codes import HEADER_MISMATCH
from inspector.spec.keys import HEADER_METHOD

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect an error."""
    answer = await ask_http(context, (HEADER_METHOD, None))
    if answer.has_result:
        text = f"a request without `{HEADER_METHOD}` must be refused with error {HEADER_MISMATCH}, and got a result"
        return context.find("L-MOD-06", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "missing-method-header",
    "Request without its method in the headers",
    f"server/discover without `{HEADER_METHOD}`",
    ("L-MOD-06",),
    run,
    needs_standard_headers,
    Effect.OPENS_CONNECTIONS,
)
