"""What the tolerant views find in one message: everything that the pages of the window mark beside a result or in a list.

A view reads what the official validators do not look at, such as base64, dates, names and combinations of members. Where a
validator has found something at the same place, the view's finding says the same in other words and is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec import tasks
from inspector.spec.keys import RESULT_COMPLETE
from inspector.spec.pointer import join
from inspector.spec.views.call_result import CallToolResultView
from inspector.spec.views.completion import CompletionResult
from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView
from inspector.spec.views.notifications import LogView, ProgressView
from inspector.spec.views.prompt import PromptResult, PromptsPage
from inspector.spec.views.resource import (
    ReadResult,
    ResourcesPage,
    TemplatesPage,
)
from inspector.spec.views.sampling import SamplingView
from inspector.spec.views.tool import ToolsPage
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject


def view_findings(
    kind: MessageKind, method: str, value: Json, revision: Revision, found: Iterable[Finding]
) -> Iterator[Finding]:
    """Yield what the view of a message finds that is not at a place of `found`.

    `method` is that of the request for a response, and the message's own otherwise; `value` is the whole message.
    """
    if not isinstance(value, dict):
        return
    if kind is MessageKind.RESPONSE:
        reader, part = _RESULTS.get(method), value.get("result")
    elif kind in {MessageKind.NOTIFICATION, MessageKind.REQUEST}:
        reader, part = _PARAMS.get(method), value.get("params")
    else:
        return
    if reader is None or not isinstance(part, dict):
        return  # a part that is no object is the validators' matter
    if kind is MessageKind.RESPONSE and method != "tools/call" and not _is_complete(part):
        return  # it asks for input, or names a task: not the result yet
    known = {finding.pointer for finding in found}
    for finding in reader(part, revision):
        if finding.pointer not in known:
            yield finding


def _is_complete(result: JsonObject) -> bool:
    return result.get("resultType", RESULT_COMPLETE) == RESULT_COMPLETE


def _call(result: Json, revision: Revision, pointer: str = "/result") -> Iterable[Finding]:
    return CallToolResultView(result, pointer, revision).findings


def _of_task(task: Json, revision: Revision, pointer: str) -> Iterable[Finding]:
    """What is odd about the result that a task of the extension holds."""
    inner = task.get("result") if isinstance(task, dict) else None
    is_held = tasks.dialect(revision) is tasks.EXTENSION and isinstance(inner, dict)
    return _call(inner, revision, join(pointer, "result")) if is_held else ()


_RESULTS: Mapping[str, Callable[[Json, Revision], Iterable[Finding]]] = {
    "tools/list": lambda result, revision: ToolsPage(result, revision=revision).findings,
    "tools/call": _call,
    tasks.CORE.result_method: _call,
    tasks.EXTENSION.get_method: lambda task, revision: _of_task(task, revision, "/result"),
    "initialize": lambda result, _: InitializeResultView(result).notes,
    "server/discover": lambda result, revision: (
        DiscoverResultView(result, "/result", revision).notes
    ),
    "resources/list": lambda result, revision: ResourcesPage(result, revision=revision).findings,
    "resources/templates/list": lambda result, revision: (
        TemplatesPage(result, revision=revision).findings
    ),
    "resources/read": lambda result, revision: ReadResult(result, revision=revision).findings,
    "prompts/list": lambda result, revision: PromptsPage(result, revision=revision).findings,
    "prompts/get": lambda result, revision: PromptResult(result, revision=revision).findings,
    "completion/complete": lambda result, revision: (
        CompletionResult(result, revision=revision).findings
    ),
}
"""By the method of the request, what the view of its result finds."""

_PARAMS: Mapping[str, Callable[[Json, Revision], Iterable[Finding]]] = {
    "notifications/progress": lambda params, revision: (
        ProgressView(params, revision=revision).notes
    ),
    tasks.EXTENSION.announced: lambda task, revision: _of_task(task, revision, "/params"),
    "notifications/message": lambda params, revision: LogView(params, revision=revision).notes,
    "sampling/createMessage": lambda params, revision: (
        SamplingView(params, revision=revision).notes
    ),
}
"""By the method, what the view of the params finds."""
