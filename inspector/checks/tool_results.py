"""The results of tools in one session, validated against the output schemas that its server listed before the call.

Large content is validated in a thread, one result at a time, and what would keep the loop from running there as well, not at
all: the validator lets no other thread run.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from inspector.checks.listed_tools import (
    ListedTools,
    check_unlisted_call,
    check_unlisted_error,
    check_unlisted_result,
)
from inspector.checks.output_schema import OutputCheck, OutputState, too_large
from inspector.event import Event
from inspector.spec import tasks
from inspector.spec.capabilities import meant
from inspector.spec.keys import RESULT_INPUT_REQUIRED, RESULT_TASK
from inspector.spec.pointer import join
from inspector.spec.views.call_result import CallToolResultView
from inspector.wire import json_codec, lazy_json
from inspector.wire.frame import Direction
from inspector.wire.lazy_json import LazyObject
from inspector.wire.message import MessageKind, or_null

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from inspector.checks.output_schema import OutputSchema
    from inspector.finding import Finding
    from inspector.spec.revision import Revision
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject

LIST, CALL = "tools/list", "tools/call"
OUTCOMES = frozenset({CALL, tasks.CORE.result_method, tasks.EXTENSION.get_method})
"""The client's requests whose result is, or contains, the result of a call."""

AT_ONCE = 1 << 13
"""Weight of content that is validated at once: some milliseconds."""

MAX_WEIGHT = 1 << 20
"""Weight beyond which content is not validated."""

NODE_WEIGHT = 8
"""What a value weighs besides its characters."""

MAX_KEPT = 2_000
"""Calls and tasks without a result, and results, that are remembered; the oldest is forgotten."""

_STRUCTURED = "structuredContent"

# Looked up once: each is compared with for every message.
_REQUEST, _NOTIFICATION = MessageKind.REQUEST, MessageKind.NOTIFICATION
_RESPONSE, _ERROR, _SENT = MessageKind.RESPONSE, MessageKind.ERROR, Direction.SENT

K = TypeVar("K")
V = TypeVar("V")


class _Call(NamedTuple):
    """A call that has no result yet."""

    schema: OutputSchema | None
    """The schema its tool was listed with; None if the tool is unknown."""
    unlisted: str
    """The name of a tool that is not in the list; empty for all others."""


class _Job(NamedTuple):
    """A result that is still to be validated."""

    number: int
    """Its frame."""
    schema: OutputSchema
    result: JsonObject
    """All but its content, which the schema is not about."""
    text: bytes
    """The structured content where it was not read yet."""
    pointer: str
    revision: Revision

    def run(self) -> OutputCheck:
        """Validate the result in the calling thread."""
        result = self.result
        if self.text:
            result = {**result, _STRUCTURED: json_codec.read_value(self.text)}
        view = CallToolResultView(result, self.pointer, self.revision)
        return self.schema.check(view)


_UNKNOWN = _Call(None, "")


