"""Header names in lower case. Source: basic/transports/streamable-http, "Case Sensitivity"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, harmless, needs_standard_headers
from inspector.probes.probe import Effect, Probe
from inspector.spec.keys import HEADER_METHOD, HEADER_PROTOCOL_VERSION

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect the result that the usual spelling gives."""
    usual = await ask_http(context)
    answer = await ask_http(
        context,
        (HEADER_METHOD.lower(), harmless(context)),
        (HEADER_PROTOCOL_VERSION.lower(), context.revision.date),
    )
    is_refused = not answer.is_undecided and not answer.has_result
    if usual.has_result and is_refused:
        text = f"names of headers have no case; `{HEADER_METHOD.lower()}` and `{HEADER_PROTOCOL_VERSION.lower()}` are refused: {answer.text}"
        return context.find("L-MOD-17", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "lower-case-headers",
    "Header names in lower case",
    "server/discover with header names in lower case",
    ("L-MOD-17",),
    run,
    needs_standard_headers,
    Effect.OPENS_CONNECTIONS,
    requests=2,
)
