"""The engine as a client of the demo server where every request stands alone, over stdio and over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from inspector.features.roots import Root
from inspector.features.sampling import TEST_ANSWER
from inspector.session.notification_stream import StreamState
from inspector.session.operation import OperationState
from inspector.spec.capabilities import RULE_DEPRECATED
from inspector.spec.keys import LOG_LEVELS
from inspector.spec.revision import NEWEST
from inspector.spec.subscription_filter import KINDS, SubscriptionFilter
from inspector.spec.views.elicitation import ElicitationView
from tests.support.demo_server import demo_session
from tests.support.findings import protocol_rules, validate_all
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession

ROOT = Path(__file__).parents[3]
FORM = '{"name": "Ada", "word": "moon"}'


@pytest.fixture(params=["stdio", "http"])
async def opened(request: pytest.FixtureRequest) -> AsyncGenerator[OpenSession]:
    async with demo_session(request.param) as session:
        yield session


def call(opened: OpenSession, name: str, arguments: str = "{}") -> ToolCall:
    """Begin a call."""
    tool = next(tool for tool in opened.tools.items if tool.name == name)
    return opened.tools.call(tool, arguments)


async def done(made: ToolCall) -> str:
    """What the tool answered at last, as text."""
    await made.wait()
    assert made.state is OperationState.DONE, made.error
    return made.response.decode()


def findings(opened: OpenSession) -> list[str]:
    """All that is not as it should be, on either side."""
    validate_all(opened.sweep)
    transcript = opened.session.transcript
    return [
        f"{number} {found.rule} {found.summary}"
        for number in range(1, transcript.count + 1)
        for found in transcript.findings(number)
        if protocol_rules([found.rule])
        if found.rule
        not in {RULE_DEPRECATED, "L-SMP-09"}  # the demo has these, as servers will for a while
    ]


async def answer(opened: OpenSession) -> None:
    """Answer what is asked next, whatever it is."""
    await wait_until(lambda: opened.inbox.pending)
    ask = opened.inbox.pending[0]
    if ask.kind == "sampling":
        opened.sampling.answer(ask, TEST_ANSWER.text)
    elif isinstance(ask.view, ElicitationView) and ask.view.is_url:
        opened.elicitation.consent(ask)
    else:
        opened.elicitation.accept(ask, FORM)


async def test_the_era_without_sessions_is_chosen_where_both_are_spoken(
    opened: OpenSession,
) -> None:
    """C-VER-03."""
    greeting = opened.session.greeting
    assert greeting is not None
    assert greeting.revision == NEWEST
    assert greeting.server.server.name == "spyglass-demo"
    assert findings(opened) == []


async def test_every_tool_that_asks_is_answered_in_rounds(opened: OpenSession) -> None:
    """C-MRTR-01, C-MRTR-02, C-MRTR-03, C-MRTR-09; what is asked and the state come back whole, or the demo refuses."""
    opened.client.roots.set([Root("file:///tmp", "Temporary")])
    for tool, arguments, answers, text in (
        ("ask_sampling", "{}", 1, "This is a test answer"),
        ("ask_elicitation", "{}", 1, "Ada"),
        ("ask_elicitation", '{"mode":"url"}', 1, "accept"),
        ("ask_roots", "{}", 0, "file:///tmp"),
        ("ask_several", "{}", 2, "file:///tmp"),
        ("ask_one_by_one", '{"rounds":3}', 3, "moon moon moon"),
        ("ask_later", '{"rounds":1}', 0, "1 times"),
    ):
        made = call(opened, tool, arguments)
        for _ in range(answers):
            await answer(opened)
        assert text in await done(made)
    assert findings(opened) == []


async def test_prompts_and_resources_that_ask_are_answered_too(opened: OpenSession) -> None:
    """C-MRTR-01: `prompts/get` and `resources/read`."""
    await opened.prompts.refresh()
    prompt = next(each for each in opened.prompts.items if each.name == "introduce")
    got = opened.prompts.get(prompt, {})
    await answer(opened)
    await got.wait()
    assert got.state is OperationState.DONE
    read = opened.reads.read("demo://guest-book")
    await answer(opened)
    await read.wait()
    assert read.state is OperationState.DONE
    assert findings(opened) == []


async def test_changes_are_announced_on_a_stream(opened: OpenSession) -> None:
    """C-SUB-01, C-SUB-02."""
    tools, _, _ = KINDS
    stream = opened.session.listening.open(
        SubscriptionFilter(frozenset({tools}), ("demo://notes", "x:1"))
    )
    await stream.settled()
    assert stream.state is StreamState.OPEN
    assert stream.refused == ("x:1",)
    await done(call(opened, "notes_add", '{"text":"x"}'))
    await done(call(opened, "toggle_tool"))
    await wait_until(lambda: stream.count == 2)
    await done(call(opened, "toggle_tool", '{"what":"prompt"}'))
    await done(call(opened, "end_subscriptions"))
    await wait_until(lambda: stream.is_ended)

    assert (stream.count, stream.error) == (2, None)
    assert findings(opened) == []


async def test_log_messages_and_progress_come_with_the_call_that_wants_them(
    opened: OpenSession,
) -> None:
    """C-LOG-03."""
    silent = await done(call(opened, "log_messages"))
    await opened.session.set_log_level(LOG_LEVELS[4])
    loud = await done(call(opened, "log_messages"))
    steps = call(opened, "countdown", '{"steps":3,"seconds":0.1}')
    await done(steps)

    assert "Sent: nothing. The client asked for none" in silent
    assert "error, critical, alert, emergency" in loud
    assert steps.progress_count == 4
    assert findings(opened) == []


async def test_a_cancelled_call_ends_on_the_side_of_the_server(opened: OpenSession) -> None:
    """C-CAN-09, C-CAN-10: by closing the exchange, or by saying so."""
    made = call(opened, "countdown", '{"seconds":60}')
    await wait_until(lambda: made.progress_count)
    made.cancel()
    await made.wait()
    assert made.state is OperationState.CANCELLED
    assert "one" in await done(call(opened, "echo", '{"message":"one"}'))
    assert findings(opened) == []


async def test_arguments_travel_in_headers_too(opened: OpenSession) -> None:
    """C-HTTP-25, C-HTTP-29, C-HTTP-30, C-HTTP-31, C-HTTP-32, C-HTTP-33; the demo compares header and body."""
    arguments = '{"region":" =?base64?","priority":-3,"express":true,"address":{"city":"東京"}}'
    assert "東京" in await done(call(opened, "form_headers", arguments))
    assert "The headers said" in await done(call(opened, "form_headers"))
    assert findings(opened) == []


@pytest.mark.parametrize("era", ["both", "stateless"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_errors_reach_the_call(transport: str, era: str) -> None:
    """Basic, "Error Codes"."""
    async with demo_session(transport, "--era", era) as opened:
        for code in (-32020, -32021, -32022, -32602, 418):
            made = call(opened, "fail_as_error", json.dumps({"code": str(code)}))
            await made.wait()
            assert made.state is not OperationState.DONE
            assert f'"code":{code}' in made.response.decode().replace(" ", "")


async def wrong(opened: OpenSession, tool: str, how: str) -> ToolCall:
    made = call(opened, tool, json.dumps({"how": how}))
    await made.wait()
    return made


@pytest.mark.parametrize(
    ("tool", "how"),
    [
        ("fault_result_type", "unknown"),
        ("fault_result_type", "number"),
        ("fault_result_type", "task"),
        ("fault_result_type", "nothing_asked"),
        ("fault_result_type", "state_is_object"),
        ("fault_wrong_question", "unknown_method"),
        ("fault_wrong_question", "method_of_clients"),
    ],
)
async def test_a_fault_ends_the_call_and_nothing_else(tool: str, how: str) -> None:
    """L-MRTR-04, L-MRTR-05; ours: no other call is touched."""
    async with demo_session("http") as opened:
        made = await wrong(opened, tool, how)

        assert made.state not in (OperationState.DONE, OperationState.RUNNING)
        assert "one" in await done(call(opened, "echo", '{"message":"one"}'))


async def test_a_server_that_is_never_satisfied_is_asked_only_so_often() -> None:
    """C-MRTR-10."""
    async with demo_session("stdio") as opened:
        made = call(opened, "fault_endless_rounds")
        for _ in range(made.max_rounds):
            await answer(opened)
        await made.wait()

        assert made.state is not OperationState.DONE


@pytest.mark.parametrize(
    ("how", "rule"),
    [
        ("wrong_tag", "L-SUB-02"),
        ("not_asked", "L-SUB-03"),
    ],
)
async def test_a_broken_announcement_is_a_finding(how: str, rule: str) -> None:
    """L-SUB-02, L-SUB-03."""
    async with demo_session("http") as opened:
        stream = opened.session.listening.open(SubscriptionFilter(frozenset(KINDS)))
        await stream.settled()
        await done(call(opened, "fault_wrong_announcement", json.dumps({"how": how})))

        await wait_until(lambda: any(rule in each for each in findings(opened)))


async def test_a_request_of_the_server_is_a_finding() -> None:
    """C-JR-19."""
    async with demo_session("http") as opened:
        await done(call(opened, "fault_server_request"))

        assert findings(opened) != []


@pytest.mark.parametrize("how", ["older", "refuse_older", "broken", "empty", "unknown"])
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_where_discovery_leads_elsewhere_a_session_is_opened(
    transport: str, how: str
) -> None:
    """C-VER-04, C-VER-06, C-VER-07."""
    async with demo_session(transport, "--discover", how) as opened:
        assert opened.session.revision is not None
        assert opened.session.revision.stateful
        assert "one" in await done(call(opened, "echo", '{"message":"one"}'))
