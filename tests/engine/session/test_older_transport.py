"""Which HTTP responses lead to the older transport, and which failure is told where nothing leads on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import HttpStatus, InspectorError, PeerError
from inspector.session.era_cache import CachedEra, digest
from inspector.session.negotiation import HANDSHAKE
from inspector.session.steps import StepState
from inspector.spec.revision import Era
from tests.support.http_session import at, connected, session_of
from tests.support.http_stub import JSON_TYPE, HttpStub, Reply, answer, reply, stream

if TYPE_CHECKING:
    from inspector.session.session import Session
    from tests.support.http_stub import Asked, Rule

NULL_ID = b'{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Method not allowed."}}'
CHALLENGE = 'Bearer realm="mcp"'


def event_stream(id_: int) -> Reply:
    """What the older transport sends: the endpoint, then the answer to `initialize`."""
    result = {
        "protocolVersion": "2024-11-05",
        "capabilities": {},
        "serverInfo": {"name": "old", "version": "1"},
    }
    message = json.dumps({"jsonrpc": "2.0", "id": id_, "result": result})
    endpoint = "event: endpoint\ndata: /messages\n\n"
    return stream(endpoint, 0.05, f"data: {message}\n\n", end="hang")


def older(post: Reply, *, id_: int) -> dict[str, Rule]:
    return {"POST /mcp": post, "GET": event_stream(id_), "POST /messages": reply(202)}


async def failure_of(stub: HttpStub, revision: str = "") -> tuple[InspectorError, Session]:
    async with session_of(replace(at(stub.url), revision=revision)) as session:
        with pytest.raises(InspectorError) as failure:
            await session.connect()
        return failure.value, session


@pytest.mark.parametrize(
    "post",
    [
        reply(200),
        reply(202),
        reply(204),
        reply(200, b"use GET", "text/plain"),
        reply(200, b"<html>hello</html>", "text/html"),
        reply(200, b'{"status":"ok"}', JSON_TYPE),
        reply(404),
        reply(405, NULL_ID, JSON_TYPE),
        reply(400, b'{"error":"no such route"}', JSON_TYPE),
        reply(410, NULL_ID, JSON_TYPE),
        reply(501),
    ],
    ids=lambda post: f"{post.status} {len(post.pieces)}",
)
@pytest.mark.parametrize("revision", ["", HANDSHAKE])
async def test_a_response_without_an_mcp_message_leads_to_the_older_transport(
    post: Reply, revision: str
) -> None:
    """C-VER-14, C-VER-15, C-VER-16, C-VER-17: judged by the status; old servers respond to the POST in odd ways."""
    id_ = 3 if not revision else 2
    async with (
        HttpStub(older(post, id_=id_)) as stub,
        connected(replace(at(stub.url), revision=revision)) as session,
    ):
        assert session.transport_name == "sse"


async def test_a_post_that_is_answered_by_the_event_stream_of_the_older_transport_leads_to_it() -> (
    None
):
    """C-VER-14: its first event says what it is; nobody waits for a response there."""
    post = stream("\ufeff\n\nevent: endpoint\ndata: /messages\n\n", end="hang")
    async with (
        HttpStub(older(post, id_=2)) as stub,
        connected(replace(at(stub.url), timeout_seconds=5)) as session,
    ):
        assert session.transport_name == "sse"


async def test_a_server_whose_older_stream_opens_is_told_by_what_failed_there() -> None:
    """Ours: the refusal of the newer transport is no cause then, and the endpoint is named."""
    rules = {**older(reply(405), id_=3), "POST /messages": reply(404, b"Session not found")}
    async with HttpStub(rules) as stub:
        failure, _ = await failure_of(stub)

        assert failure.reason.startswith("HTTP 404")
        assert "/messages" in failure.reason
        assert "endpoint" in failure.hint


async def test_an_older_server_that_never_responds_is_told_as_one() -> None:
    """Ours: 202 is what that transport demands, and the response was due on the event stream."""
    endpoint = stream("event: endpoint\ndata: /messages\n\n", end="hang")
    rules = {**older(reply(405), id_=3), "GET": endpoint}
    async with (
        HttpStub(rules) as stub,
        session_of(replace(at(stub.url), timeout_seconds=0.3)) as session,
    ):
        with pytest.raises(InspectorError) as failure:
            await session.connect()

        assert "accepted initialize (202" in failure.value.reason
        assert "event stream" in failure.value.hint


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ('{"uri": "/messages"}', "only a URL"),
        ("http://other.test/messages", "different origin"),
    ],
)
async def test_an_endpoint_that_cannot_be_used_is_named_with_a_remedy(data: str, text: str) -> None:
    """Ours."""
    rules = {**older(reply(405), id_=3), "GET": stream(f"event: endpoint\ndata: {data}\n\n")}
    async with HttpStub(rules) as stub:
        failure, _ = await failure_of(stub)

        assert text in failure.reason
        assert failure.hint


@pytest.mark.parametrize(
    "post",
    [
        answer({"error": {"code": -32600, "message": "no"}}, status=400),
        answer({"error": {"code": -32000, "message": "no"}}),
        reply(401, NULL_ID, JSON_TYPE),
        reply(403, b'{"error":"forbidden"}', JSON_TYPE),
        reply(500, NULL_ID, JSON_TYPE),
        reply(503),
    ],
    ids=lambda post: str(post.status),
)
async def test_a_server_that_knows_the_request_or_says_nothing_of_it_is_not_asked_by_get(
    post: Reply,
) -> None:
    """B.5, C-VER-07."""
    async with HttpStub({"POST": post}) as stub:
        await failure_of(stub)

        assert stub.said("GET") == []


@pytest.mark.parametrize("media_type", ["application/octet-stream", "text/plain", ""])
async def test_a_message_under_another_media_type_is_named_and_no_revision_advised(
    media_type: str,
) -> None:
    """L-HTTP-01: the text names a revision, and is no refusal of one."""
    good = {"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "x"}}

    def mislabel(asked: Asked) -> Reply:
        raw = json.dumps({"jsonrpc": "2.0", "id": asked.message["id"], "result": good})
        return reply(200, raw.encode(), media_type)

    async with HttpStub({"POST initialize": mislabel}) as stub:
        failure, session = await failure_of(stub)

        assert isinstance(failure, HttpStatus)
        assert "the body is JSON-RPC, but its Content-Type" in failure.reason
        assert "application/json" in failure.hint
        assert "2025-06-18" not in failure.hint
        assert failure.hint == session.steps[-1].hint
        assert stub.said("GET") == []


async def test_events_under_another_media_type_are_named_too() -> None:
    """L-HTTP-01."""
    raw = b'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n'
    async with HttpStub({"POST": reply(200, raw, "text/plain")}) as stub:
        failure, _ = await failure_of(stub, HANDSHAKE)

        assert "event stream with JSON-RPC" in failure.reason
        assert "text/event-stream" in failure.hint


@pytest.mark.parametrize(
    ("refusal", "named"),
    [
        (reply(400, b"unsupported 2025-11-25; supported: 2025-06-18"), "2025-06-18"),
        (reply(400, b"unsupported protocol version 2025-11-25"), ""),
        (reply(422, b"speaks 2024-11-05"), "2024-11-05"),
        (reply(404, b"<p>last changed on 2025-06-18</p>", "text/html"), ""),
        (reply(500, b"build 2025-06-18"), ""),
        (reply(200, b"build 2025-06-18", "text/plain"), ""),
        (reply(400, b"ticket 12025-06-18-7"), ""),
    ],
)
async def test_only_a_refusal_that_names_another_revision_leads_to_advice_about_it(
    refusal: Reply, named: str
) -> None:
    """http-24; never the revision that was offered."""
    async with HttpStub({"POST initialize": refusal}) as stub:
        failure, _ = await failure_of(stub, HANDSHAKE)

        assert ("Select" in failure.hint) is bool(named)
        assert named in failure.hint
        assert "2025-11-25" not in failure.hint


@pytest.mark.parametrize(
    ("post", "get", "told", "hint"),
    [
        (reply(415), reply(404), 415, "Content-Type"),
        (reply(406), reply(405), 406, "Accept"),
        (reply(405), reply(401, www_authenticate=CHALLENGE), 401, "Bearer"),
        (reply(404), reply(406), 406, "Accept"),
        (reply(404), reply(404), 404, "path"),
        (reply(405), reply(404), 405, "path"),
        (reply(200), reply(404), 200, "MCP endpoint"),
    ],
)
async def test_the_response_that_tells_most_is_the_cause_and_the_others_side_notes(
    post: Reply, get: Reply, told: int, hint: str
) -> None:
    """B.5: all failures are told, one of them as the cause, and its hint alone."""
    async with HttpStub({"POST": post, "GET": get}) as stub:
        failure, session = await failure_of(stub)

        assert isinstance(failure, HttpStatus)
        assert failure.status == told
        assert failure.reason.startswith(f"HTTP {told}")
        assert f"HTTP {get.status}" in failure.reason
        assert f"HTTP {post.status}" in failure.reason
        assert hint in failure.hint
        (failed,) = (step for step in session.steps if step.state is StepState.FAILED)
        assert failed.hint == failure.hint
        assert f"HTTP {told}" in failed.status_text
        others = [step for step in session.steps if step.state is StepState.UNSUCCESSFUL]
        assert others
        assert not any(step.hint for step in others)


async def test_a_refused_question_is_told_where_the_handshake_tells_less() -> None:
    """B.5."""
    rules: dict[str, Rule] = {"POST server/discover": reply(415), "POST": reply(404)}
    async with HttpStub({**rules, "GET": reply(404)}) as stub:
        failure, session = await failure_of(stub)

        assert failure.reason.startswith("HTTP 415")
        assert "404" in failure.reason
        assert session.steps[-1].hint == failure.hint


async def test_what_the_older_transport_answers_wins_once_its_stream_is_open() -> None:
    """C-VER-15: the server was found; its error is the cause."""
    error = '{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"broken"}}'
    opened = stream("event: endpoint\ndata: /messages\n\n", 0.05, f"data: {error}\n\n", end="hang")
    rules: dict[str, Rule] = {"POST /mcp": reply(400), "GET": opened, "POST": reply(202)}
    async with HttpStub(rules) as stub:
        failure, _ = await failure_of(stub, HANDSHAKE)

        assert isinstance(failure, PeerError)
        assert "broken" in failure.reason


@pytest.mark.parametrize("status", [401, 403, 503])
async def test_a_status_that_says_nothing_of_the_era_keeps_what_is_known_of_it(status: int) -> None:
    """C-VER-08, C-VER-09: neither forgotten nor asked for again."""
    async with HttpStub({"POST": reply(status)}) as stub:
        profile = replace(at(stub.url), revision="")
        async with session_of(profile) as session:
            session.use_cached(CachedEra(Era.STATEFUL, digest(profile), "stub 1"))
            with pytest.raises(HttpStatus):
                await session.connect()

        assert [asked.rpc for asked in stub.asked] == ["initialize"]
