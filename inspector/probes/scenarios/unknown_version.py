"""A revision that does not exist. Source: basic/versioning, "Protocol Version Negotiation"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.probe import Probe
from inspector.spec.error_codes import UNSUPPORTED_VERSION
from inspector.spec.keys import META_PROTOCOL_VERSION

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

VERSION = "1900-01-01"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect error -32022 with the versions that the server supports."""
    answer = await context.ask("server/discover", meta={META_PROTOCOL_VERSION: VERSION})
    if answer.result is not None:
        text = f"a request of revision {VERSION} is answered by a result"
        is_http = context.session.transport_name == "http"
        severity = None if is_http else Severity.INFO  # an SDK compares it over HTTP alone
        return context.find("L-DSC-07", text, answer.frame, "/result", severity)
    if answer.is_error and answer.code == UNSUPPORTED_VERSION:
        supported = answer.data.get("supported") if isinstance(answer.data, dict) else None
        if not isinstance(supported, list):
            text = "the error does not list the supported versions in `data.supported`"
            return context.find("L-DSC-06", text, answer.frame, "/error/data")
    return context.conclude(answer)


def needs(context: ProbeContext) -> str:
    """Apply to revisions without a handshake."""
    return "the revision is negotiated once" if context.revision.stateful else ""


PROBE = Probe(
    "unknown-version",
    "Unknown revision",
    f"server/discover in revision {VERSION}",
    ("L-DSC-06", "L-DSC-07"),
    run,
    needs,
)
