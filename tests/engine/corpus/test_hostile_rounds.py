"""Results that ask for input in every odd way: each call ends or goes on with words, and what was asked for stays exact."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import InvalidResult
from inspector.session import multi_round_trip
from inspector.session.operation import OperationState
from inspector.spec.views.tool import ToolView
from inspector.transcript.exchange import Status
from tests.support.answering import Silence, tool
from tests.support.findings import validate_all
from tests.support.modern import ModernServer, modern, said
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject

ROOTS = '{"method":"roots/list"}'
ASKS = '{"resultType":"input_required",%s}'


class RawServer(ModernServer):
    """Answers the first call with a result as it is written here, and every later one properly."""

    def __init__(self, result: str) -> None:
        super().__init__()
        self._result = result
        self.answers["tools/call"] = self._call

    def _call(self, params: JsonObject) -> Json:
        if len(self.of("tools/call")) > 1:
            return said()
        id_ = self.received[-1]["id"]
        raw = f'{{"jsonrpc":"2.0","id":{id_},"result":{self._result}}}'.encode()
        asyncio.get_running_loop().call_soon(self.send, raw)
        raise Silence


async def call(opened: OpenSession) -> ToolCall:
    made = opened.tools.call(ToolView(tool("t")), "{}")
    await made.wait()
    return made


def findings(opened: OpenSession, number: int) -> list[tuple[str, str]]:
    validate_all(opened.sweep)
    return [(each.rule, each.pointer) for each in opened.session.transcript.findings(number)]


@pytest.mark.parametrize(
    "key", ["", "k 1", "a/b~c", "\\u0000", "\\ud800", "\u202e", "k" * 100_000], ids=ascii
)
async def test_a_key_comes_back_as_it_was(key: str) -> None:
    """C-MRTR-08: keys are the server's own."""
    server = RawServer(ASKS % f'"inputRequests":{{"{key}":{ROOTS}}}')
    async with modern(server=server) as (_, opened):
        made = await call(opened)

        assert made.state is OperationState.DONE
        assert f'"inputResponses":{{"{key}":{{"roots":[]}}}}'.encode() in server.raws[-1]


@pytest.mark.parametrize(
    "state",
    ["", " ", "\\ud83d", "\\u0041\\/", "\\ud83d\\ude00", "\u202e\u0085", "x" * 200_000],
    ids=lambda state: ascii(state)[:20],
)
async def test_a_state_comes_back_byte_for_byte(state: str) -> None:
    """C-MRTR-03, C-MRTR-04; L-MRTR-12 for one that is very large."""
    server = RawServer(ASKS % f'"inputRequests":{{"k":{ROOTS}}},"requestState":"{state}"')
    async with modern(server=server) as (_, opened):
        made = await call(opened)

        assert made.state is OperationState.DONE
        assert f'"requestState":"{state}"'.encode() in server.raws[-1]
        found = opened.session.transcript.exchange(made.request_frame)
        assert found is not None
        first = found.rounds[0].response
        assert first is not None
        is_large = ("L-MRTR-12", "/result/requestState") in findings(opened, first)
        assert is_large is (len(state) > 64 * 1024)


@pytest.mark.parametrize(
    ("result", "text", "rule", "place"),
    [
        (ASKS % '"inputRequests":"x"', "a string, not an object", "L-MRTR-05", "inputRequests"),
        (ASKS % '"inputRequests":null', "null, not an object", "L-MRTR-05", "inputRequests"),
        (ASKS % '"requestState":null', "null, not a string", "L-MRTR-05", "requestState"),
        (ASKS % '"requestState":{"a":1}', "an object, not a string", "L-MRTR-05", "requestState"),
        (
            ASKS % '"inputRequests":{"k":null}',
            "disallowed input request",
            "L-MRTR-05",
            "inputRequests/k",
        ),
        (
            ASKS % f'"inputRequests":{{"k":[{ROOTS}]}}',
            "disallowed input request",
            "L-MRTR-05",
            "inputRequests/k",
        ),
        (
            ASKS % '"inputRequests":{"k":{"method":7}}',
            "disallowed input request",
            "L-MRTR-05",
            "inputRequests/k/method",
        ),
        (
            ASKS % f'"inputRequests":{{"a":{ROOTS},"b":{{"method":"tools/list"}}}}',
            "'tools/list' at 'b'",
            "L-MRTR-05",
            "inputRequests/b/method",
        ),
        ('{"resultType":"INPUT_REQUIRED"}', "'INPUT_REQUIRED'", "L-JR-24", "resultType"),
        ('{"resultType":"Complete","content":[]}', "'Complete'", "L-JR-24", "resultType"),
        ('{"resultType":"","content":[]}', "''", "L-JR-24", "resultType"),
        ('{"resultType":["complete"],"content":[]}', "an array", "L-JR-24", "resultType"),
        ('{"resultType":true,"content":[]}', "true", "L-JR-24", "resultType"),
    ],
)
async def test_what_nobody_can_answer_is_no_success_and_found(
    result: str, text: str, rule: str, place: str
) -> None:
    """C-JR-16, L-MRTR-03, L-MRTR-05: with the place, and nobody is asked for a part of it."""
    server = RawServer(result)
    async with modern(server=server) as (_, opened):
        made = await call(opened)

        assert isinstance(made.error, InvalidResult)
        assert text in made.error.reason
        assert result.encode() in made.response
        assert (rule, f"/result/{place}") in findings(opened, made.response_frame or 0) + findings(
            opened, made.error.frame or 0
        )
        assert len(server.of("tools/call")) == 1
        assert opened.inbox.items == ()


