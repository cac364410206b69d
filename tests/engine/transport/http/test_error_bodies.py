"""An HTTP error is an HTTP error: its status decides, and a body is a JSON-RPC message only where it is one."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.checks.background_validator import BackgroundValidator
from inspector.errors import HttpStatus, InspectorError, PeerError
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.transport import large_messages
from inspector.transport.http import body
from inspector.transport.http.statuses import HINTS
from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.message import decode_frame
from tests.support.findings import rules_of, validate_all
from tests.support.http_session import at, call, connected, notes, session_of, talking
from tests.support.http_stub import (
    JSON_TYPE,
    HttpStub,
    Reply,
    answer,
    reply,
    stream,
    well_behaved,
)

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.wire.message import Message
    from tests.support.http_stub import Rule

CHALLENGE = 'Bearer resource_metadata="https://mcp.test/.well-known/oauth-protected-resource"'
CALL = "POST tools/call"
NO_RPC = [
    b'{"error":"invalid_token","error_description":"expired"}',
    b'{"error":{"code":401,"message":"Unauthorized","status":"UNAUTHENTICATED"}}',
    b'{"jsonrpc":"2.0","error":"invalid_token"}',
    b'{"status":401,"method":"POST","path":"/mcp"}',
    b'{"result":null,"errors":[{"message":"no"}]}',
    b'[{"error":"invalid_token"}]',
    b'{"jsonrpc":"2.0"',
]


def unauthorized(raw: bytes) -> Reply:
    return reply(401, raw, JSON_TYPE, www_authenticate=CHALLENGE)


OF_THE_STUB = frozenset({"L-IMP-02", "L-OLD-06", "L-SES-02", "L-SSE-07"})
"""What is found at the stub whatever it refuses: it has no title, a short session id, and streams without further headers."""


def rules_found(session: Session) -> set[str]:
    validate_all(BackgroundValidator(session.transcript, session.revision))
    return set(rules_of(session.transcript)) - OF_THE_STUB


async def failure_at(stub: HttpStub, revision: str = "") -> tuple[InspectorError, Session]:
    async with session_of(replace(at(stub.url), revision=revision)) as session:
        with pytest.raises(InspectorError) as failure:
            await session.connect()
        return failure.value, session


@pytest.mark.parametrize("raw", NO_RPC)
async def test_a_challenge_with_another_kind_of_json_ends_connecting_as_a_challenge(
    raw: bytes,
) -> None:
    """B.5, C-HTTP-43, C-HTTP-48: 401 is no verdict about the era, and its body no faulty JSON-RPC."""
    async with HttpStub({"POST": unauthorized(raw)}) as stub:
        failure, session = await failure_at(stub)

        assert isinstance(failure, HttpStatus)
        assert failure.reason.startswith("HTTP 401 Reason")
        assert f"WWW-Authenticate: {CHALLENGE}" in failure.reason
        assert "Bearer" in failure.hint
        assert len(stub.asked) == 1
        assert session.steps[-1].state is StepState.FAILED
        assert rules_found(session) == set()


@pytest.mark.parametrize("raw", NO_RPC)
async def test_a_challenge_during_a_call_is_told_and_the_session_stays(raw: bytes) -> None:
    """C-HTTP-48."""
    async with talking({CALL: [unauthorized(raw), None]}) as (_, session):
        with pytest.raises(HttpStatus, match="WWW-Authenticate") as failure:
            await call(session)

        assert raw.decode()[:10] in failure.value.reason
        assert rules_found(session) == set()
        await call(session)


@pytest.mark.parametrize("revision", ["", "stateful", "2026-07-28"])
@pytest.mark.parametrize("status", [401, 403, 407, 429, 502, 503])
async def test_a_status_that_decides_stays_one_when_its_body_is_json_rpc(
    status: int, revision: str
) -> None:
    """B.5, C-VER-07: status first, then what the error says; nothing else is tried."""
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": -32000, "message": "Origin not known"}}
    refused = reply(status, json.dumps(error).encode(), JSON_TYPE, retry_after="3")
    async with HttpStub({"POST": refused}) as stub:
        failure, session = await failure_at(stub, revision)

        assert isinstance(failure, PeerError)
        assert failure.reason.startswith(f"HTTP {status} Reason: Origin not known (error -32000)")
        assert "3 s" in failure.reason
        assert failure.hint
        assert failure.hint == session.steps[-1].hint
        assert len(stub.asked) == 1


async def test_a_busy_server_says_when_to_call_again() -> None:
    """RFC 9110, section 10.2.3."""
    busy = answer({"error": {"code": -32029, "message": "Busy"}}, status=503, retry_after="3")
    async with talking({CALL: [busy, None]}) as (_, session):
        with pytest.raises(PeerError, match=r"HTTP 503 Reason: Busy .*3 s") as failure:
            await call(session)

        assert failure.value.http is not None
        assert failure.value.http.status == 503
        assert "3 s" in failure.value.hint
        await call(session)


@pytest.mark.parametrize("status", [400, 404])
async def test_the_status_stands_beside_a_protocol_error(status: int) -> None:
    """C-HTTP-43: these statuses only accompany the error."""
    refused = answer({"error": {"code": -32602, "message": "Unknown tool"}}, status=status)
    async with talking({CALL: refused}) as (_, session):
        with pytest.raises(PeerError) as failure:
            await call(session)

        assert failure.value.reason == f"error -32602: Unknown tool (HTTP {status} Reason)"


async def test_an_error_with_another_id_is_shown_and_its_status_told() -> None:
    """C-HTTP-48: some servers make up an id where they know none."""
    raw = (
        b'{"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"Not Acceptable"}}'
    )
    async with talking({CALL: [reply(406, raw, JSON_TYPE), None]}) as (_, session):
        with pytest.raises(PeerError, match=r"HTTP 406 .*Not Acceptable"):
            await call(session)

        assert "wrong-id" in rules_found(session)


async def test_json_of_another_protocol_with_a_good_status_is_no_answer() -> None:
    """Ours: 200 and `{"error": …}`, as some gateways send."""
    raw = b'{"error":"quota_exceeded"}'
    async with talking({CALL: [reply(200, raw, JSON_TYPE), None]}) as (_, session):
        with pytest.raises(HttpStatus, match="quota_exceeded") as failure:
            await call(session)
        assert "id of the request" not in failure.value.hint

        assert rules_found(session) == set()
        await call(session)


@pytest.mark.parametrize("raw", NO_RPC)
async def test_the_endpoint_of_the_older_transport_is_judged_alike(raw: bytes) -> None:
    """C-SSE-03."""
    greeting = stream("event: endpoint\ndata: /messages\n\n", end="hang")
    rules: dict[str, Rule] = {"GET": greeting, "POST": unauthorized(raw)}
    async with HttpStub(rules) as stub, session_of(at(stub.url, "sse")) as session:
        with pytest.raises(HttpStatus, match="WWW-Authenticate"):
            await session.connect()

        assert rules_found(session) == set()


async def test_a_refused_server_stream_tells_its_challenge() -> None:
    """C-HTTP-07: the connection goes on without it; its challenge names no scope."""
    refused = reply(403, NO_RPC[0], JSON_TYPE, www_authenticate=CHALLENGE)
    async with HttpStub({"GET": refused}) as stub, connected(at(stub.url)) as session:
        await call(session)

        (said,) = [text for event, text in notes(session) if event == "no-server-stream"]
        assert CHALLENGE in said
        assert session.state is SessionState.READY
        assert rules_found(session) == {"L-AUT-11"}


@pytest.mark.parametrize("status", [*HINTS, 299, 399, 499, 599])
async def test_every_status_has_a_hint_that_fits_the_transport(status: int) -> None:
    """Ours: an imperative sentence; a server over HTTP has no stderr to look at."""
    sessionless = partial(well_behaved, session=None)
    async with talking({CALL: reply(status)}, otherwise=sessionless) as (_, session):
        with pytest.raises(HttpStatus) as failure:
            await call(session)

    hint = failure.value.hint
    assert hint[0].isupper()
    assert hint.endswith(".")
    assert "stderr" not in hint
    assert failure.value.reason.startswith(f"HTTP {status}")


@pytest.mark.parametrize(
    ("raw", "is_one"),
    [
        (b'{"jsonrpc":"2.0","id":1,"result":{}}', True),
        (b'{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}', True),
        (b'{"jsonrpc":"2.0","method":"notifications/message"}', True),
        (b'[{"jsonrpc":"2.0","id":1,"result":{}}]', True),
        (b'{"jsonrpc":"1.0","id":1,"error":{}}', False),
        (b'{"id":1,"result":{}}', False),
        (b'{"error":{"jsonrpc":"2.0"}}', False),
        (b"[]", False),
        (b"null", False),
        (b"", False),
        (b"\xff", False),
    ],
)
def test_a_body_is_a_message_only_if_it_says_so(raw: bytes, is_one: bool) -> None:
    """JSON-RPC 2.0, sections 4 and 5."""
    assert body.is_message(raw) is is_one


@pytest.mark.parametrize("status", [200, 500])
async def test_a_large_body_that_is_no_json_is_read_once_to_explain_it(
    status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: each reading of a body of many megabytes takes a noticeable part of a second."""
    raw = b"[" + b"0," * 40_000 + b"}"
    decoded: list[int] = []

    def counted(channel: Channel, text: bytes, flaw: FrameDefect = FrameDefect.NONE) -> Message:
        decoded.append(len(text))
        return decode_frame(channel, text, flaw)

    async with talking({CALL: reply(status, raw, JSON_TYPE)}) as (_, session):
        monkeypatch.setattr(large_messages, "decode_frame", counted)
        monkeypatch.setattr(body, "read", partial(counted, Channel.BODY))
        with pytest.raises(HttpStatus):
            await call(session)

    assert decoded.count(len(raw)) == 1


