"""A server that is started again knows no session of before: whatever notices it first, the call after it is made in a new one."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.errors import HttpStatus, SessionExpired
from inspector.features.tools import Tools
from inspector.session.session_state import SessionState
from inspector.transport.http import event_stream
from inspector.wire.frame import Channel, Direction
from tests.support.http_session import call, result_text, talking, texts, words_of
from tests.support.http_stub import (
    Asked,
    HttpStub,
    Reply,
    reply,
    result_event,
    stream,
    well_behaved,
)
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.session import Session
    from tests.support.http_stub import Rule

GONE = b'{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"}}'
QUICKLY = "retry: 20\ndata:\n\n"


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delays of ours are short."""
    monkeypatch.setattr(event_stream, "INITIAL_DELAY_SECONDS", 0.02)


class Server:
    """Keeps sessions in memory, as servers do; `opening` is what its streams begin with."""

    def __init__(self, opening: str = QUICKLY) -> None:
        self.opening = opening
        self.made = 0
        self.known: set[str] = set()

    def __call__(self, asked: Asked) -> Reply:
        if asked.rpc == "initialize":
            self.made += 1
            self.known.add(f"s-{self.made}")
            return well_behaved(asked, session=f"s-{self.made}")
        if asked.headers.get("mcp-session-id") not in self.known:
            return reply(404, GONE, "application/json")
        if asked.verb == "GET":
            return stream(self.opening, end="hang")
        return well_behaved(asked)

    async def restart(self, stub: HttpStub) -> None:
        """Be gone, and come back without a memory."""
        await stub.stop()
        self.known.clear()
        await stub.start()


async def is_streaming(session: Session, times: int = 1) -> None:
    """Wait until the server stream was opened so often."""
    await wait_until(lambda: len(words_of(session, "server-stream")) >= times)


def is_renewed(session: Session, times: int = 1) -> Callable[[], bool]:
    """Whether a new session was made, and the handshake is over, so often."""
    return lambda: (
        len([step for step in session.steps if step.name == "Start new session"]) >= (times)
        and all(step.state.value != "running" for step in session.steps)
    )


@pytest.mark.usefixtures("impatient")
async def test_a_restart_that_the_server_stream_notices_costs_no_call() -> None:
    """C-HTTP-15: 404 to the GET with a session id is the end of the session, as it is to a POST."""
    server = Server()
    async with talking(otherwise=server) as (stub, session):
        await is_streaming(session)
        await server.restart(stub)
        await wait_until(is_renewed(session))
        await call(session)

        sessions = [asked.headers["mcp-session-id"] for asked in stub.said("POST tools/call")]
        assert sessions == ["s-2"]
        assert words_of(session, "session-renewed")
        assert session.state is SessionState.READY


async def test_a_call_directly_after_a_restart_is_made_in_the_new_session() -> None:
    """C-HTTP-15, ours: a stream that broke off is tried again before anything is sent, however long the next try is off."""
    server = Server(opening=": hello\n\n")
    async with talking(otherwise=server) as (stub, session):
        await is_streaming(session)
        await server.restart(stub)
        await wait_until(
            lambda: words_of(session, "server-stream-lost") or words_of(session, "unreachable")
        )
        async with asyncio.timeout(0.9):  # less than our own delay
            await call(session)

        sessions = [asked.headers["mcp-session-id"] for asked in stub.said("POST tools/call")]
        assert sessions == ["s-2"]


async def test_a_server_that_stays_away_does_not_keep_a_call_waiting() -> None:
    """Ours: the try is over as soon as nobody is there."""
    server = Server(opening=": hello\n\n")
    async with talking(otherwise=server) as (stub, session):
        await is_streaming(session)
        await stub.stop()
        await wait_until(
            lambda: session.transcript.unreachable or words_of(session, "server-stream-lost")
        )
        async with asyncio.timeout(0.9):
            for _ in range(3):
                with pytest.raises(Exception, match="refused the connection"):
                    await call(session)


