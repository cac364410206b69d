"""How the demo server begins a session, and what it makes of what comes before."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.engine.demo.client import NEWEST, STATEFUL, bare_demo, demo, member

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import JsonObject


@pytest.mark.parametrize("revision", STATEFUL, ids=str)
async def test_it_speaks_the_revision_that_it_is_asked_for(revision: Revision) -> None:
    """Lifecycle, "Version Negotiation"."""
    async with bare_demo() as client:
        result = await client.initialize(revision)

        assert result["protocolVersion"] == revision.date
        assert member(result, "serverInfo", "name") == "spyglass-demo"
        assert "experimental" in client_capabilities(result)
        assert ("completions" in client_capabilities(result)) is revision.has_completions_capability


def client_capabilities(result: JsonObject) -> JsonObject:
    capabilities = result["capabilities"]
    assert isinstance(capabilities, dict)
    return capabilities


async def test_it_offers_its_newest_revision_for_an_unknown_one() -> None:
    """Lifecycle, "Version Negotiation"."""
    async with bare_demo() as client:
        params: JsonObject = {"protocolVersion": "1999-01-01", "capabilities": {}}

        result = await client.result("initialize", params)

        assert result["protocolVersion"] == NEWEST.date


async def test_before_the_handshake_it_answers_pings_and_refuses_the_rest() -> None:
    """Lifecycle, "Initialization"."""
    async with bare_demo() as client:
        assert await client.result("ping") == {}
        assert await client.error_code("server/discover") == -32602  # it has no `_meta`
        assert await client.error_code("tools/list") == -32600
        assert await client.error_code("tools/call", {"name": "echo"}) == -32600


async def test_a_second_handshake_is_refused() -> None:
    """Ours."""
    async with demo() as client:
        assert await client.error_code("initialize", {"protocolVersion": NEWEST.date}) == -32600


NO_MESSAGES = [
    (b'{"jsonrpc":"2.0",\n', -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}\n', -32700),
    (b"\xff\xfe\n", -32700),
    (b"[" * 5000 + b"\n", -32700),
    (b"[]\n", -32600),
    (b"17\n", -32600),
    (b"{}\n", -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}\n', -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}\n', -32600),
]


async def test_what_is_no_message_is_refused_without_an_id() -> None:
    """JSON-RPC 2.0, section 5.1."""
    async with bare_demo() as client:
        for line, code in NO_MESSAGES:
            client.write(line)
            response = await client.message()
            assert member(response, "error", "code") == code
            assert "id" not in response


async def test_an_id_is_null_where_the_revision_wants_one() -> None:
    """JSON-RPC 2.0, section 5."""
    async with demo(revision=STATEFUL[0]) as client:
        client.write(b"no json\n")

        assert (await client.message())["id"] is None


async def test_ids_come_back_with_their_type() -> None:
    """Ours: 1 and "1" are two ids."""
    async with demo() as client:
        client.write_message({"id": "1", "method": "ping"})

        assert (await client.message())["id"] == "1"


async def test_a_batch_is_answered_in_one_array_where_there_are_batches() -> None:
    """Second revision, basic, "Batching"."""
    async with demo(revision=STATEFUL[1]) as client:
        client.write(
            b'[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","method":"x"},'
            b'{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"echo","arguments":{"message":"m"}}},7]\n'
        )

        answers = json.loads(await client.line())

        assert [answer["id"] for answer in answers] == [5, 6, None]


async def test_it_ends_in_order_when_stdin_ends() -> None:
    """Lifecycle, "Shutdown"."""
    async with demo() as client:
        client.start("wait", {"seconds": 60})

        assert await client.end() == 0
        assert "cancelled: call 2 of wait" in await client.stderr()
