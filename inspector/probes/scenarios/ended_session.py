"""A session that is over. Source: basic/transports, "Session Management"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import NOT_FOUND, ask_http, begin_session, conclude, needs_session
from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult
from inspector.spec.keys import HEADER_SESSION_ID

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext


async def run(context: ProbeContext) -> ProbeResult:
    """Expect HTTP 404 in a session of the probe that it has ended itself."""
    begun = await begin_session(context)
    ours = (HEADER_SESSION_ID, begun.session_id)
    if not begun.has_result or not begun.session_id:
        return ProbeResult(Outcome.NOT_TRIED, f"no second session: {begun.text}")
    ended = await ask_http(context, ours, verb="DELETE")
    if not ended.is_success:
        return ProbeResult(Outcome.NOT_TRIED, f"DELETE does not end a session: {ended.text}")
    answer = await ask_http(context, ours)
    if not answer.is_undecided and answer.status != NOT_FOUND:
        text = f"a session that is over must be answered by HTTP 404, not by HTTP {answer.status}: that is how clients know to start a new one"
        return context.find("L-SES-05", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "ended-session",
    "Request of a session that is over",
    "initialize, DELETE of that session, and a request of it",
    ("L-SES-05",),
    run,
    needs_session,
    Effect.OPENS_CONNECTIONS,
    requests=3,
)
