"""Requests of the server that run as tasks on our side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.inbox import InboxItemStatus
from inspector.spec.revision import V2025_06_18
from inspector.spec.views.task import TaskView
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.asked import Asker, asker
from tests.support.findings import rules_of, validate_all
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

FORM: JsonObject = {"message": "m", "requestedSchema": {"type": "object", "properties": {}}}
PROMPT: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "q"}}],
    "maxTokens": 10,
}
KEY = "io.modelcontextprotocol/related-task"


def member(value: Json, *keys: str) -> Json:
    """What stands at a place of an answer."""
    for key in keys:
        assert isinstance(value, dict), value
        value = value[key]
    return value


def rules(asking: Asker) -> set[str]:
    validate_all(asking.opened.sweep)
    return set(rules_of(asking.opened.session.transcript))


async def begun(
    asking: Asker, method: str = "elicitation/create", ttl: Json = 60_000, id_: int = 1
) -> JsonObject:
    """Ask for a task; how it is told."""
    params = FORM if method == "elicitation/create" else PROMPT
    asking.ask(id_, method, {**params, "task": {"ttl": ttl}})
    task = member(await asking.answer_to(id_), "result", "task")
    assert isinstance(task, dict)
    return task


async def said(asking: Asker, id_: int, method: str, task: JsonObject) -> JsonObject:
    """What we answer about a task."""
    asking.ask(id_, method, {"taskId": task["taskId"]})
    return await asking.answer_to(id_)


async def test_a_task_is_told_at_once_while_the_person_is_asked() -> None:
    """C-TK4-15, C-TK4-16, C-TK4-19."""
    async with asker() as asking:
        task = await begun(asking)
        other = await begun(asking, "sampling/createMessage", id_=2)

        view = TaskView(task, revision=asking.opened.session.revision)
        assert view.notes == []
        assert (view.status, view.ttl_ms) == ("working", 60_000)
        assert len(view.id) >= 22
        assert view.id != other["taskId"]
        assert len(asking.inbox.pending) == 2
        assert len(asking.opened.hosted.records) == 2


async def test_the_result_is_waited_for_and_leaves_as_it_was_written() -> None:
    """C-TK4-17: with the name of the task in front, for the user's text stays as it is."""
    async with asker() as asking:
        task = await begun(asking, "sampling/createMessage")
        asking.ask(2, "tasks/result", {"taskId": task["taskId"]})
        assert member(await said(asking, 3, "tasks/get", task), "result", "status") == "working"
        assert asking.answers(2) == []
        text = '{"role": "assistant", "n": 1.50, "content": [], "model": "x"}'
        assert asking.opened.sampling.answer(asking.inbox.pending[0], text)
        answer = await asking.answer_to(2)

        assert member(answer, "result", "_meta") == {KEY: {"taskId": task["taskId"]}}
        assert any(b'"n":1.50,"content":[],"model":"x"}' in raw for raw in asking.server.raws)
        done = await said(asking, 4, "tasks/get", task)
        assert member(done, "result", "status") == "completed"
        news = [
            m for m in asking.server.received if m.get("method") == "notifications/tasks/status"
        ]
        assert [member(each, "params", "status") for each in news] == ["completed"]


async def test_a_refusal_is_the_outcome_of_a_failed_task() -> None:
    """C-TK4-17, C-SMP-11."""
    async with asker() as asking:
        task = await begun(asking, "sampling/createMessage")
        asking.opened.sampling.reject(asking.inbox.pending[0])
        answer = await said(asking, 2, "tasks/result", task)

        assert member(answer, "error", "code") == -1
        assert member(await said(asking, 3, "tasks/get", task), "result", "status") == "failed"


async def test_what_is_refused_at_once_becomes_no_task() -> None:
    """Ours."""
    declares: JsonObject = {
        "elicitation": {"form": {}},
        "tasks": {"requests": {"elicitation": {"create": {}}}},
    }
    async with asker(declares=declares) as asking:
        page: JsonObject = {"mode": "url", "message": "m", "url": "https://x.example", "task": {}}
        asking.ask(1, "elicitation/create", page)
        assert member(await asking.answer_to(1), "error", "code") == -32602
        assert asking.opened.hosted.records == []


async def test_a_task_is_cancelled_before_the_server_hears_so_and_stays_it() -> None:
    """C-TK4-18, C-TK4-20."""
    async with asker() as asking:
        task = await begun(asking)
        asking.ask(2, "tasks/result", {"taskId": task["taskId"]})
        answer = await said(asking, 3, "tasks/cancel", task)

        assert member(answer, "result", "status") == "cancelled"
        assert "error" in await asking.answer_to(2)
        ask = asking.inbox.items[0]
        assert asking.inbox.status(ask) is InboxItemStatus.WITHDRAWN
        assert asking.inbox.note(ask) == "the server cancelled the task"
        again = await said(asking, 4, "tasks/cancel", task)
        assert member(again, "error", "code") == -32602
        later = await said(asking, 5, "tasks/get", task)
        assert member(later, "result", "status") == "cancelled"