class ToolResults:
    """Follows the frames of one transcript, in order, and keeps the outcome of each result."""

    def __init__(
        self, transcript: Transcript, do_later: Callable[[str, int, Iterator[None]], None]
    ) -> None:
        """Hand what takes longer to `do_later`, with its name and frame: it is done before the next frame."""
        self.validated: Event[int] = Event()
        """A result, by its frame, for which `of` has an outcome from now on."""
        self.listed = ListedTools()
        self._transcript = transcript
        self._do_later = do_later
        self._calls: OrderedDict[int, _Call] = OrderedDict()
        """By the frame of its request."""
        self._tasks: OrderedDict[str, OutputSchema | None] = OrderedDict()
        """By the id of the task that a call became, what its tool was listed with."""
        self._outcomes: OrderedDict[int, OutputCheck] = OrderedDict()
        self._jobs: deque[_Job] = deque()

    @property
    def pending(self) -> int:
        """Results that are still to be validated in a thread."""
        return len(self._jobs)

    @property
    def outcomes(self) -> Mapping[int, OutputCheck]:
        """What validating gave, by the frame of the result, in the order in which it was found."""
        return self._outcomes

    def restore(self, outcomes: Mapping[int, OutputCheck]) -> None:
        """Know these outcomes from an earlier time."""
        self._outcomes.update(outcomes)

    def of(self, number: int) -> OutputCheck | None:
        """What validating the result in a frame gave; None as long as that is not known."""
        return self._outcomes.get(number)

    def follow(
        self, number: int, kind: MessageKind, revision: Revision, value: Json = None
    ) -> tuple[Finding, ...]:
        """Take the next frame, which is a message; return what is wrong with it where that is known at once.

        `value` is the message where it was read already.
        """
        columns = self._transcript.columns
        owner = columns.request[number - 1]
        method = columns.methods.texts[columns.method[(owner or number) - 1]]
        if columns.direction[number - 1] == _SENT:
            if kind is _REQUEST and method == CALL:
                return self._of_call(number, revision, value)
        elif kind is _RESPONSE:
            if method in OUTCOMES:
                is_small = (
                    columns.size[number - 1] <= lazy_json.LARGE
                )  # else its content is read in a thread
                read = value if is_small else None
                return self._of_response(number, owner, method, revision, read)
            if method == LIST:
                params = or_null(self._transcript.message(owner).params)
                self._do_later(
                    LIST, number, self.listed.add_page(params, self._result(number, value))
                )
        elif kind is _ERROR and owner in self._calls:
            name = self._calls.pop(owner).unlisted
            if name:
                error = or_null(self._transcript.message(number).error)
                return check_unlisted_error(name, error, revision)
        elif kind is _NOTIFICATION and method == tasks.EXTENSION.announced:
            params = or_null(self._transcript.message(number).params)
            return self._of_task(number, params, "/params", revision)
        return ()

    def validate_next(self) -> None:
        """Validate one that waits, here and now."""
        job = self._jobs[0]
        self._finish(job, job.run())

    async def validate_next_beside(self) -> None:
        """Validate one that waits in a thread."""
        job = self._jobs[0]
        self._finish(job, await asyncio.to_thread(job.run))

    def _of_call(self, number: int, revision: Revision, value: Json) -> tuple[Finding, ...]:
        params = value.get("params") if isinstance(value, dict) else None
        name = params.get("name") if isinstance(params, dict) else self._param(number, "name")
        unlisted = name if isinstance(name, str) and self.listed.is_unlisted(name) else ""
        _keep(self._calls, number, _Call(self.listed.schema_of(name), unlisted))
        return check_unlisted_call(unlisted, revision)

    def _of_response(
        self, number: int, owner: int, method: str, revision: Revision, value: Json
    ) -> tuple[Finding, ...]:
        call = self._calls.pop(owner, _UNKNOWN) if method == CALL else _UNKNOWN
        result = self._result(number, value)
        if not isinstance(result, dict):
            return ()
        if method == CALL:
            task = _task_id(result)
            if task:
                _keep(self._tasks, task, call.schema)
                return ()
            found = self._of_result(number, call.schema, result, "/result", revision)
            return (*found, *check_unlisted_result(call.unlisted, result, revision))
        if method == tasks.EXTENSION.get_method:
            return self._of_task(number, result, "/result", revision)
        id_ = self._param(owner, "taskId")
        if not isinstance(id_, str) or id_ not in self._tasks:
            return ()
        return self._of_result(number, self._tasks[id_], result, "/result", revision)

    def _of_task(
        self, number: int, task: Json, pointer: str, revision: Revision
    ) -> tuple[Finding, ...]:
        """Take a task that may hold the result of its call."""
        inner = task.get("result") if isinstance(task, dict) else None
        id_ = task.get("taskId") if isinstance(task, dict) else None
        if not isinstance(inner, dict) or not isinstance(id_, str) or id_ not in self._tasks:
            return ()
        return self._of_result(number, self._tasks[id_], inner, join(pointer, "result"), revision)

    def _of_result(
        self,
        number: int,
        schema: OutputSchema | None,
        result: JsonObject,
        pointer: str,
        revision: Revision,
    ) -> tuple[Finding, ...]:
        if not _is_complete(result):
            return ()
        if schema is None or schema.raw is None:
            state = OutputState.UNKNOWN if schema is None else OutputState.NO_SCHEMA
            return self._keep(number, OutputCheck(state, meant(result.get("isError"))))
        light, text = _without_content(result)
        view = CallToolResultView(light, pointer, revision)
        weight = len(text) or _weight(light.get(_STRUCTURED))
        if weight > MAX_WEIGHT:
            return self._keep(number, too_large(view.pointer_to(_STRUCTURED)))
        if weight > AT_ONCE:
            self._jobs.append(_Job(number, schema, light, text, pointer, revision))
            return ()
        return self._keep(number, schema.check(view))

    def _finish(self, job: _Job, outcome: OutputCheck) -> None:
        if not self._jobs or self._jobs[0] is not job:
            return  # another task has validated it meanwhile
        self._jobs.popleft()
        for finding in self._keep(job.number, outcome):
            self._transcript.add_finding(job.number, finding)
        self._transcript.findings_changed.fire()

    def _keep(self, number: int, outcome: OutputCheck) -> tuple[Finding, ...]:
        _keep(self._outcomes, number, outcome)
        self.validated.fire(number)
        return outcome.findings

    def _result(self, number: int, value: Json) -> Json:
        if isinstance(value, dict):
            return value.get("result")
        return or_null(self._transcript.message(number).lazy_result)

    def _param(self, number: int, name: str) -> Json:
        """Return a member of the params of a request, which may be large."""
        text = self._transcript.message(number).raw_params
        try:
            params = lazy_json.read(text) if text is not None else None
        except json_codec.JsonSyntaxError:
            return None
        return params.get(name) if isinstance(params, dict) else None


