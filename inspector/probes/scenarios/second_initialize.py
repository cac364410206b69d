"""A second handshake in one session. Source: basic/lifecycle, "Initialization": it is the first interaction, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, begin_session, conclude, initialize_params
from inspector.probes.own_connection import own_connection
from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult
from inspector.spec.keys import HEADER_SESSION_ID

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext


async def run(context: ProbeContext) -> ProbeResult:
    """Expect any response, and that the session goes on; in a session of the probe itself."""
    if context.session.transport_name == "http":
        return await _over_http(context)
    async with own_connection(context) as connection:
        params = initialize_params(context)
        begun = await connection.ask("initialize", params)
        if begun.result is None:
            return ProbeResult(Outcome.NOT_TRIED, f"no second session: {begun.text}")
        await connection.notify("notifications/initialized")
        second = await connection.ask("initialize", params)
        after = await connection.ask("ping")
    for answer, what in ((second, "the second `initialize`"), (after, "ping after it")):
        if answer.is_late:
            return context.find("L-JR-14", f"{what}: {answer.text}", answer.frame)
    return context.conclude(second)


async def _over_http(context: ProbeContext) -> ProbeResult:
    begun = await begin_session(context)
    if not begun.has_result or not begun.session_id:
        return ProbeResult(Outcome.NOT_TRIED, f"no second session: {begun.text}")
    ours = (HEADER_SESSION_ID, begun.session_id)
    second = await ask_http(context, ours, method="initialize", params=initialize_params(context))
    await ask_http(context, ours, verb="DELETE")
    if second.status in {0, 202, 204}:
        text = f"the second `initialize` in a session has no response: {second.text}"
        return context.find("L-JR-14", text, second.frame)
    return conclude(context, second)


def needs(context: ProbeContext) -> str:
    """Apply to revisions with a handshake."""
    return "" if context.revision.stateful else "the revision has no handshake"


PROBE = Probe(
    "second-initialize",
    "Second handshake",
    "initialize twice, in a session of its own (over stdio in another process)",
    ("L-JR-14",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
    requests=4,
    seconds=1,
)
