"""A read-only tool without its required arguments. Source: server/tools, "Error Handling"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult
from inspector.probes.tool_uses import requires_arguments

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext
    from inspector.wire.json_codec import JsonObject


def _tool(context: ProbeContext) -> JsonObject | None:
    allowed = {use.name for use in context.uses if use.is_read_only}
    for tool in context.listed("tools"):
        if tool.get("name") in allowed and requires_arguments(tool):
            return tool
    return None


async def run(context: ProbeContext) -> ProbeResult:
    """Expect a result with `isError` that says what is missing; before 2025-11-25 an error of the protocol is right too."""
    tool = _tool(context) or {}
    answer = await context.ask("tools/call", {"name": tool.get("name"), "arguments": {}})
    if answer.is_error and context.revision.has_tool_name_rules:
        text = f"arguments of {tool.get('name')!r} are refused by {answer.text}, which a model does not see"
        return context.find("L-TOOL-25", text, answer.frame, "/error/code")
    if answer.result is not None and answer.result.get("isError") is not True:
        text = f"{tool.get('name')!r} succeeds without the arguments that it requires"
        return ProbeResult(Outcome.PASSED, text)
    return context.conclude(answer)


def needs(context: ProbeContext) -> str:
    """Apply to servers with a read-only tool that requires an argument."""
    return (
        ""
        if _tool(context) is not None
        else "no read-only tool that may be called requires an argument"
    )


PROBE = Probe(
    "tool-arguments",
    "Tool without required arguments",
    "tools/call of the first read-only tool that requires arguments, without them",
    ("L-TOOL-25",),
    run,
    needs,
    Effect.CALLS_TOOL,
)
