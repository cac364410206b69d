"""Requests before the handshake: pings, which are allowed at any time, and others. Source: basic/lifecycle, "Initialization"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.http import initialize_params
from inspector.probes.own_connection import own_connection
from inspector.probes.probe import Effect, Probe
from inspector.probes.scenarios.parallel_requests import list_method

if TYPE_CHECKING:
    from inspector.probes.own_connection import OwnConnection
    from inspector.probes.probe import Answer, ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect responses to pings, before and after the handshake, and a refusal of the list."""
    async with own_connection(context) as connection:
        await _ping(context, connection, "before `initialize`", Severity.INFO)
        early = await connection.ask(list_method(context))
        if early.result is not None and list_method(context) != "ping":
            text = f"{list_method(context)} before `initialize` is answered by a result"
            context.find("L-LC-07", text, early.frame)
        greeted = await connection.ask("initialize", initialize_params(context))
        if greeted.result is None:
            return context.conclude(greeted._replace(is_error=False))
        await _ping(context, connection, "before `notifications/initialized`", Severity.INFO)
        await connection.notify("notifications/initialized")
        last = await _ping(context, connection, "after the handshake", None)
    return context.conclude(last, "pings are answered, and the early list is refused")


async def _ping(
    context: ProbeContext, connection: OwnConnection, when: str, severity: Severity | None
) -> Answer:
    answer = await connection.ask("ping")
    if answer.is_error or answer.is_late:
        text = f"ping {when}: {answer.text}"
        context.find("L-LC-08", text, answer.frame, severity=severity)
    return answer


def needs(context: ProbeContext) -> str:
    """Apply to revisions with a handshake, over transports whose connection is the session."""
    if not context.revision.stateful:
        return "the revision has no handshake"
    is_http = context.session.transport_name == "http"
    return "over HTTP, the session id decides that" if is_http else ""


PROBE = Probe(
    "early-requests",
    "Requests before the handshake",
    "pings and a list before and during a handshake, on another connection (over stdio in another process)",
    ("L-LC-07", "L-LC-08"),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
    requests=5,
    seconds=1,
)
