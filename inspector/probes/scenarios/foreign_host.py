"""A site whose name leads to this computer (DNS rebinding): host and origin are its own. Source: basic/transports, "Security Warning"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import FOREIGN, ask_http, conclude, is_local, needs_http
from inspector.probes.probe import Effect, Probe

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

ORIGIN = f"http://{FOREIGN}"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a refusal: an origin that is the same as the host is no reason to trust it."""
    answer = await ask_http(context, ("Host", FOREIGN), ("Origin", ORIGIN))
    if answer.is_success:
        text = f"a request of the origin {ORIGIN} for the host {FOREIGN} is accepted: a site whose name leads to this computer (DNS rebinding) can use this server"
        return context.find("L-HTTP-09", text, answer.frame)
    return conclude(context, answer)


def needs(context: ProbeContext) -> str:
    """Apply to servers of this computer; others may be reached by many names."""
    return needs_http(context) or ("" if is_local(context) else "the server is on another host")


PROBE = Probe(
    "foreign-host",
    "Site whose name leads to this computer",
    f"a request with `Host: {FOREIGN}` and `Origin: {ORIGIN}`",
    ("L-HTTP-09",),
    run,
    needs,
    Effect.OPENS_CONNECTIONS,
)
