"""Task methods of an earlier revision. Source: the tasks extension, "Backward Compatibility"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Probe
from inspector.spec.keys import TASKS_EXTENSION

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult

METHOD = "tasks/list"


async def run(context: ProbeContext) -> ProbeResult:
    """Expect an error."""
    answer = await context.ask_bare(METHOD, context.session.stamped({}))
    if answer.result is not None:
        text = f"{METHOD} is of an earlier revision, and is answered by a result"
        return context.find("L-TKX-15", text, answer.frame, "/result")
    return context.conclude(answer)


def needs(context: ProbeContext) -> str:
    """Apply to servers with the extension."""
    greeting = context.session.greeting
    has_it = greeting is not None and TASKS_EXTENSION in greeting.extensions
    is_newer = not context.revision.stateful
    return "" if has_it and is_newer else "the tasks extension is not declared"


PROBE = Probe(
    "earlier-task-method",
    "Task method of an earlier revision",
    f"a request with the method {METHOD}",
    ("L-TKX-15",),
    run,
    needs,
)
