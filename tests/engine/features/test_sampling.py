"""Requests for a model's answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import InspectorError
from inspector.features.sampling import TEST_ANSWER, Rule, SavedAnswer, SavedAnswers, make_result
from inspector.session.inbox_requests import LARGE_BYTES
from inspector.spec.revision import V2025_06_18, V2025_11_25
from inspector.spec.views.sampling import SamplingView, result_problems
from inspector.wire.message import MessageKind
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.asked import Asker, asker
from tests.support.findings import rules_of, validate_all
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

METHOD = "sampling/createMessage"
USER: JsonObject = {"role": "user", "content": {"type": "text", "text": "q"}}
PARAMS: JsonObject = {"messages": [USER], "maxTokens": 10}

CALL: JsonObject = {"type": "tool_use", "id": "1", "name": "t", "input": {}}
RESULT: JsonObject = {"type": "tool_result", "toolUseId": "1", "content": []}
WORDS: JsonObject = {"type": "text", "text": "x"}
UNBALANCED: list[Json] = [
    [{"role": "assistant", "content": [CALL]}],
    [{"role": "user", "content": [RESULT, WORDS]}],
]
"""Messages with a call that has no result, and with a result beside something else."""


def rules(asking: Asker) -> set[str]:
    """Rules of all findings beside the latest request of the server."""
    validate_all(asking.opened.sweep)
    return set(rules_of(asking.opened.session.transcript))


async def test_an_answer_leaves_exactly_as_it_was_written() -> None:
    """C-SMP-03, C-SMP-06: nothing but the user answers, number for number."""
    async with asker() as asking:
        asking.ask(5, METHOD, PARAMS)
        ask = await asking.waits()

        assert ask.server == "asking"
        assert ask.title == "q"
        assert isinstance(ask.view, SamplingView)
        assert asking.answers(5) == []
        text = '{ "role": "assistant", "n": 1.50,\n "content": [], "model": "x" }'
        assert asking.opened.sampling.answer(ask, text)
        await asking.answer_to(5)
        wanted = b'"result":{"role":"assistant","n":1.50,"content":[],"model":"x"}'
        assert wanted in asking.server.raws[-1]


async def test_what_is_not_json_is_not_sent() -> None:
    """Ours: it would break the message it stands in."""
    async with asker() as asking:
        asking.ask(5, METHOD, PARAMS)
        ask = await asking.waits()
        with pytest.raises(ValueError, match="not JSON"):
            asking.opened.sampling.answer(ask, "{")

        assert asking.inbox.pending == (ask,)


async def test_a_rejection_has_the_code_of_the_specification() -> None:
    """C-SMP-11; sampling-03."""
    async with asker() as asking:
        asking.ask(5, METHOD, PARAMS)
        asking.opened.sampling.reject(await asking.waits())

        assert (await asking.answer_to(5))["error"] == {
            "code": -1,
            "message": "User rejected sampling request",
        }


async def test_what_was_not_declared_is_refused_and_noted() -> None:
    """C-LC-14; sampling-04."""
    async with asker(declares={}) as asking:
        asking.ask(5, METHOD, PARAMS)
        error = (await asking.answer_to(5))["error"]

        assert isinstance(error, dict)
        assert error["code"] == -32601
        assert "L-JR-32" in rules(asking)
        assert asking.inbox.items == ()


async def test_a_small_request_waits_behind_a_large_one_that_came_before_it() -> None:
    """Ours: a thread reads what is large, and the order stays that of the server."""
    long: JsonObject = {"role": "user", "content": {"type": "text", "text": "q" * LARGE_BYTES}}
    form: JsonObject = {"message": "small", "requestedSchema": {"type": "object"}}
    async with asker(declares={"sampling": {}, "elicitation": {}}) as asking:
        asking.ask(5, METHOD, {**PARAMS, "messages": [long]})
        asking.ask(6, "elicitation/create", form)
        asking.ask(7, METHOD, PARAMS)
        await asking.waits(3)

        assert [ask.title[:5] for ask in asking.inbox.pending] == ["qqqqq", "small", "q"]


async def test_tools_without_their_capability_are_refused() -> None:
    """C-SMP-14."""
    async with asker(declares={"sampling": {}}) as asking:
        asking.ask(5, METHOD, {**PARAMS, "tools": [tool("t")]})
        error = (await asking.answer_to(5))["error"]

        assert isinstance(error, dict)
        assert error["code"] == -32602
        assert "L-SMP-02" in rules(asking)


@pytest.mark.parametrize("messages", UNBALANCED)
async def test_tool_calls_and_results_that_do_not_fit_are_refused(messages: Json) -> None:
    """C-SMP-12."""
    async with asker() as asking:
        asking.ask(5, METHOD, {"messages": messages, "maxTokens": 1})
        error = (await asking.answer_to(5))["error"]

        assert isinstance(error, dict)
        assert error["code"] == -32602


async def test_the_calls_that_were_under_way_are_named_as_possible_causes() -> None:
    """C-SMP-04: who asks, and which call may have caused it."""
    server = AnsweringServer({"tools/call": silence}, capabilities={})
    async with asker(server=server) as asking:
        view = tool("get_sum")
        asking.opened.session.tasks.spawn(_call(asking, "get_sum"), name="call")
        await wait_until(lambda: "tools/call" in server.methods())
        asking.ask(5, METHOD, PARAMS)
        ask = await asking.waits()

        assert view["name"] == "get_sum"
        assert [cause.text for cause in ask.causes] == ["tools/call get_sum"]


async def test_a_call_does_not_time_out_while_the_server_waits_for_the_user() -> None:
    """Ours: the silence is not the server's."""
    server = AnsweringServer({"tools/call": silence}, capabilities={})
    async with asker(server=server, timeout=0.2) as asking:
        call = asking.opened.session.tasks.spawn(_call(asking, "slow"), name="call")
        await wait_until(lambda: "tools/call" in server.methods())
        asking.ask(5, METHOD, PARAMS)
        ask = await asking.waits()
        began = ask.received_at
        clock = asking.opened.session.steps.clock
        await wait_until(lambda: clock.monotonic() - began > 0.5)

        assert not call.done()
        asking.opened.sampling.reject(ask)
        await asking.answer_to(5)
        await wait_until(call.done)


