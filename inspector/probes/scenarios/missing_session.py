"""A request without the session id. Source: basic/transports, "Session Management"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import BAD_REQUEST, ask_http, conclude, needs_session
from inspector.probes.probe import Effect, Probe
from inspector.spec.keys import HEADER_SESSION_ID

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect HTTP 400."""
    answer = await ask_http(context, (HEADER_SESSION_ID, None))
    if not answer.is_undecided and answer.status != BAD_REQUEST:
        text = f"a request without `{HEADER_SESSION_ID}` should be refused by HTTP 400 in a session; it is answered by HTTP {answer.status}"
        return context.find("L-SES-04", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "missing-session",
    "Request without the session id",
    f"a request without `{HEADER_SESSION_ID}`",
    ("L-SES-04",),
    run,
    needs_session,
    Effect.OPENS_CONNECTIONS,
)
