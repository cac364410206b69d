"""Resumption after an event that no stream had. Source: basic/transports, "Resumability and Redelivery"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, needs_session
from inspector.probes.probe import Effect, Probe
from inspector.spec.keys import HEADER_LAST_EVENT_ID

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

EVENT = "spyglass-unknown"

_RESPONSE = re.compile(rb'^data:.*"(?:result|error)"\s*:', re.MULTILINE)
"""A response on the stream: there a message of the server may come at any time, and a response in a replay alone."""


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a refusal, or a stream without the responses of other streams."""
    edit = (HEADER_LAST_EVENT_ID, EVENT)
    answer = await ask_http(context, edit, verb="GET", reads_stream=True)
    if answer.is_success and _RESPONSE.search(answer.body):
        text = f"`{HEADER_LAST_EVENT_ID}: {EVENT}` is of no stream, and a response of another stream is sent again"
        return context.find("L-SES-18", text, answer.frame)
    return conclude(context, answer)


def needs(context: ProbeContext) -> str:
    """Apply to sessions with a stream on GET."""
    reason = "" if context.revision.has_get_stream else "the revision has no stream on GET"
    return needs_session(context) or reason


PROBE = Probe(
    "foreign-event-id",
    "Resumption after an unknown event",
    f"GET with `{HEADER_LAST_EVENT_ID}: {EVENT}`",
    ("L-SES-18",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
)
