"""A request without the header of its revision. Source: basic/transports/streamable-http, "Protocol Version Header"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, needs_standard_headers
from inspector.probes.probe import Effect, Probe
from inspector.spec.keys import HEADER_PROTOCOL_VERSION
from inspector.spec.revision import find

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a refusal."""
    answer = await ask_http(context, (HEADER_PROTOCOL_VERSION, None))
    if answer.has_result:
        text = f"a request without `{HEADER_PROTOCOL_VERSION}` must be refused, and got a result"
        return context.find("L-MOD-22", text, answer.frame)
    return conclude(context, answer)


def needs(context: ProbeContext) -> str:
    """Apply to servers that name only revisions with that header: another one may take the request for one of an earlier revision."""
    greeting = context.session.greeting
    named = greeting.server.supported_versions if greeting is not None else ()
    known = [each for each in map(find, named) if each is not None]
    has_older = not known or not all(each.has_version_header for each in known)
    older = "the server may serve a revision without that header" if has_older else ""
    return needs_standard_headers(context) or older


PROBE = Probe(
    "missing-version",
    "Request without its revision in the headers",
    f"server/discover without `{HEADER_PROTOCOL_VERSION}`",
    ("L-MOD-22",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
)
