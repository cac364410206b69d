"""Probes that call tools, or read resources: each finds what a careless server does, and passes at one that keeps the rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.probes.probe import Outcome
from inspector.probes.runner import run_probes
from inspector.probes.tool_uses import ToolUse
from inspector.spec.keys import HEADER_PARAM_PREFIX, TASKS_EXTENSION
from inspector.spec.revision import NEWEST
from tests.support.answering import AnsweringServer, connected, silence, tool
from tests.support.findings import rules_of
from tests.support.http_stub import answer
from tests.support.modern import asks, complete, discovered, modern, modern_http, offering, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import Json, JsonObject
    from inspector.probes.probe import ProbeResult
    from inspector.session.session import Session
    from tests.support.answering import Answer
    from tests.support.http_stub import Asked, Reply

READING: JsonObject = {"readOnlyHint": True}
SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "count": {"type": "integer", "x-mcp-header": "Count"},
    },
    "required": ["region"],
}
MIRRORING: JsonObject = {"name": "find", "inputSchema": SCHEMA, "annotations": READING}
WITHOUT_HINTS: JsonObject = {**MIRRORING, "annotations": {}}
READER: JsonObject = {"name": "write", "inputSchema": {"type": "object"}, "annotations": READING}
WRITING: JsonObject = {"name": "write", "inputSchema": {"type": "object"}}
USE = ToolUse("write", {"a": 1}, is_read_only=False, was_called=True)


async def probed(
    session: Session, key: str, *tools: JsonObject, uses: list[ToolUse] | None = None
) -> ProbeResult:
    """What one probe comes to at a server with these tools."""
    found = run_probes(session, {key}, lists={"tools": [*tools]}, uses=uses)
    (concluded,) = [each async for each in found]
    return concluded.result


# Headers of arguments


def checking(accepts: Callable[[Asked], bool]) -> Callable[[Asked], Reply]:
    """A server that refuses calls whose headers it does not accept."""

    def respond(asked: Asked) -> Reply:
        if asked.rpc == "tools/call" and not accepts(asked):
            return answer({"error": {"code": -32020, "message": "Header mismatch"}}, status=400)
        return offering(asked)

    return respond


def _header(asked: Asked, name: str) -> str | None:
    return asked.headers.get((HEADER_PARAM_PREFIX + name).lower())


def strictly(asked: Asked) -> bool:
    """Compare strings as they are, and numbers as numbers."""
    params = json.loads(asked.body)["params"]["arguments"]
    region, count = _header(asked, "Region"), _header(asked, "Count")
    is_number = count is not None and count.replace(".", "").isdigit()
    return region == params["region"] and is_number and float(count or 0) == params["count"]


def anything(_asked: Asked) -> bool:
    """Compare nothing."""
    return True


def as_text(asked: Asked) -> bool:
    """Compare numbers as they are written."""
    return _header(asked, "Count") == "1"


@pytest.mark.parametrize(
    ("key", "rule", "accepts"),
    [
        ("missing-parameter-header", "L-MOD-09", anything),
        ("illegal-parameter-header", "L-MOD-20", anything),
        ("number-in-header", "L-MOD-10", as_text),
    ],
)
async def test_headers_of_arguments_that_are_not_validated_are_found(
    key: str, rule: str, accepts: Callable[[Asked], bool]
) -> None:
    """L-MOD-09, L-MOD-10, L-MOD-20: and a server that compares them passes."""
    async with modern_http(otherwise=checking(accepts), revision=NEWEST.date) as (_, session):
        broken = await probed(session, key, MIRRORING)
        assert [each.rule for _, each in broken.findings] == [rule]
        assert rules_of(session.transcript).count(rule) == 1
    async with modern_http(otherwise=checking(strictly), revision=NEWEST.date) as (_, session):
        assert (await probed(session, key, MIRRORING)).outcome is Outcome.PASSED


@pytest.mark.parametrize("key", ["missing-parameter-header", "number-in-header"])
async def test_a_tool_that_may_not_be_called_is_not_called_for_its_headers(key: str) -> None:
    """Ours: nothing is sent."""
    other: JsonObject = {"name": "read", "annotations": READING}
    async with modern_http(otherwise=offering, revision=NEWEST.date) as (stub, session):
        result = await probed(session, key, WITHOUT_HINTS, other)

    assert result.outcome is Outcome.NOT_APPLICABLE
    assert stub.said("POST tools/call") == []


async def test_a_call_of_the_user_has_the_arguments_of_the_user() -> None:
    """Ours: of a tool that may have effects."""
    use = ToolUse("find", {"region": "oslo"}, is_read_only=False)
    async with modern_http(otherwise=checking(anything), revision=NEWEST.date) as (stub, s):
        result = await probed(s, "missing-parameter-header", WITHOUT_HINTS, uses=[use])

    assert result.outcome is Outcome.FAILED
    (asked,) = stub.said("POST tools/call")
    assert json.loads(asked.body)["params"]["arguments"] == {"region": "oslo"}


# Rounds of input


def rounds(
    *,
    state: str | None = "s3cret-state",
    on_missing: Callable[[], Json] | None = None,
    on_unknown: Callable[[], Json] | None = None,
    checks_state: bool = True,
) -> Answer:
    """A tool that asks for one input, keeps its state and answers the next round."""

    def call(params: JsonObject) -> Json:
        responses = params.get("inputResponses")
        if not isinstance(responses, dict):
            return asks(state, q="roots/list")
        if checks_state and params.get("requestState") != state:
            raise PeerError(-32602, "state is not of this server")
        if params.get("requestState") is None and state is not None:
            raise PeerError(-32602, "no state")
        if "q" not in responses:
            return on_missing() if on_missing is not None else asks(state, q="roots/list")
        if len(responses) > 1 and on_unknown is not None:
            return on_unknown()
        return said()

    return call


def fail() -> Json:
    """An error."""
    raise PeerError(-32602, "wrong answers")


@pytest.mark.parametrize(
    ("key", "broken", "rule"),
    [
        ("missing-answer", rounds(on_missing=fail), "L-MRTR-07"),
        ("unknown-answer", rounds(on_unknown=fail), "L-MRTR-08"),
        ("changed-state", rounds(checks_state=False), "L-MRTR-10"),
    ],
)
async def test_rounds_that_are_answered_in_other_ways_are_served(
    key: str, broken: Answer, rule: str
) -> None:
    """L-MRTR-07, L-MRTR-08, L-MRTR-10: the user has allowed the call."""
    async with modern({"tools/call": broken}) as (_, opened):
        result = await probed(opened.session, key, WRITING, uses=[USE])
        assert [each.rule for _, each in result.findings] == [rule]
    async with modern({"tools/call": rounds()}) as (server, opened):
        result = await probed(opened.session, key, WRITING, uses=[USE])
        assert result.outcome is Outcome.PASSED, result.text
        assert {str(each["params"]["arguments"]) for each in server.of("tools/call")} == {  # type: ignore[index, call-overload]
            str(USE.arguments)
        }


async def test_a_state_that_does_not_matter_may_be_changed() -> None:
    """L-MRTR-10: near miss, the request is completed without it as well."""

    def careless(params: JsonObject) -> Json:
        return said() if "inputResponses" in params else asks("state", q="roots/list")

    async with modern({"tools/call": careless}) as (_, opened):
        result = await probed(opened.session, "changed-state", WRITING, uses=[USE])

    assert result.outcome is Outcome.PASSED


@pytest.mark.parametrize("key", ["missing-answer", "unknown-answer", "changed-state"])
async def test_a_call_that_asks_for_nothing_decides_nothing(key: str) -> None:
    """Ours."""
    async with modern({"tools/call": lambda _: said()}) as (_, opened):
        result = await probed(opened.session, key, WRITING, uses=[USE])

    assert result.outcome is Outcome.NOT_APPLICABLE


async def test_tools_that_the_user_did_not_call_are_not_called_in_search_of_questions() -> None:
    """Ours: not even read-only ones, of which there may be a hundred."""
    async with modern({"tools/call": rounds()}) as (server, opened):
        result = await probed(opened.session, "missing-answer", READER)

    assert result.outcome is Outcome.NOT_APPLICABLE
    assert server.of("tools/call") == []


@pytest.mark.parametrize("key", ["parallel-calls", "parallel-requests", "slow-reader"])
async def test_requests_that_are_slow_alone_are_not_sent_at_once(
    monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    """Ours: a late response is no missing one."""
    monkeypatch.setattr("inspector.probes.probe.MAX_SECONDS_OF_ALL", -1.0)
    reading = tool("read", annotations=READING)
    answers: dict[str, Answer] = {
        "tools/call": lambda _: {"content": []},
        "tools/list": lambda _: {"tools": [reading]},
    }
    server = AnsweringServer(answers)
    async with connected(server) as session:
        result = await probed(session, key, reading)

    assert result.outcome is Outcome.NOT_TRIED
    assert len(server.methods()) == 1


async def test_the_next_round_may_come_over_another_connection() -> None:
    """L-MRTR-13: a server that knows its connections by their ports fails."""

    def serving(*, by_connection: bool) -> Callable[[Asked], Reply]:
        known: set[int] = set()  # no two connections that are open have one number

        def respond(asked: Asked) -> Reply:
            if asked.rpc != "tools/call":
                return offering(asked)
            params = json.loads(asked.body)["params"]
            if "inputResponses" not in params:
                known.add(asked.connection)
                return answer({"result": asks("state", q="roots/list")})
            if by_connection and asked.connection not in known:
                return answer({"error": {"code": -32602, "message": "unknown state"}})
            return answer({"result": said()})

        return respond

    for by_connection, outcome in ((True, Outcome.FAILED), (False, Outcome.PASSED)):
        otherwise = serving(by_connection=by_connection)
        async with modern_http(otherwise=otherwise, revision=NEWEST.date) as (_, session):
            session.client_capabilities = {"roots": {}}
            result = await probed(session, "round-elsewhere", WRITING, uses=[USE])
            assert result.outcome is outcome, result.text


# Tasks


async def test_tasks_of_an_earlier_revision_have_no_effect() -> None:
    """L-TKX-11, L-TKX-15, L-TKX-19."""
    declared = discovered(capabilities={"tools": {}, "extensions": {TASKS_EXTENSION: {}}})
    keys = {
        "earlier-task-method": "L-TKX-15",
        "undeclared-tasks": "L-TKX-11",
        "earlier-task-parameter": "L-TKX-19",
    }
    task: JsonObject = {"resultType": "task", "taskId": "1", "status": "working"}

    def call(params: JsonObject) -> Json:
        return task if "task" in params else said()

    careless: dict[str, Answer] = {
        "tasks/list": lambda _: complete(tasks=[]),
        "tasks/get": lambda _: complete(taskId="1", status="working"),
        "tools/call": call,
    }
    async with modern(careless, discover=declared) as (_, opened):
        for key, rule in keys.items():
            result = await probed(opened.session, key, READER)
            assert [each.rule for _, each in result.findings] == [rule]
    async with modern({"tools/call": lambda _: said()}, discover=declared) as (server, opened):
        server.answers["tasks/get"] = lambda _: fail()
        for key in keys:
            result = await probed(opened.session, key, READER)
            assert result.outcome is Outcome.PASSED, (key, result.text)


# Other probes


async def test_a_response_that_is_missing_among_calls_at_once_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: and read-only tools alone are called at once."""
    monkeypatch.setattr("inspector.probes.probe.PROBE_SECONDS", 0.2)
    calls: list[JsonObject] = []

    def call(params: JsonObject) -> Json:
        calls.append(params)
        return silence({}) if len(calls) == 3 else {"content": []}

    reading = tool("read", annotations=READING)
    async with connected(AnsweringServer({"tools/call": call})) as session:
        result = await probed(session, "parallel-calls", reading)
        assert [each.rule for _, each in result.findings] == ["L-JR-14"]
        assert (await probed(session, "parallel-calls", reading)).outcome is Outcome.PASSED
        result = await probed(session, "parallel-calls", WRITING, uses=[USE])
        assert result.outcome is Outcome.NOT_APPLICABLE
