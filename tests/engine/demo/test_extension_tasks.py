"""The demo server's tasks of the extension: over stdio, by a client that knows no more than to send lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.demo.extension_task_faults import FAULTS
from inspector.demo.extension_tasks import EXTENSION
from tests.engine.demo.client import Client, bare_demo, first_text, member, member_object
from tests.engine.demo.stateless import ALONE, calling, said

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

TAKING: JsonObject = {"elicitation": {"form": {}}, "extensions": {EXTENSION: {}}}
NEWS = "notifications/tasks"


def taking(params: JsonObject) -> JsonObject:
    """Params of a client that takes tasks."""
    return said(params, TAKING)


async def begun(client: Client, tool: str, **arguments: Json) -> JsonObject:
    """The task that a call became."""
    created = await client.result("tools/call", taking(calling(tool, **arguments)))
    assert created["resultType"] == "task"
    return created


async def until(client: Client, id_: Json, *statuses: str) -> JsonObject:
    """What the task says as soon as it has one of these statuses."""
    while True:
        told = await client.result("tasks/get", taking({"taskId": id_}))
        if told["status"] in statuses:
            return told


async def test_a_task_is_made_unasked_and_tells_its_result() -> None:
    """The tasks extension: flat, with the unit in the names, and without progress."""
    async with bare_demo(*ALONE) as client:
        created = await begun(client, "task_steps", steps=2, seconds=0.2)
        assert {"taskId", "status", "createdAt", "lastUpdatedAt", "ttlMs"} <= created.keys()
        assert not {"task", "ttl", "pollInterval", "result"} & created.keys()
        told = await until(client, created["taskId"], "completed")
        assert told["resultType"] == "complete"
        assert "Went through 2 steps" in first_text(member_object(told, "result"))


async def test_who_does_not_take_tasks_gets_none() -> None:
    """The tasks extension, "Capability Negotiation", "Protocol Errors"."""
    async with bare_demo(*ALONE) as client:
        plain = await client.result("tools/call", said(calling("task_quick"), {}))
        assert plain["resultType"] == "complete"
        refused = await client.ask("tools/call", said(calling("task_steps"), {}))
        required = member(refused, "error", "data", "requiredCapabilities", "extensions")
        assert required == {EXTENSION: {}}
        for method in ("tasks/get", "tasks/update", "tasks/cancel"):
            assert await client.error_code(method, said({"taskId": "t"}, {})) == -32021
        listen: JsonObject = {"notifications": {"taskIds": ["t"]}}
        assert await client.error_code("subscriptions/listen", said(listen, {})) == -32021


async def test_answers_may_come_one_by_one() -> None:
    """The tasks extension, "Task Update Requests"."""
    async with bare_demo(*ALONE) as client:
        id_ = (await begun(client, "task_asks_twice"))["taskId"]
        asked = await until(client, id_, "input_required")
        assert [*member_object(asked, "inputRequests")] == ["first", "then"]
        answer: JsonObject = {"action": "accept", "content": {"words": "w"}}
        for key, left in (("first", ["then"]), ("then", [])):
            given: JsonObject = {"taskId": id_, "inputResponses": {key: answer, "other": {}}}
            acknowledged = await client.result("tasks/update", taking(given))
            assert not {"taskId", "status"} & acknowledged.keys()
            told = await client.result("tasks/get", taking({"taskId": id_}))
            still = told.get("inputRequests")
            assert ([*still] if isinstance(still, dict) else []) == left
        await until(client, id_, "completed")


async def test_cancelling_twice_is_acknowledged_twice() -> None:
    """The tasks extension, "Task Cancellation"."""
    async with bare_demo(*ALONE) as client:
        id_ = (await begun(client, "task_endless"))["taskId"]
        for _ in range(2):
            acknowledged = await client.result("tasks/cancel", taking({"taskId": id_}))
            assert not {"taskId", "status"} & acknowledged.keys()
            assert (await until(client, id_, "cancelled"))["status"] == "cancelled"
        assert await client.error_code("tasks/get", taking({"taskId": "no"})) == -32602
        assert await client.error_code("tasks/result", taking({"taskId": id_})) == -32601
        assert await client.error_code("tasks/list", taking({})) == -32601


async def test_news_come_to_those_that_listen() -> None:
    """The tasks extension, "Task Status Notifications"."""
    async with bare_demo(*ALONE) as client:
        id_ = (await begun(client, "task_gives_up", seconds=0.3))["taskId"]
        client.send("subscriptions/listen", taking({"notifications": {"taskIds": [id_]}}))
        news = await client.until("method", NEWS)
        assert member(news, "params", "taskId") == id_
        assert member(news, "params", "status") == "cancelled"


@pytest.mark.parametrize("how", [*FAULTS])
async def test_every_fault_makes_a_task(how: str) -> None:
    """Ours."""
    async with bare_demo(*ALONE) as client:
        created = await client.result("tools/call", taking(calling("fault_lasting_task", how=how)))
        assert ("task" in created) == (how == "nested")
        assert ("ttl" in created) == (how == "old_names")
