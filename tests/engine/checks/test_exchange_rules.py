"""What is wrong with messages beside others, in conversations with servers of their own processes and over sockets."""

from __future__ import annotations

import contextlib
import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.checks.background_validator import BackgroundValidator
from inspector.errors import PeerError
from inspector.session.operation import OperationState
from inspector.spec.keys import META_CLIENT_CAPABILITIES, TASKS_EXTENSION
from inspector.spec.revision import NEWEST
from inspector.spec.subscription_filter import KINDS, SubscriptionFilter
from inspector.wire.json_codec import read
from tests.support.demo_server import demo_session
from tests.support.findings import findings_of, validate_all
from tests.support.http_session import at, connected
from tests.support.line_server import line_server
from tests.support.modern import complete, discovered
from tests.support.opened import over
from tests.support.wait import wait_until

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncGenerator

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.session.session import Session
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json, JsonObject


def found(transcript: Transcript) -> list[tuple[str, str]]:
    """Rules and places of everything that is found in a record."""
    validate_all(BackgroundValidator(transcript, NEWEST))
    return [(each.rule, each.pointer) for each in findings_of(transcript)]


def call(opened: OpenSession, name: str, how: str) -> ToolCall:
    tool = next(tool for tool in opened.tools.items if tool.name == name)
    return opened.tools.call(tool, json.dumps({"how": how}))


async def judged(opened: OpenSession, rule: str) -> str:
    """Where a rule was found to be broken, once that is judged."""

    def places() -> list[str]:
        transcript = opened.session.transcript
        numbers = range(1, transcript.count + 1)
        findings = [each for n in numbers for each in transcript.findings(n)]
        return [each.pointer for each in findings if each.rule == rule]

    await wait_until(places)
    return places()[0]


@pytest.mark.parametrize(
    ("how", "rule", "place"),
    [
        (
            "other_stream",
            "L-SUB-02",
            "/params/_meta/io.modelcontextprotocol~1subscriptionId",
        ),
        ("on_call", "L-SUB-09", "/method"),
        ("untagged", "L-SUB-02", "/params/_meta"),
        ("log", "L-SUB-08", "/method"),
    ],
)
async def test_an_announcement_in_the_wrong_place_is_found_over_http(
    how: str, rule: str, place: str
) -> None:
    """L-SUB-02, L-SUB-08, L-SUB-09: on another stream than its tag says, with the answer to a call, without a tag."""
    async with demo_session("http") as opened:
        for _ in range(2):
            stream = opened.session.listening.open(SubscriptionFilter(frozenset(KINDS)))
            await stream.settled()
        assert (
            await over(call(opened, "fault_wrong_announcement", how))
        ).state is OperationState.DONE

        assert await judged(opened, rule) == place


@pytest.mark.parametrize(("how", "rule"), [("untagged", "L-SUB-02"), ("log", "L-SUB-08")])
async def test_an_announcement_in_the_wrong_place_is_found_over_stdio(how: str, rule: str) -> None:
    """L-SUB-02, L-SUB-08: where all share one line, the tag alone tells."""
    async with demo_session("stdio") as opened:
        stream = opened.session.listening.open(SubscriptionFilter(frozenset(KINDS)))
        await stream.settled()
        await over(call(opened, "fault_wrong_announcement", how))

        await judged(opened, rule)


@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_announcements_in_their_place_are_none(transport: str) -> None:
    """L-SUB-02, L-SUB-09."""
    async with demo_session(transport) as opened:
        streams = [
            opened.session.listening.open(SubscriptionFilter(frozenset(KINDS))) for _ in range(2)
        ]
        for stream in streams:
            await stream.settled()
        tool = next(tool for tool in opened.tools.items if tool.name == "toggle_tool")
        await over(opened.tools.call(tool, "{}"))
        await wait_until(lambda: all(stream.count for stream in streams))

        odd = [each for each in found(opened.session.transcript) if each[0].startswith("L-SUB")]
        assert odd == []