async def test_the_server_may_withdraw_its_request() -> None:
    """C-CAN-02: nothing is sent, and the user is told why."""
    async with asker() as asking:
        asking.ask("5", METHOD, PARAMS)
        ask = await asking.waits()
        asking.server.notify("notifications/cancelled", {"requestId": 5})
        asking.server.notify("notifications/cancelled", {"requestId": "5", "reason": "too slow"})
        await wait_until(lambda: not asking.inbox.pending)

        assert asking.inbox.note(ask) == "withdrawn by the server: too slow"
        assert not asking.opened.sampling.answer(ask, "{}")
        assert asking.answers("5") == []


@pytest.mark.parametrize("id_", [True, "1", [1], {"1": 1}, None])
async def test_a_cancellation_of_something_that_only_resembles_the_id_withdraws_nothing(
    id_: Json,
) -> None:
    """C-CAN-07: `true` is not `1`, although Python says so."""
    async with asker() as asking:
        asking.ask(1, METHOD, PARAMS)
        ask = await asking.waits()
        asking.server.notify("notifications/cancelled", {"requestId": id_})
        await asking.opened.session.request("ping")

        assert asking.inbox.pending == (ask,)


async def test_a_server_that_goes_leaves_its_requests_listed_and_unanswered() -> None:
    """elicit-04; ours."""
    async with asker() as asking:
        asking.ask(5, METHOD, PARAMS)
        ask = await asking.waits()
        asking.server.end()

        assert asking.inbox.note(ask) == "connection closed"
        assert asking.inbox.items == (ask,)
    assert asking.answers(5) == []


async def test_two_hundred_requests_wait_side_by_side() -> None:
    """Ours: nothing blocks."""
    async with asker() as asking:
        for number in range(200):
            asking.ask(number, METHOD, PARAMS)
        await asking.waits(200)
        for ask in reversed(asking.inbox.pending):
            asking.opened.sampling.answer(ask, f'{{"frame":{ask.frame}}}')
        await wait_until(lambda: len(asking.server.received) == 202)

        assert all(len(asking.answers(number)) == 1 for number in range(200))


async def test_a_rule_answers_a_number_of_times_and_says_so_in_the_record() -> None:
    """C-SMP-03, C-SMP-17: always ask is the default; what a rule did is marked."""
    async with asker() as asking:
        assert asking.opened.sampling.rule is None
        asking.opened.sampling.answer_by_rule(Rule(SavedAnswer("yes", '{"n":1.0}'), max_uses=2))
        for number in range(3):
            asking.ask(number, METHOD, PARAMS)
        await asking.waits()

        assert [asking.answers(number) != [] for number in range(3)] == [True, True, False]
        assert b'"result":{"n":1.0}' in b"".join(asking.server.raws)
        transcript = asking.opened.session.transcript
        notes = [
            transcript.raw(number)
            for number in range(1, transcript.count + 1)
            if transcript.row(number).kind is MessageKind.NOTE
        ]
        assert len([note for note in notes if b"answered-by-rule" in note]) == 2


def test_saved_answers_begin_with_a_test_answer_and_are_kept() -> None:
    """Ours."""
    kept: list[Json] = []
    answers = SavedAnswers(save=kept.append)
    assert answers.items == (TEST_ANSWER,)
    answers.keep(SavedAnswer("a", "{}"))
    answers.keep(SavedAnswer("a", "[]"))

    assert [item.text for item in SavedAnswers(kept[-1]).items] == [TEST_ANSWER.text, "[]"]
    answers.remove("a")
    assert kept[-1] == []
    assert SavedAnswers([1, {"name": 2}, "x"]).items == (TEST_ANSWER,)


def test_content_is_a_list_only_where_that_is_known() -> None:
    """C-SMP-19: our own answers hold one block."""
    assert make_result({"type": "text", "text": "42"}) == {
        "role": "assistant",
        "content": {"type": "text", "text": "42"},
        "model": "human",
        "stopReason": "endTurn",
    }
    listed: JsonObject = {"role": "assistant", "content": [], "model": "x"}
    assert "2025-06-18" in result_problems(listed, V2025_06_18)[0]
    assert result_problems(listed, V2025_11_25) == []


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {},
        {"messages": 3},
        {"messages": [1, {}, {"role": 5, "content": "x"}], "maxTokens": "x"},
    ],
)
async def test_a_malformed_request_is_shown_all_the_same(raw: Json) -> None:
    """C-SMP-07: validation yields findings, the user decides."""
    async with asker() as asking:
        asking.ask(5, METHOD, raw)
        ask = await asking.waits()

        assert isinstance(ask.view, SamplingView)
        assert ask.view.notes


async def _call(asking: Asker, name: str) -> None:
    try:
        await asking.opened.session.request("tools/call", {"name": name, "arguments": {}})
    except InspectorError:
        return
