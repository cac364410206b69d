"""Another server in the place of the one that opened the session, and headers that a server goes on to refuse."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import HttpStatus, PeerError, SessionExpired
from inspector.features.tools import Tools
from inspector.finding import Severity
from inspector.session.notification_stream import StreamState
from inspector.session.session_recovery import NEW_SESSION
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.spec.keys import META, META_SUBSCRIPTION_ID
from inspector.spec.revision import NEWEST
from inspector.transcript.exchange import Status
from tests.support.http_session import at, call, connected, words_of
from tests.support.http_stub import HttpStub, answer, message_event, reply, stream, well_behaved
from tests.support.modern import complete, discovered, modern_http, opened_at, proper
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject
    from tests.support.http_stub import Asked, Reply

MISMATCH: JsonObject = {"error": {"code": -32020, "message": "Header mismatch"}}
WIDE: JsonObject = {
    "type": "object",
    "properties": {"n": {"type": "integer", "x-mcp-header": "N"}},
}


def unsupported(asked: Asked) -> Reply:
    """How a server of the stateless era refuses a handshake."""
    params = asked.message["params"]
    assert isinstance(params, dict)
    data: JsonObject = {"supported": ["2026-07-28"], "requested": params["protocolVersion"]}
    error: JsonObject = {"code": -32022, "message": "Unsupported protocol version", "data": data}
    return answer({"error": error}, status=400)


REFUSALS = {
    "by the code for it": unsupported,
    "as an unknown method": answer({"error": {"code": -32601, "message": "no"}}, status=404),
}


class Replaceable:
    """A server with a handshake, until it is replaced."""

    def __init__(self, refusal: object) -> None:
        self.is_modern = False
        self._refusal = refusal

    def __call__(self, asked: Asked) -> Reply:
        if not self.is_modern:
            unknown: JsonObject = {"error": {"code": -32601, "message": "Method not found"}}
            return answer(unknown) if asked.rpc == "server/discover" else well_behaved(asked)
        if asked.headers.get("mcp-session-id"):
            return reply(404)
        if asked.rpc == "initialize":
            return self._refusal(asked) if callable(self._refusal) else self._refusal  # type: ignore[return-value] - one of REFUSALS
        return proper(asked)


async def problems(opened: OpenSession, since: int) -> list[str]:
    """Return what the rules find wrong in the frames after frame `since`, when all are checked."""
    await opened.sweep.finish()
    found = opened.session.transcript.all_findings.items()
    return [
        f"{number}: {each.summary}"
        for number, findings in found
        for each in findings
        if number > since and each.severity is not Severity.INFO
    ]


@pytest.mark.parametrize("how", REFUSALS)
async def test_a_server_of_the_other_era_in_the_same_place_is_found_out(how: str) -> None:
    """C-VER-09, C-HTTP-15: what was found about the era is not believed when it fails."""
    server = Replaceable(REFUSALS[how])
    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        session = opened.session
        assert session.revision is not None
        assert session.revision.stateful
        server.is_modern, since = True, session.transcript.count
        with pytest.raises(SessionExpired):
            await call(session)
        await call(session)

        assert not session.revision.stateful
        assert session.state is SessionState.READY
        await wait_until(lambda: [tool.name for tool in opened.tools.items] == ["a"])
        assert await problems(opened, since) == []


MISSING: JsonObject = {
    "id": "server-error",
    "error": {"code": -32600, "message": "Bad Request: Missing session ID"},
}
MISSED = answer(MISSING, status=400)
GO = 'method "tools/call" is invalid during session initialization'
"""What the Go SDK says."""


@pytest.mark.parametrize(
    "refusal",
    [
        MISSED,
        reply(400, b"Mcp-Session-Id is required", "text/plain"),
        reply(422, b"Unexpected message, expect initialize request", ""),
        answer({"error": {"code": 0, "message": GO}}),
    ],
    ids=["as JSON-RPC", "as text", "by its handshake", "with HTTP 200"],
)
async def test_a_server_with_a_handshake_in_the_place_of_a_stateless_one_is_found_out(
    refusal: Reply,
) -> None:
    """Ours: refused requests, and the refusal of `server/discover`, say that the era is another one."""
    is_modern = True

    def server(asked: Asked) -> Reply:
        if is_modern:
            return proper(asked)
        has_session = bool(asked.headers.get("mcp-session-id")) or asked.rpc == "initialize"
        return well_behaved(asked) if has_session or asked.verb != "POST" else refusal

    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        session = opened.session
        is_modern, since = False, session.transcript.count
        failures = await asyncio.gather(call(session), call(session), return_exceptions=True)
        for failure in failures:
            assert isinstance(failure, PeerError | HttpStatus)
            assert failure.hint == NEW_SESSION
        await call(session)

        assert session.revision is not None
        assert session.revision.stateful
        assert session.state is SessionState.READY
        assert await problems(opened, since) == []


async def test_a_stream_ends_when_its_server_is_replaced_and_is_opened_when_it_is_back() -> None:
    """Ours: the server in between does not know it, and is not blamed for its end."""
    is_modern = True

    def server(asked: Asked) -> Reply:
        if is_modern and asked.headers.get("mcp-session-id"):
            return reply(404)
        if is_modern and asked.rpc == "subscriptions/listen":
            return stream(message_event(acknowledged(asked)), end="hang")
        if is_modern and asked.rpc == "server/discover":
            return answer({"result": discovered(capabilities={"tools": {"listChanged": True}})})
        if is_modern:
            return proper(asked)
        has_session = bool(asked.headers.get("mcp-session-id")) or asked.rpc == "initialize"
        return well_behaved(asked) if has_session or asked.verb != "POST" else MISSED

    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        session = opened.session
        await wait_until(lambda: StreamState.OPEN in {s.state for s in session.listening.streams})
        (listening,) = session.listening.streams
        is_modern, since = False, session.transcript.count
        with pytest.raises((PeerError, HttpStatus)):
            await call(session)

        assert listening.state is StreamState.ENDED
        assert session.transcript.status(listening.request_frame) is Status.CANCELLED
        assert await problems(opened, since) == []

        is_modern = True
        with pytest.raises(SessionExpired):
            await call(session)
        await wait_until(lambda: session.listening.streams[-1].state is StreamState.OPEN)
        assert len(session.listening.streams) == 2


def acknowledged(asked: Asked) -> JsonObject:
    """Return the acknowledgment of a notification stream."""
    meta: JsonObject = {META_SUBSCRIPTION_ID: asked.message["id"]}
    params: JsonObject = {"notifications": {"toolsListChanged": True}, META: meta}
    method = "notifications/subscriptions/acknowledged"
    return {"jsonrpc": "2.0", "method": method, "params": params}


MOMENTS = {
    "text": reply(400, b"Bad Request: API key expired", "text/plain"),
    "HTML": reply(400, b"<html>400 Bad Request: unknown session</html>", "text/html"),
    "an error without an id": answer(
        {"id": None, "error": {"code": -32000, "message": "Tenant suspended"}}, status=400
    ),
    "a session of another kind": reply(400, b"Session expired: session is required", "text/plain"),
}


@pytest.mark.parametrize("how", MOMENTS)
async def test_a_stateless_session_outlasts_a_moment_in_which_everything_is_refused(
    how: str,
) -> None:
    """Ours: only a server that accepts `initialize` took the place of another one."""
    is_refused = False

    def server(asked: Asked) -> Reply:
        return MOMENTS[how] if is_refused else proper(asked)

    async with HttpStub(otherwise=server) as stub, opened_at(stub) as opened:
        session = opened.session
        connections, before = len(words_of(session, "opened")), session.client_capabilities
        is_refused = True
        with pytest.raises(HttpStatus) as caught:
            await call(session)
        assert caught.value.hint != NEW_SESSION
        is_refused = False
        await call(session)

        assert session.state is SessionState.READY
        assert session.revision == NEWEST
        assert session.client_capabilities == before
        assert len(words_of(session, "opened")) == connections
        assert StepState.FAILED not in {step.state for step in session.steps}


async def test_a_pinned_era_is_asked_for_and_no_other() -> None:
    """Ours: the user wants to see what the server does with it."""
    server = Replaceable(unsupported)
    profile_revision = "2025-06-18"
    async with (
        HttpStub(otherwise=server) as stub,
        connected(replace(at(stub.url), revision=profile_revision)) as session,
    ):
        server.is_modern = True
        with pytest.raises(SessionExpired):
            await call(session)
        await wait_until(lambda: session.state is SessionState.CLOSED)

        assert "-32022" in session.closed_reason
        assert stub.said("POST server/discover") == []


async def test_a_call_is_not_made_again_when_the_list_brought_nothing_new() -> None:
    """C-HTTP-34: it would go out with the same headers; an integer that a header cannot carry exactly is named as the likely reason."""
    tool: JsonObject = {"name": "wide", "inputSchema": WIDE}
    rules = {
        "POST tools/list": answer(
            {"result": complete(tools=[tool], ttlMs=0, cacheScope="private")}
        ),
        "POST tools/call": answer(MISMATCH, status=400),
    }
    async with modern_http(rules) as (stub, session):
        tools = Tools(session)
        await tools.refresh()
        for number, is_named in ((1, False), (2**60 + 1, True)):
            made = tools.call(tools.items[0], f'{{"n": {number}}}')
            await made.wait()
            assert isinstance(made.error, PeerError)
            assert made.error.code == -32020
            assert bool(made.error.hint) is is_named

        assert len(stub.said("POST tools/call")) == 2
        assert len(stub.said("POST tools/list")) == 3
        assert len(words_of(session, "not-sent-again")) == 2


async def test_a_call_that_took_two_attempts_knows_both() -> None:
    """C-HTTP-34, ours: the frame of the first is kept beside that of the second."""
    rules = {"POST tools/call": [answer(MISMATCH, status=400), None]}
    async with HttpStub(rules, otherwise=proper) as stub, opened_at(stub) as opened:
        made = opened.tools.call(opened.tools.items[0], "{}")
        await made.wait()

        (first,) = made.earlier_frames
        assert 0 < first < made.request_frame
        assert opened.session.transcript.row(first).method == "tools/call"


async def test_a_call_that_took_one_attempt_knows_of_no_other() -> None:
    """Ours."""
    async with HttpStub(otherwise=proper) as stub, opened_at(stub) as opened:
        made = opened.tools.call(opened.tools.items[0], "{}")
        await made.wait()

        assert made.earlier_frames == ()
