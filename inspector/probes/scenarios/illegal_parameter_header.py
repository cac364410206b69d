"""A header of an argument with a control character. Source: basic/transports/streamable-http, "Server Behavior for Custom Headers"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import conclude
from inspector.probes.mirrored_calls import ask_call, mirrored_call, needs_mirrored_call
from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext

CONTROL = "\x7f"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a refusal."""
    call = mirrored_call(context)
    if call is None:
        return ProbeResult(Outcome.NOT_APPLICABLE, needs_mirrored_call(context))
    header = call.headers[0]
    answer = await ask_call(context, call, (header.name, header.value + CONTROL))
    if answer.has_result:
        text = f"`{header.name}` with a control character (DEL) must be refused, and got a result"
        return context.find("L-MOD-20", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "illegal-parameter-header",
    "Header of an argument with a control character",
    "tools/call with a control character in one of its `Mcp-Param-…` headers",
    ("L-MOD-20",),
    run,
    needs_mirrored_call,
    Effect.CALLS_TOOL,
    edits_headers=True,
)
