"""A message that does not say that it is JSON. Source: basic/transports, "Sending Messages to the Server"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import ask_http, conclude, error_code, needs_http
from inspector.probes.probe import Effect, Probe
from inspector.spec.error_codes import INVALID_REQUEST, PARSE_ERROR

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

_WITHOUT_BODY = frozenset({202, 204})


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a result or a refusal, each with the status for it."""
    answer = await ask_http(context, ("Content-Type", "text/plain"))
    if answer.status in _WITHOUT_BODY:
        text = f"a request must be answered by a response; HTTP {answer.status} has none"
        return context.find("L-HTTP-06", text, answer.frame)
    code = error_code(answer)
    if answer.is_success and isinstance(code, int) and code in {PARSE_ERROR, INVALID_REQUEST}:
        text = f"error {code} refuses what is no request, and comes with HTTP {answer.status}"
        return context.find("L-HTTP-14", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "content-type",
    "Message of another content type",
    "a request with `Content-Type: text/plain`",
    ("L-HTTP-06", "L-HTTP-14"),
    run,
    needs_http,
    Effect.OPENS_CONNECTIONS,
)
