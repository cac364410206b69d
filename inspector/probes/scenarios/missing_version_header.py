"""A request of a session without its revision. Source: basic/transports, "Protocol Version Header"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import (
    BAD_REQUEST,
    ask_http,
    conclude,
    needs_session,
    needs_version_header,
)
from inspector.probes.probe import Effect, Probe
from inspector.spec.keys import HEADER_PROTOCOL_VERSION

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect an answer as ever: the session tells the revision."""
    answer = await ask_http(context, (HEADER_PROTOCOL_VERSION, None))
    if answer.status == BAD_REQUEST:
        text = f"a request without `{HEADER_PROTOCOL_VERSION}` is refused, although the session tells the revision"
        return context.find("L-SES-08", text, answer.frame)
    return conclude(context, answer)


def needs(context: ProbeContext) -> str:
    """Apply to sessions of revisions with that header."""
    return needs_version_header(context) or needs_session(context)


PROBE = Probe(
    "missing-version-header",
    "Request without its revision",
    f"a request without `{HEADER_PROTOCOL_VERSION}`",
    ("L-SES-08",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
)
