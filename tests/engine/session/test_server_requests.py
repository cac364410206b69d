"""What the server asks of us."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.spec.revision import V2025_03_26
from inspector.transcript.exchange import Status
from tests.support.answering import AnsweringServer, connected
from tests.support.dialogue import (
    Dialogue,
    greeted,
    hears,
    says_error,
    says_result,
    session_of,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.session.peer import InboundRequest
    from inspector.wire.json_codec import Json


@pytest.mark.parametrize("id_", [0, 1, -7, "1", "", "x" * 5000, 9007199254740993, 2**70])
async def test_a_ping_is_answered_with_an_empty_result_and_its_own_id(id_: int | str) -> None:
    """C-PNG-01, C-JR-05; jsonrpc-16: ids keep type, digits and length."""
    dialogue = Dialogue(
        *greeted(),
        hears({"jsonrpc": "2.0", "id": id_, "method": "ping"}),
        says_result(id_, {}),
    )
    async with session_of(dialogue) as session:
        await session.connect()
        await wait_until(lambda: len(dialogue.sent) == 3)

        assert list(dialogue.sent[-1]) == ["jsonrpc", "id", "result"]
        assert session.transcript.counts.pending == 0


@pytest.mark.parametrize(
    "method", ["roots/list", "sampling/createMessage", "elicitation/create", "no/such", ""]
)
async def test_a_request_for_what_we_did_not_declare_is_refused_not_ignored(method: str) -> None:
    """C-LC-14, C-JR-06, C-JR-07."""
    dialogue = Dialogue(
        *greeted(), hears({"jsonrpc": "2.0", "id": 5, "method": method}), says_error(5, -32601)
    )
    async with session_of(dialogue) as session:
        await session.connect()
        await wait_until(lambda: len(dialogue.sent) == 3)

        assert "result" not in dialogue.sent[-1]


async def test_a_ping_before_the_answer_to_initialize_is_answered_at_once() -> None:
    """C-LC-07, C-PNG-01."""
    greeting = greeted()
    ping = hears({"jsonrpc": "2.0", "id": 5, "method": "ping"})
    dialogue = Dialogue(greeting[0], ping, says_result(5, {}), *greeting[1:])
    async with session_of(dialogue) as session:
        await session.connect()

        assert len(dialogue.sent) == 3


async def test_a_request_with_a_null_id_is_refused_with_that_id() -> None:
    """C-JR-02."""
    dialogue = Dialogue(
        *greeted(),
        hears({"jsonrpc": "2.0", "id": None, "method": "ping"}),
        says_error(None, -32600),
    )
    async with session_of(dialogue) as session:
        await session.connect()
        await wait_until(lambda: len(dialogue.sent) == 3)


async def test_a_responder_answers_its_method_and_may_refuse() -> None:
    """C-JR-05, C-JR-06."""

    async def answer(inbound: InboundRequest) -> Json:
        if inbound.message.params == {"no": True}:
            raise PeerError(-1, "Rejected by the user", {"why": "no"})
        return {"roots": []}

    server = AnsweringServer()
    async with connected(server) as session:
        session.responders["roots/list"] = answer
        server.send({"jsonrpc": "2.0", "id": "a", "method": "roots/list"})
        server.send({"jsonrpc": "2.0", "id": "b", "method": "roots/list", "params": {"no": True}})
        await wait_until(lambda: len(server.received) == 4)

        assert server.received[2:] == [
            {"jsonrpc": "2.0", "id": "a", "result": {"roots": []}},
            {
                "jsonrpc": "2.0",
                "id": "b",
                "error": {"code": -1, "message": "Rejected by the user", "data": {"why": "no"}},
            },
        ]
        statuses = [session.transcript.status(n) for n in range(1, session.transcript.count + 1)]
        assert [s for s in statuses if s] == [Status.OK, Status.OK, Status.ERROR]


async def test_notifications_of_any_kind_are_never_answered() -> None:
    """C-JR-09; jsonrpc-14."""
    server = AnsweringServer()
    async with connected(server) as session:
        for line in (
            b'{"jsonrpc":"2.0","method":"notifications/whatever","params":[1,2]}',
            b'{"jsonrpc":"2.0","method":""}',
            b'{"jsonrpc":"2.0","method":7}',
            b'{"jsonrpc":"2.0","method":"notifications/message","params":{"data":null}}',
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}',
            b"[]",
            b"7",
        ):
            server.send(line)
        await session.request("ping")

        assert server.methods() == ["ping"]


async def test_the_members_of_a_batch_are_taken_one_by_one() -> None:
    """C-JR-10, C-JR-12: answers leave as single messages."""
    server = AnsweringServer(revision=V2025_03_26)
    async with connected(server) as session:
        server.send(
            b'[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"x"},'
            b'{"jsonrpc":"2.0","method":"notifications/x"}]'
        )
        await wait_until(lambda: len(server.received) == 4)

        answers = {str(message["id"]): message for message in server.received[2:]}
        assert answers["1"]["result"] == {}
        assert "error" in answers["2"]
        assert session.transcript.counts.pending == 0


async def test_a_listener_is_told_of_its_notifications_with_their_frames() -> None:
    """Ours."""
    server = AnsweringServer()
    async with connected(server) as session:
        heard: list[tuple[int, Json]] = []
        session.peer.listener("notifications/message").subscribe(
            lambda frame, message: heard.append((frame, message.params))  # type: ignore[arg-type] - present here
        )
        server.notify("notifications/message", {"level": "loud", "data": {"a": [1]}})
        server.notify("notifications/other")

        assert heard == [(4, {"level": "loud", "data": {"a": [1]}})]