@pytest.mark.usefixtures("impatient")
async def test_a_server_may_be_restarted_again_and_again_although_nothing_is_asked_of_it() -> None:
    """Ours: as one is that watches its own files."""
    server = Server()
    async with talking(otherwise=server) as (stub, session):
        for times in range(1, 5):
            await is_streaming(session, times)
            await server.restart(stub)
            await wait_until(is_renewed(session, times))

        await call(session)
        assert session.state is SessionState.READY


@pytest.mark.usefixtures("impatient")
async def test_lists_are_read_again_in_the_new_session() -> None:
    """C-HTTP-15: the server may be another one by now."""
    server = Server()
    async with talking(otherwise=server) as (stub, session):
        tools = Tools(session)
        await tools.refresh()
        await is_streaming(session)
        await server.restart(stub)

        await wait_until(
            lambda: (
                [a.headers["mcp-session-id"] for a in stub.said("POST tools/list")]
                == ["s-1", "s-2"]
            )
        )


async def test_a_notification_that_meets_a_restarted_server_begins_a_new_session_too() -> None:
    """C-HTTP-15: an error without an id names nothing that was sent."""
    server = Server()
    rules: dict[str, Rule] = {"GET": reply(405)}
    async with talking(rules, otherwise=server) as (_, session):
        server.known.clear()
        await session.peer.notify("notifications/roots/list_changed")
        await wait_until(is_renewed(session))
        await call(session)


async def test_a_stream_that_cannot_be_resumed_for_want_of_the_session_begins_a_new_one() -> None:
    """C-HTTP-15, C-HTTP-10: the call is lost with the session, and is not made again."""
    server = Server()
    rules: dict[str, Rule] = {"POST tools/call": [stream("id: 7\nretry: 20\ndata:\n\n"), None]}
    async with talking(rules, otherwise=server) as (stub, session):
        await is_streaming(session)
        server.known.clear()
        with pytest.raises(SessionExpired):
            await call(session)
        await wait_until(is_renewed(session))
        await call(session)

        assert len(stub.said("POST tools/call")) == 2


async def test_a_server_without_streams_of_its_own_has_no_session_ended_by_a_404_to_one() -> None:
    """C-HTTP-07: where none was ever opened, the address takes no GET."""
    rules: dict[str, Rule] = {
        "POST tools/call": [stream("id: 7\nretry: 20\ndata:\n\n"), None],
        "GET": reply(404, GONE, "application/json"),
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: words_of(session, "no-server-stream"))
        with pytest.raises(HttpStatus, match="did not resume"):
            await call(session)
        await call(session)

        assert len(stub.said("POST initialize")) == 1


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("status", [429, 502, 503, 504])
async def test_a_proxy_in_front_of_a_server_that_starts_does_not_end_its_stream(
    status: int,
) -> None:
    """C-HTTP-10, ours: what passes is waited for."""
    rules: dict[str, Rule] = {
        "GET": [stream(QUICKLY), reply(status, b"Bad Gateway", "text/plain"), None]
    }
    server = Server()
    async with talking(rules, otherwise=server) as (stub, session):
        await wait_until(lambda: len(stub.said("GET")) == 3)

        assert not words_of(session, "no-server-stream")
        assert f"status {status}" in words_of(session, "server-stream-lost")[-1]


@pytest.mark.usefixtures("impatient")
async def test_a_proxy_in_front_of_a_server_that_starts_does_not_end_a_call() -> None:
    """C-HTTP-10: what follows the last event is asked for again."""
    rules: dict[str, Rule] = {
        "POST tools/call": stream("id: 7\nretry: 20\ndata:\n\n"),
        "GET": [reply(405), reply(503), stream(result_event('{"x":1}').replace("{{id}}", "2"))],
    }
    async with talking(rules) as (stub, session):
        await wait_until(lambda: stub.said("GET"))
        assert result_text(await call(session)) == '{"x":1}'

        assert any("503" in head for head in texts(session, Channel.HTTP, Direction.RECEIVED))


async def test_leaving_a_server_that_forgot_the_session_says_so() -> None:
    """C-HTTP-16."""
    server = Server()
    async with talking({"GET": reply(405)}, otherwise=server) as (_, session):
        server.known.clear()
        await session.aclose()

        (text,) = words_of(session, "not-left")
        assert "session had expired" in text