@pytest.mark.parametrize("params", [{}, {"taskId": 5}, {"taskId": "x"}, []])
@pytest.mark.parametrize("method", ["tasks/get", "tasks/result", "tasks/cancel"])
async def test_nothing_is_known_of_a_task_that_is_not_ours(method: str, params: Json) -> None:
    """C-TK4-18."""
    async with asker() as asking:
        asking.ask(1, method, params)
        assert member(await asking.answer_to(1), "error", "code") == -32602


async def test_a_task_is_forgotten_when_its_time_is_over() -> None:
    """C-TK4-16: whatever its status."""
    async with asker() as asking:
        task = await begun(asking, ttl=50)
        await wait_until(lambda: not asking.inbox.pending)
        await wait_until(lambda: asking.opened.hosted.records[0].is_final)

        answer = await said(asking, 2, "tasks/get", task)
        assert member(answer, "error", "code") == -32602
        assert member(answer, "error", "message") == "Failed to retrieve task: Task has expired"


async def test_tasks_are_listed_in_pages() -> None:
    """C-TK4-18."""
    async with asker() as asking:
        for number in range(60):
            await begun(asking, id_=number)
        asking.ask(100, "tasks/list", {})
        first = await asking.answer_to(100)
        cursor = member(first, "result", "nextCursor")
        asking.ask(101, "tasks/list", {"cursor": cursor})
        second = await asking.answer_to(101)
        asking.ask(102, "tasks/list", {"cursor": "x"})

        listed = [member(page, "result", "tasks") for page in (first, second)]
        assert [len(each) for each in listed if isinstance(each, list)] == [50, 10]
        assert "nextCursor" not in str(second)
        assert member(await asking.answer_to(102), "error", "code") == -32602


async def test_what_was_not_declared_is_ignored_and_answered_as_any_request() -> None:
    """C-TK4-14."""
    async with asker(declares={"elicitation": {}}) as asking:
        asking.ask(1, "elicitation/create", {**FORM, "task": {}})
        ask = await asking.waits()
        asking.opened.elicitation.decline(ask)

        assert member(await asking.answer_to(1), "result") == {"action": "decline"}
        assert "L-JR-32" in rules(asking)
        asking.ask(2, "tasks/list", {})
        assert member(await asking.answer_to(2), "error", "code") == -32601


async def test_earlier_revisions_know_nothing_of_tasks() -> None:
    """C-TK4-14."""
    async with asker(revision=V2025_06_18) as asking:
        asking.ask(1, "elicitation/create", {**FORM, "task": {}})
        asking.opened.elicitation.cancel(await asking.waits())
        assert member(await asking.answer_to(1), "result") == {"action": "cancel"}


@pytest.mark.parametrize("wish", [5, None, []])
async def test_a_wish_that_is_none_is_told_and_answered_as_any_request(wish: Json) -> None:
    """Ours."""
    async with asker() as asking:
        asking.ask(1, "elicitation/create", {**FORM, "task": wish})
        asking.opened.elicitation.decline(await asking.waits())
        assert member(await asking.answer_to(1), "result") == {"action": "decline"}
        assert "L-JR-32" in rules(asking)


@pytest.mark.parametrize("ttl", ["long", -1, True])
async def test_a_time_that_is_none_is_told_and_the_task_is_kept(ttl: Json) -> None:
    """C-TK4-16."""
    async with asker() as asking:
        task = await begun(asking, ttl=ttl)
        assert task["ttl"] is None
        assert "L-TK4-01" in rules(asking)


async def test_what_names_a_task_is_answered_with_its_name() -> None:
    """C-TK4-09."""
    async with asker() as asking:
        asking.ask(1, "elicitation/create", {**FORM, "_meta": {KEY: {"taskId": "t"}}})
        asking.opened.elicitation.decline(await asking.waits())
        answer = await asking.answer_to(1)
        assert member(answer, "result", "_meta") == {KEY: {"taskId": "t"}}
        assert "L-TK4-08" in rules(asking)


async def test_a_call_of_ours_does_not_time_out_while_a_task_waits_for_the_user() -> None:
    """Ours: the server is silent because it waits for us."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("t")]}})
    async with asker(server=server, timeout=0.3) as asking:
        server.answers["tools/call"] = silence
        made = asking.opened.tools.call(asking.opened.tools.items[0], "{}")
        await wait_until(lambda: made.request_frame)
        task = await begun(asking)
        until = asking.opened.session.steps.clock.monotonic() + 0.6
        await wait_until(lambda: asking.opened.session.steps.clock.monotonic() > until)
        assert not made.is_finished
        await said(asking, 2, "tasks/cancel", task)
        await wait_until(lambda: made.is_finished)


async def test_what_waits_ends_with_the_connection() -> None:
    """Ours: nothing is sent after the end, and nothing is left."""
    async with asker() as asking:
        await begun(asking)
        asking.server.end()
        await wait_until(lambda: not asking.inbox.pending)
        await wait_until(lambda: asking.opened.hosted.records[0].is_final)
        assert asking.opened.hosted.records[0].status == "cancelled"
