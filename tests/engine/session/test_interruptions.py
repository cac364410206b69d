"""A server of the stateless era that was away for a while, or is another one now: streams, lists and what it said of itself are asked for again."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING

import pytest

from inspector.session import notification_stream, paginated_list
from inspector.session.notification_stream import StreamState
from inspector.spec.subscription_filter import ACKNOWLEDGED, KINDS, LISTEN, SubscriptionFilter
from tests.support.http_session import call, words_of
from tests.support.http_stub import HttpStub, Reply, answer, reply, stream
from tests.support.modern import complete, discovered, opened_at, proper
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Asked

TOOLS = next(iter(KINDS))
TAG = "io.modelcontextprotocol/subscriptionId"
INFO = "io.modelcontextprotocol/serverInfo"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists are read again at once."""
    monkeypatch.setattr(paginated_list, "REFRESH_SECONDS", 0.0)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream that broke off is opened again at once."""
    monkeypatch.setattr(notification_stream, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(notification_stream, "MAX_PAUSE_SECONDS", 0.02)


class Server:
    """Announces changes of its tools on a stream, and says with every result who it is."""

    def __init__(self) -> None:
        self.name = "first"
        self.tools = ["a", "b"]
        self.capabilities: JsonObject = {"tools": {"listChanged": True}}
        self.feeds: list[asyncio.Queue[bytes]] = []

    def __call__(self, asked: Asked) -> Reply:
        if asked.rpc == LISTEN:
            return self._listen()
        tools: list[Json] = [{"name": n, "inputSchema": {"type": "object"}} for n in self.tools]
        meta: JsonObject = {INFO: {"name": self.name, "version": "1"}}
        results: dict[str, JsonObject] = {
            "server/discover": discovered(capabilities=self.capabilities, name=self.name),
            "tools/list": complete(tools=tools, ttlMs=0, cacheScope="private", _meta=meta),
            "prompts/list": complete(prompts=[], ttlMs=0, cacheScope="private", _meta=meta),
            "tools/call": complete(content=[], _meta=meta),
        }
        return answer({"result": results[asked.rpc]}) if asked.rpc in results else proper(asked)

    def _listen(self) -> Reply:
        params = {"notifications": {"toolsListChanged": True}, "_meta": {TAG: 0}}
        text = json.dumps({"jsonrpc": "2.0", "method": ACKNOWLEDGED, "params": params})
        agreed = text.replace(f'"{TAG}": 0', f'"{TAG}": {{{{id}}}}').encode()
        self.feeds.append(asyncio.Queue())
        made = stream(b"data: " + agreed + b"\n\n")
        return Reply(200, made.headers, made.pieces, feed=self.feeds[-1])


def state_of(opened: OpenSession) -> StreamState:
    """How the latest stream stands."""
    return opened.session.listening.streams[-1].state


async def listens(opened: OpenSession) -> None:
    """Wait until changes are announced."""
    streams = opened.session.listening.streams
    await wait_until(lambda: streams and state_of(opened) is StreamState.OPEN)


async def is_away(opened: OpenSession) -> None:
    """Wait until it was noticed that nobody is there."""
    await wait_until(
        lambda: state_of(opened) is StreamState.LOST and opened.session.transcript.unreachable
    )


@pytest.mark.usefixtures("impatient")
async def test_a_stream_is_opened_again_however_often_nobody_was_there() -> None:
    """C-SUB-05: only a server that is there can let it break off too often."""
    server = Server()
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        await listens(opened)
        await stub.stop()
        tries = notification_stream.MAX_TRIES + 3
        await wait_until(lambda: len(words_of(opened.session, "unreachable")) > tries)
        await stub.start()
        await listens(opened)

        assert len(opened.session.listening.streams) == 1


async def test_a_request_that_reaches_the_server_again_opens_the_stream_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-SUB-05, C-STD-11: however long the next try is off."""
    monkeypatch.setattr(notification_stream, "FIRST_PAUSE_SECONDS", 60.0)
    server = Server()
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        await listens(opened)
        await stub.stop()
        await wait_until(lambda: state_of(opened) is StreamState.LOST)
        assert "60 s" in opened.session.listening.interruption_text(TOOLS)
        with pytest.raises(Exception, match="refused the connection"):
            await call(opened.session)
        await stub.start()
        await call(opened.session)
        await listens(opened)
        before = len(stub.said("POST tools/list"))
        server.feeds[-1].put_nowait(b'data: {"jsonrpc":"2.0","method":"%b"}\n\n' % TOOLS.encode())
        await wait_until(lambda: len(stub.said("POST tools/list")) > before)


async def test_a_stream_that_a_server_ended_before_it_left_is_opened_again_when_it_is_back() -> (
    None
):
    """C-STD-11: it may end what it can before it stops."""
    server = Server()
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        await listens(opened)
        id_ = opened.session.transcript.message(
            opened.session.listening.streams[-1].request_frame
        ).id
        result = {"resultType": "complete", "_meta": {TAG: id_}}
        text = json.dumps({"jsonrpc": "2.0", "id": id_, "result": result})
        server.feeds[-1].put_nowait(f"data: {text}\n\n".encode())
        await wait_until(lambda: state_of(opened) is StreamState.ENDED)
        assert opened.session.listening.interruption_text(TOOLS)
        await stub.stop()
        with pytest.raises(Exception, match="refused the connection"):
            await call(opened.session)
        await stub.start()
        await call(opened.session)
        await listens(opened)

        assert not opened.session.listening.interruption_text(TOOLS)


