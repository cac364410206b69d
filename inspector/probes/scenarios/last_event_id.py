"""Resumption, which this revision does not have. Source: basic/transports/streamable-http, "Earlier Streamable HTTP Revisions"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, needs_standard_headers
from inspector.probes.probe import Effect, Probe
from inspector.spec.keys import HEADER_LAST_EVENT_ID, HEADER_PROTOCOL_VERSION
from inspector.transport.http.response import STREAM_TYPE

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

EVENT = "spyglass-unknown"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect that the header is ignored, and that GET resumes nothing."""
    edit = (HEADER_LAST_EVENT_ID, EVENT)
    revision = (HEADER_PROTOCOL_VERSION, context.revision.date)
    resumed = await ask_http(context, edit, revision, verb="GET")
    if resumed.is_success and resumed.media_type == STREAM_TYPE:
        text = f"GET with `{HEADER_LAST_EVENT_ID}` gets an event stream; this revision has no resumption"
        return context.find("L-MOD-21", text, resumed.frame)
    usual = await ask_http(context)
    answer = await ask_http(context, edit)
    if usual.has_result and not answer.is_undecided and not answer.has_result:
        text = f"a request with `{HEADER_LAST_EVENT_ID}` is refused, and should be answered as if it were not there: {answer.text}"
        return context.find("L-MOD-21", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "last-event-id",
    "Resumption that there is not",
    f"GET and server/discover with `{HEADER_LAST_EVENT_ID}: {EVENT}`",
    ("L-MOD-21",),
    run,
    needs_standard_headers,
    Effect.OPENS_CONNECTIONS,
    requests=3,
)
