"""Answers over HTTP that fit nothing, to a call without a handshake: each ends at once, with words, and is never made again by itself."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from inspector.session.operation import OperationState
from inspector.session.session_state import SessionState
from tests.support.findings import rules_of, validate_all
from tests.support.http_stub import JSON_TYPE, RESET, STREAM_TYPE, HttpStub, Reply, stream
from tests.support.modern import opened_at, proper
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.open_session import OpenSession

CALL = "POST tools/call"
DONE, ERROR, LOST = OperationState.DONE, OperationState.ERROR, OperationState.NO_RESPONSE
GOOD = b'{"jsonrpc":"2.0","id":{{id}},"result":{"resultType":"complete","content":[]}}'
REFUSAL = b'{"jsonrpc":"2.0","id":{{id}},"error":{"code":-32601,"message":"nope"}}'
EVENT = b"data: " + GOOD + b"\n\n"


def sends(status: int, body: bytes, *types: str) -> Reply:
    """A body in chunks, with these media types."""
    return Reply(status, tuple(("Content-Type", each) for each in types), (body,) if body else ())


def findings(opened: OpenSession) -> set[str]:
    validate_all(opened.sweep)
    return set(rules_of(opened.session.transcript))


@pytest.mark.parametrize(
    ("how", "state", "text", "rule"),
    [
        (sends(202, b""), ERROR, "accepted the request but sent no response", ""),
        (sends(202, GOOD, JSON_TYPE), DONE, "", ""),
        (Reply(204, length=0), ERROR, "HTTP 204", ""),
        (sends(404, b"<html>no</html>", "text/html"), ERROR, "text/html: <html>no", ""),
        (sends(404, REFUSAL, JSON_TYPE), ERROR, "-32601: nope", ""),
        (sends(400, REFUSAL, JSON_TYPE), ERROR, "-32601: nope", ""),
        (sends(400, REFUSAL, "text/html"), ERROR, "-32601: nope", ""),
        (sends(404, REFUSAL.replace(b"{{id}}", b"null"), JSON_TYPE), ERROR, "nope", "L-JR-09"),
        (sends(400, b"data: " + REFUSAL + b"\n\n", STREAM_TYPE), ERROR, "HTTP 400", ""),
        (sends(400, b""), ERROR, "HTTP 400", ""),
        (sends(500, GOOD, JSON_TYPE), DONE, "", ""),
        (sends(200, GOOD, STREAM_TYPE), LOST, 'not an event stream: {"jsonrpc"', ""),
        (sends(200, b"<p>hi</p>", STREAM_TYPE), LOST, "not an event stream: <p>hi</p>", ""),
        (sends(200, EVENT, JSON_TYPE), ERROR, "not a response to this request", "not-a-message"),
        (sends(200, GOOD), ERROR, "body without Content-Type", ""),
        (sends(200, GOOD, "text/plain"), ERROR, "neither JSON nor an event stream", ""),
        (sends(200, GOOD, JSON_TYPE, STREAM_TYPE), ERROR, "neither JSON nor", ""),
        (sends(200, b"", JSON_TYPE), ERROR, "the body is empty", ""),
        (sends(200, b'{"content":[]}', JSON_TYPE), ERROR, "no JSON-RPC envelope", ""),
        (sends(200, b'{"name":"x"}', JSON_TYPE), ERROR, "not a response", "not-a-message"),
        (sends(200, b"null", JSON_TYPE), ERROR, "not a response", "not-a-message"),
        (sends(200, b"[]", JSON_TYPE), ERROR, "not a response", "L-JR-16"),
        (sends(200, b"[" + GOOD + b"]", JSON_TYPE), DONE, "", "L-JR-15"),
        (sends(200, GOOD + b"\n" + GOOD, JSON_TYPE), ERROR, "not a response", "not-a-message"),
        (sends(200, b"\xef\xbb\xbf" + GOOD, JSON_TYPE), DONE, "", "L-STD-04"),
        (sends(200, GOOD.decode().encode("utf-16"), JSON_TYPE), ERROR, "not encoded in UTF-8", ""),
        (sends(200, b"\0\x01", "application/octet-stream"), ERROR, "neither JSON nor", ""),
        (sends(200, GOOD.replace(b"{{id}}", b"999"), JSON_TYPE), ERROR, "", "L-JR-04"),
        (sends(200, GOOD.replace(b"{{id}}", b'"{{id}}"'), JSON_TYPE), DONE, "", "L-JR-06"),
        (sends(200, b'{"jsonrpc":"2.0","id":{{id}}}', JSON_TYPE), ERROR, "", "not-a-message"),
        (sends(200, b'{"id":{{id}},"error":null}', JSON_TYPE), ERROR, "null", "L-JR-07"),
        (sends(200, GOOD[:-1] + b',"error":{}}', JSON_TYPE), ERROR, "", "L-JR-03"),
        (stream(EVENT, EVENT), DONE, "", ""),
        (stream(EVENT, end="hang"), DONE, "", ""),
        (stream("data: {\n\n", "data: 1\n\n", b"data: \xff\n\n", EVENT), DONE, "", "not-a-message"),
        (stream("data: {\n\n"), LOST, "ended without a response", "not-a-message"),
        (stream(b"data: {", end="reset"), LOST, "closed the connection", ""),
        (Reply(200, (("Content-Type", JSON_TYPE),), (b"{",), end="reset"), LOST, "closed the", ""),
        (RESET, LOST, "closed the connection", ""),
    ],
)
async def test_an_answer_that_fits_nothing_ends_one_call_and_no_more(
    how: Reply, state: OperationState, text: str, rule: str
) -> None:
    """C-HTTP-43, C-HTTP-48; ours: one POST, no GET, and the next call is answered."""
    async with HttpStub({CALL: [how, None]}, otherwise=proper) as stub, opened_at(stub) as opened:
        tool = opened.tools.items[0]
        made = opened.tools.call(tool, "{}")
        await made.wait()

        assert made.state is state
        assert text in (made.error.reason if made.error else "")
        assert len(stub.said(CALL)) == 1
        assert {asked.verb for asked in stub.asked} == {"POST"}
        assert opened.session.state is SessionState.READY
        assert rule == "" or rule in findings(opened)

        again = opened.tools.call(tool, "{}")
        await again.wait()
        assert again.state is DONE


@pytest.mark.parametrize(
    ("event", "rule"),
    [
        ('{"jsonrpc":"2.0","id":1,"method":"roots/list"}', "L-JR-22"),
        ('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', "L-SUB-02"),
        (
            '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"z","progress":1}}',
            "L-PRG-01",
        ),
        ('{"jsonrpc":"2.0","id":999,"result":{}}', "L-JR-04"),
    ],
)
async def test_what_has_no_place_on_the_stream_of_a_call_is_found_and_harmless(
    event: str, rule: str
) -> None:
    """L-MOD-13, L-MOD-15, L-MOD-16: shown, never answered, and the call goes on."""
    played = stream(f"data: {event}\n\n", EVENT)
    async with HttpStub({CALL: played}, otherwise=proper) as stub, opened_at(stub) as opened:
        made = opened.tools.call(opened.tools.items[0], "{}")
        await made.wait()

        assert made.state is DONE
        assert rule in findings(opened)
        transcript = opened.session.transcript
        assert any(event.encode() in transcript.raw(n) for n in range(1, transcript.count + 1))
        assert all(asked.rpc for asked in stub.asked)


async def test_a_second_answer_on_the_stream_is_found() -> None:
    """L-MOD-16."""
    rules = {CALL: stream(EVENT, EVENT)}
    async with HttpStub(rules, otherwise=proper) as stub, opened_at(stub) as opened:
        await opened.tools.call(opened.tools.items[0], "{}").wait()
        await wait_until(lambda: "L-JR-05" in findings(opened))


@pytest.mark.parametrize(
    "data",
    [None, 7, [], {}, {"requiredCapabilities": [1]}, {"supported": 7, "requested": None}],
)
@pytest.mark.parametrize("code", [-32020, -32021, -32022])
@pytest.mark.parametrize("status", [200, 400, 404, 500])
async def test_an_error_of_this_era_may_come_with_any_data_in_the_middle(
    code: int, data: object, status: int
) -> None:
    """C-HTTP-34, L-JR-29: it is the outcome of the call, and the session stays."""
    rules = {CALL: refusing(code, data, status)}
    async with HttpStub(rules, otherwise=proper) as stub, opened_at(stub) as opened:
        made = opened.tools.call(opened.tools.items[0], "{}")
        await made.wait()

        assert made.state is ERROR
        assert made.error is not None
        assert str(code) in made.error.reason
        assert len(stub.said(CALL)) == (2 if code == -32020 else 1)
        assert opened.session.state is SessionState.READY
        assert ("L-JR-29" in findings(opened)) is (code != -32020)


def refusing(code: int, data: object, status: int) -> Reply:
    """The error, with whatever stands in its `data`."""
    error = json.dumps({"code": code, "message": "no", "data": data})
    body = f'{{"jsonrpc":"2.0","id":{{{{id}}}},"error":{error}}}'
    return sends(status, body.encode(), JSON_TYPE)
