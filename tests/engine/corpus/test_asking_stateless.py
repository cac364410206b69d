"""Cases about questions of the server, asked through results: what the user is shown is the same, and so is what leaves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest

from inspector.errors import RequestAborted
from inspector.session.operation import OperationState
from inspector.spec.view import View
from inspector.spec.views.tool import ToolView
from tests.support.answering import tool
from tests.support.asked import asker
from tests.support.corpus_stateless import Play, plays
from tests.support.findings import validate_all
from tests.support.modern import asks, form, modern, params_of, rounds_asker, said
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.asked import Asker

FORM, SAMPLE = "elicitation/create", "sampling/createMessage"
FORMS = plays(
    "elicit-01-enum-five-forms",
    "elicit-02-boolean-widget",
    "elicit-07-unsupported-schema",
    "elicit-10-hostile-message",
)
SAMPLES = plays("sampling-01-content-list", "sampling-06-unknown-fields-kept")


def question(play: Play) -> tuple[str, JsonObject]:
    """Method and params of what the server asks."""
    if "sampling" in play.given:
        return SAMPLE, cast("JsonObject", play.given["sampling"])
    params = cast("JsonObject", play.given["elicit"])
    own = {key: play.given[key] for key in ("message", "requestedSchema") if key in play.given}
    if "schema" in play.given:
        own["requestedSchema"] = play.given["schema"]
    return FORM, {**params, **own}


async def shown(asking: Asker, play: Play) -> tuple[Json, list[tuple[str, str]]]:
    """What is shown of the question: all that it says, and what is odd about it."""
    asking.ask(1, *question(play))
    ask = await asking.waits()
    assert isinstance(ask.view, View)
    asking.opened.inbox.decline_all()
    return ask.view.raw, [(found.rule, found.summary) for found in ask.view.notes]


@pytest.mark.parametrize("play", [*FORMS, *SAMPLES], ids=str)
async def test_a_question_is_shown_as_with_a_handshake(play: Play) -> None:
    """elicit-01 to elicit-10, sampling-01, sampling-06: nothing is dropped, and the same is found odd."""
    async with asker() as before, rounds_asker() as now:
        raw, notes = await shown(now, play)
        assert (raw, notes) == await shown(before, play)
        assert raw == question(play)[1]


@pytest.mark.parametrize("play", plays("elicit-04-decline-cancel"), ids=str)
async def test_saying_no_carries_no_content_and_an_end_says_nothing(play: Play) -> None:
    """elicit-04-decline-cancel."""
    async with rounds_asker() as asking:
        asking.ask(1, *question(play))
        ask = await asking.waits()
        elicitation = asking.opened.elicitation
        if play.number == 3:
            asking.server.end()
        else:
            (elicitation.decline if play.number == 1 else elicitation.cancel)(ask)
        await asking.calls[0].wait()

        wanted = [{"result": play.expect["sends"]}] if "sends" in play.expect else []
        assert asking.answers(1) == wanted
        assert asking.inbox.pending == ()


@pytest.mark.parametrize("play", plays("elicit-05-accept-content"), ids=str)
async def test_an_accepted_form_always_has_content(play: Play) -> None:
    """elicit-05-accept-content."""
    async with rounds_asker() as asking:
        asking.ask(1, *question(play))
        asking.opened.elicitation.accept(await asking.waits(), "{}")
        assert await asking.answer_to(1) == {"result": play.expect["sends"]}


@pytest.mark.parametrize("play", plays("elicit-08-never-auto-answer"), ids=str)
async def test_several_questions_of_one_result_wait_until_each_is_answered(play: Play) -> None:
    """elicit-08-never-auto-answer: in any order; nothing leaves before the last one."""
    times = int(str(play.given["elicitTimes"]))
    wanted = asks(**{f"k{number}": form(f"m{number}") for number in range(times)})
    steps = cast("list[JsonObject]", play.given["steps"])
    order = [int(str(each)) - 1 for each in cast("list[Json]", steps[1]["answer"])]

    def answer(params: JsonObject) -> Json:
        return said() if "inputResponses" in params else wanted

    async with modern({"tools/call": answer}) as (server, opened):
        made = opened.tools.call(ToolView(tool("t")), "{}")
        await wait_until(lambda: len(opened.inbox.pending) == times)
        waiting = opened.inbox.pending
        assert [ask.title for ask in waiting] == ["m0", "m1", "m2"]
        for number in order:
            assert len(server.of("tools/call")) == 1
            opened.elicitation.accept(waiting[number], json.dumps({"n": str(number)}))
        await made.wait()

        answers = params_of(server.of("tools/call")[1])["inputResponses"]
        assert answers == {
            f"k{n}": {"action": "accept", "content": {"n": str(n)}} for n in range(times)
        }


@pytest.mark.parametrize("play", plays("sampling-03-answer-forms"), ids=str)
async def test_a_model_is_answered_for_or_refused(play: Play) -> None:
    """sampling-03-answer-forms: in this era there is no error to send; the call is given up, and says why."""
    async with rounds_asker() as asking:
        asking.ask(1, *question(play))
        ask = await asking.waits()
        sampling, (call,) = asking.opened.sampling, asking.calls
        if play.number == 1:
            answer = {**cast("JsonObject", play.expect["sends"]), "model": "m"}
            sampling.answer(ask, json.dumps(answer))
            assert await asking.answer_to(1) == {"result": answer}
            return
        sampling.reject(ask)
        await call.wait()
        assert (call.state, asking.answers(1)) == (OperationState.ERROR, [])
        assert isinstance(call.error, RequestAborted)
        assert "rejected" in call.error.reason


@pytest.mark.parametrize("play", plays("sampling-04-not-declared"), ids=str)
async def test_what_was_not_declared_is_not_given_and_told(play: Play) -> None:
    """sampling-04-not-declared: nothing waits for ever, and nobody is asked."""
    sent = json.loads(str(cast("list[Json]", play.given["serverSends"])[0]))
    declares = cast("JsonObject", play.given["clientCapabilities"])
    wanted = asks(k={"method": sent["method"], "params": sent["params"]})
    async with modern({"tools/call": lambda _: wanted}, declares=declares) as (server, opened):
        made = opened.tools.call(ToolView(tool("t")), "{}")
        await made.wait()

        assert made.error is not None
        frame = made.error.frame or 0
        validate_all(opened.sweep)
        assert "L-MRTR-04" in {each.rule for each in opened.session.transcript.findings(frame)}
        assert len(server.of("tools/call")) == 1
        assert opened.inbox.items == ()
