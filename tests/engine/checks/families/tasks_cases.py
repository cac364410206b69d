"""Cases of `checks.families.tasks_core`, `tasks_promises` and `tasks_extension`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.keys import (
    META,
    META_CLIENT_CAPABILITIES,
    META_RELATED_TASK,
    RESULT_TASK,
    TASKS_EXTENSION,
)
from inspector.spec.revision import V2025_11_25, V2026_07_28
from tests.engine.checks.families.tools_cases import tool
from tests.support.rule_cases import Case

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.talk import Talk

FIRST, SECOND = "5f0c1d9e-8a57-4b7e-9c1f-0f6f3d6f2a11", "b1c7a2d4-33e0-4f6a-8e2b-7d9a4c5e6f70"
TIME = "2026-11-25T12:00:00Z"
FORM: Json = {"method": "elicitation/create", "params": {"message": "Who?"}}
ROOTS: Json = {"method": "roots/list"}


def state(id_: str = FIRST, status: str = "working", **members: Json) -> JsonObject:
    """A task of the core."""
    times: JsonObject = {"createdAt": TIME, "lastUpdatedAt": TIME, "ttl": 60_000}
    return {"taskId": id_, "status": status, **times, **members}


def connect(talk: Talk, *, can_list: bool = False, **execution: Json) -> None:
    """The handshake with a server that runs tools as tasks, and its list of one tool."""
    requests: Json = {"tools": {"call": {}}}
    offered: JsonObject = {"requests": requests, **({"list": {}} if can_list else {})}
    talk.request(90, "initialize", protocolVersion="2025-11-25", capabilities={})
    info: Json = {"name": "sample", "version": "1.2.3"}
    found: JsonObject = {"capabilities": {"tools": {}, "tasks": offered}, "serverInfo": info}
    talk.result(90, protocolVersion="2025-11-25", **found)
    talk.request(91, "tools/list")
    talk.result(91, tools=[tool(execution=execution or {"taskSupport": "optional"})])


def called(talk: Talk, id_: int = 1, *, as_task: bool = True) -> int:
    """A call, as a task or not."""
    more: JsonObject = {"task": {}} if as_task else {}
    return talk.request(id_, "tools/call", name="get_sum", arguments={}, **more)


def two(first: str, second: str) -> Callable[[Talk], object]:
    """Two tasks with these ids."""

    def write(talk: Talk) -> None:
        connect(talk)
        for number, id_ in enumerate((first, second), start=1):
            called(talk, number)
            talk.result(number, task=state(id_))

    return write


def answered(
    *, as_task: bool, is_task: bool, support: str = "optional"
) -> Callable[[Talk], object]:
    """A call, as a task or not, and its result, a task or not."""

    def write(talk: Talk) -> None:
        connect(talk, taskSupport=support)
        called(talk, as_task=as_task)
        if is_task:
            talk.result(1, task=state())
        else:
            talk.text_result(1, "3")

    return write


def refused(code: int) -> Callable[[Talk], object]:
    """A call without the task that the tool requires, refused so."""

    def write(talk: Talk) -> None:
        connect(talk, taskSupport="required")
        called(talk, as_task=False)
        talk.error(1, code, "This tool requires a task")

    return write


def fetched(
    meta: JsonObject, *, status: str = "completed", is_error: bool = False
) -> Callable[[Talk], object]:
    """The result of a task, and what the task says before and after it."""

    def write(talk: Talk) -> None:
        connect(talk)
        called(talk)
        talk.result(1, task=state())
        talk.request(2, "tasks/get", taskId=FIRST)
        talk.result(2, **state(status=status, statusMessage="x"))
        talk.request(3, "tasks/result", taskId=FIRST)
        talk.result(3, content=[{"type": "text", "text": "3"}], isError=is_error, **{META: meta})
        talk.request(4, "tasks/get", taskId=FIRST)
        talk.result(4, **state(status=status, statusMessage="x"))

    return write


def asked(meta: JsonObject) -> Callable[[Talk], object]:
    """A request of the server while the result of a task is waited for."""

    def write(talk: Talk) -> None:
        connect(talk)
        called(talk)
        talk.result(1, task=state(status="working"))
        talk.request(2, "tasks/result", taskId=FIRST)
        params: Json = {META: meta}
        talk.received({"jsonrpc": "2.0", "id": 7, "method": "roots/list", "params": params})

    return write


def listed(*ids: str) -> Callable[[Talk], object]:
    """A list of these tasks, after the first was read."""

    def write(talk: Talk) -> None:
        fetched(RELATED)(talk)
        talk.request(5, "tasks/list")
        talk.result(5, tasks=[state(id_) for id_ in ids])

    return write


def failed(message: str) -> Callable[[Talk], object]:
    """A failed task with that reason."""

    def write(talk: Talk) -> None:
        connect(talk)
        talk.request(1, "tasks/get", taskId=FIRST)
        talk.result(1, **state(status="failed", **({"statusMessage": message} if message else {})))

    return write


def polled(*, is_stream: bool) -> Callable[[Talk], object]:
    """The state of a task over HTTP."""

    def write(talk: Talk) -> None:
        talk.http.request("tasks/get", {"taskId": FIRST})
        result: JsonObject = state()
        if is_stream:
            talk.http.stream()
            talk.http.event({"jsonrpc": "2.0", "id": 1, "result": result})
        else:
            talk.http.result("application/json", result)

    return write


def opened(**headers: str) -> Callable[[Talk], object]:
    """A handshake over HTTP with a server that lists tasks."""

    def write(talk: Talk) -> None:
        talk.http.request("initialize", {}, **headers)
        info: Json = {"name": "sample", "version": "1.2.3"}
        found: JsonObject = {"capabilities": {"tasks": {"list": {}}}, "serverInfo": info}
        talk.http.result("application/json", {"protocolVersion": "2025-11-25", **found})

    return write


def created(seconds: float = 0.0, poll_ms: int = 500) -> Callable[[Talk], object]:
    """A task that is announced after that time."""

    def write(talk: Talk) -> None:
        connect(talk)
        called(talk)
        talk.wait(seconds)
        talk.result(1, task=state(pollInterval=poll_ms))

    return write


def gone(seconds: float) -> Callable[[Talk], object]:
    """A task that is unknown after that time."""

    def write(talk: Talk) -> None:
        created()(talk)
        talk.wait(seconds)
        talk.request(2, "tasks/get", taskId=FIRST)
        talk.error(2, -32602, "Unknown task")

    return write


RELATED: JsonObject = {META_RELATED_TASK: {"taskId": FIRST}}

DECLARED: JsonObject = {
    META: {META_CLIENT_CAPABILITIES: {"extensions": {TASKS_EXTENSION: {}}, "elicitation": {}}}
}


def extended(status: str = "working", **members: Json) -> JsonObject:
    """A task of the extension."""
    times: JsonObject = {"createdAt": TIME, "lastUpdatedAt": TIME, "ttlMs": 60_000}
    return {"taskId": FIRST, "status": status, **times, **members}


def began(talk: Talk, sent: JsonObject = DECLARED) -> None:
    """A call that became a task."""
    talk.request(1, "tools/call", name="get_sum", arguments={}, **sent)
    talk.result(1, resultType=RESULT_TASK, **extended())


def undeclared(talk: Talk) -> None:
    """A task for a client that did not declare them."""
    began(talk, {})


def read(*states: JsonObject, code: int = 0) -> Callable[[Talk], object]:
    """A task that is read so often, or is unknown afterwards."""

    def write(talk: Talk) -> None:
        began(talk)
        for number, each in enumerate(states, start=2):
            talk.request(number, "tasks/get", taskId=FIRST, **DECLARED)
            talk.result(number, resultType="complete", **each)
        if code:
            talk.request(90, "tasks/get", taskId=FIRST, **DECLARED)
            talk.error(90, code, "no such task")

    return write


def given(seconds: float) -> Callable[[Talk], object]:
    """A task that asks again for what it was given so long ago."""
    asks = extended("input_required", inputRequests={"a": FORM})

    def write(talk: Talk) -> None:
        read(asks)(talk)
        answers: Json = {"a": {"action": "decline"}}
        talk.request(50, "tasks/update", taskId=FIRST, inputResponses=answers, **DECLARED)
        talk.result(50, resultType="complete")
        talk.wait(seconds)
        talk.request(51, "tasks/get", taskId=FIRST, **DECLARED)
        talk.result(51, resultType="complete", **asks)

    return write


def wanting(each: Json) -> JsonObject:
    """A task that asks for something."""
    return extended("input_required", inputRequests={"a": each})


_CORE = (
    Case("L-TK4-04", two(FIRST, FIRST), two(FIRST, SECOND)),
    Case("L-TK4-05", answered(as_task=True, is_task=False), answered(as_task=True, is_task=True)),
    Case(
        "L-TK4-05",
        answered(as_task=False, is_task=True),
        answered(as_task=False, is_task=False),
        name="not asked for",
    ),
    Case(
        "L-TK4-06",
        answered(as_task=False, is_task=False, support="required"),
        answered(as_task=False, is_task=False),
    ),
    Case(
        "L-TK4-06",
        answered(as_task=True, is_task=True, support="forbidden"),
        answered(as_task=True, is_task=True),
        name="forbidden",
    ),
    Case("L-TK4-06", refused(-32602), refused(-32601), name="code"),
    Case("L-TK4-07", fetched({}), fetched(RELATED)),
    Case("L-TK4-08", asked({}), asked(RELATED)),
    Case(
        "L-TK4-08", asked({META_RELATED_TASK: {"taskId": SECOND}}), asked(RELATED), name="unknown"
    ),
    Case("L-TK4-10", fetched(RELATED, status="working"), fetched(RELATED)),
    Case("L-TK4-13", listed(SECOND), listed(FIRST, SECOND)),
    Case(
        "L-TK4-14",
        fetched(RELATED, is_error=True),
        fetched(RELATED, is_error=True, status="failed"),
    ),
    Case("L-TK4-14", failed(""), failed("No such file"), name="no reason"),
    Case("L-TK4-16", polled(is_stream=True), polled(is_stream=False)),
    Case("L-TK4-17", opened(), opened(authorization="Bearer x")),
    Case("L-TK4-18", created(9), created(1)),
    Case("L-TK4-19", created(poll_ms=1), created(poll_ms=500)),
    Case("L-TK4-19", gone(5), gone(90), name="gone"),
)

_EXTENSION = (
    Case("L-TKX-01", undeclared, began),
    Case("L-TKX-05", read(code=-32602), read(extended(), code=-32602)),
    Case("L-TKX-09", read(wanting(FORM), wanting(ROOTS)), read(wanting(FORM), wanting(FORM))),
    Case(
        "L-TKX-18",
        read(extended("failed", error={"code": 1, "message": "x"})),
        read(extended("failed", error={"code": 1, "message": "x"}, statusMessage="No disk")),
    ),
    Case("L-TKX-21", given(20), given(3)),
)

CASES = (
    *(case._replace(revision=V2025_11_25) for case in _CORE),
    *(case._replace(revision=V2026_07_28) for case in _EXTENSION),
)
