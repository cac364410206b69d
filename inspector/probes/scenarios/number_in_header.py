"""A number that is written in another way in its header. Source: basic/transports/streamable-http, "Server Validation"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.http import conclude, needs_standard_headers
from inspector.probes.mirrored_calls import ask_call, mirrored_call
from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext

_NO_NUMBER = "no tool that may be called has an integer in a header"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect the result that the usual header gives."""
    call = mirrored_call(context, "integer")
    if call is None:
        return ProbeResult(Outcome.NOT_APPLICABLE, _NO_NUMBER)
    header = call.headers[0]
    usual = await ask_call(context, call)
    answer = await ask_call(context, call, (header.name, f"{header.value}.0"))
    is_refused = not answer.is_undecided and not answer.has_result
    if usual.has_result and is_refused:
        text = f"`{header.name}: {header.value}.0` is the number of the body, and is refused: {answer.text}"
        return context.find("L-MOD-10", text, answer.frame)
    if not usual.has_result:
        return ProbeResult(Outcome.NOT_TRIED, f"the usual call has no result: {usual.text}")
    return conclude(context, answer)


def needs(context: ProbeContext) -> str:
    """Apply where a tool that may be called has an integer in a header."""
    has_call = mirrored_call(context, "integer") is not None
    return needs_standard_headers(context) or ("" if has_call else _NO_NUMBER)


PROBE = Probe(
    "number-in-header",
    "Number that is written in another way in its header",
    "tools/call twice, the second time with `.0` after an integer in its `Mcp-Param-…` header",
    ("L-MOD-10",),
    run,
    needs,
    Effect.CALLS_TOOL,
    requests=2,
    edits_headers=True,
)
