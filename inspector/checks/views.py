"""Findings of the tolerant views for one message: all that the pages of the window mark beside a result or in a list.

A view reads what the official validators ignore, such as base64, dates, names and combinations of members. A finding at the same
pointer as one of a validator repeats it and is left out. The entries of a list are read later, in slices: see `listed_views`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from inspector.spec import methods, tasks
from inspector.spec.keys import RESULT_COMPLETE
from inspector.spec.method import Side
from inspector.spec.pointer import join
from inspector.spec.view import View
from inspector.spec.views.call_result import CallToolResultView
from inspector.spec.views.completion import CompletionResult
from inspector.spec.views.elicitation import ElicitationView
from inspector.spec.views.handshake import DiscoverResultView, InitializeResultView
from inspector.spec.views.notifications import LogView, ProgressView
from inspector.spec.views.prompt import PromptResult, PromptsPage
from inspector.spec.views.resource import ReadResult, ResourcesPage, TemplatesPage
from inspector.spec.views.sampling import SamplingView
from inspector.spec.views.tool import ToolsPage
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject


def read_view(kind: MessageKind, method: str, value: JsonObject, revision: Revision) -> View | None:
    """Return the view of a message; None if it has none.

    `value` is the whole message; `method` is its own, or the request's for a response.
    """
    if kind is MessageKind.RESPONSE:
        reader, part = _RESULTS.get(method), value.get("result")
    elif kind in {MessageKind.NOTIFICATION, MessageKind.REQUEST}:
        reader, part = _PARAMS.get(method), value.get("params")
        if methods.find(method, revision, Side.SERVER) is None:
            return None  # not of this revision, which another rule says
    else:
        return None
    if reader is None or not isinstance(part, dict):
        return None  # a part that is no object is the validators' matter
    if (
        kind is MessageKind.RESPONSE
        and method != "tools/call"
        and part.get("resultType", RESULT_COMPLETE) != RESULT_COMPLETE
    ):
        return None  # it asks for input, or names a task: not the result yet
    return reader(part, revision)


def _read(view: type[View], part: JsonObject, revision: Revision) -> View:
    return view(part, revision=revision)


def _task_result(task: JsonObject, pointer: str, revision: Revision) -> View:
    """Return the view of the result inside a task of the extension; an empty view for a task without a result."""
    inner = task.get("result")
    if tasks.dialect(revision) is not tasks.EXTENSION or not isinstance(inner, dict):
        return View({})
    return CallToolResultView(inner, join(pointer, "result"), revision)


_RESULTS: Mapping[str, Callable[[JsonObject, Revision], View]] = {
    "initialize": lambda result, _: InitializeResultView(result),
    tasks.EXTENSION.get_method: lambda task, revision: _task_result(task, "/result", revision),
    **{
        method: partial(_read, view)
        for method, view in (
            ("server/discover", DiscoverResultView),
            ("tools/list", ToolsPage),
            ("tools/call", CallToolResultView),
            (tasks.CORE.result_method, CallToolResultView),
            ("resources/list", ResourcesPage),
            ("resources/templates/list", TemplatesPage),
            ("resources/read", ReadResult),
            ("prompts/list", PromptsPage),
            ("prompts/get", PromptResult),
            ("completion/complete", CompletionResult),
        )
    },
}
"""By the method of the request, the view of its result."""

_PARAMS: Mapping[str, Callable[[JsonObject, Revision], View]] = {
    "notifications/progress": partial(_read, ProgressView),
    "notifications/message": partial(_read, LogView),
    "sampling/createMessage": partial(_read, SamplingView),
    "elicitation/create": partial(_read, ElicitationView),
    tasks.EXTENSION.announced: lambda task, revision: _task_result(task, "/params", revision),
}
"""By the method, the view of its params."""
