"""GET and DELETE without sessions. Source: basic/transports/streamable-http, "Earlier Streamable HTTP Revisions"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, needs_standard_headers
from inspector.probes.probe import Effect, Probe
from inspector.spec.keys import HEADER_PROTOCOL_VERSION

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect HTTP 405; a server that also serves earlier revisions may refuse the missing session instead."""
    # A server that also serves earlier revisions takes a GET that names none for one of those.
    revision = (HEADER_PROTOCOL_VERSION, context.revision.date)
    for verb in ("GET", "DELETE"):
        answer = await ask_http(context, revision, verb=verb)
        if answer.is_success:
            text = f"{verb} should be answered by HTTP 405 in this revision, not by HTTP {answer.status}"
            return context.find("L-MOD-11", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "other-verbs",
    "GET and DELETE without sessions",
    f"GET and DELETE with `{HEADER_PROTOCOL_VERSION}`",
    ("L-MOD-11",),
    run,
    needs_standard_headers,
    Effect.OPENS_CONNECTIONS,
    requests=2,
)
