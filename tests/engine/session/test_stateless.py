"""Requests that speak for themselves: what each carries, how it is called off, and what is sent once more."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError, ResponseLost
from inspector.session.session_state import SessionState
from inspector.spec.keys import LOG_LEVELS
from inspector.spec.revision import NEWEST
from inspector.transcript.exchange import Status
from inspector.wire.message import MessageKind
from tests.support.answering import silence
from tests.support.http_session import call, words_of
from tests.support.http_stub import Asked, Reply, answer, reply, stream
from tests.support.modern import complete, meta_of, modern, modern_http, proper, said
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

PREFIX = "io.modelcontextprotocol/"
LOST = stream("id: 1\nretry: 1\ndata:\n\n")
ANNOTATED: JsonObject = {
    "type": "object",
    "properties": {"zone": {"type": "string", "x-mcp-header": "Zone"}},
}
MISMATCH: JsonObject = {"error": {"code": -32020, "message": "Header mismatch"}}


async def test_every_request_says_who_asks_by_what_and_with_which_capabilities() -> None:
    """C-MET-04, C-MET-05, C-MET-06, C-ELI-02, C-ROOT-02, C-SMP-02, C-LOG-05, modern-11-meta-required."""
    async with modern({"tools/call": lambda _: said()}) as (server, opened):
        await opened.session.request("tools/call", {"name": "a"})
        await opened.session.request("tools/list")

        requests = [message for message in server.received if "id" in message]
        assert len(requests) == 4
        for message in requests:
            meta = meta_of(message)
            assert meta[f"{PREFIX}protocolVersion"] == NEWEST.date
            assert meta[f"{PREFIX}clientCapabilities"] == opened.session.client_capabilities
            assert "name" in str(meta[f"{PREFIX}clientInfo"])
            assert "progressToken" not in meta
            assert f"{PREFIX}logLevel" not in meta
        assert "initialize" not in [message["method"] for message in server.received]


async def test_progress_and_log_messages_are_opted_in_to_by_each_request() -> None:
    """C-LOG-03."""
    async with modern({"tools/call": lambda _: said()}) as (server, opened):
        await opened.session.set_log_level(LOG_LEVELS[1])
        await opened.session.request("tools/call", {"name": "a"}, on_progress=lambda _: None)

        meta = meta_of(server.of("tools/call")[0])
        assert meta[f"{PREFIX}logLevel"] == "info"
        assert meta["progressToken"] == "p-1"
        assert server.of("logging/setLevel") == []


async def test_what_is_set_by_hand_wins_and_is_told() -> None:
    """modern-11-meta-required: an override for one request, with a remark beside it."""
    by_hand: JsonObject = {f"{PREFIX}protocolVersion": "1999-01-01", "traceparent": "00-1-2-01"}
    async with modern({"tools/call": lambda _: said()}) as (server, opened):
        await opened.session.request("tools/call", {"name": "a"}, meta=by_hand)
        await opened.session.request("tools/call", {"name": "a", "_meta": {"own": 1}})

        first, second = (meta_of(each) for each in server.of("tools/call"))
        assert first[f"{PREFIX}protocolVersion"] == "1999-01-01"
        assert first["traceparent"] == "00-1-2-01"
        assert second[f"{PREFIX}protocolVersion"] == NEWEST.date
        assert second["own"] == 1
        remarks = words_of(opened.session, "meta-by-hand")
        assert remarks == [f"overridden: {PREFIX}protocolVersion"]


async def test_metadata_of_one_request_wins_over_what_its_params_hold() -> None:
    """Ours: it is what the user set last."""
    async with modern({"tools/call": lambda _: said()}) as (server, opened):
        params: JsonObject = {"name": "a", "_meta": {"own": 1, "kept": 2}}
        await opened.session.request("tools/call", params, meta={"own": 3})

        meta = meta_of(server.of("tools/call")[0])
        assert (meta["own"], meta["kept"]) == (3, 2)


@pytest.mark.parametrize("meta", [None, 7, "x", []])
async def test_metadata_that_is_no_object_leaves_as_it_is(meta: Json) -> None:
    """Ours: a user may try how the server takes it."""
    async with modern({"tools/call": lambda _: said()}) as (server, opened):
        await opened.session.request("tools/call", {"name": "a", "_meta": meta})

        assert server.of("tools/call")[0]["params"] == {"name": "a", "_meta": meta}


async def test_we_may_be_silent_about_ourselves() -> None:
    """C-MET-06."""
    async with modern() as (server, opened):
        opened.session.identity = None
        await opened.session.request("tools/list")

        assert f"{PREFIX}clientInfo" not in meta_of(server.of("tools/list")[-1])


async def test_a_request_is_called_off_by_a_notification_where_all_share_one_line() -> None:
    """C-CAN-09, C-CAN-13."""
    async with modern({"tools/call": silence}) as (server, opened):
        asked = asyncio.ensure_future(opened.session.request("tools/call", {"name": "a"}))
        await wait_until(lambda: server.of("tools/call"))
        asked.cancel()
        await wait_until(lambda: server.of("notifications/cancelled"))

        params = server.of("notifications/cancelled")[0]["params"]
        assert isinstance(params, dict)
        assert params["requestId"] == server.of("tools/call")[0]["id"]
        assert opened.session.state is SessionState.READY


async def test_a_request_of_the_server_gets_no_answer() -> None:
    """C-JR-19, C-JR-21, C-STD-13, L-JR-22: there are none in this revision, and no responses of clients either."""
    async with modern() as (server, opened):
        for method in ("ping", "roots/list", "sampling/createMessage"):
            server.send({"jsonrpc": "2.0", "id": method, "method": method})
        await wait_until(lambda: len(words_of(opened.session, "not-answered")) == 3)
        await opened.session.request("tools/list")

        assert all("method" in message for message in server.received)
        opened.sweep.validate_slice(5)
        transcript = opened.session.transcript
        frames = range(1, transcript.count + 1)
        asked = [n for n in frames if transcript.row(n).kind is MessageKind.REQUEST]
        rules = [{found.rule for found in transcript.findings(n)} for n in asked]
        assert [each for each in rules if "L-JR-22" in each] == [{"L-JR-22"}] * 3


async def test_there_is_no_ping() -> None:
    """C-PNG-05."""
    async with modern() as (_, opened):
        assert not opened.ping.offered
        assert not opened.session.supports("resources/subscribe")


# Over HTTP


async def test_every_request_repeats_in_headers_what_its_body_says() -> None:
    """C-HTTP-05, C-HTTP-20, C-HTTP-21, C-HTTP-22, C-HTTP-23: and each body is one message."""
    async with modern_http() as (stub, session):
        await session.request("tools/list")
        await call(session, "a b")

        for asked in stub.asked:
            assert asked.headers["mcp-protocol-version"] == NEWEST.date
            assert meta_of(asked.message)[f"{PREFIX}protocolVersion"] == NEWEST.date
            assert asked.headers["mcp-method"] == asked.rpc
        assert "mcp-name" not in stub.said("POST tools/list")[0].headers
        assert stub.said("POST tools/call")[0].headers["mcp-name"] == "a b"


async def test_a_version_that_is_set_by_hand_is_the_one_in_the_header() -> None:
    """C-HTTP-21."""
    async with modern_http() as (stub, session):
        meta: JsonObject = {f"{PREFIX}protocolVersion": "2099-01-01"}
        await session.request("tools/list", meta=meta)

        assert stub.said("POST tools/list")[0].headers["mcp-protocol-version"] == "2099-01-01"


async def test_a_request_is_called_off_by_closing_its_stream() -> None:
    """C-CAN-10, C-HTTP-47: nothing is posted for it."""
    rules = {"POST tools/call": stream(": wait\n\n", end="hang")}
    async with modern_http(rules) as (stub, session):
        asked = asyncio.ensure_future(call(session))
        await wait_until(lambda: stub.said("POST tools/call"))
        before = stub.open_connections
        asked.cancel()
        await wait_until(lambda: stub.open_connections < before)
        await session.request("tools/list")

        methods = [each.rpc for each in stub.asked]
        assert methods == ["server/discover", "tools/call", "tools/list"]
        assert session.state is SessionState.READY


async def test_a_call_whose_answer_is_lost_is_not_made_again() -> None:
    """C-HTTP-38, C-HTTP-39: it may have been carried out; nothing is resumed either."""
    async with modern_http({"POST tools/call": LOST}) as (stub, session):
        with pytest.raises(ResponseLost, match="response lost") as failure:
            await call(session)

        assert failure.value.hint
        assert len(stub.said("POST tools/call")) == 1
        assert stub.said("GET") == []
        assert session.state is SessionState.READY


async def test_a_request_that_changes_nothing_is_made_once_more_under_a_new_id() -> None:
    """C-HTTP-38."""
    async with modern_http({"POST tools/list": [LOST, None]}) as (stub, session):
        sent: list[int] = []
        await session.request("tools/list", on_sent=sent.append)

        first, second = stub.said("POST tools/list")
        assert first.message["id"] != second.message["id"]
        statuses = [session.transcript.status(frame) for frame in sent]
        assert statuses == [Status.NO_RESPONSE, Status.OK]
        assert words_of(session, "sent-again")


async def test_a_request_whose_answer_is_lost_twice_fails() -> None:
    """Ours: no loops."""
    async with modern_http({"POST tools/list": LOST}) as (stub, session):
        with pytest.raises(ResponseLost):
            await session.request("tools/list")

        assert len(stub.said("POST tools/list")) == 2


async def test_headers_that_do_not_match_are_built_anew_from_a_fresh_list() -> None:
    """C-HTTP-34, C-HTTP-35: once, and the call goes out with what the tool wants now."""
    tool: JsonObject = {"name": "a", "inputSchema": ANNOTATED}
    listed = answer({"result": complete(tools=[tool], ttlMs=0, cacheScope="private")})

    def checked(asked: Asked) -> Reply:
        if asked.headers.get("mcp-param-zone") == "x":
            return proper(asked)
        return answer(MISMATCH, status=400)

    rules = {"POST tools/list": listed, "POST tools/call": checked}
    async with modern_http(rules) as (stub, session):
        await session.request("tools/call", {"name": "a", "arguments": {"zone": "x"}})
        assert len(stub.said("POST tools/call")) == 2
        await session.request("tools/call", {"name": "a", "arguments": {"zone": "x"}})
        assert len(stub.said("POST tools/call")) == 3
        assert len(stub.said("POST tools/list")) == 1


async def test_headers_that_never_match_are_told_of() -> None:
    """C-HTTP-34."""
    rules = {"POST tools/call": answer(MISMATCH, status=400)}
    async with modern_http(rules) as (stub, session):
        with pytest.raises(PeerError, match="-32020"):
            await call(session)

        assert len(stub.said("POST tools/call")) == 2
        assert len(stub.said("POST tools/list")) == 1


async def test_arguments_are_not_repeated_once_the_tool_lost_its_annotations() -> None:
    """C-HTTP-35: the latest list counts."""
    tool: JsonObject = {"name": "a", "inputSchema": ANNOTATED}
    listed = answer({"result": complete(tools=[tool], ttlMs=0, cacheScope="private")})
    async with modern_http({"POST tools/list": [listed, None]}) as (stub, session):
        for _ in range(2):
            await session.request("tools/list")
            await session.request("tools/call", {"name": "a", "arguments": {"zone": "x"}})

        first, second = (asked.headers for asked in stub.said("POST tools/call"))
        assert first["mcp-param-zone"] == "x"
        assert "mcp-param-zone" not in second


@pytest.mark.parametrize(("status", "code"), [(404, -32601), (400, -32602), (400, -32021)])
async def test_an_error_in_the_body_of_a_bad_status_is_the_answer(status: int, code: int) -> None:
    """C-HTTP-43."""
    error: JsonObject = {"error": {"code": code, "message": "no"}}
    async with modern_http({"POST prompts/list": answer(error, status=status)}) as (_, session):
        with pytest.raises(PeerError) as failure:
            await session.request("prompts/list")

        assert failure.value.code == code
        assert session.state is SessionState.READY


async def test_a_session_id_is_not_used_and_told_of() -> None:
    """C-HTTP-39, modern-09-no-session-no-get."""

    def with_session(asked: Asked) -> Reply:
        made = proper(asked)
        return Reply(made.status, (*made.headers, ("Mcp-Session-Id", "zzz")), made.pieces)

    async with modern_http(otherwise=with_session) as (stub, session):
        await call(session)
        await session.aclose()

        assert all("mcp-session-id" not in asked.headers for asked in stub.asked)
        assert {asked.verb for asked in stub.asked} == {"POST"}
        assert len(words_of(session, "session-ignored")) == 1


async def test_a_404_without_a_message_is_a_bad_answer_and_no_lost_session() -> None:
    """C-HTTP-39."""
    async with modern_http({"POST tools/call": reply(404)}) as (_, session):
        with pytest.raises(Exception, match="HTTP 404"):
            await call(session)

        assert session.state is SessionState.READY
