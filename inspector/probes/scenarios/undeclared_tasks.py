"""A task method of a client that does not declare tasks. Source: the tasks extension, "Protocol Errors"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.probes.probe import Probe
from inspector.probes.scenarios.earlier_task_method import needs
from inspector.spec.error_codes import INVALID_PARAMS, MISSING_CLIENT_CAPABILITY
from inspector.spec.keys import META_CLIENT_CAPABILITIES

if TYPE_CHECKING:
    from inspector.probes.probe import ProbeContext, ProbeResult
    from inspector.wire.json_codec import JsonObject

TASK = "spyglass-unknown"
RIGHT = {MISSING_CLIENT_CAPABILITY, INVALID_PARAMS}
"""The second one is for the unknown task, which a server may check before."""


async def run(context: ProbeContext) -> ProbeResult:
    """Expect the error for a missing capability."""
    meta: JsonObject = {META_CLIENT_CAPABILITIES: {}}
    answer = await context.ask("tasks/get", {"taskId": TASK}, meta=meta)
    if answer.is_answered and answer.code not in RIGHT:
        text = f"tasks/get of a client without the extension must be refused by error {MISSING_CLIENT_CAPABILITY}; the answer was {answer.text}"
        pointer = "/error/code" if answer.is_error else "/result"
        return context.find("L-TKX-11", text, answer.frame, pointer)
    return context.conclude(answer)


PROBE = Probe(
    "undeclared-tasks",
    "Task method without the extension",
    f"tasks/get of {TASK}, without the capability",
    ("L-TKX-11",),
    run,
    needs,
)
