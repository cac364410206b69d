"""The demo server where every request stands alone, over HTTP: statuses and headers, asked for by a client that is not ours."""

from __future__ import annotations

import asyncio
import http.client
import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from inspector.spec.revision import NEWEST, STATEFUL
from tests.engine.demo.stateless import calling, said
from tests.support.demo_server import demo

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject

HEADERS = {
    "Accept": "application/json, text/event-stream",
    "Content-Type": "application/json",
    "MCP-Protocol-Version": NEWEST.date,
}
LIST = {"Mcp-Method": "tools/list"}
CALL = {"Mcp-Method": "tools/call", "Mcp-Name": "form_headers"}


def message(method: str, params: JsonObject | None = None) -> JsonObject:
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}}


async def ask(
    url: str, verb: str, body: Json = None, headers: dict[str, str] | None = None
) -> tuple[int, http.client.HTTPMessage, bytes]:
    """Status, headers and body of one answer."""
    parts = urlsplit(url)

    def run() -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection(parts.netloc, timeout=5)
        text = json.dumps(body).encode()
        connection.request(verb, parts.path, text, {**HEADERS, **(headers or {})})
        answer = connection.getresponse()
        found = answer.status, answer.headers, answer.read()
        connection.close()
        return found

    return await asyncio.to_thread(run)


@pytest.mark.parametrize(
    ("method", "params", "headers", "status", "code"),
    [
        ("tools/list", said(), LIST, 200, None),
        ("tools/list", {}, LIST, 400, -32602),
        ("tools/list", said(), {}, 400, -32020),
        ("tools/list", said(), {"Mcp-Method": "TOOLS/LIST"}, 400, -32020),
        ("tools/list", said(protocolVersion="v999"), LIST, 400, -32020),
        (
            "tools/list",
            said(protocolVersion="v999"),
            {**LIST, "MCP-Protocol-Version": "v999"},
            400,
            -32022,
        ),
        ("ping", said(), {"Mcp-Method": "ping"}, 404, -32601),
        ("tools/call", said(calling("form_headers")), CALL, 200, None),
        ("tools/call", said(calling("form_headers")), {"Mcp-Method": "tools/call"}, 400, -32020),
        ("tools/call", said(calling("form_headers")), {**CALL, "Mcp-Name": "echo"}, 400, -32020),
        (
            "tools/call",
            said(calling("ask_roots"), {}),
            {**CALL, "Mcp-Name": "ask_roots"},
            400,
            -32021,
        ),
    ],
)
async def test_status_and_code_say_what_is_wrong(
    method: str, params: JsonObject, headers: dict[str, str], status: int, code: int | None
) -> None:
    """Streamable HTTP, "Server Validation"; basic, "Error Codes"."""
    async with demo("--http", "0") as url:
        got, _, body = await ask(url, "POST", message(method, params), headers)
        answer = json.loads(body)

        assert (got, answer.get("error", {}).get("code")) == (status, code)
        assert answer["id"] == 7


@pytest.mark.parametrize(
    ("arguments", "headers", "status"),
    [
        ({"region": "a", "priority": 3, "express": True}, ("a", "3", "true"), 200),
        ({"region": "a", "priority": 3, "express": False}, ("a", "3", "true"), 400),
        ({"region": "a", "priority": 3}, ("a", "4", None), 400),
        ({"region": "a", "priority": 3}, ("a", "x", None), 400),
        ({"region": "a"}, ("A", None, None), 400),
        ({"region": "a"}, (None, None, None), 400),
        ({}, ("a", None, None), 400),
        ({"region": None}, (None, None, None), 200),
        ({"priority": 42}, (None, "42.0", None), 200),
        ({"priority": 42}, (None, "42.5", None), 400),
        ({"priority": 42}, (None, "42.", None), 400),
        ({"region": "é"}, ("=?base64?w6k=?=", None, None), 200),
        ({"region": "é"}, ("=?base64?w6k?=", None, None), 400),
        ({"region": "é"}, ("=?base64?!!!!?=", None, None), 400),
    ],
)
async def test_headers_of_arguments_say_what_the_body_says(
    arguments: JsonObject, headers: tuple[str | None, ...], status: int
) -> None:
    """Streamable HTTP, "Custom Headers from Tool Parameters"."""
    names = ("Mcp-Param-Region", "mcp-param-priority", "MCP-PARAM-EXPRESS")
    given = {name: value for name, value in zip(names, headers, strict=True) if value is not None}
    async with demo("--http", "0") as url:
        body = message("tools/call", said(calling("form_headers", **arguments)))
        got, _, answer = await ask(url, "POST", body, {**CALL, **given})

        assert got == status, answer


@pytest.mark.parametrize("era", ["both", "stateless"])
async def test_there_is_nothing_but_post_and_there_are_no_sessions(era: str) -> None:
    """Streamable HTTP: 405 for other verbs; `Mcp-Session-Id` is never minted."""
    async with demo("--http", "0", "--era", era) as url:
        for verb in ("GET", "DELETE"):
            status, headers, _ = await ask(url, verb)
            assert (status, headers["Allow"]) == (405, "POST")
        status, headers, _ = await ask(url, "POST", message("tools/list", said()), LIST)
        assert (status, headers["Mcp-Session-Id"]) == (200, None)
        notification: JsonObject = {
            "jsonrpc": "2.0",
            "method": "notifications/whatever",
            "params": said(),
        }
        assert (await ask(url, "POST", notification, LIST))[0] == 202


async def test_a_server_without_sessions_names_its_revisions_to_those_that_want_one() -> None:
    """Versioning, "Backward Compatibility"."""
    wanted: JsonObject = {"protocolVersion": STATEFUL[-1].date, "capabilities": {}}
    async with demo("--http", "0", "--era", "stateless") as url:
        status, _, body = await ask(url, "POST", message("initialize", wanted))

        assert status == 400
        assert json.loads(body)["error"]["data"]["supported"] == [NEWEST.date]


async def test_what_comes_before_the_answer_comes_on_a_stream_without_ids() -> None:
    """Streamable HTTP: resuming is gone, and with it the ids of events."""
    params = said(calling("log_messages"), logLevel="debug")
    headers = {"Mcp-Method": "tools/call", "Mcp-Name": "log_messages"}
    async with demo("--http", "0") as url:
        status, answered, body = await ask(url, "POST", message("tools/call", params), headers)
        events = [line for line in body.split(b"\n") if line and not line.startswith(b"data: ")]

        assert (status, answered["Content-Type"]) == (200, "text/event-stream")
        assert answered["X-Accel-Buffering"] == "no"
        assert set(events) == {b"event: message"}
        assert body.count(b"notifications/message") == 8


async def test_a_page_of_another_origin_is_refused() -> None:
    """Streamable HTTP, "Security Warning"."""
    async with demo("--http", "0", "--era", "stateless") as url:
        headers = {**LIST, "Origin": "http://evil.test"}
        assert (await ask(url, "POST", message("tools/list", said()), headers))[0] == 403
