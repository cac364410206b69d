"""A server in memory whose calls become tasks of the extension, told as the test wants."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from inspector.errors import PeerError
from inspector.spec.keys import TASKS_EXTENSION
from tests.support.answering import tool
from tests.support.findings import rules_of, validate_all
from tests.support.modern import EVERYTHING, ModernServer, complete, discovered, modern
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.session.task_record import TaskRecord
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer

NOW = "2030-01-01T00:00:00Z"
DECLARED: JsonObject = {**EVERYTHING, "extensions": {TASKS_EXTENSION: {}}}
OFFERED = discovered(capabilities={"tools": {}, "extensions": {TASKS_EXTENSION: {}}})
DONE: JsonObject = {"content": [{"type": "text", "text": "done"}]}


def task(status: str = "working", /, **more: Json) -> JsonObject:
    """A task that wants to be asked for often."""
    base: JsonObject = {"taskId": "t", "status": status, "createdAt": NOW, "lastUpdatedAt": NOW}
    return {**base, "ttlMs": None, "pollIntervalMs": 100, **more}


def made(status: str = "working", /, **more: Json) -> JsonObject:
    """The answer to a call that became a task."""
    return {"resultType": "task", **task(status, **more)}


def told(status: str = "working", /, **more: Json) -> JsonObject:
    """The answer to a question how it is doing."""
    return complete(**task(status, **more))


def done(**more: Json) -> JsonObject:
    """The same, when it gave its result."""
    return told("completed", result=DONE, **more)


def unknown(_params: JsonObject) -> Json:
    """The server knows no such task."""
    raise PeerError(-32602, "Unknown task")


class Telling:
    """Answers one thing after the other, the last one for ever."""

    def __init__(self, *answers: Json) -> None:
        self._answers = [*answers]
        self.asked: list[JsonObject] = []

    def __call__(self, params: JsonObject) -> Json:
        self.asked.append(params)
        return self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]

    def go_on_with(self, *answers: Json) -> None:
        """Answer these instead from now on."""
        self._answers = [*answers]


def answers(get: Answer | None = None, /, **more: Answer) -> dict[str, Answer]:
    """What such a server does: `call`, `get`, `update`, `cancel` by their short names."""
    listed = complete(tools=[tool("t")], ttlMs=0, cacheScope="private")
    found: dict[str, Answer] = {
        "tools/list": lambda _: listed,
        "tools/call": more.get("call", lambda _: made()),
        "tasks/get": get or (lambda _: done()),
        "tasks/update": more.get("update", lambda _: complete()),
        "tasks/cancel": more.get("cancel", lambda _: complete()),
    }
    return found | ({"subscriptions/listen": more["listen"]} if "listen" in more else {})


@asynccontextmanager
async def tasking(
    get: Answer | None = None,
    /,
    *,
    declares: JsonObject | None = None,
    discover: JsonObject | None = None,
    **more: Answer,
) -> AsyncGenerator[tuple[ModernServer, OpenSession]]:
    """A connected session with such a server; both sides declare tasks."""
    async with modern(
        answers(get, **more),
        declares=DECLARED if declares is None else declares,
        discover=OFFERED if discover is None else discover,
    ) as found:
        yield found


def begin(opened: OpenSession) -> ToolCall:
    """Call the tool."""
    return opened.tools.call(opened.tools.items[0], "{}")


async def followed(call: ToolCall) -> TaskRecord:
    """The task of a call, once it has one."""
    await wait_until(lambda: call.task is not None)
    assert call.task is not None
    return call.task


def rules(opened: OpenSession) -> set[str]:
    """The rules of everything that was found so far, about tasks; that the id of these is short is known."""
    validate_all(opened.sweep)
    found = set(rules_of(opened.session.transcript))
    return {rule for rule in found if rule.startswith(("L-TK", "L-MRTR", "L-JR-32"))} - {"L-TKX-16"}
