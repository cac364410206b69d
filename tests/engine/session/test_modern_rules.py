"""Rules of the era without a handshake that no single feature answers for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import HttpStatus, PeerError, TimedOut
from inspector.session.operation import OperationState
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.spec.error_codes import explain
from inspector.spec.keys import TASKS_EXTENSION
from inspector.spec.revision import NEWEST, NEWEST_STATEFUL
from inspector.spec.views.sampling import SamplingView
from inspector.spec.views.tool import ToolView
from inspector.transcript.exchange import Status
from inspector.wire import json_codec
from inspector.wire.frame import Channel
from inspector.wire.message import read
from tests.support.answering import silence, tool
from tests.support.asked import asker
from tests.support.dialogue import Dialogue, hears_error, says, session_of
from tests.support.http_session import at, call, connected
from tests.support.http_stub import Asked, HttpStub, Reply, Rule, reply, stream
from tests.support.line_server import line_server
from tests.support.modern import (
    EVERYTHING,
    always,
    asks,
    complete,
    discovered,
    meta_of,
    modern,
    modern_http,
    params_of,
    proper,
    said,
)
from tests.support.task_server import made
from tests.support.wait import wait_until

if TYPE_CHECKING:
    import asyncio

    from inspector.wire.json_codec import Json, JsonObject

LIST = "tools/list"


def sampled(text: str) -> JsonObject:
    """A question for a model."""
    messages: list[Json] = [{"role": "user", "content": {"type": "text", "text": text}}]
    return {
        "method": "sampling/createMessage",
        "params": {"messages": messages, "maxTokens": 5},
    }


# Extensions and what servers say of themselves


async def test_a_server_without_the_extension_is_spoken_to_in_the_core_protocol() -> None:
    """C-EXT-02: calls are plain calls, and nothing of the extension is asked for."""
    declares: JsonObject = {**EVERYTHING, "extensions": {TASKS_EXTENSION: {}}}
    listed = complete(tools=[tool("t")], ttlMs=0, cacheScope="private")
    answers = always({LIST: listed, "tools/call": said()})
    async with modern(answers, declares=declares) as (server, opened):
        called = opened.tools.call(opened.tools.items[0], "{}")
        await called.wait()
        assert called.state is OperationState.DONE
        assert params_of(server.of("tools/call")[0]) == {"name": "t", "arguments": {}}
        assert server.methods() == ["server/discover", LIST, "tools/call"]


async def test_an_extension_that_we_did_not_declare_ends_the_call_with_an_error() -> None:
    """C-EXT-02, C-JR-18: its kind of result is none here."""
    async with modern({"tools/call": lambda _: made()}) as (server, opened):
        called = opened.tools.call(ToolView(tool("t")), "{}")
        await called.wait()

        assert called.state is OperationState.ERROR
        assert b'"resultType":"task"' in called.response
        assert server.of("tasks/get") == []


NAMES: list[Json] = [
    {"name": "Spyglass", "version": "1"},
    {"name": "\u202e<b>trusted</b>", "version": "", "title": "official"},
    {"name": 7},
    None,
    "x",
]


@pytest.mark.parametrize("who", NAMES)
async def test_what_a_server_calls_itself_changes_nothing(who: Json) -> None:
    """C-MET-07: the same conversation, whatever it says."""

    async def conversation(who: Json) -> list[bytes]:
        found = discovered()
        found["_meta"] = {"io.modelcontextprotocol/serverInfo": who}
        async with modern({"tools/call": lambda _: said()}, discover=found) as (server, opened):
            called = opened.tools.call(ToolView(tool("t")), "{}")
            await called.wait()
            assert called.state is OperationState.DONE
            return server.raws

    assert await conversation(who) == await conversation({"name": "plain", "version": "1"})


async def test_tools_of_one_name_belong_to_the_server_that_they_came_from() -> None:
    """C-TOOL-13: two servers that say the same of themselves are told apart by what the user named them."""
    answers = always({LIST: complete(tools=[tool("t")], ttlMs=0, cacheScope="private")})
    answers["tools/call"] = lambda _: asks("s", k=sampled("q"))
    found = discovered(name="twin")
    async with (
        modern(answers, discover=found) as (first, one),
        modern(answers, discover=found) as (second, other),
    ):
        called = other.tools.call(other.tools.items[0], "{}")
        await wait_until(lambda: other.inbox.pending)

        assert (len(first.of("tools/call")), len(second.of("tools/call"))) == (0, 1)
        assert one.inbox.items == ()
        assert other.inbox.pending[0].server == other.profile.name != "twin"
        called.cancel()
        await called.wait()


async def test_one_question_for_a_model_knows_nothing_of_another() -> None:
    """C-SMP-21."""

    def answer(params: JsonObject) -> Json:
        if "inputResponses" in params:
            return said()
        return asks(k=sampled(str(params["name"])))

    async with modern({"tools/call": answer}) as (server, opened):
        for name in ("first", "second"):
            called = opened.tools.call(ToolView(tool(name)), "{}")
            await wait_until(lambda: opened.inbox.pending)
            (ask,) = opened.inbox.pending
            assert isinstance(ask.view, SamplingView)
            assert ask.view.raw == sampled(name)["params"]
            opened.sampling.answer(ask, f'{{"role":"assistant","n":"{name}"}}')
            await called.wait()

        assert b'"first"' not in server.raws[-1]
        assert b'"second"' in server.raws[-1]


# Errors


async def test_what_fails_with_us_is_told_from_what_the_server_refuses() -> None:
    """C-JR-22: by its kind, and in the record."""

    def refusing(_: JsonObject) -> Json:
        raise PeerError(-32603, "no")

    async with modern({"a": silence, "b": refusing}, timeout=0.1) as (_, opened):
        sent: list[int] = []
        with pytest.raises(TimedOut):
            await opened.session.request("a", on_sent=sent.append)
        with pytest.raises(PeerError) as failure:
            await opened.session.request("b", on_sent=sent.append)

        assert not issubclass(TimedOut, PeerError)
        assert failure.value.code == -32603
        transcript = opened.session.transcript
        assert [transcript.status(n) for n in sent] == [Status.TIMED_OUT, Status.ERROR]


async def test_the_codes_of_our_errors_are_those_that_are_defined_or_our_own() -> None:
    """C-JR-21, C-JR-23: none of those that are kept for the specification, and none that it gave up."""
    async with asker(declares={"elicitation": {}, "sampling": {}}) as asking:
        asking.ask(1, "no/such")
        asking.ask(2, "roots/list")
        asking.ask(3, "elicitation/create", {"mode": "url", "url": "https://a.test"})
        asking.ask(4, "sampling/createMessage", {"messages": [], "maxTokens": 1, "tools": []})
        asking.ask(5, "tasks/get", {"taskId": "t"})
        asking.ask(6, "sampling/createMessage", sampled("q")["params"])
        asking.opened.sampling.reject(await asking.waits())
        errors = [(await asking.answer_to(number))["error"] for number in range(1, 7)]

        codes = [error["code"] for error in errors if isinstance(error, dict)]
        assert len(codes) == 6
        for code in codes:
            assert isinstance(code, int)
            assert explain(code, NEWEST).allowed
            assert code in {-32600, -32601, -32602, -32603} or not -32768 <= code <= -32000


async def test_a_handshake_that_a_newer_server_refuses_tells_what_it_speaks() -> None:
    """C-VER-19: the step that failed has the whole of what the server said."""
    data: JsonObject = {"supported": [NEWEST.date, "2027-01-01"], "requested": "x"}
    refused = hears_error(-32022, "Unsupported protocol version", data)
    dialogue = Dialogue(says("initialize"), refused)
    async with session_of(dialogue, revision=NEWEST_STATEFUL.date) as session:
        with pytest.raises(PeerError, match="-32022"):
            await session.connect()

        assert session.steps[-1].state is StepState.FAILED
        assert NEWEST.date in session.steps[-1].detail
        assert "2027-01-01" in session.steps[-1].detail


# Transports


async def test_a_session_over_tcp_says_everything_with_each_request() -> None:
    """C-CUS-02, C-CUS-04: messages as over stdio, one a line, each with its metadata."""
    heard: list[JsonObject] = []
    results: dict[Json, Json] = {
        "server/discover": discovered(),
        "tools/call": said(),
    }

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            assert line.endswith(b"\n")
            message = read(line[:-1]).value
            assert isinstance(message, dict)
            heard.append(message)
            done: JsonObject = {"jsonrpc": "2.0", "id": message["id"]}
            done["result"] = results[message["method"]]
            writer.write(json_codec.write(done).encode() + b"\n")

    async with (
        line_server(serve) as port,
        connected(replace(at(f"tcp://127.0.0.1:{port}", "tcp"), revision="")) as session,
    ):
        done = await session.request("tools/call", {"name": "a\nb"})

        assert session.revision == NEWEST
        assert session.transcript.row(done.frame).channel is Channel.TCP
        assert [message["method"] for message in heard] == ["server/discover", "tools/call"]
        for message in heard:
            meta = meta_of(message)
            assert meta["io.modelcontextprotocol/protocolVersion"] == NEWEST.date
            assert "io.modelcontextprotocol/clientCapabilities" in meta


@pytest.mark.parametrize("name", ["content-type", "CONTENT-TYPE", "cOnTeNt-TyPe"])
async def test_names_of_headers_have_no_case(name: str) -> None:
    """C-HTTP-36."""

    def respelled(asked: Asked) -> Reply:
        given = proper(asked)
        pairs = tuple(
            (name, v) if n.lower() == "content-type" else (n, v) for n, v in given.headers
        )
        return Reply(given.status, pairs, given.pieces)

    async with modern_http(otherwise=respelled) as (_, session):
        assert (await call(session)).message.result == said()


@pytest.mark.parametrize(
    ("status", "text"), [(413, "request is too large"), (431, "headers are too large")]
)
async def test_what_is_too_large_for_a_server_fails_one_call_in_words(
    status: int, text: str
) -> None:
    """C-HTTP-40."""
    async with modern_http({"POST tools/call": [reply(status), None]}) as (stub, session):
        with pytest.raises(HttpStatus) as failure:
            await call(session)

        assert failure.value.status == status
        assert text in failure.value.reason + failure.value.hint
        assert len(stub.said("POST tools/call")) == 1
        assert session.state is SessionState.READY
        await call(session)


@pytest.mark.parametrize("status", [400, 404, 405])
async def test_an_older_transport_is_tried_when_the_newer_ones_are_refused(status: int) -> None:
    """C-VER-17, C-VER-18: never before."""
    greeting = (
        '{"jsonrpc":"2.0","id":3,"result":{"protocolVersion":"2024-11-05","capabilities":{},'
        '"serverInfo":{"name":"old","version":"1"}}}'
    )
    rules: dict[str, Rule] = {
        "POST /mcp": reply(status),
        "GET": stream(
            "event: endpoint\ndata: /messages\n\n", 0.05, f"data: {greeting}\n\n", end="hang"
        ),
        "POST /messages": reply(202),
    }
    async with HttpStub(rules) as stub, connected(replace(at(stub.url), revision="")) as session:
        assert session.transport_name == "sse"
        assert session.revision is not None
        assert session.revision < NEWEST_STATEFUL
        asked = [each.rpc or each.verb for each in stub.asked]
        assert asked[:3] == ["server/discover", "initialize", "GET"]
