"""Tasks of the extension: made unasked, asked for until they tell their result, and called off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.features.client_capabilities import CapabilityFlags, ClientCapabilities, declared
from inspector.features.tools import AsTask
from inspector.session.operation import OperationState
from inspector.session.task_record import MIN_POLL_SECONDS
from inspector.spec.keys import TASKS_EXTENSION, is_meta_key
from inspector.spec.revision import NEWEST, V2025_11_25
from inspector.spec.views.call_result import CallToolResultView
from tests.support.answering import silence
from tests.support.http_stub import answer
from tests.support.modern import (
    EVERYTHING,
    asks,
    complete,
    form,
    meta_of,
    modern_http,
    params_of,
    said,
)
from tests.support.opened import over
from tests.support.task_server import (
    DONE,
    OFFERED,
    Telling,
    begin,
    done,
    followed,
    made,
    rules,
    task,
    tasking,
    told,
    unknown,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer
    from tests.support.http_stub import Asked, Reply


def test_the_extension_is_declared_where_there_are_extensions_once_it_is_switched_on() -> None:
    """C-TKX-01, C-EXT-03: off until it is chosen."""
    assert "extensions" not in declared(CapabilityFlags(), NEWEST)
    wanted = CapabilityFlags(tasks_extension=True)
    assert declared(wanted, NEWEST)["extensions"] == {TASKS_EXTENSION: {}}
    assert "extensions" not in declared(wanted, V2025_11_25)
    chosen = ClientCapabilities({"tasks_extension": True})
    assert chosen.switches.tasks_extension


def test_the_extensions_that_we_declare_have_a_prefix() -> None:
    """C-EXT-01: and follow the grammar of the keys of `_meta`."""
    said = declared(CapabilityFlags(tasks_extension=True), NEWEST)["extensions"]

    assert isinstance(said, dict)
    assert all("/" in name and is_meta_key(name) for name in said)


async def test_a_call_that_becomes_a_task_ends_with_the_result_that_the_task_tells() -> None:
    """C-TKX-01, C-TKX-04, C-TKX-15, C-TKX-18, C-JR-18."""
    get = Telling(told(statusMessage="half way"), done())
    async with tasking(get) as (server, opened):
        call = begin(opened)
        record = await followed(call)
        assert call.state is OperationState.RUNNING
        await over(call)

        assert call.state is OperationState.DONE
        assert call.result is not None
        assert call.result.raw == DONE
        assert b'"text":"done"' in call.response
        assert [each.status for each in record.updates] == ["working", "working", "completed"]
        assert server.methods() == [
            "server/discover",
            "tools/list",
            "tools/call",
            "subscriptions/listen",
            "tasks/get",
            "tasks/get",
        ]
        for message in server.of("tasks/get"):
            capabilities = meta_of(message)["io.modelcontextprotocol/clientCapabilities"]
            assert isinstance(capabilities, dict)
            assert capabilities["extensions"] == {TASKS_EXTENSION: {}}
            assert params_of(message) == {"taskId": "t"}
        assert params_of(server.of("tools/call")[0]) == {"name": "t", "arguments": {}}
        assert rules(opened) == set()


async def test_a_plain_result_is_as_good_as_a_task() -> None:
    """C-TKX-01."""
    async with tasking(call=lambda _: said()) as (_, opened):
        call = await over(begin(opened))
        assert (call.state, call.task) == (OperationState.DONE, None)
        assert rules(opened) == set()


async def test_a_tool_that_failed_and_a_call_that_failed_stay_apart() -> None:
    """C-TKX-01: `isError` is a completed task, an error a failed one."""
    wrong: JsonObject = {"content": [], "isError": True}
    async with tasking(lambda _: told("completed", result=wrong)) as (_, opened):
        assert (await over(begin(opened))).state is OperationState.TOOL_ERROR
        assert rules(opened) == set()
    error: JsonObject = {"code": -32603, "message": "on fire", "data": [1]}
    async with tasking(lambda _: told("failed", error=error, statusMessage="x")) as (_, opened):
        call = await over(begin(opened))
        assert call.state is OperationState.ERROR
        assert isinstance(call.error, PeerError)
        assert (call.error.code, call.error.message, call.error.data) == (-32603, "on fire", [1])
        assert rules(opened) == set()


async def test_how_often_is_asked_is_what_the_task_wants_or_the_user() -> None:
    """C-TKX-03: the interval may change, has bounds, and can be chosen."""
    get = Telling(told(pollIntervalMs=3_600_000_000), done())
    async with tasking(get) as (_, opened):
        call = begin(opened)
        record = await followed(call)
        assert record.poll_seconds == MIN_POLL_SECONDS
        await wait_until(lambda: record.poll_seconds == 3600)
        await wait_until(lambda: record.next_poll_at is not None)
        assert len(get.asked) == 1
        opened.tasks.poll_each(record, 0.0001)
        assert record.poll_seconds == MIN_POLL_SECONDS
        assert (await over(call)).state is OperationState.DONE


async def test_rounds_may_come_before_the_task() -> None:
    """C-TKX-01: what a call asks for at once is no matter of the task."""
    call_answers = Telling(asks("s", a=form()), made())
    async with tasking(call=call_answers) as (server, opened):
        call = begin(opened)
        await wait_until(lambda: opened.inbox.pending)
        opened.elicitation.decline(opened.inbox.pending[0])
        assert (await over(call)).state is OperationState.DONE
        assert len(server.of("tools/call")) == 2
        assert server.of("tasks/update") == []


async def test_a_task_that_was_not_declared_is_no_answer() -> None:
    """C-TKX-01, C-TKX-15, C-JR-18."""
    async with tasking(declares=EVERYTHING) as (server, opened):
        call = await over(begin(opened))
        assert call.state is OperationState.ERROR
        assert call.error is not None
        assert "none was requested" in call.error.reason
        assert "L-TKX-01" in rules(opened)
        assert server.of("tasks/get") == []
        assert not opened.tasks.is_declared


async def test_nothing_but_a_call_becomes_a_task() -> None:
    """C-TKX-02."""
    async with tasking() as (server, opened):
        server.answers["resources/read"] = lambda _: made()
        with pytest.raises(Exception, match="is a task"):
            await opened.session.request("resources/read", {"uri": "a:b"})
        await wait_until(lambda: "L-TKX-03" in rules(opened))


async def test_cancelling_is_acknowledged_and_the_task_ends_as_it_likes() -> None:
    """C-TKX-11, C-TKX-12, C-CAN-11: no notification; it may even be completed."""
    get = Telling(told(), told())
    async with tasking(get) as (server, opened):
        call = begin(opened)
        record = await followed(call)
        call.cancel()
        await wait_until(lambda: record.is_cancel_sent)
        assert not record.is_final
        get.go_on_with(told("cancelled"))
        assert (await over(call)).state is OperationState.CANCELLED
        assert params_of(server.of("tasks/cancel")[0]) == {"taskId": "t"}
        assert server.of("notifications/cancelled") == []
        assert rules(opened) == set()
    async with tasking(Telling(told(), done())) as (_, opened):
        call = begin(opened)
        await followed(call)
        call.cancel()
        assert (await over(call)).state is OperationState.DONE


async def test_a_task_that_is_forgotten_once_it_is_cancelled_is_cancelled() -> None:
    """C-TKX-12."""
    async with tasking(lambda _: told()) as (server, opened):
        call = begin(opened)
        record = await followed(call)
        await wait_until(lambda: record.asked_frame)
        server.answers["tasks/get"] = unknown
        await opened.tasks.cancel(record)
        assert (await over(call)).state is OperationState.CANCELLED
        assert record.is_deleted
        assert rules(opened) == set()


async def test_over_http_the_header_names_the_task() -> None:
    """C-TKX-13."""

    def rule(asked: Asked) -> Reply:
        results: dict[str, JsonObject] = {
            "server/discover": OFFERED,
            "tasks/get": told(),
            "tasks/update": complete(),
            "tasks/cancel": complete(),
        }
        return answer({"result": results[asked.rpc]})

    async with modern_http(otherwise=rule) as (stub, session):
        for method in ("tasks/get", "tasks/update", "tasks/cancel"):
            await session.request(method, {"taskId": "t é"})
        named = [asked.headers.get("mcp-name") for asked in stub.asked if "tasks/" in asked.rpc]
        assert named == ["=?base64?dCDDqQ==?="] * 3


async def test_a_list_is_not_asked_for_where_there_is_none() -> None:
    """C-TKX-18: reading again asks for each task that is not over."""
    async with tasking(lambda _: told(pollIntervalMs=3_600_000)) as (server, opened):
        assert not opened.tasks.has_list
        assert not opened.tasks.can_fetch
        assert not opened.tasks.can_call
        call = begin(opened)
        await followed(call)
        await opened.tasks.refresh()
        assert "tasks/list" not in server.methods()
        assert len(server.of("tasks/get")) >= 1


@pytest.mark.parametrize(
    ("get", "rule", "state"),
    [
        (Telling(told("completed")), "L-TKX-07", OperationState.ERROR),
        (Telling(told("failed")), "L-TKX-07", OperationState.ERROR),
        (Telling(told("failed", result=DONE)), "L-TKX-08", OperationState.DONE),
        (Telling(told("failed", error=5)), "L-TKX-04", OperationState.ERROR),
        (Telling({**done(), "resultType": "task"}), "L-TKX-06", OperationState.DONE),
        (unknown, "L-TKX-05", OperationState.ERROR),
        (Telling(told("done?"), done()), "L-TKX-04", OperationState.DONE),
        (
            Telling({}, 5, [], {"taskId": 5}, told(taskId="u"), done()),
            "L-TKX-04",
            OperationState.DONE,
        ),
    ],
)
async def test_what_is_wrong_with_a_task_is_found_and_nothing_hangs(
    get: Answer, rule: str, state: OperationState
) -> None:
    """Ours; C-TKX-14, C-EXT-04."""
    async with tasking(get) as (_, opened):
        call = await over(begin(opened))
        assert call.state is state
        await wait_until(lambda: rule in rules(opened))


@pytest.mark.parametrize(
    ("created", "rule"),
    [
        ({"resultType": "task", "task": task()}, "L-TKX-04"),
        ({**made(), "ttlMs": "long"}, "L-TKX-04"),
        (complete(**task()), "L-TKX-02"),
        ({"resultType": "task"}, "L-TKX-04"),
    ],
)
async def test_what_is_wrong_with_the_making_of_a_task_is_found(created: Json, rule: str) -> None:
    """C-TKX-01, C-EXT-04."""
    async with tasking(call=lambda _: created) as (_, opened):
        call = await over(begin(opened))
        await wait_until(lambda: rule in rules(opened))
        assert call.is_finished


async def test_acknowledgements_say_nothing_else() -> None:
    """C-TKX-11: it is told, and believed to be no more than an acknowledgement."""
    cancel: Answer = lambda _: {**told("cancelled"), "resultType": "task"}  # noqa: E731
    async with tasking(Telling(told(), told(), done()), cancel=cancel) as (_, opened):
        call = begin(opened)
        await opened.tasks.cancel(await followed(call))
        assert (await over(call)).state is OperationState.DONE
        await wait_until(lambda: {"L-TKX-06", "L-TKX-12"} <= rules(opened))


async def test_a_task_that_comes_back_is_found_out() -> None:
    """C-TKX-04."""
    get = Telling(done())
    async with tasking(get) as (_, opened):
        call = await over(begin(opened))
        get.go_on_with(told(lastUpdatedAt="2030-01-01T00:00:01Z"))
        assert call.task is not None
        await opened.tasks.ask(call.task)
        assert "L-TKX-14" in rules(opened)
        assert call.result is not None
        assert isinstance(call.result, CallToolResultView)
        assert call.result.raw == DONE


async def test_a_server_that_does_not_answer_any_more_is_left() -> None:
    """C-TKX-14: three questions without an answer are enough."""

    def refuses(_: JsonObject) -> Json:
        raise PeerError(-32021, "declare it", {"requiredCapabilities": {}})

    async with tasking(refuses) as (server, opened):
        call = await over(begin(opened))
        assert call.state is OperationState.ERROR
        assert len(server.of("tasks/get")) == 3


async def test_a_wish_for_a_task_is_not_made_where_the_server_decides() -> None:
    """C-TKX-18; ours: whoever makes it all the same sends it."""
    async with tasking(silence) as (server, opened):
        assert not opened.tasks.asked_for
        call = opened.tools.call(opened.tools.items[0], "{}", as_task=AsTask(5))
        await followed(call)
        assert params_of(server.of("tools/call")[0])["task"] == {"ttl": 5}