async def test_a_response_in_the_envelope_of_a_gateway_is_named() -> None:
    """Ours: functions of a cloud return one to their gateway, which has to take it off."""
    raw = json.dumps({"statusCode": 200, "body": json.dumps({"jsonrpc": "2.0"})}).encode()
    async with talking({CALL: reply(200, raw, JSON_TYPE)}) as (_, session):
        with pytest.raises(HttpStatus, match="envelope of a gateway") as failure:
            await call(session)

        assert "`body`" in failure.value.hint


@pytest.mark.parametrize(
    ("title", "text"), [("Sign in – Acme", "authorization"), ("Acme", "this one a web page")]
)
async def test_a_web_page_is_told_from_one_to_sign_in(title: str, text: str) -> None:
    """Ours."""
    page = f"<!doctype html><html><head><title>{title}</title></head></html>".encode()
    async with talking({CALL: reply(200, page, "text/html")}) as (_, session):
        with pytest.raises(HttpStatus) as failure:
            await call(session)

        assert text in failure.value.hint


@pytest.mark.parametrize(
    ("head", "text"),
    [
        ('<meta http-equiv="refresh" content="0; url=https://login.test/">', "login in a browser"),
        ('<meta http-equiv="x-ua-compatible" content="refresh">', "a web page responds there"),
    ],
)
async def test_a_page_that_leads_to_another_one_may_be_that_of_a_network(
    head: str, text: str
) -> None:
    """Ours: such a page comes in the place of every server."""
    async with HttpStub({"POST": reply(200, head.encode(), "text/html")}) as stub:
        failure, _ = await failure_at(stub)

        assert text in failure.hint
