"""Headers that differ from the message. Source: basic/transports/streamable-http, "Server Validation"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, needs_standard_headers
from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult
from inspector.spec.error_codes import HEADER_MISMATCH
from inspector.spec.keys import HEADER_METHOD, HEADER_PROTOCOL_VERSION
from inspector.spec.revision import V2025_11_25

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext

METHOD = "tools/list"
OTHERS = ((HEADER_METHOD, METHOD), (HEADER_PROTOCOL_VERSION, V2025_11_25.date))


async def run(context: ProbeContext) -> ProbeResult:
    """Expect an error for each."""
    for name, value in OTHERS:
        answer = await ask_http(context, (name, value))
        if answer.is_undecided:
            return conclude(context, answer)
        if answer.has_result:
            text = f"`{name}: {value}` is not what the message says; the request must be refused with error {HEADER_MISMATCH}, and got a result"
            return context.find("L-MOD-06", text, answer.frame)
    return ProbeResult(Outcome.PASSED, "each is refused")


PROBE = Probe(
    "header-mismatch",
    "Headers that differ from the message",
    f"server/discover with the `{HEADER_METHOD}` of {METHOD}, then with another `{HEADER_PROTOCOL_VERSION}`",
    ("L-MOD-06",),
    run,
    needs_standard_headers,
    Effect.OPENS_CONNECTIONS,
    requests=2,
)
