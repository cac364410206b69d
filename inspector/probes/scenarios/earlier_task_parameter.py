"""The parameter by which an earlier revision asks for a task. Source: the tasks extension, "Backward Compatibility"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Effect, Outcome, Probe, ProbeResult
from inspector.probes.scenarios import earlier_task_method, parallel_calls
from inspector.spec.keys import META_CLIENT_CAPABILITIES, RESULT_TASK

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext


async def run(context: ProbeContext) -> ProbeResult:
    """Expect the result of the call, and no task."""
    params = parallel_calls.params_of(context)
    if params is None:
        return ProbeResult(Outcome.NOT_APPLICABLE, parallel_calls.needs(context))
    sent = context.session.stamped({**params, "task": {"ttl": 1000}})
    meta = sent.get("_meta")
    bare = {**meta, META_CLIENT_CAPABILITIES: {}} if isinstance(meta, dict) else {}
    answer = await context.ask_bare("tools/call", {**sent, "_meta": bare})
    if (answer.result or {}).get("resultType") == RESULT_TASK or "task" in (answer.result or {}):
        text = (
            "`task` is a parameter of an earlier revision, and led to a task that was not declared"
        )
        return context.find("L-TKX-19", text, answer.frame, "/result")
    return context.conclude(answer)


def needs(context: ProbeContext) -> str:
    """Apply to servers with the extension and a read-only tool."""
    return earlier_task_method.needs(context) or parallel_calls.needs(context)


PROBE = Probe(
    "earlier-task-parameter",
    "Task parameter of an earlier revision",
    "tools/call of a read-only tool with `task`, without the capability",
    ("L-TKX-19",),
    run,
    needs,
    Effect.CALLS_TOOL,
)
