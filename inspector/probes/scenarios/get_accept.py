"""GET that accepts no event stream. Source: basic/transports, "Listening for Messages from the Server"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, needs_http
from inspector.probes.probe import Effect, Probe
from inspector.transport.http.response import JSON_TYPE, STREAM_TYPE

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

_NOT_IMPLEMENTED = 501


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a refusal, or a stream; neither a page nor a message."""
    for accept in (None, JSON_TYPE):
        answer = await ask_http(context, ("Accept", accept), verb="GET")
        is_other = answer.is_success and answer.media_type != STREAM_TYPE
        if is_other or answer.status == _NOT_IMPLEMENTED:
            given = f" and `{answer.media_type[:80]}`" if answer.media_type else ""
            text = f"GET must be answered by `{STREAM_TYPE}`, or by HTTP 405 where there is no stream, not by HTTP {answer.status}{given}"
            return context.find("L-HTTP-07", text, answer.frame)
    return conclude(context, answer)


def needs(context: ProbeContext) -> str:
    """Apply to revisions with a stream on GET."""
    reason = "" if context.revision.has_get_stream else "the revision has no stream on GET"
    return needs_http(context) or reason


PROBE = Probe(
    "get-accept",
    "GET that accepts no event stream",
    f"GET without `Accept`, and with `Accept: {JSON_TYPE}`",
    ("L-HTTP-07",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
    requests=2,
)
