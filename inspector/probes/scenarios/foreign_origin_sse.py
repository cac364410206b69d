"""A page of another site that opens the event stream of HTTP+SSE. Source: basic/transports of 2024-11-05, "Security Warning"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.http import FOREIGN, ask_http, conclude, is_local
from inspector.probes.probe import Effect, Probe
from inspector.transport.http.response import STREAM_TYPE

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

ORIGIN = f"https://{FOREIGN}"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect any refusal. Pages may be let in to a public server on purpose."""
    answer = await ask_http(context, ("Origin", ORIGIN), verb="GET")
    if answer.is_success and answer.media_type == STREAM_TYPE:
        text = f"a stream for the origin {ORIGIN} is opened: unless that is allowed on purpose, any web page can use this server"
        severity = None if is_local(context) else Severity.INFO
        return context.find("L-OLD-05", text, answer.frame, severity=severity)
    return conclude(context, answer)


def needs(context: ProbeContext) -> str:
    """Apply to HTTP+SSE."""
    return "" if context.session.transport_name == "sse" else "not connected over HTTP+SSE"


PROBE = Probe(
    "foreign-origin-sse",
    "Origin of another site at the event stream",
    f"GET of the event stream with `Origin: {ORIGIN}`",
    ("L-OLD-05",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
    seconds=1,
)
