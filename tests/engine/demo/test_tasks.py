"""Calls of the demo server that run as tasks."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.demo.task_faults import FAULTS
from inspector.demo.tasks import moment
from tests.engine.demo.client import EVERYTHING, STATEFUL, Client, demo, first_text

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject


async def begun(client: Client, tool: str, arguments: JsonObject | None = None) -> JsonObject:
    """Call as a task; the task as it is told first."""
    call: JsonObject = {"name": tool, "arguments": arguments or {}, "task": {"ttl": 60_000}}
    task = (await client.result("tools/call", call))["task"]
    assert isinstance(task, dict)
    return task


def named(task: JsonObject) -> JsonObject:
    return {"taskId": task["taskId"]}


async def seen(client: Client, number: int) -> JsonObject:
    """The response to a request, which may have come already."""
    found = [message for message in client.seen if message.get("id") == number]
    return found[0] if found else await client.until("id", number)


async def test_a_task_is_told_at_once_and_its_result_names_it() -> None:
    """Tasks, "Creating Tasks", "Associating Task-Related Messages"."""
    async with demo() as client:
        task = await begun(client, "task_quick")
        assert (task["status"], task["ttl"]) == ("working", 60_000)

        result = await client.result("tasks/result", named(task))
        assert first_text(result) == "Done at once, as a task."
        assert result["_meta"] == {"io.modelcontextprotocol/related-task": named(task)}
        assert (await client.result("tasks/get", named(task)))["status"] == "completed"


async def test_what_a_tool_says_of_tasks_is_kept() -> None:
    """Tasks, "Tool-Level Negotiation"."""
    async with demo() as client:
        as_task: JsonObject = {"name": "task_never", "task": {}}
        assert await client.error_code("tools/call", {"name": "task_steps"}) == -32601
        assert await client.error_code("tools/call", as_task) == -32601
        assert await client.error_code("tools/call", {"name": "echo", "task": {}}) == -32601


@pytest.mark.parametrize(("how", "key"), [("tool error", "result"), ("protocol error", "error")])
async def test_a_failed_task_gives_what_the_call_would_have_given(how: str, key: str) -> None:
    """Tasks, "Task Execution Errors"."""
    async with demo() as client:
        task = await begun(client, "task_fails", {"how": how, "seconds": 0})
        assert key in await client.ask("tasks/result", named(task))
        assert (await client.result("tasks/get", named(task)))["status"] == "failed"


async def test_a_cancelled_task_stays_so_and_cannot_be_cancelled_again() -> None:
    """Tasks, "Task Cancellation"."""
    async with demo() as client:
        task = await begun(client, "task_steps", {"seconds": 60})
        blocked = client.send("tasks/result", named(task))
        assert (await client.result("tasks/cancel", named(task)))["status"] == "cancelled"
        assert "error" in await seen(client, blocked)
        assert await client.error_code("tasks/cancel", named(task)) == -32602
        assert (await client.result("tasks/get", named(task)))["status"] == "cancelled"


async def test_a_task_asks_once_its_result_is_waited_for() -> None:
    """Tasks, "Input Required Status"."""
    async with demo(capabilities=EVERYTHING) as client:
        task = await begun(client, "task_asks")
        while (await client.result("tasks/get", named(task)))["status"] != "input_required":
            pass
        blocked = client.send("tasks/result", named(task))
        question = await client.until("method", "elicitation/create")
        params = question["params"]
        assert isinstance(params, dict)
        assert params["_meta"] == {"io.modelcontextprotocol/related-task": named(task)}
        answer: JsonObject = {"action": "accept", "content": {"name": "Ada"}}
        client.write_message({"id": question["id"], "result": answer})
        assert "Ada" in json.dumps(await client.until("id", blocked))


async def test_tasks_are_listed_in_pages_and_forgotten_in_time() -> None:
    """Tasks, "Listing Tasks", "TTL"."""
    async with demo("--page-size", "2") as client:
        ids = [(await begun(client, "task_quick"))["taskId"] for _ in range(3)]
        short: JsonObject = {"name": "task_quick", "task": {"ttl": 0}}
        task = (await client.result("tools/call", short))["task"]
        assert isinstance(task, dict)

        assert [each["taskId"] for each in await client.listed("tasks/list", "tasks")] == ids
        assert await client.error_code("tasks/get", named(task)) == -32602
        assert await client.error_code("tasks/list", {"cursor": "x"}) == -32602


@pytest.mark.parametrize("how", FAULTS)
async def test_each_fault_of_tasks_breaks_its_rule(how: str) -> None:
    """Ours."""
    async with demo() as client:
        call: JsonObject = {"name": "fault_task", "arguments": {"how": how}, "task": {}}
        created = await client.result("tools/call", call)
        assert ("task" in created) is (how != "plain_result")


@pytest.mark.parametrize("revision", STATEFUL[:-1], ids=str)
async def test_earlier_revisions_have_no_tasks(revision: Revision) -> None:
    """Ours."""
    async with demo(revision=revision) as client:
        assert await client.error_code("tasks/list") == -32601
        result = await client.result("tools/call", {"name": "echo", "arguments": {"message": "x"}})
        assert first_text(result) == "x"


def test_the_end_of_a_second_is_not_told_as_its_beginning() -> None:
    """Ours: the times of a task never go back."""
    assert moment(1.9996) == "1970-01-01T00:00:01.999Z"
    assert moment(1.9996) < moment(2.0)
