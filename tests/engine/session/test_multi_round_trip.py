"""Requests whose result asks for input: who is asked, what is sent again, and when it ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import InvalidResult, RequestAborted
from inspector.session import multi_round_trip
from inspector.session.operation import OperationState
from inspector.spec.views.tool import ToolView
from inspector.transcript.exchange import Status
from tests.support.answering import silence, tool
from tests.support.findings import validate_all
from tests.support.modern import asks, complete, form, modern, params_of, said
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.features.tools import ToolCall
    from inspector.inbox import InboxItem
    from inspector.open_session import OpenSession
    from inspector.transcript.exchange import Exchange
    from inspector.wire.json_codec import Json, JsonObject

STATE = 'eyJhIjoxfQ== é {"x":1.0} \\u0041'


def in_turn(*results: Json) -> Callable[[JsonObject], Json]:
    """One result after the other; the last one for ever."""
    left = list(results)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def calling(*results: Json) -> dict[str, Callable[[JsonObject], Json]]:
    return {"tools/call": in_turn(*results)}


def call(opened: OpenSession, arguments: str = '{"a":1.0}') -> ToolCall:
    return opened.tools.call(ToolView(tool("t")), arguments)


async def waiting(opened: OpenSession, count: int = 1) -> tuple[InboxItem, ...]:
    await wait_until(lambda: len(opened.inbox.pending) == count)
    return opened.inbox.pending


def exchange_of(opened: OpenSession, made: ToolCall) -> Exchange:
    found = opened.session.transcript.exchange(made.request_frame)
    assert found is not None
    return found


def rules(opened: OpenSession, number: int) -> list[str]:
    validate_all(opened.sweep)
    return [found.rule for found in opened.session.transcript.findings(number)]


async def test_a_result_that_asks_is_answered_and_the_request_sent_again() -> None:
    """C-MRTR-01, C-MRTR-05, C-MRTR-06, C-MRTR-08, C-TOOL-16: a new id, the same arguments, the answer under the same key."""
    async with modern(calling(asks(**{"k 1": form("Who?")}), said("hello"))) as (server, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        assert ask.title == "Who?"
        assert [cause.text for cause in ask.causes] == ["tools/call t"]
        assert opened.elicitation.accept(ask, '{"n": 1.50}')
        await made.wait()

        assert made.state is OperationState.DONE
        assert b"hello" in made.response
        first, second = server.of("tools/call")
        assert first["id"] != second["id"]
        answers = {"k 1": {"action": "accept", "content": {"n": 1.5}}}
        assert params_of(second) == {**params_of(first), "inputResponses": answers}
        assert b'"content":{"n":1.50}' in server.raws[-1]
        assert b'"arguments":{"a":1.0}' in server.raws[-1]
        assert "requestState" not in params_of(second)


async def test_the_state_of_the_server_is_given_back_to_the_byte() -> None:
    """C-MRTR-03, C-MRTR-04, modern-07-mrtr-state-exact."""
    raw = b'"requestState":"\\u0061 \\/ \\ud83d\\ude00 eyJ="'

    def answer(params: JsonObject) -> Json:
        if "requestState" in params:
            return said()
        return asks(STATE, k=form())

    async with modern({"tools/call": answer}) as (server, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        opened.elicitation.decline(ask)
        await made.wait()
        assert params_of(server.of("tools/call")[1])["requestState"] == STATE

        server.answers["tools/call"] = silence
        made = call(opened)
        await wait_until(lambda: len(server.of("tools/call")) == 3)
        id_ = b"%d" % server.received[-1]["id"]
        result = b'{"resultType":"input_required",%b}' % raw
        server.send(b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (id_, result))
        await wait_until(lambda: len(server.of("tools/call")) == 4)
        assert raw in server.raws[-1]
        made.cancel()


async def test_declining_is_an_answer() -> None:
    """C-ELI-26: it is sent, and the call goes on."""
    async with modern(calling(asks(k=form()), said())) as (server, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        opened.elicitation.decline(ask)
        await made.wait()

        answers = params_of(server.of("tools/call")[1])["inputResponses"]
        assert answers == {"k": {"action": "decline"}}


async def test_everything_that_is_asked_is_answered_at_once() -> None:
    """C-MRTR-01: several may wait at the same time, and all answers leave together."""
    sampled: JsonObject = {
        "method": "sampling/createMessage",
        "params": {"messages": [], "maxTokens": 5},
    }
    wanted = asks(a=form("first"), b=form("second"), c="roots/list", d=sampled)
    async with modern(calling(wanted, said())) as (server, opened):
        opened.roots.list.add_folder("/tmp")
        made = call(opened)
        await waiting(opened, 3)
        for ask in reversed(opened.inbox.pending):
            assert len(server.of("tools/call")) == 1
            if ask.kind == "sampling":
                opened.sampling.answer(ask, '{"role":"assistant"}')
            else:
                opened.elicitation.cancel(ask)
        await made.wait()

        answers = params_of(server.of("tools/call")[1])["inputResponses"]
        assert isinstance(answers, dict)
        assert list(answers) == ["a", "b", "c", "d"]
        assert answers["a"] == {"action": "cancel"}
        assert "file:///tmp" in str(answers["c"])
        assert answers["d"] == {"role": "assistant"}


async def test_all_rounds_are_one_exchange_whose_time_is_told_apart() -> None:
    """C-MRTR-10: the record and the screen see one call."""
    results = asks("1", a=form()), asks("2", b=form()), said()
    async with modern(calling(*results)) as (_, opened):
        made = call(opened)
        for _ in range(2):
            (ask,) = await waiting(opened)
            middle = exchange_of(opened, made)
            assert middle.status is Status.INPUT_REQUIRED
            opened.elicitation.decline(ask)
            await wait_until(lambda asked=ask: asked not in opened.inbox.pending)
            await wait_until(lambda: len(opened.inbox.pending) == 1 or made.is_finished)
        await made.wait()

        found = exchange_of(opened, made)
        assert found.request == made.request_frame
        assert found.response == made.response_frame
        assert found.status is Status.OK
        assert [each.response is not None for each in found.rounds] == [True] * 3
        requests = [each.request for each in found.rounds]
        assert requests == sorted(set(requests))
        transcript = opened.session.transcript
        members = transcript.members(found.request)
        assert all(each.request in members for each in found.rounds)
        assert [transcript.status(n) for n in requests] == [Status.OK] * 3
        assert {transcript.exchange(n).request for n in members} == {found.request}  # type: ignore[union-attr] - each belongs to it
        assert found.server_seconds is not None
        assert found.took_seconds is not None
        total = found.server_seconds + found.waited_seconds
        assert total == pytest.approx(found.took_seconds)


async def test_a_result_without_questions_is_asked_for_again_after_a_pause(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-MRTR-02: shedding load, not asking anybody."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 0.01)
    async with modern(calling(asks("s1"), asks("s2"), said())) as (server, opened):
        made = call(opened)
        await made.wait()

        assert made.state is OperationState.DONE
        states = [params_of(each).get("requestState") for each in server.of("tools/call")]
        assert states == [None, "s1", "s2"]
        assert all("inputResponses" not in params_of(each) for each in server.of("tools/call"))


async def test_a_server_that_never_stops_asking_is_answered_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-MRTR-10, L-MRTR-09."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 0.0)
    async with modern(calling(asks("again"))) as (server, opened):
        made = call(opened)
        await made.wait()

        assert isinstance(made.error, RequestAborted)
        assert f"{multi_round_trip.MAX_TRIES} times" in made.error.reason
        assert "Rounds" in made.error.hint
        assert len(server.of("tools/call")) == multi_round_trip.MAX_TRIES + 1
        assert multi_round_trip.MAX_TRIES < multi_round_trip.MAX_ROUNDS / 2
        assert "L-MRTR-09" in rules(opened, made.error.frame or 0)
        assert exchange_of(opened, made).status is Status.CANCELLED


@pytest.mark.parametrize("most", [2, 9])
async def test_a_limit_of_rounds_that_was_set_holds_for_tries_without_a_question(
    monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """C-MRTR-10."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 0.0)
    async with modern(calling(asks("again"))) as (server, opened):
        opened.session.max_rounds = most
        made = call(opened)
        await made.wait()

        assert isinstance(made.error, RequestAborted)
        assert len(server.of("tools/call")) == most + 1


