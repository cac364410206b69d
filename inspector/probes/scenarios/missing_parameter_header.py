"""A call without the header of an argument. Source: basic/transports/streamable-http, "Server Behavior for Custom Headers"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import conclude
from inspector.probes.mirrored_calls import ask_call, mirrored_call, needs_mirrored_call
from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a refusal."""
    call = mirrored_call(context)
    if call is None:
        return ProbeResult(Outcome.NOT_APPLICABLE, needs_mirrored_call(context))
    name = call.headers[0].name
    answer = await ask_call(context, call, (name, None))
    if answer.has_result:
        text = f"a call without `{name}`, which its argument has, must be refused, and got a result"
        return context.find("L-MOD-09", text, answer.frame)
    return conclude(context, answer)


PROBE = Probe(
    "missing-parameter-header",
    "Call without the header of an argument",
    "tools/call without one of its `Mcp-Param-…` headers",
    ("L-MOD-09",),
    run,
    needs_mirrored_call,
    Effect.CALLS_TOOL,
    edits_headers=True,
)
