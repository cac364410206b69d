"""Sessions of streamable HTTP: opened by the server, carried by us, ended by either side."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest

from inspector.errors import HttpStatus, PeerError, SessionExpired
from inspector.session.session_state import SessionState
from tests.support.http_session import at, call, connected, notes, session_of, talking, words_of
from tests.support.http_stub import HANGS, HttpStub, answer, reply, well_behaved
from tests.support.wait import patience

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Asked, Reply, Rule

LOST: bytes = b'{"jsonrpc":"2.0","error":{"code":-32001,"message":"session gone"},"id":null}'


def without_session(asked: Asked) -> Reply:
    return well_behaved(asked, session=None)


def with_odd_session(asked: Asked) -> Reply:
    return well_behaved(asked, session="s 1\t\x7f")


@pytest.mark.parametrize("body", [b"", LOST, b"Session not found"])
async def test_a_session_that_the_server_no_longer_knows_is_followed_by_a_new_one(
    body: bytes,
) -> None:
    """C-HTTP-15, http-08: what waits fails, and what may have been carried out is not repeated."""
    rules = {"POST tools/call": [reply(404, body, "application/json"), None]}
    async with talking(rules) as (stub, session):
        with pytest.raises(SessionExpired, match="session expired") as failure:
            await call(session)
        assert failure.value.hint
        assert len(stub.said("POST tools/call")) == 1

        await call(session)

        assert session.state is SessionState.READY
        assert "new session" in words_of(session, "session-renewed")[0]
        first, second = stub.said("POST initialize")
        assert "mcp-session-id" not in {**first.headers, **second.headers}
        await session.aclose()
        assert len(stub.said("DELETE")) == 1


async def test_a_404_that_answers_this_very_request_is_no_end_of_the_session() -> None:
    """http-23."""
    unknown = answer({"error": {"code": -32602, "message": "Unknown tool"}}, status=404)
    async with talking({"POST tools/call": [unknown, None]}) as (_, session):
        with pytest.raises(Exception, match="Unknown tool"):
            await call(session)
        await call(session)


async def test_a_404_without_a_session_is_a_bad_answer_and_no_more() -> None:
    """Decision: only a session can be gone."""
    rules = {"POST tools/call": [reply(404), None]}
    async with talking(rules, otherwise=without_session) as (_, session):
        with pytest.raises(Exception, match="HTTP 404"):
            await call(session)
        await call(session)


async def test_a_server_without_sessions_is_sent_none() -> None:
    """http-12."""
    async with talking(otherwise=without_session) as (stub, session):
        await call(session)
        await session.aclose()

        assert all("mcp-session-id" not in asked.headers for asked in stub.asked)
        assert stub.said("DELETE") == []
        assert words_of(session, "no-session")


async def test_the_refusal_of_a_handshake_is_not_said_to_lack_a_session() -> None:
    """Ours: a server without sessions is one that opened one without an id."""
    refusal = answer({"error": {"code": -32602, "message": "no"}})
    async with HttpStub({"POST initialize": refusal}) as stub, session_of(at(stub.url)) as session:
        with pytest.raises(PeerError):
            await session.connect()

        assert words_of(session, "no-session") == []


async def test_a_session_id_that_is_no_visible_ascii_is_not_used() -> None:
    """C-HTTP-17; a request that is refused without it is not said to lack one."""
    missed = reply(400, b"no session")
    rules = {"POST tools/call": [None, missed]}
    async with talking(rules, otherwise=with_odd_session) as (stub, session):
        await call(session)

        assert all("mcp-session-id" not in asked.headers for asked in stub.asked)
        assert words_of(session, "bad-session")
        with pytest.raises(HttpStatus) as failure:
            await call(session)
        assert "visible ASCII" in failure.value.hint


async def test_a_usable_session_id_takes_the_place_of_one_that_is_not() -> None:
    """C-HTTP-17: no later refusal is explained by that one."""
    plays = iter((with_odd_session, well_behaved))
    rules: dict[str, Rule] = {
        "POST initialize": lambda asked: next(plays)(asked),
        "POST tools/call": reply(400, b"no session"),
    }
    async with talking(rules) as (stub, session):
        params: JsonObject = {"protocolVersion": str(session.revision)}
        await session.request("initialize", params)
        with pytest.raises(HttpStatus) as failure:
            await call(session)

        assert stub.said("POST tools/call")[0].headers["mcp-session-id"] == "s-1"
        assert words_of(session, "bad-session")
        assert "visible ASCII" not in failure.value.hint


async def test_leaving_ends_the_session() -> None:
    """C-HTTP-16, C-HTTP-18."""
    async with talking() as (stub, session):
        await session.aclose()

        (left,) = stub.said("DELETE")
        assert left.headers["mcp-session-id"] == "s-1"
        assert left.headers["mcp-protocol-version"] == str(session.revision)
        assert notes(session)[-1] == ("closed", "disconnected")
        assert words_of(session, "not-left") == []


@pytest.mark.parametrize(
    ("how", "words"),
    [
        (reply(405), "DELETE rejected; session not ended (HTTP 405)"),
        (reply(404), "the session had expired (HTTP 404)"),
        (HANGS, "no response to DELETE (session)"),
    ],
    ids=["405", "404", "never"],
)
@pytest.mark.alone
async def test_a_server_that_does_not_end_it_delays_nobody(how: Reply, words: str) -> None:
    """C-HTTP-16, http-13."""
    async with HttpStub({"DELETE": how}) as stub, connected(at(stub.url)) as session:
        started = time.monotonic()
        await session.aclose()

        assert time.monotonic() - started < patience(2)
        assert session.failure is None
        assert session.state is SessionState.CLOSED
        assert words_of(session, "not-left") == [words]


async def test_a_server_that_went_away_delays_nobody_either() -> None:
    """Ours."""
    async with HttpStub() as stub, connected(at(stub.url)) as session:
        await stub.__aexit__(None, None, None)
        with pytest.raises(Exception, match=r"refused the connection|closed the connection"):
            await call(session)
        await session.aclose()

        assert words_of(session, "not-left")
