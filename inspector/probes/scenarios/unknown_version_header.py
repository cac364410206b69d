"""A revision in the header that there is not. Source: basic/transports, "Protocol Version Header"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import BAD_REQUEST, ask_http, conclude, needs_version_header
from inspector.probes.probe import Effect, Probe
from inspector.spec.keys import HEADER_PROTOCOL_VERSION

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

VERSION = "1900-01-01"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect HTTP 400."""
    answer = await ask_http(context, (HEADER_PROTOCOL_VERSION, VERSION))
    if not answer.is_undecided and answer.status != BAD_REQUEST:
        text = f"`{HEADER_PROTOCOL_VERSION}: {VERSION}` is no revision and must be refused by HTTP 400; it is answered by HTTP {answer.status}"
        return context.find("L-SES-07", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "unknown-version-header",
    "Unknown revision in the header",
    f"a request with `{HEADER_PROTOCOL_VERSION}: {VERSION}`",
    ("L-SES-07",),
    run,
    needs_version_header,
    Effect.OPENS_CONNECTIONS,
)