@pytest.mark.parametrize(
    ("result", "state"),
    [
        ('{"resultType":"partial","resultType":"complete","content":[]}', OperationState.DONE),
        ('{"resultType":"complete","resultType":"partial","content":[]}', OperationState.ERROR),
        (ASKS % f'"inputRequests":{{"k":{ROOTS},"k":{ROOTS}}}', OperationState.DONE),
        (ASKS % '"inputRequests":{"k":%s,"k":{"method":"x"}}' % ROOTS, OperationState.ERROR),
        (
            ASKS % f'"requestState":1,"requestState":"s","inputRequests":{{"k":{ROOTS}}}',
            OperationState.DONE,
        ),
    ],
)
async def test_of_members_that_occur_twice_the_last_counts_with_a_finding(
    result: str, state: OperationState
) -> None:
    """L-MRTR-14, L-JR-19."""
    async with modern(server=RawServer(result)) as (_, opened):
        made = await call(opened)

        assert made.state is state
        transcript = opened.session.transcript
        frame = next(
            n for n in range(1, transcript.count + 1) if result.encode() in transcript.raw(n)
        )
        assert ("L-JR-19", "") in findings(opened, frame)


@pytest.mark.parametrize("member", ["id", "jsonrpc"])
async def test_what_is_asked_for_is_no_message_of_its_own(member: str) -> None:
    """L-MRTR-05: it is answered all the same."""
    asked = f'{{"method":"roots/list","{member}":"2.0"}}'
    async with modern(server=RawServer(ASKS % f'"inputRequests":{{"a/b":{asked}}}')) as (_, opened):
        made = await call(opened)

        assert made.state is OperationState.DONE
        exchange = opened.session.transcript.exchange(made.request_frame)
        assert exchange is not None
        place = f"/result/inputRequests/a~1b/{member}"
        assert ("L-MRTR-05", place) in findings(opened, exchange.rounds[0].response or 0)


@pytest.mark.parametrize("kind", ['"resultType":"complete",', ""])
@pytest.mark.parametrize("member", ['"requestState":"s"', '"inputRequests":{}'])
async def test_a_result_that_forgot_to_say_that_it_asks_is_found(kind: str, member: str) -> None:
    """L-MRTR-05: it counts as complete, as it says, and nothing is sent again."""
    server = RawServer(f'{{{kind}"content":[],{member}}}')
    async with modern(server=server) as (_, opened):
        made = await call(opened)

        assert made.state is OperationState.DONE
        rules = [rule for rule, _ in findings(opened, made.response_frame)]
        assert "L-MRTR-05" in rules
        assert len(server.of("tools/call")) == 1


@pytest.mark.parametrize("result", ["[]", "7", "null", '"complete"', '[{"resultType":"x"}]'])
async def test_a_result_that_is_no_object_is_shown_with_a_finding(result: str) -> None:
    """L-JR-21."""
    async with modern(server=RawServer(result)) as (_, opened):
        made = await call(opened)

        assert made.is_finished
        assert f'"result":{result}}}'.encode() in made.response
        assert ("L-JR-21", "/result") in findings(opened, made.response_frame)


@pytest.mark.parametrize(
    "params",
    [
        "",
        ',"params":null',
        ',"params":7',
        ',"params":[]',
        ',"params":{"message":7,"requestedSchema":[]}',
        ',"params":{"mode":"url","url":7}',
        ',"params":{"mode":"url","url":"javascript:1","message":{}}',
    ],
)
async def test_a_question_of_any_shape_waits_for_the_user(params: str) -> None:
    """elicit-07-unsupported-schema in rounds: nobody answers for them, and no can always be said."""
    asked = f'{{"method":"elicitation/create"{params}}}'
    server = RawServer(ASKS % f'"inputRequests":{{"k":{asked}}}')
    async with modern(server=server) as (_, opened):
        made = opened.tools.call(ToolView(tool("t")), "{}")
        await wait_until(lambda: opened.inbox.pending)
        opened.elicitation.decline(opened.inbox.pending[0])
        await made.wait()

        assert made.state is OperationState.DONE
        assert b'"inputResponses":{"k":{"action":"decline"}}' in server.raws[-1]


async def test_hundreds_of_questions_at_once_are_all_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: the keys keep their order."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 0.0)
    keys = [f"k{number}" for number in range(500)]
    asked = ",".join(f'"{key}":{ROOTS}' for key in keys)
    server = RawServer(ASKS % f'"inputRequests":{{{asked}}}')
    async with modern(server=server) as (_, opened):
        made = await call(opened)

        assert made.state is OperationState.DONE
        wanted = ",".join(f'"{key}":{{"roots":[]}}' for key in keys)
        assert f'"inputResponses":{{{wanted}}}'.encode() in server.raws[-1]
        found = opened.session.transcript.exchange(made.request_frame)
        assert found is not None
        assert found.status is Status.OK
