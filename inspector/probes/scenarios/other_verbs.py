"""GET and DELETE without sessions. Source: basic/transports/streamable-http, "Earlier Streamable HTTP Revisions"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.http import FORBIDDEN, NOT_ALLOWED, ask_http, conclude, needs_standard_headers
from inspector.probes.probe import Effect, Probe

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect HTTP 405; a server that serves earlier revisions too may miss the session, so another refusal is a note."""
    for verb in ("GET", "DELETE"):
        answer = await ask_http(context, verb=verb)
        if not answer.is_undecided and answer.status not in {NOT_ALLOWED, FORBIDDEN}:
            text = f"{verb} should be answered by HTTP 405 in this revision, not by HTTP {answer.status}"
            severity = None if answer.is_success else Severity.INFO
            return context.find("L-MOD-11", text, answer.frame, severity=severity)
    return conclude(context, answer)


PROBE = Probe(
    "other-verbs",
    "GET and DELETE without sessions",
    "GET and DELETE",
    ("L-MOD-11",),
    run,
    needs_standard_headers,
    Effect.OPENS_CONNECTIONS,
)
