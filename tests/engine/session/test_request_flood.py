"""Very many requests of a server at once: all are answered, in order, and the event loop has its turns meanwhile; ours."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.background_tasks import TURN_BYTES, TURN_COUNT
from inspector.config.profile import Profile
from inspector.errors import PeerError
from inspector.session import inbound
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.transcript.exchange import Status
from inspector.transcript.transcript import Transcript
from inspector.wire import json_codec
from tests.support.answering import AnsweringServer, connected
from tests.support.asked import asker
from tests.support.programs import python
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from inspector.session.inbound import InboundRequest
    from inspector.wire.json_codec import Json, JsonObject

MANY = 200


def ping(id_: Json) -> JsonObject:
    return {"jsonrpc": "2.0", "id": id_, "method": "ping"}


def answered(server: AnsweringServer) -> list[Json]:
    """The ids of the answers of the client, in order."""
    return [message["id"] for message in server.received if "method" not in message]


async def most_in_a_turn(count: Callable[[], int], until: int) -> int:
    """How much `count` grows in one turn of the loop, at most, until it is `until`."""
    most, before = 0, count()
    async with asyncio.timeout(5):
        while before < until:
            await asyncio.sleep(0)
            now = count()
            most, before = max(most, now - before), now
    return most


async def test_many_pings_are_answered_in_order_a_few_in_each_turn_of_the_loop() -> None:
    """C-PNG-01."""
    server = AnsweringServer()
    async with connected(server) as session:
        for number in range(MANY):
            server.send(ping(number))
        assert session.peer.serving.open_count == MANY

        most = await most_in_a_turn(lambda: len(answered(server)), MANY)

        assert most <= TURN_COUNT
        assert answered(server) == list(range(MANY))
        await wait_until(lambda: not session.peer.serving.is_busy)


async def test_large_requests_have_a_turn_of_the_loop_each() -> None:
    server = AnsweringServer()
    async with connected(server):
        for number in range(5):
            server.send({**ping(number), "params": {"x": "x" * TURN_BYTES}})

        assert await most_in_a_turn(lambda: len(answered(server)), 5) == 1


async def test_while_too_many_have_not_begun_nothing_more_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inbound, "MAX_QUEUED", 50)
    server = AnsweringServer()
    async with connected(server) as session:
        for number in range(MANY):
            server.send(ping(number))
        assert session.peer.is_congested

        async with asyncio.timeout(5):
            await session.peer.ready()
        assert len(answered(server)) < MANY  # reading continues as soon as there is room

        await wait_until(lambda: len(answered(server)) == MANY)
        assert not session.peer.is_congested


async def test_a_request_that_is_called_off_before_its_turn_gets_no_answer() -> None:
    """C-CAN-02: the others do."""
    server = AnsweringServer()
    async with connected(server) as session:
        for number in range(MANY):
            server.send(ping(number))
        server.notify("notifications/cancelled", {"requestId": MANY - 2})

        await wait_until(lambda: not session.peer.serving.is_busy)

        assert answered(server) == [number for number in range(MANY) if number != MANY - 2]


async def test_the_end_of_the_connection_ends_the_answering() -> None:
    server = AnsweringServer()
    async with connected(server) as session:
        for number in range(MANY):
            server.send(ping(number))
        await session.aclose()
        await wait_until(lambda: not session.peer.serving.is_busy)

        assert len(answered(server)) < MANY
        transcript = session.transcript
        statuses = [transcript.status(number) for number in range(1, transcript.count + 1)]
        assert Status.NO_RESPONSE in statuses
        assert Status.PENDING not in statuses


async def test_the_server_waits_until_the_last_member_of_a_batch_is_answered() -> None:
    """Ours: they share a frame."""
    go_on = asyncio.Event()

    async def respond(inbound: InboundRequest) -> Json:
        if inbound.message.id == 2:
            await go_on.wait()
        return {}

    server = AnsweringServer()
    async with connected(server) as session:
        session.responders["x"] = respond
        batch: list[Json] = [{"jsonrpc": "2.0", "id": id_, "method": "x"} for id_ in (1, 2, 3)]
        server.send(json_codec.write(batch).encode())
        await wait_until(lambda: len(answered(server)) == 2)

        assert session.peer.serving.open_count == 1
        go_on.set()
        await wait_until(lambda: not session.peer.serving.is_busy)
        assert answered(server) == [1, 3, 2]


async def test_what_is_more_than_can_be_answered_at_once_is_told_in_the_record(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inbound, "MAX_RUNNING", 3)

    async def wait(_: InboundRequest) -> Json:
        await asyncio.Event().wait()
        return None

    server = AnsweringServer()
    async with connected(server) as session:
        session.responders["x"] = wait
        for number in range(5):
            server.send({"jsonrpc": "2.0", "id": number, "method": "x"})
        await wait_until(lambda: session.peer.serving.open_count == 3)

        transcript = session.transcript
        statuses = [transcript.status(number) for number in range(1, transcript.count + 1)]
        assert statuses.count(Status.NO_RESPONSE) == 2
        assert statuses.count(Status.PENDING) == 3


async def test_one_click_that_rejects_many_sends_a_few_answers_in_each_turn_of_the_loop() -> None:
    async with asker() as client:
        for number in range(MANY):
            client.ask(number, "sampling/createMessage", {"messages": [], "maxTokens": 1})
        await client.waits(MANY)
        client.inbox.decline_all()

        most = await most_in_a_turn(lambda: len(answered(client.server)), MANY)

        assert most <= TURN_COUNT


async def test_the_end_of_the_connection_ends_many_questions_a_few_in_each_turn_of_the_loop() -> (
    None
):
    async with asker() as client:
        for number in range(MANY):
            client.ask(number, "sampling/createMessage", {"messages": [], "maxTokens": 1})
        await client.waits(MANY)
        session = client.opened.session
        changes: list[int] = []
        client.inbox.changed.subscribe(lambda: changes.append(1))
        session.peer.ended_event.fire()

        assert client.inbox.pending == ()
        assert len(changes) == 1
        most = await most_in_a_turn(lambda: MANY - session.peer.serving.open_count, MANY)
        assert most <= TURN_COUNT


async def test_too_many_requests_before_the_era_is_known_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(inbound, "MAX_EARLY", 2)
    early = inbound.EarlyRequests()
    waiting = [asyncio.ensure_future(early.wait()) for _ in range(3)]
    await asyncio.sleep(0)

    assert [type(task.exception()) for task in waiting if task.done()] == [PeerError]
    early.release()
    await asyncio.gather(*waiting[:2])


async def test_requests_before_the_era_is_known_go_on_a_few_in_each_turn_of_the_loop() -> None:
    early, done = inbound.EarlyRequests(), list[int]()

    async def wait(number: int) -> None:
        await early.wait()
        done.append(number)

    tasks = [asyncio.ensure_future(wait(number)) for number in range(MANY)]
    await asyncio.sleep(0)
    early.release()
    most = await most_in_a_turn(lambda: len(done), MANY)
    await asyncio.gather(*tasks)

    assert most <= TURN_COUNT
    assert done == list(range(MANY))


FLOODER = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        result = {"protocolVersion": message["params"]["protocolVersion"], "capabilities": {}, "serverInfo": {"name": "f", "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
    if message.get("method") == "notifications/initialized":
        break
for number in range(10000):
    sys.stdout.write('{"jsonrpc":"2.0","id":%d,"method":"ping"}\\n' % number)
sys.stdout.write('{"jsonrpc":"2.0","method":"notifications/written"}\\n')
sys.stdout.flush()
got = [json.loads(sys.stdin.readline())["id"] for _ in range(10000)]
if got == list(range(10000)):
    print('{"jsonrpc":"2.0","method":"notifications/answered"}', flush=True)
sys.stdin.read()
"""


async def test_a_server_that_reads_no_answer_before_it_wrote_all_its_requests_is_served() -> None:
    """Ours: neither waits for the other for ever."""
    launch = python(FLOODER)
    profile = Profile(
        name="f", command=launch.program, args=launch.args, revision=NEWEST_STATEFUL.date
    )
    session = Session(profile, Transcript(), make_transport)
    heard: list[str] = []
    for name in ("notifications/written", "notifications/answered"):
        session.peer.listener(name).subscribe(lambda _, message: heard.append(message.method))
    try:
        await session.connect()
        await wait_until(lambda: len(heard) == 2, timeout=30)
    finally:
        await session.aclose()

    assert heard == ["notifications/written", "notifications/answered"]