@pytest.mark.parametrize(
    ("how", "rule"),
    [("guessable_id", "L-TKX-16"), ("other_code", "L-TKX-10"), ("progress", "L-TKX-13")],
)
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_a_server_that_breaks_a_rule_of_tasks_is_found_out(
    transport: str, how: str, rule: str
) -> None:
    """L-TKX-10, L-TKX-13, L-TKX-16: the call ends all the same."""
    async with demo_session(transport) as opened:
        made = await over(call(opened, "fault_lasting_task", how))
        assert made.is_finished
        if how == "other_code":
            assert made.task is not None
            await opened.tasks.ask(made.task)

        await judged(opened, rule)


ANSWERS: dict[str, JsonObject] = {
    "tasks/get": {"result": complete(taskId="t", status="working")},
    "tasks/cancel": {"error": {"code": -32602, "message": "Unknown task"}},
    "tasks/list": {"result": complete(tasks=[])},
    "tasks/result": {"result": complete(content=[])},
}
NESTED: JsonObject = {"result": complete(task={"taskId": "t", "status": "working"})}
REFUSED: JsonObject = {"error": {"code": -32601, "message": "This tool requires tasks"}}


@contextlib.asynccontextmanager
async def talking(call: JsonObject) -> AsyncGenerator[Session]:
    """A session over a socket with a server that knows both designs, and answers calls so."""
    offers = discovered(capabilities={"tools": {}, "extensions": {TASKS_EXTENSION: {}}})
    answers = {**ANSWERS, "server/discover": {"result": offers}, "tools/call": call}

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            message = read(line[:-1]).value
            assert isinstance(message, dict)
            method, id_ = message["method"], message["id"]
            assert isinstance(method, str)
            if method == "subscriptions/listen":
                agreed: JsonObject = {"notifications": {"taskIds": ["t"]}, "_meta": tag(id_)}
                said: JsonObject = {"method": "notifications/subscriptions/acknowledged"}
                said |= {"params": agreed}
            else:
                said = {"id": id_, **answers[method]}
            writer.write(json.dumps({"jsonrpc": "2.0", **said}).encode() + b"\n")

    async with (
        line_server(serve) as port,
        connected(replace(at(f"tcp://127.0.0.1:{port}", "tcp"), revision="")) as session,
    ):
        yield session


def tag(id_: Json) -> JsonObject:
    return {"io.modelcontextprotocol/subscriptionId": id_}


@pytest.mark.parametrize(
    ("method", "declares", "call", "rule", "place"),
    [
        ("tasks/get", False, REFUSED, "L-TKX-11", "/result"),
        ("tasks/cancel", False, REFUSED, "L-TKX-11", "/error/code"),
        ("tasks/list", True, REFUSED, "L-TKX-15", "/result"),
        ("tasks/result", True, REFUSED, "L-TKX-15", "/result"),
        ("tools/call", True, NESTED, "L-TKX-19", "/result"),
        ("tools/call", False, REFUSED, "L-TKX-20", "/error/code"),
    ],
)
async def test_an_answer_is_judged_beside_its_request(
    method: str, declares: bool, call: JsonObject, rule: str, place: str
) -> None:
    """L-TKX-11, L-TKX-15, L-TKX-19, L-TKX-20: over a socket, to requests that a user writes."""
    says: JsonObject = {"extensions": {TASKS_EXTENSION: {}}} if declares else {}
    async with talking(call) as session:
        params: JsonObject = {"taskId": "t", "name": "a", "task": {}}
        with contextlib.suppress(PeerError):
            await session.request(method, params, meta={META_CLIENT_CAPABILITIES: says})

        assert (rule, place) in found(session.transcript)


async def test_news_of_tasks_for_a_client_that_takes_none_are_found() -> None:
    """L-SUB-13: agreed to, although the extension was not declared."""
    async with talking(REFUSED) as session:
        stream = session.listening.open(SubscriptionFilter(more={"taskIds": ["t"]}))
        await stream.settled()

        place = "/params/notifications/taskIds"
        assert ("L-SUB-13", place) in found(session.transcript)