async def test_a_question_in_between_lets_a_request_be_tried_again_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-MRTR-02: only tries in a row are few, and a question that was answered ends the row."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 0.0)
    quiet = [asks("s")] * multi_round_trip.MAX_TRIES
    async with modern(calling(*quiet, asks("t", a=form()), *quiet, said())) as (_, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        opened.elicitation.decline(ask)
        await made.wait()

        assert made.state is OperationState.DONE
        found = exchange_of(opened, made)
        assert found.retry_count == 2 * multi_round_trip.MAX_TRIES


async def test_an_exchange_tells_when_its_request_is_sent_again_by_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: nobody is asked, so nobody is waited for."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 60.0)
    monkeypatch.setattr(multi_round_trip, "MAX_PAUSE_SECONDS", 60.0)
    async with modern(calling(asks("s"))) as (_, opened):
        made = call(opened)
        await wait_until(lambda: made.exchange and made.exchange.retry)

        found = exchange_of(opened, made)
        assert found.retry is not None
        assert found.ended_at is not None
        assert (found.retry.number, found.retry.max_tries) == (1, multi_round_trip.MAX_TRIES)
        assert found.retry.at == pytest.approx(found.ended_at + 60, abs=1)
        assert found.status is Status.INPUT_REQUIRED
        assert opened.inbox.items == ()

        made.cancel()
        await made.wait()
        assert made.state is OperationState.CANCELLED
        assert made.late_frame == 0


async def test_an_answer_that_asks_in_time_is_no_late_one() -> None:
    """Ours: what was given up then is our own next round; what comes for a later round afterwards is late."""
    async with modern(calling(asks("s", a=form()))) as (server, opened):
        made = call(opened)
        await waiting(opened)
        made.cancel()
        await made.wait()

        assert made.state is OperationState.CANCELLED
        assert made.late_frame == 0
        assert not exchange_of(opened, made).late

        again = call(opened)
        (ask,) = await waiting(opened)
        server.answers["tools/call"] = silence
        opened.elicitation.decline(ask)
        await wait_until(lambda: len(server.of("tools/call")) == 3)
        again.cancel()
        await again.wait()
        assert again.late_frame == 0
        id_ = b"%d" % server.of("tools/call")[-1]["id"]
        server.send(b'{"jsonrpc":"2.0","id":%b,"result":{"content":[]}}' % id_)
        await wait_until(lambda: again.late_frame)
        assert b'"content":[]' in again.response


@pytest.mark.parametrize(
    ("result", "text"),
    [
        ({"resultType": "partial", "content": []}, "'partial'"),
        ({"resultType": 5, "content": []}, "5"),
        ({"resultType": None}, "null"),
        ({"resultType": "task", "taskId": "1"}, "a task"),
        ({"resultType": "input_required"}, "neither"),
        (asks(5), "not a string"),  # type: ignore[arg-type] - hostile
        ({"resultType": "input_required", "inputRequests": []}, "not an object"),
        (asks(k="tools/call"), "'tools/call'"),
        (asks(k={"params": {}}), "disallowed input request"),
        (asks(k=7), "disallowed input request"),
        (asks(k="ping"), "'ping'"),
    ],
)
async def test_a_result_that_the_revision_does_not_know_is_no_success(
    result: Json, text: str
) -> None:
    """C-JR-16, modern-06-result-type, L-MRTR-01, L-MRTR-03, L-MRTR-05: shown as it came, never repeated."""
    async with modern(calling(result)) as (server, opened):
        made = call(opened)
        await made.wait()

        assert made.state is OperationState.ERROR
        assert isinstance(made.error, InvalidResult)
        assert text in made.error.reason
        assert b"resultType" in made.response
        assert made.result is None
        assert exchange_of(opened, made).status is Status.INVALID_RESULT
        assert len(server.of("tools/call")) == 1
        assert opened.inbox.items == ()


@pytest.mark.parametrize("result", [{"content": []}, complete(content=[])])
async def test_a_result_that_says_nothing_of_its_type_is_complete(result: JsonObject) -> None:
    """C-JR-17, modern-06-result-type."""
    async with modern(calling(result)) as (_, opened):
        made = call(opened)
        await made.wait()

        assert made.state is OperationState.DONE
        assert made.result is not None