def _keep(kept: OrderedDict[K, V], key: K, value: V) -> None:
    kept[key] = value
    if len(kept) > MAX_KEPT:
        kept.popitem(last=False)


def _task_id(result: JsonObject) -> str:
    """The id of the task that a call became; empty where it has a result."""
    if not _may_be_task(result):
        return ""
    task = CallToolResultView(_without_content(result)[0]).task
    return task.id if task is not None else ""


def _may_be_task(result: JsonObject) -> bool:
    """Whether it takes a view to tell: there are thousands of results, and few of them are tasks."""
    return "task" in result or result.get("resultType") == RESULT_TASK


def _is_complete(result: JsonObject) -> bool:
    """Whether this is the result of the call, rather than a question or a task."""
    if _may_be_task(result):
        return CallToolResultView(_without_content(result)[0]).is_complete
    return result.get("resultType") != RESULT_INPUT_REQUIRED


def _without_content(result: JsonObject) -> tuple[JsonObject, bytes]:
    """Return a result without its content, which may be large, and the text of structured content that was not read yet."""
    light: JsonObject = {key: result[key] for key in result if key not in {"content", _STRUCTURED}}
    if "content" in result:
        light["content"] = []
    if _STRUCTURED not in result:
        return light, b""
    text = result.unread_text(_STRUCTURED) if isinstance(result, LazyObject) else b""
    light[_STRUCTURED] = None if text else result[_STRUCTURED]
    return light, text


def _weight(value: Json) -> int:
    """About how many characters `value` has; not counted further than need be."""
    weight, stack = 0, [value]
    while stack and weight <= MAX_WEIGHT:
        item = stack.pop()
        weight += NODE_WEIGHT
        if isinstance(item, str):
            weight += len(item)
        elif isinstance(item, dict):
            weight += sum(map(len, item))
            stack.extend(item.values())
        elif isinstance(item, list):
            stack.extend(item)
    return weight
