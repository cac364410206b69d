"""A name of another site that leads to this computer, as in DNS rebinding. Source: basic/transports, "Security Warning"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Severity
from inspector.probes.http import FOREIGN, ask_http, conclude, is_local, needs_http
from inspector.probes.probe import Effect, Probe

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a refusal; the protocol asks for `Origin` alone, so this is a note."""
    answer = await ask_http(context, ("Host", FOREIGN))
    if answer.is_success:
        text = f"a request for the host {FOREIGN} is accepted: a site whose name leads to this computer (DNS rebinding) is let in if its `Origin` is"
        return context.find("L-HTTP-09", text, answer.frame, severity=Severity.INFO)
    return conclude(context, answer)


def needs(context: ProbeContext) -> str:
    """Apply to servers of this computer; others may be reached by many names."""
    return needs_http(context) or ("" if is_local(context) else "the server is on another host")


PROBE = Probe(
    "foreign-host",
    "Host of another site",
    f"a request with `Host: {FOREIGN}`",
    ("L-HTTP-09",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
)