@pytest.mark.usefixtures("impatient")
async def test_lists_are_read_again_after_a_gap_of_any_kind() -> None:
    """Ours: a stream that was cut misses what is announced meanwhile, be the server gone for long or not noticeably."""
    server = Server()
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        await listens(opened)
        server.tools = ["a"]
        await stub.stop()
        await stub.start()
        await wait_until(lambda: len(opened.tools.items) == 1)

        server.tools = ["a", "b", "c"]
        await stub.stop()
        await is_away(opened)
        await stub.start()
        await wait_until(lambda: len(opened.tools.items) == 3)


async def test_lists_of_a_server_without_announcements_are_read_again_when_it_is_back() -> None:
    """Ours: the first answer after vain attempts tells."""
    server = Server()
    server.capabilities = {"tools": {}}
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        server.tools = ["c"]
        await stub.stop()
        with pytest.raises(Exception, match="refused the connection"):
            await call(opened.session)
        await stub.start()
        await call(opened.session)

        await wait_until(lambda: [tool.name for tool in opened.tools.items] == ["c"])


@pytest.mark.usefixtures("impatient")
async def test_a_server_that_came_in_the_place_of_another_is_asked_what_it_can_do() -> None:
    """C-VER-01: what is shown is what the server says now, and lists that only the new one has are read."""
    server = Server()
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        session = opened.session
        await listens(opened)
        server.name = "second"
        server.capabilities = {"tools": {"listChanged": True}, "prompts": {}}
        await stub.stop()
        await stub.start()
        await wait_until(
            lambda: session.greeting and session.greeting.server.server.name == "second"
        )
        await wait_until(lambda: stub.said("POST prompts/list"))

        (text,) = words_of(session, "server-replaced")
        assert "second 1" in text
        assert "first 1" in text
        assert session.declares("prompts")
        assert session.interruptions.other_server == ""


async def test_a_result_of_another_server_is_told_and_changes_nothing_else() -> None:
    """C-MET-07: it is shown, once."""
    server = Server()
    server.capabilities = {"tools": {}}
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        server.name = "second"
        await call(opened.session)
        await call(opened.session)

        assert opened.session.interruptions.other_server == "second 1"
        (text,) = words_of(opened.session, "other-server")
        assert "first 1" in text
        assert len(stub.said("POST server/discover")) == 1
        assert len(stub.said("POST tools/list")) == 1
        server.name = "first"
        await call(opened.session)
        assert opened.session.interruptions.other_server == ""


async def test_a_server_that_does_not_answer_the_question_again_is_shown_as_before() -> None:
    """Ours."""
    server = Server()
    server.capabilities = {"tools": {}}
    rules = {"POST server/discover": [None, reply(500, b"starting", "text/plain")]}
    async with HttpStub(rules, otherwise=server) as stub, opened_at(stub) as opened:
        await stub.stop()
        with pytest.raises(Exception, match="refused the connection"):
            await call(opened.session)
        await stub.start()
        await call(opened.session)
        await wait_until(lambda: words_of(opened.session, "not-discovered"))

        assert opened.session.greeting is not None
        assert opened.session.greeting.server.server.name == "first"


async def test_everything_is_asked_for_on_one_stream_when_the_lists_are_known() -> None:
    """Ours: a list that takes longer than the others is waited for."""
    server = Server()
    server.capabilities = {"tools": {"listChanged": True}, "prompts": {"listChanged": True}}
    slow = Reply(200, (("Content-Type", "application/json"),), (0.2, *server_list("prompts")))
    async with (
        HttpStub({"POST prompts/list": slow}, otherwise=server) as stub,
        opened_at(stub) as opened,
    ):
        await listens(opened)

        (asked,) = stub.said(f"POST {LISTEN}")
        params = asked.message["params"]
        assert isinstance(params, dict)
        assert params["notifications"] == {"toolsListChanged": True, "promptsListChanged": True}


def server_list(member: str) -> tuple[bytes]:
    """An empty list in a response."""
    empty: list[Json] = []
    result = complete(**{member: empty}, ttlMs=0, cacheScope="private")
    text = json.dumps({"jsonrpc": "2.0", "id": 0, "result": result})
    return (text.replace('"id": 0', '"id": {{id}}').encode(),)


async def test_a_server_that_knows_no_streams_is_asked_for_one_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: until the user asks again."""
    monkeypatch.setattr("inspector.session.notification_streams.MAX_GATHER_SECONDS", 0.05)
    server = Server()
    server.capabilities = {"tools": {"listChanged": True}, "prompts": {"listChanged": True}}
    slow = Reply(200, (("Content-Type", "application/json"),), (0.3, *server_list("prompts")))
    unknown = answer({"error": {"code": -32601, "message": "Method not found"}}, status=404)
    rules = {"POST prompts/list": slow, f"POST {LISTEN}": unknown}
    async with HttpStub(rules, otherwise=server) as stub, opened_at(stub) as opened:
        await wait_until(lambda: state_of(opened) is StreamState.FAILED)
        await opened.read_lists()
        await opened.read_lists()
        assert len(stub.said(f"POST {LISTEN}")) == 1
        assert "-32601" in opened.session.listening.interruption_text(TOOLS)

        opened.session.listening.open_again()
        await wait_until(lambda: len(stub.said(f"POST {LISTEN}")) == 2)


@pytest.mark.usefixtures("impatient")
async def test_a_stream_of_a_person_is_opened_again_too() -> None:
    """C-SUB-05: it is neither that of the lists nor closed."""
    server = Server()
    server.capabilities = {"tools": {}}
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        made = opened.session.listening.open_lasting(SubscriptionFilter(frozenset({TOOLS})))
        await made.settled(5)
        await stub.stop()
        await is_away(opened)
        await stub.start()
        await wait_until(lambda: made.state is StreamState.OPEN)
