"""Probes of connections: what is sent before a handshake, twice, too late to be read or to be cancelled."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import PeerError
from inspector.probes.own_connection import CONNECTION
from inspector.probes.probe import Outcome
from inspector.probes.runner import run_probes
from inspector.probes.scenarios import slow_reader
from inspector.spec.revision import V2025_11_25
from tests.support.answering import AnsweringServer, connected, silence
from tests.support.findings import rules_of
from tests.support.http_session import talking
from tests.support.http_stub import reply, well_behaved
from tests.support.memory_transport import MemoryTransport
from tests.support.modern import modern
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.json_value import Json, JsonObject
    from inspector.probes.probe import ProbeResult
    from inspector.session.session import Session
    from inspector.session.transport_factory import ConnectionTarget
    from inspector.transport.http.credentials import Credentials
    from tests.support.http_stub import Asked, Reply

EARLY = "not initialized"


class GatedServer(AnsweringServer):
    """Serves each connection by its own state: `allows` says which methods before `initialize`; `again` answers a second one."""

    def __init__(
        self,
        *,
        allows: frozenset[str] = frozenset({"ping"}),
        again: Callable[[JsonObject], Json] | None = None,
    ) -> None:
        super().__init__({"tools/list": lambda _: {"tools": []}})
        self.allows = allows
        self.again = again
        self.connections: list[MemoryTransport] = []
        self.greeted: set[int] = set()
        self.current = 0

    def connect(
        self, target: ConnectionTarget, credentials: Credentials | None = None
    ) -> MemoryTransport:
        """Make a connection with a state of its own."""
        super().connect(target, credentials)
        number = len(self.connections)

        def respond(raw: bytes, transport: MemoryTransport) -> None:
            self._transport, self.current = transport, number
            self._on_sent(raw, transport)

        self.connections.append(MemoryTransport(respond))
        return self.connections[-1]

    def _answer(self, message: JsonObject) -> None:
        method = str(message["method"])
        error: JsonObject = {"code": -32600, "message": EARLY}
        if method == "initialize" and self.current in self.greeted and self.again is not None:
            self.answers["again"] = self.again
            super()._answer({**message, "method": "again"})
        elif method == "initialize":
            self.greeted.add(self.current)
            super()._answer(message)
        elif self.current in self.greeted or method in self.allows:
            super()._answer(message)
        else:
            self.send({"jsonrpc": "2.0", "id": message["id"], "error": error})


async def probed(session: Session, key: str) -> ProbeResult:
    """What one probe comes to."""
    (concluded,) = [each async for each in run_probes(session, {key}, lists={})]
    return concluded.result


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """No probe waits long for a response."""
    monkeypatch.setattr("inspector.probes.probe.PROBE_SECONDS", 0.2)
    monkeypatch.setattr(slow_reader, "PAUSE_SECONDS", 0.05)


@pytest.mark.parametrize(
    ("allows", "rule"),
    [
        (frozenset({"ping"}), ""),
        (frozenset({"ping", "tools/list"}), "L-LC-07"),
        (frozenset[str](), "L-LC-08"),
    ],
)
async def test_what_is_served_before_the_handshake_is_found(
    allows: frozenset[str], rule: str
) -> None:
    """Ours: on a connection of the probe; that of the session stays as it is, and has the evidence in a note."""
    server = GatedServer(allows=allows)
    async with connected(server) as session:
        result = await probed(session, "early-requests")

        assert len(server.connections) == 2
        assert result.outcome is (Outcome.FAILED if rule else Outcome.PASSED)
        assert {each.rule for _, each in result.findings} == ({rule} if rule else set())
        for frame, _ in result.findings:
            note = session.transcript.message(frame).value
            assert isinstance(note, dict)
            assert note["event"] == CONNECTION
        assert (await session.request("ping")).message.result == {}


def refuse(_params: JsonObject) -> Json:
    """An error."""
    raise PeerError(-32600, "already initialized")


def empty(_params: JsonObject) -> Json:
    """An empty result."""
    return {}


@pytest.mark.parametrize(
    ("again", "outcome"),
    [(refuse, Outcome.PASSED), (empty, Outcome.PASSED), (silence, Outcome.FAILED)],
)
async def test_a_second_handshake_needs_a_response_and_never_touches_the_session(
    again: Callable[[JsonObject], Json], outcome: Outcome
) -> None:
    """Ours."""
    server = GatedServer(again=again)
    async with connected(server) as session:
        result = await probed(session, "second-initialize")

        assert result.outcome is outcome
        assert ("L-JR-14" in rules_of(session.transcript)) is (outcome is Outcome.FAILED)
        assert session.revision is V2025_11_25
        assert (await session.request("tools/list")).message.result == {"tools": []}


async def test_over_http_the_second_handshake_is_in_a_session_of_the_probe() -> None:
    """Ours: a refusal is right, HTTP 202 is no response."""

    def serving(second: Reply) -> Callable[[Asked], Reply]:
        def respond(asked: Asked) -> Reply:
            is_second = asked.rpc == "initialize" and "mcp-session-id" in asked.headers
            return second if is_second else well_behaved(asked)

        return respond

    for second, outcome in ((reply(400), Outcome.PASSED), (reply(202), Outcome.FAILED)):
        async with talking(otherwise=serving(second)) as (_, session):
            assert (await probed(session, "second-initialize")).outcome is outcome
            assert (await session.request("ping")).message.result == {}


async def test_responses_that_are_read_late_are_all_there() -> None:
    """Ours: and reading goes on afterwards."""
    async with connected(GatedServer()) as session:
        assert (await probed(session, "slow-reader")).outcome is Outcome.PASSED
        assert not session.peer.is_congested


async def test_a_server_that_drops_responses_to_a_slow_reader_is_found() -> None:
    """Ours: of fifty responses, one is missing."""
    server = GatedServer()
    asked: list[int] = []

    def answer(_params: JsonObject) -> Json:
        asked.append(1)
        return silence({}) if len(asked) == 30 else {"tools": []}

    server.answers["tools/list"] = answer
    async with connected(server) as session:
        result = await probed(session, "slow-reader")

    assert [each.rule for _, each in result.findings] == ["L-JR-14"]


async def test_reading_goes_on_when_a_slow_reader_is_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: and none of its requests goes on waiting."""
    monkeypatch.setattr(slow_reader, "PAUSE_SECONDS", 5.0)
    monkeypatch.setattr("inspector.probes.probe.PROBE_SECONDS", 60.0)
    server = GatedServer()
    asked: list[int] = []

    def answer(_params: JsonObject) -> Json:
        asked.append(1)
        return {"tools": []} if len(asked) == 1 else silence({})

    server.answers["tools/list"] = answer
    async with connected(server) as session:
        before = asyncio.all_tasks()
        task = asyncio.ensure_future(probed(session, "slow-reader"))
        await wait_until(lambda: session.peer.is_congested)
        task.cancel()
        await asyncio.wait({task})
        assert not session.peer.is_congested
        await wait_until(lambda: asyncio.all_tasks() <= before)


async def test_requests_are_cancelled_and_the_next_one_is_answered() -> None:
    """Ours: each is cancelled on the wire."""
    server = GatedServer()
    server.answers["tools/list"] = silence
    async with connected(server) as session:
        result = await probed(session, "cancelled-request")

    assert result.outcome is Outcome.PASSED
    assert server.methods().count("notifications/cancelled") == 5
    assert server.methods().count("tools/list") == 5


async def test_a_server_that_is_stuck_after_a_cancellation_is_found() -> None:
    """Ours."""
    server = GatedServer()
    server.answers |= {"tools/list": silence, "ping": silence}
    async with connected(server) as session:
        result = await probed(session, "cancelled-request")

    assert [each.rule for _, each in result.findings] == ["L-JR-14"]


async def test_handshakes_are_not_tried_where_there_are_none() -> None:
    """Ours."""
    async with modern() as (_, opened):
        for key in ("early-requests", "second-initialize"):
            assert (await probed(opened.session, key)).outcome is Outcome.NOT_APPLICABLE
