"""What tasks of the extension ask for while they run, and what is announced of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.families import tasks_extension
from inspector.errors import PeerError
from inspector.inbox import InboxItemStatus
from inspector.session import task_inputs
from inspector.session.operation import OperationState
from inspector.session.task_record import InputState
from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.subscription_filter import ACKNOWLEDGED, LISTEN
from tests.support.answering import silence
from tests.support.modern import complete, form, params_of
from tests.support.opened import over
from tests.support.task_server import (
    DONE,
    Telling,
    begin,
    done,
    followed,
    rules,
    task,
    tasking,
    told,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.session.task_record import TaskRecord
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.modern import ModernServer

SAMPLE: JsonObject = {
    "method": "sampling/createMessage",
    "params": {"messages": [], "maxTokens": 5},
}
SLOWLY: JsonObject = {"pollIntervalMs": 3_600_000}
TAG = "io.modelcontextprotocol/subscriptionId"


def wanting(**requests: Json) -> JsonObject:
    """A task that asks for these."""
    return told("input_required", inputRequests=requests)


def states(record: TaskRecord) -> dict[str, InputState]:
    return {key: each.state for key, each in record.inputs.items()}


async def put(opened: OpenSession, count: int = 1) -> None:
    await wait_until(lambda: len(opened.inbox.pending) == count)


async def test_what_a_task_asks_for_is_answered_by_the_person_and_given_to_the_task() -> None:
    """C-TKX-06, C-TKX-07, C-TKX-08: nothing is answered by itself."""
    get = Telling(wanting(name=form("Who?")))
    async with tasking(get) as (server, opened):
        call = begin(opened)
        record = await followed(call)
        await put(opened)
        ask = opened.inbox.pending[0]
        assert ask.title == "Who?"
        assert [cause.text for cause in ask.causes] == ["tools/call t"]
        await wait_until(lambda: len(get.asked) >= 3)
        assert len(opened.inbox.items) == 1
        assert server.of("tasks/update") == []

        opened.elicitation.accept(ask, '{"n": "x", "big": 1.50}')
        await wait_until(lambda: states(record) == {"name": InputState.GIVEN})
        raw = next(raw for raw in server.raws if b"tasks/update" in raw)
        assert (
            b'"inputResponses":{"name":{"action":"accept","content":{"n":"x","big":1.50}}}' in raw
        )
        assert params_of(server.of("tasks/update")[0])["taskId"] == "t"
        get.go_on_with(done())
        assert (await over(call)).state is OperationState.DONE
        assert len(server.of("tasks/update")) == 1
        assert rules(opened) == set()


async def test_several_things_are_given_one_by_one() -> None:
    """C-TKX-07, C-TKX-09, C-TKX-10: each once, whatever still is asked for."""
    get = Telling(wanting(a=form("A"), b=form("B"), where={"method": "roots/list"}))
    async with tasking(get) as (server, opened):
        call = begin(opened)
        record = await followed(call)
        await put(opened, 2)
        await wait_until(lambda: states(record)["where"] is InputState.GIVEN)
        assert record.status == "input_required"
        first = opened.inbox.pending[0]
        opened.elicitation.decline(first)
        await wait_until(lambda: states(record)["a"] is InputState.GIVEN)
        count = len(get.asked)
        await wait_until(lambda: len(get.asked) > count + 1)
        assert len(server.of("tasks/update")) == 2
        get.go_on_with(told())
        await put(opened, 0)
        assert states(record)["b"] is InputState.WITHDRAWN
        get.go_on_with(done())
        await over(call)
        given = [params_of(each)["inputResponses"] for each in server.of("tasks/update")]
        assert given == [{"where": {"roots": []}}, {"a": {"action": "decline"}}]


async def test_news_may_be_quicker_than_the_acknowledgement() -> None:
    """C-TKX-07, C-TKX-11: what is not asked for any more may have been given just now."""
    get = Telling(wanting(a=form("A")))
    async with tasking(get, listen=silence) as (server, opened):

        def take(_: JsonObject) -> Json:
            get.go_on_with(told())
            server.notify("notifications/tasks", {**task(), "_meta": {TAG: 1}})
            return complete()

        server.answers["tasks/update"] = take
        record = await followed(begin(opened))
        await put(opened)
        opened.elicitation.decline(opened.inbox.pending[0])
        await wait_until(lambda: states(record) == {"a": InputState.GIVEN})
        assert server.of("notifications/cancelled") == []


async def test_what_is_no_longer_wanted_is_taken_back_from_the_user() -> None:
    """C-TKX-10: and the end of the task takes back everything."""
    get = Telling(wanting(a=form("A")))
    async with tasking(get) as (server, opened):
        call = begin(opened)
        await put(opened)
        ask = opened.inbox.pending[0]
        get.go_on_with(done())
        await over(call)
        assert opened.inbox.status(ask) is InboxItemStatus.WITHDRAWN
        assert not opened.elicitation.decline(ask)
        assert server.of("tasks/update") == []


async def test_a_refusal_is_told_and_the_task_is_left_waiting() -> None:
    """C-TKX-08: there is no way to say no to sampling but to cancel the task."""
    async with tasking(lambda _: wanting(s=SAMPLE)) as (server, opened):
        call = begin(opened)
        record = await followed(call)
        await put(opened)
        opened.sampling.decline(opened.inbox.pending[0])
        await wait_until(lambda: states(record) == {"s": InputState.REFUSED})
        assert record.inputs["s"].status_text
        assert not call.is_finished
        assert server.of("tasks/update") == []


@pytest.mark.parametrize(
    ("request_", "rule"),
    [
        (SAMPLE, "L-MRTR-04"),
        ({"method": "tools/call"}, ""),
        ({"method": 5}, ""),
        (5, "L-MRTR-05"),
        ({}, "L-MRTR-05"),
    ],
)
async def test_what_may_not_be_asked_for_is_not_put_to_the_user(request_: Json, rule: str) -> None:
    """C-TKX-08: the same rules as for requests of a server."""
    declares: JsonObject = {"elicitation": {}, "extensions": {TASKS_EXTENSION: {}}}
    once: JsonObject = {**wanting(x=request_), "pollIntervalMs": 3_600_000}
    async with tasking(lambda _: once, declares=declares) as (server, opened):
        record = await followed(begin(opened))
        await wait_until(lambda: states(record) == {"x": InputState.REFUSED})
        assert opened.inbox.items == ()
        assert record.inputs["x"].status_text
        await wait_until(lambda: not rule or rule in rules(opened))
        assert server.of("tasks/update") == []


async def test_an_answer_that_does_not_arrive_is_asked_for_again_a_few_times() -> None:
    """C-TKX-09; ours: what the server refused was not given."""

    def refuse(_: JsonObject) -> Json:
        raise PeerError(-32603, "busy")

    async with tasking(lambda _: wanting(where={"method": "roots/list"}), update=refuse) as (
        server,
        opened,
    ):
        record = await followed(begin(opened))
        await wait_until(lambda: len(server.of("tasks/update")) == task_inputs.MAX_TRIES)
        count = len(server.of("tasks/get"))
        await wait_until(lambda: len(server.of("tasks/get")) > count + 2)
        assert len(server.of("tasks/update")) == task_inputs.MAX_TRIES
        assert record.inputs["where"].status_text == "error -32603: busy"


async def test_a_key_that_is_used_twice_is_found_out_and_not_answered_twice() -> None:
    """C-TKX-09."""
    get = Telling(wanting(a=form("A")))
    async with tasking(get) as (server, opened):
        record = await followed(begin(opened))
        await put(opened)
        opened.elicitation.decline(opened.inbox.pending[0])
        await wait_until(lambda: states(record) == {"a": InputState.GIVEN})
        get.go_on_with(wanting(a=form("Another")))
        await wait_until(lambda: "L-TKX-09" in rules(opened))
        assert opened.inbox.pending == ()
        assert len(server.of("tasks/update")) == 1


async def test_what_was_given_and_is_asked_for_still_is_found_out_in_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-TKX-07: a server may take note late, but not for ever."""
    monkeypatch.setattr(tasks_extension, "GRACE_SECONDS", 0.0)
    async with tasking(lambda _: wanting(where={"method": "roots/list"})) as (_, opened):
        begin(opened)
        await wait_until(lambda: "L-TKX-21" in rules(opened))


