"""What HTTP answers to requests do that clients stumble over: each rule broken, and a near miss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.spec.revision import V2025_06_18, V2025_11_25, V2026_07_28
from inspector.transport.base import NOT_ENCRYPTED, OWN_ADDRESS
from inspector.transport.http.config import check, is_readable, network_address
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.http_talk import HttpTalk

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

JSON, HTML, TEXT = "application/json", "text/html", "text/plain; charset=utf-8"
STREAM = "text/event-stream"
REFUSAL: JsonObject = {"jsonrpc": "2.0", "id": 2, "error": {"code": -32600, "message": "no"}}


def told(status: int, body: Json | bytes, media_type: str = JSON, **headers: str) -> list[str]:
    """The rules that an answer to a request breaks, of a server that has answered before."""
    talk = HttpTalk()
    talk.open()
    talk.request("tools/call", **headers)
    talk.answer(status, body, media_type)
    return talk.rules()


@pytest.mark.parametrize(("status", "body"), [(200, b"{oops"), (200, b"<html>"), (400, b"{oops")])
def test_a_body_that_is_called_json_is_json(status: int, body: bytes) -> None:
    """L-HTTP-02."""
    assert told(status, body) == ["L-HTTP-02"]
    assert told(400, {"detail": "JSON, though no message"}) == []


@pytest.mark.parametrize(
    ("media_type", "found"),
    [
        (f"{JSON}; charset=iso-8859-1", ["L-HTTP-02"]),
        (f'{JSON};charset="UTF-16"', ["L-HTTP-02"]),
        (f'{JSON}; charset="UTF-8"', []),
        (f"{JSON}; charset=us-ascii", []),
        (f"{JSON};odata=verbose", []),
    ],
)
def test_json_is_in_utf8(media_type: str, found: list[str]) -> None:
    """L-HTTP-02."""
    talk = HttpTalk()
    talk.request("tools/call")
    talk.result(media_type)
    assert talk.rules() == found


@pytest.mark.parametrize(
    ("status", "media_type", "found"),
    [
        (200, JSON, ["L-HTTP-07"]),
        (200, HTML, ["L-HTTP-07"]),
        (200, "", ["L-HTTP-07"]),
        (404, TEXT, ["L-HTTP-07"]),
        (501, "", ["L-HTTP-07"]),
        (200, f"{STREAM}; charset=utf-8", []),
        (405, "", []),
        (401, "", []),
        (400, JSON, []),
        (503, HTML, []),
    ],
)
def test_get_is_answered_by_a_stream_or_by_405(
    status: int, media_type: str, found: list[str]
) -> None:
    """L-HTTP-07: other refusals have other reasons than that there is no stream."""
    talk = HttpTalk()
    talk.open()
    talk.get(accept=STREAM)
    talk.answer(status, b"", media_type, allow="POST")
    assert talk.rules(V2025_11_25) == found


@pytest.mark.parametrize("case", ["a session it does not know", "no server yet", "no such GET"])
def test_a_404_for_get_has_good_reasons_too(case: str) -> None:
    """L-HTTP-07."""
    talk = HttpTalk()
    if case != "no server yet":
        talk.open()
    talk.get(**({"mcp_session_id": "s-1"} if case.startswith("a session") else {}))
    talk.answer(404, b"", "")
    assert talk.rules(V2026_07_28 if case == "no such GET" else V2025_11_25) == []


@pytest.mark.parametrize(
    ("origin", "host", "found"),
    [
        ("https://evil.example", "127.0.0.1:8000", ["L-HTTP-09"]),
        ("https://evil.example", "localhost", ["L-HTTP-09"]),
        ("http://localhost:3000", "127.0.0.1:8000", []),
        ("null", "127.0.0.1:8000", []),
        ("https://app.example", "mcp.example", []),
    ],
)
def test_a_local_server_lets_no_page_of_somewhere_else_in(
    origin: str, host: str, found: list[str]
) -> None:
    """L-HTTP-09: seen where the user has set such an origin; told once."""
    talk = HttpTalk(host)
    for _ in range(2):
        talk.request("tools/list", origin=origin)
        talk.result()
    assert talk.rules() == found


@pytest.mark.parametrize(
    ("status", "body", "revision", "found"),
    [
        (400, b"Invalid Origin header", V2025_11_25, ["L-HTTP-09"]),
        (403, b"Invalid Origin header", V2025_11_25, []),
        (400, b"Invalid Origin header", V2025_06_18, []),
        (400, b"no such argument", V2025_11_25, []),
    ],
)
def test_an_origin_is_refused_by_403(
    status: int, body: bytes, revision: Revision, found: list[str]
) -> None:
    """L-HTTP-09."""
    talk = HttpTalk()
    talk.request("tools/list", origin="http://localhost:1")
    talk.answer(status, body, "application/problem+text")
    assert talk.rules(revision) == found


@pytest.mark.parametrize(
    ("url", "readable"),
    [
        ("http://mcp.example/mcp", True),
        ("http://192.168.1.5:8000/mcp", True),
        ("https://mcp.example/mcp", False),
        ("http://localhost:8000/mcp", False),
        ("http://[::1]:8000/mcp", False),
    ],
)
def test_no_tls_on_the_way_to_another_host_is_told(url: str, *, readable: bool) -> None:
    """L-HTTP-10."""
    assert is_readable(check(url, ())) is readable

    talk = HttpTalk()
    talk.transcript.note(NOT_ENCRYPTED if readable else "proxy", "x")
    assert talk.rules() == (["L-HTTP-10"] if readable else [])


@pytest.mark.parametrize(
    ("ours", "theirs", "found"),
    [
        (("192.168.1.5", 40000), ("192.168.1.5", 8000), "192.168.1.5"),
        (("fd00::5", 40000, 0, 0), ("fd00::5", 8000, 0, 0), "fd00::5"),
        (("::ffff:10.0.0.1", 40000, 0, 0), ("10.0.0.1", 8000), "10.0.0.1"),
        (("127.0.0.1", 40000), ("127.0.0.1", 8000), ""),
        (("192.168.1.5", 40000), ("192.168.1.6", 8000), ""),
        ("/run/a.sock", "/run/a.sock", ""),
        (None, None, ""),
    ],
)
def test_a_server_of_this_computer_that_others_reach_is_known_by_both_ends(
    ours: object, theirs: object, found: str
) -> None:
    """L-HTTP-11."""
    assert network_address(ours, theirs) == found


def test_a_local_server_that_others_reach_is_told() -> None:
    """L-HTTP-11: once."""
    talk = HttpTalk()
    talk.transcript.note(OWN_ADDRESS, "x")
    talk.transcript.note(OWN_ADDRESS, "x")
    assert talk.rules() == ["L-HTTP-11"]


@pytest.mark.parametrize(
    ("host", "found"),
    [("0.0.0.0:8000", ["L-HTTP-11"]), ("[::]:8000", ["L-HTTP-11"]), ("[::1]:8000", [])],
)
def test_the_address_of_all_interfaces_is_none_to_connect_to(host: str, found: list[str]) -> None:
    """L-HTTP-11."""
    talk = HttpTalk(host)
    talk.open()
    talk.open()
    assert talk.rules() == found


@pytest.mark.parametrize(
    ("status", "found"), [(307, ["L-HTTP-12"]), (301, ["L-HTTP-12"]), (304, [])]
)
def test_that_the_endpoint_redirects_is_told_once(status: int, found: list[str]) -> None:
    """L-HTTP-12."""
    talk = HttpTalk()
    for _ in range(2):
        talk.request("tools/list")
        talk.head(status, location="/mcp/")
    assert talk.rules() == found


def test_a_redirected_stream_is_none_of_a_message() -> None:
    """L-HTTP-12."""
    talk = HttpTalk()
    talk.open()
    talk.get()
    talk.head(307, location="/mcp/")
    assert talk.rules(V2026_07_28) == []


@pytest.mark.parametrize(
    ("status", "body", "media_type", "found"),
    [
        (500, b"<html>Internal Server Error", HTML, ["L-HTTP-13"]),
        (404, b"Not Found", TEXT, ["L-HTTP-13"]),
        (502, b"<html>Bad Gateway", HTML, []),
        (401, b"Unauthorized", TEXT, []),
        (429, b"Slow down", TEXT, []),
        (500, {"detail": "no"}, JSON, []),
        (500, b"", "", []),
    ],
)
def test_an_error_of_the_server_comes_as_json_rpc(
    status: int, body: Json | bytes, media_type: str, found: list[str]
) -> None:
    """L-HTTP-13: what proxies and authorization say is theirs."""
    assert told(status, body, media_type) == found


def test_a_page_that_is_not_found_may_be_none_of_a_server() -> None:
    """L-HTTP-13: the URL may be wrong."""
    talk = HttpTalk()
    talk.request("initialize")
    talk.answer(404, b"Not Found", TEXT)
    assert talk.rules() == []


@pytest.mark.parametrize(
    ("code", "status", "revision", "found"),
    [
        (-32600, 200, V2025_11_25, ["L-HTTP-14"]),
        (-32700, 200, V2025_11_25, ["L-HTTP-14"]),
        (-32600, 400, V2025_11_25, []),
        (-32601, 200, V2025_11_25, []),
        (-32602, 200, V2025_11_25, []),
        (-32601, 200, V2026_07_28, []),
        (-32021, 200, V2026_07_28, []),
        (-32602, 200, V2026_07_28, []),
        (-32603, 200, V2026_07_28, []),
    ],
)
def test_what_cannot_be_accepted_has_a_status_of_failure(
    code: int, status: int, revision: Revision, found: list[str]
) -> None:
    """L-HTTP-14: the codes for what is no request; for those that a revision maps it has rules of their own."""
    talk = HttpTalk()
    talk.request("tools/call")
    talk.error(code, status)
    assert talk.rules(revision) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        (REFUSAL, ["L-HTTP-15"]),
        ({**REFUSAL, "id": 0}, ["L-HTTP-15"]),
        ({**REFUSAL, "id": None}, []),
        ({name: value for name, value in REFUSAL.items() if name != "id"}, []),
        ({"detail": "no"}, []),
    ],
)
def test_the_refusal_of_a_notification_has_no_id(body: JsonObject, found: list[str]) -> None:
    """L-HTTP-15."""
    talk = HttpTalk()
    talk.post({"jsonrpc": "2.0", "method": "notifications/initialized"})
    talk.answer(400, body)
    assert talk.rules() == found


def test_the_answer_of_a_proxy_to_connect_is_none_of_the_server() -> None:
    """Ours: it has no body, and no type of one."""
    talk = HttpTalk()
    talk.post({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, verb="CONNECT")
    talk.head(200)
    talk.send()
    talk.answer(200, {"jsonrpc": "2.0", "id": 1, "result": {}})
    assert talk.rules() == []


@pytest.mark.parametrize(
    ("status", "found"),
    [(500, ["result-with-error-status"]), (404, ["result-with-error-status"]), (200, [])],
)
def test_a_result_with_a_status_of_failure_is_told(status: int, found: list[str]) -> None:
    """Ours: Spyglass shows the result, others an error."""
    talk = HttpTalk()
    talk.open()
    talk.request("tools/call")
    talk.answer(status, {"jsonrpc": "2.0", "id": 2, "result": {}})
    assert talk.rules(begin="result-with") == found


def test_headers_that_were_cut_are_not_said_to_lack_anything() -> None:
    """Ours: the rest was too long to be kept."""
    talk = HttpTalk()
    talk.request("tools/list")
    head = RawChunk(b"HTTP/1.1 200 OK\r\nX-1: y", FrameDefect.TRUNCATED, 1_000_000)
    talk.transcript.append(Direction.RECEIVED, Channel.HTTP, [head], 1)
    assert talk.rules() == []
