"""Requests whose result asks for input: what is not given, and what ends them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import InvalidResult, PeerError, RequestAborted
from inspector.session import multi_round_trip
from inspector.session.operation import OperationState
from inspector.spec.views.tool import ToolView
from inspector.transcript.exchange import Status
from inspector.wire.line_splitter import RawChunk
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


async def test_only_some_requests_may_be_answered_by_questions() -> None:
    """C-MRTR-07, L-MRTR-02."""
    async with modern({"tools/list": in_turn(asks(k=form()))}) as (server, opened):
        assert isinstance(opened.tools.failure, InvalidResult)
        assert "tools/list result must not request" in opened.tools.failure.reason
        assert len(server.of("tools/list")) == 1


@pytest.mark.parametrize("method", ["resources/read", "prompts/get"])
async def test_reading_and_prompts_may_ask_too(method: str) -> None:
    """C-RES-09, C-PRM-06."""
    result = in_turn(asks("s", k=form()), complete(contents=[], messages=[]))
    async with modern({method: result}) as (server, opened):
        asked = asyncio.ensure_future(opened.session.request(method, {"uri": "a:1", "name": "p"}))
        (ask,) = await waiting(opened)
        opened.elicitation.decline(ask)
        reply = await asked

        assert reply.request_frame > 0
        assert params_of(server.of(method)[1])["requestState"] == "s"
        assert params_of(server.of(method)[1])["uri"] == "a:1"


@pytest.mark.parametrize(
    ("asked", "need"),
    [("roots/list", "roots"), ("sampling/createMessage", "sampling"), (form(), "elicitation")],
)
async def test_what_was_not_declared_is_not_given(asked: Json, need: str) -> None:
    """L-MRTR-04, C-LC-14: nobody is asked, and nothing is sent."""
    async with modern(calling(asks(k=asked)), declares={}) as (server, opened):
        made = call(opened)
        await made.wait()

        assert isinstance(made.error, RequestAborted)
        assert f"`{need}`" in made.error.reason
        frame = made.error.frame or 0
        assert "L-MRTR-04" in rules(opened, frame)
        found = opened.session.transcript.findings(frame)
        assert "/result/inputRequests/k" in {
            each.pointer for each in found if each.rule == "L-MRTR-04"
        }
        assert opened.inbox.items == ()
        assert len(server.of("tools/call")) == 1


async def test_a_refused_question_ends_the_call_without_another_word() -> None:
    """C-SMP-22: refusing has no form of its own here."""
    sampled: JsonObject = {
        "method": "sampling/createMessage",
        "params": {"messages": [], "maxTokens": 5},
    }
    async with modern(calling(asks(a=sampled, b=form()))) as (server, opened):
        made = call(opened)
        await waiting(opened, 2)
        refused = next(ask for ask in opened.inbox.pending if ask.kind == "sampling")
        opened.sampling.reject(refused)
        await made.wait()

        assert isinstance(made.error, RequestAborted)
        assert "sampling/createMessage rejected" in made.error.reason
        assert opened.inbox.pending == ()
        assert len(server.of("tools/call")) == 1
        assert exchange_of(opened, made).status is Status.CANCELLED


async def test_one_cancellation_stops_everything_while_the_person_is_asked() -> None:
    """C-MRTR-10: nothing waits on the wire, so nothing is said there."""
    async with modern(calling(asks(k=form()))) as (server, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        made.cancel()
        await made.wait()

        assert made.state is OperationState.CANCELLED
        assert opened.inbox.pending == ()
        assert opened.inbox.note(ask) == "the client cancelled the request it belongs to"
        assert exchange_of(opened, made).status is Status.CANCELLED
        assert server.of("notifications/cancelled") == []


async def test_a_round_that_is_given_up_while_the_person_is_asked_asks_no_more() -> None:
    """Ours: the row of the second request says how the call ended, as that of the first does."""
    async with modern(calling(asks("1", a=form()), asks("2", b=form()))) as (_, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        opened.elicitation.decline(ask)
        await wait_until(lambda: opened.inbox.pending and opened.inbox.pending[0] is not ask)

        made.cancel()
        await made.wait()

        transcript = opened.session.transcript
        rounds_ = [each.request for each in exchange_of(opened, made).rounds]
        assert [transcript.status(number) for number in rounds_] == [Status.CANCELLED] * 2


async def test_a_later_round_is_cancelled_on_the_wire() -> None:
    """C-CAN-09: what is called off is the round that waits."""
    rounds_ = in_turn(asks(k=form()), None)

    def answer(params: JsonObject) -> Json:
        return silence(params) if "inputResponses" in params else rounds_(params)

    async with modern({"tools/call": answer}) as (server, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        opened.elicitation.decline(ask)
        await wait_until(lambda: len(server.of("tools/call")) == 2)
        made.cancel()
        await made.wait()
        await wait_until(lambda: server.of("notifications/cancelled"))

        (told,) = server.of("notifications/cancelled")
        params = told["params"]
        assert isinstance(params, dict)
        assert params["requestId"] == server.of("tools/call")[1]["id"]
        assert exchange_of(opened, made).status is Status.CANCELLED


async def test_an_error_in_a_later_round_is_the_outcome() -> None:
    """Ours."""

    def answer(params: JsonObject) -> Json:
        if "inputResponses" in params:
            raise PeerError(-32602, "expired")
        return asks(k=form())

    async with modern({"tools/call": answer}) as (_, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        opened.elicitation.decline(ask)
        await made.wait()

        assert made.state is OperationState.ERROR
        assert b"expired" in made.response
        assert exchange_of(opened, made).status is Status.ERROR


async def test_the_end_of_the_connection_withdraws_the_questions() -> None:
    """Ours."""
    async with modern(calling(asks(k=form()))) as (server, opened):
        made = call(opened)
        await waiting(opened)
        server.end()
        await made.wait()

        assert made.is_finished
        assert made.state is not OperationState.DONE
        assert opened.inbox.pending == ()


async def test_answers_of_one_call_stay_out_of_another() -> None:
    """C-MRTR-07."""

    def answer(params: JsonObject) -> Json:
        if params["name"] == "other" or "inputResponses" in params:
            return said()
        return asks("s", k=form())

    async with modern({"tools/call": answer}) as (server, opened):
        made = call(opened)
        (ask,) = await waiting(opened)
        other = opened.tools.call(ToolView(tool("other")), "{}")
        await other.wait()
        opened.elicitation.decline(ask)
        await made.wait()

        unrelated = next(m for m in server.of("tools/call") if params_of(m)["name"] == "other")
        assert set(params_of(unrelated)) == {"name", "arguments"}


async def test_a_record_that_is_opened_again_gives_the_same_exchange(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: what belongs together is told by the record itself."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 0.0)
    async with modern(calling(asks("s"), said())) as (_, opened):
        made = call(opened)
        await made.wait()
        live = opened.session.transcript
        read = type(live)()
        for number in range(1, live.count + 1):
            frame = live.frame(number)
            read.append(frame.direction, frame.channel, [RawChunk(frame.raw)])

        again, found = read.exchange(made.request_frame), exchange_of(opened, made)
        assert again is not None
        assert again.status is found.status
        assert [each.request for each in again.rounds] == [each.request for each in found.rounds]
