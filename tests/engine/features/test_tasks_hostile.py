"""Servers whose tasks are not as they should be: what is shown, what is found, and that nothing hangs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from inspector.errors import PeerError
from inspector.features.tools import AsTask
from inspector.session.operation import OperationState
from inspector.session.task_record import MAX_POLL_SECONDS, MIN_POLL_SECONDS, TaskRecord
from inspector.spec.views.task import TaskView
from tests.support.answering import Answer, AnsweringServer, silence, tool
from tests.support.findings import rules_of, validate_all
from tests.support.opened import opened, over
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject

NOW = "2030-01-01T00:00:00Z"
CAPABILITIES: JsonObject = {
    "tools": {},
    "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}},
}
DONE: JsonObject = {
    "content": [{"type": "text", "text": "done"}],
    "_meta": {"io.modelcontextprotocol/related-task": {"taskId": "t"}},
}


def task(status: str = "working", **more: Json) -> JsonObject:
    """A task that is asked for often."""
    base: JsonObject = {"taskId": "t", "status": status, "createdAt": NOW, "lastUpdatedAt": NOW}
    return {**base, "ttl": None, "pollInterval": 100, **more}


def serving(answers: dict[str, Answer]) -> AnsweringServer:
    """A server with one tool."""
    base: dict[str, Answer] = {
        "tools/list": lambda _: {"tools": [tool("t")]},
        "tools/call": lambda _: {"task": task()},
        "tasks/get": lambda _: task("completed"),
        "tasks/result": lambda _: DONE,
    }
    return AnsweringServer({**base, **answers}, capabilities=CAPABILITIES)


def begin(session: OpenSession, *, as_task: bool = True) -> ToolCall:
    """Call the tool."""
    return session.tools.call(session.tools.items[0], "{}", as_task=AsTask() if as_task else None)


async def followed(made: ToolCall) -> TaskRecord:
    """The task of a call, once it has one."""
    await wait_until(lambda: made.task is not None)
    assert made.task is not None
    return made.task


def rules(session: OpenSession) -> set[str]:
    validate_all(session.sweep)
    return set(rules_of(session.session.transcript))


@pytest.mark.parametrize(
    ("declared", "can_call"),
    [
        (CAPABILITIES["tasks"], True),
        ({"list": {}}, False),
        ({"requests": {}}, False),
        (None, False),
    ],
)
async def test_calls_can_be_tasks_where_that_is_declared(declared: Json, can_call: bool) -> None:
    """C-TK4-01."""
    capabilities: JsonObject = {"tools": {}, **({"tasks": declared} if declared else {})}
    async with opened(AnsweringServer(capabilities=capabilities)) as session:
        assert session.tasks.asked_for
        assert session.tasks.can_call is can_call


async def test_no_wish_is_an_empty_object() -> None:
    """C-TK4-04: how long it is kept is left to the server."""
    server = serving({})
    async with opened(server) as session:
        assert (await over(begin(session))).state is OperationState.DONE
        call = next(m for m in server.received if m.get("method") == "tools/call")
        assert cast("JsonObject", call["params"])["task"] == {}


async def test_a_plain_result_is_shown_and_told() -> None:
    """Ours: what came is the answer, whatever was asked for."""
    async with opened(serving({"tools/call": lambda _: DONE})) as session:
        made = await over(begin(session))
        assert made.state is OperationState.DONE
        assert made.task is None
        assert "L-TK4-05" in rules(session)


async def test_a_task_that_nobody_asked_for_is_followed_and_told() -> None:
    """Ours."""
    async with opened(serving({})) as session:
        made = await over(begin(session, as_task=False))
        assert made.state is OperationState.DONE
        assert made.task is not None
        assert "L-TK4-05" in rules(session)


@pytest.mark.parametrize(
    "created", [{}, 5, [], {"taskId": None}, {"taskId": 5, "status": 1}, {"taskId": ""}]
)
async def test_a_task_without_a_name_ends_its_call_in_words(created: Json) -> None:
    """Ours."""
    async with opened(serving({"tools/call": lambda _: {"task": created}})) as session:
        made = await over(begin(session))
        assert made.state is OperationState.ERROR
        assert made.error is not None
        assert "no id" in made.error.reason


@pytest.mark.parametrize("answer", [5, [], {}, {"taskId": "t"}, {"taskId": "other"}])
async def test_an_answer_that_tells_nothing_keeps_asking_until_the_person_gives_up(
    answer: Json,
) -> None:
    """C-TK4-08; ours: what a result was is told, and cancelling twice ends it."""
    async with opened(serving({"tasks/get": lambda _: answer})) as session:
        made = begin(session)
        record = await followed(made)
        await wait_until(lambda: session.session.transcript.count > 12)
        made.cancel()
        await wait_until(lambda: record.polling_error is not None)
        made.cancel()
        assert (await over(made)).state is OperationState.CANCELLED


async def test_a_server_that_refuses_to_tell_is_asked_a_few_times() -> None:
    """Ours."""
    server = serving({})
    del server.answers["tasks/get"]
    async with opened(server) as session:
        made = await over(begin(session))
        assert made.state is OperationState.ERROR
        assert server.methods().count("tasks/get") == 3


async def test_a_result_that_never_comes_waits_and_can_be_given_up() -> None:
    """C-TK4-06: it blocks by design, no limit of ours ends it."""
    answers: dict[str, Answer] = {
        "tasks/result": silence,
        "tasks/get": lambda _: task("input_required"),
        "tasks/cancel": lambda _: task("cancelled"),
    }
    server = serving(answers)
    async with opened(server, timeout=0.2) as session:
        made = begin(session)
        record = await followed(made)
        await wait_until(lambda: server.methods().count("tasks/get") >= 4)
        assert record.is_fetching
        assert server.methods().count("tasks/result") == 1
        made.cancel()
        assert (await over(made)).state is OperationState.CANCELLED


async def test_a_result_that_is_refused_too_early_is_asked_for_again_at_the_end() -> None:
    """Ours: some servers do not wait."""
    states = iter([task("input_required"), task("working"), task("completed")])
    results = iter([PeerError(-32602, "not yet"), DONE])

    def result(_params: JsonObject) -> Json:
        found = next(results)
        if isinstance(found, PeerError):
            raise found
        return found

    answers: dict[str, Answer] = {"tasks/get": lambda _: next(states), "tasks/result": result}
    async with opened(serving(answers)) as session:
        assert (await over(begin(session))).state is OperationState.DONE


async def test_news_that_come_before_the_task_belong_to_it() -> None:
    """C-TK4-08."""
    server = serving({"tools/call": silence})
    async with opened(server) as session:
        made = begin(session)
        await wait_until(lambda: "tools/call" in server.methods())
        server.notify("notifications/tasks/status", task("working", statusMessage="early"))
        server.reply(server.received[-1], {"task": task()})
        record = await followed(made)
        await over(made)
        assert "early" in [each.status_text for each in record.updates]


async def test_a_final_task_does_not_change_when_older_news_cross() -> None:
    """Ours: no server is blamed for messages that cross."""
    server = serving({})
    async with opened(server) as session:
        record = await followed(await over(begin(session)))
        before = session.session.transcript.count
        old = task("working", lastUpdatedAt="2029-01-01T00:00:00Z")
        server.notify("notifications/tasks/status", old)
        await wait_until(lambda: session.session.transcript.count > before)
        assert record.status == "completed"
        assert "L-TK4-03" not in rules(session)


async def test_two_tasks_of_one_name_are_two() -> None:
    """Ours."""
    async with opened(serving({})) as session:
        await over(begin(session))
        await over(begin(session))
        assert len(session.tasks.records) == 2
        assert "L-TK4-04" in rules(session)


@pytest.mark.parametrize(("asked", "done"), [(0, MIN_POLL_SECONDS), (-5, MIN_POLL_SECONDS)])
async def test_a_task_that_wants_to_be_asked_all_the_time_is_not(asked: Json, done: float) -> None:
    """Ours."""
    async with opened(
        serving({"tools/call": lambda _: {"task": task(pollInterval=asked)}})
    ) as session:
        record = await followed(begin(session))
        assert record.poll_seconds == done


def test_times_beyond_all_reason_are_bounded() -> None:
    """Ours."""
    view = TaskView(task(pollInterval=10**30, createdAt="9999-99-99", lastUpdatedAt=5))
    record = TaskRecord(view, origin="", origin_frame=0, hosted=False)
    record.view.poll_ms = 10**30
    assert record.poll_seconds == MAX_POLL_SECONDS


async def test_the_end_of_the_connection_ends_what_is_followed() -> None:
    """Ours."""
    server = serving({"tasks/get": lambda _: task()})
    async with opened(server) as session:
        made = begin(session)
        record = await followed(made)
        server.end()
        assert (await over(made)).state is OperationState.NO_RESPONSE
        assert not record.is_watched


async def test_a_list_of_anything_is_a_list() -> None:
    """Ours."""
    listed: Json = {"tasks": [5, {}, task("completed"), {"taskId": "u", "status": "odd"}]}
    async with opened(serving({"tasks/list": lambda _: listed})) as session:
        await session.tasks.refresh()
        assert [record.id for record in session.tasks.records] == ["t", "u"]
        assert session.tasks.listing.findings
