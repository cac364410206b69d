"""A page of another site. Source: basic/transports, "Security Warning"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.http import FORBIDDEN, FOREIGN, ask_http, conclude, is_local, needs_http
from inspector.probes.probe import Effect, Probe
from inspector.spec.revision import V2025_11_25

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

ORIGIN = f"https://{FOREIGN}"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect HTTP 403; any refusal before the revision that names the status. Pages may be let in to a public server on purpose."""
    answer = await ask_http(context, ("Origin", ORIGIN))
    severity = None if is_local(context) else Severity.INFO
    if answer.is_success:
        text = f"a request of the origin {ORIGIN} is accepted: unless that is allowed on purpose, any web page can use this server"
        return context.find("L-HTTP-09", text, answer.frame, severity=severity)
    is_other = not answer.is_undecided and answer.status != FORBIDDEN
    if is_other and context.revision >= V2025_11_25:
        text = f"an invalid `Origin` must be refused by HTTP 403, not by HTTP {answer.status}"
        return context.find("L-HTTP-09", text, answer.frame, severity=severity)
    return conclude(context, answer)


PROBE = Probe(
    "foreign-origin",
    "Origin of another site",
    f"a request with `Origin: {ORIGIN}`",
    ("L-HTTP-09",),
    run,
    needs_http,
    Effect.OPENS_CONNECTIONS,
)