async def test_a_task_may_not_ask_without_end() -> None:
    """Ours."""
    number = 0

    def more(_: JsonObject) -> Json:
        nonlocal number
        number += 1
        asked: JsonObject = {f"{number}-{n}": {"method": "tools/list"} for n in range(150)}
        return wanting(**asked)

    async with tasking(more) as (_, opened):
        record = await followed(begin(opened))
        await wait_until(lambda: number > 3)
        assert len(record.inputs) == task_inputs.MAX_INPUTS


def agree(server: ModernServer, at: int = -1) -> JsonObject:
    """Agree to what was asked for; gives the tag of the stream."""
    request = server.of(LISTEN)[at]
    meta: JsonObject = {TAG: request["id"]}
    params: JsonObject = {"notifications": params_of(request)["notifications"], "_meta": meta}
    server.notify(ACKNOWLEDGED, params)
    return meta


async def test_news_of_a_task_come_on_a_stream_and_spare_the_question() -> None:
    """C-TKX-17."""
    async with tasking(lambda _: told(pollIntervalMs=3_600_000), listen=silence) as (
        server,
        opened,
    ):
        server.answers["tools/call"] = lambda _: {
            **task(pollIntervalMs=3_600_000),
            "resultType": "task",
        }
        call = begin(opened)
        record = await followed(call)
        await wait_until(lambda: server.of(LISTEN))
        assert params_of(server.of(LISTEN)[0])["notifications"] == {"taskIds": ["t"]}
        meta = agree(server)
        news: JsonObject = task("working", statusMessage="half way")
        server.notify("notifications/tasks", {**news, "_meta": meta})
        await wait_until(lambda: record.view.status_message == "half way")
        server.notify("notifications/tasks", {**task("completed", result=DONE), "_meta": meta})
        assert (await over(call)).state is OperationState.DONE
        assert call.result is not None
        assert call.result.raw == DONE
        assert server.of("tasks/get") == []
        assert rules(opened) == set()
        await wait_until(lambda: all(each.is_ended for each in opened.session.listening.streams))


async def test_news_of_a_task_that_was_not_asked_for_are_found_out() -> None:
    """C-TKX-17, L-SUB-03: they are shown all the same."""
    async with tasking(lambda _: told(**SLOWLY), listen=silence) as (server, opened):
        await followed(begin(opened))
        await wait_until(lambda: server.of(LISTEN))
        meta = agree(server)
        server.notify("notifications/tasks", {**task(taskId="other"), "_meta": meta})
        transcript = opened.session.transcript
        await wait_until(
            lambda: any(
                found.rule == "L-SUB-03"
                for number in range(1, transcript.count + 1)
                for found in transcript.findings(number)
            )
        )


async def test_news_without_the_outcome_are_asked_about_once() -> None:
    """C-TKX-17."""
    async with tasking(Telling(told(pollIntervalMs=3_600_000), done()), listen=silence) as (
        server,
        opened,
    ):
        call = begin(opened)
        record = await followed(call)
        await wait_until(lambda: record.poll_seconds == 3600)
        meta = agree(server)
        server.notify("notifications/tasks", {**task("completed"), "_meta": meta})
        assert (await over(call)).state is OperationState.DONE
        assert len(server.of("tasks/get")) == 2
        await wait_until(lambda: "L-TKX-17" in rules(opened))


async def test_a_task_asks_in_news_as_well() -> None:
    """C-TKX-06."""
    async with tasking(lambda _: told(pollIntervalMs=3_600_000), listen=silence) as (
        server,
        opened,
    ):
        begin(opened)
        await wait_until(lambda: server.of(LISTEN))
        meta = agree(server)
        news = task("input_required", inputRequests={"a": form("A")})
        server.notify("notifications/tasks", {**news, "_meta": meta})
        await put(opened)
        opened.elicitation.decline(opened.inbox.pending[0])
        await wait_until(lambda: server.of("tasks/update"))


async def test_a_server_that_announces_nothing_is_not_asked_again() -> None:
    """C-TKX-17."""
    async with tasking(lambda _: done()) as (server, opened):
        for _ in range(2):
            assert (await over(begin(opened))).state is OperationState.DONE
        assert len(server.of(LISTEN)) == 1


async def test_several_tasks_share_a_stream() -> None:
    """C-TKX-17: the new one opens before the old one closes."""
    async with tasking(lambda params: told(taskId=params["taskId"]), listen=silence) as (
        server,
        opened,
    ):
        for name in ("a", "b"):
            server.answers["tools/call"] = lambda _, name=name: {
                **task(taskId=name),
                "resultType": "task",
            }
            await followed(begin(opened))
            count = len(server.of(LISTEN))
            await wait_until(lambda count=count: len(server.of(LISTEN)) >= max(count, 1))
            if name == "a":
                agree(server)
        await wait_until(lambda: len(server.of(LISTEN)) == 2)
        assert params_of(server.of(LISTEN)[1])["notifications"] == {"taskIds": ["a", "b"]}
        first, second = opened.session.listening.streams
        assert not first.is_ended
        agree(server)
        await wait_until(lambda: first.is_ended)
        assert not second.is_ended
