"""The demo server over HTTP, with the engine at the other end and a real process in between."""

from __future__ import annotations

import asyncio
import http.client
import json
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from msgspec.structs import replace

from inspector.errors import PeerError
from inspector.spec.revision import STATEFUL, V2024_11_05
from inspector.wire.frame import Channel, Direction
from tests.support.demo_server import demo
from tests.support.http_session import at, call, connected, result_text, texts, words_of
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.session.session import Session
    from inspector.wire.json_codec import JsonObject

ROOT = Path(__file__).parents[3]


@asynccontextmanager
async def speaking(url: str, revision: str) -> AsyncGenerator[Session]:
    async with connected(replace(at(url), revision=revision)) as session:
        yield session


SERVERS: list[tuple[str, str]] = [("http", "--http"), ("sse", "--sse")]


@pytest.mark.parametrize(("transport", "switch"), SERVERS)
async def test_a_call_reports_progress_and_asks_the_client(transport: str, switch: str) -> None:
    """C-HTTP-03, C-SSE-03."""
    heard: list[JsonObject] = []
    async with demo(switch, "0") as url, connected(at(url, transport)) as session:
        await session.request(
            "tools/call",
            {"name": "countdown", "arguments": {"count": 3, "seconds": 0.05}},
            on_progress=heard.append,
        )
        asked = await call(session, "ping_client")

        assert len(heard) >= 3
        assert "answered" in result_text(asked)


@pytest.mark.parametrize("revision", [r.date for r in STATEFUL if r is not V2024_11_05])
async def test_every_revision_of_streamable_http_is_spoken(revision: str) -> None:
    """C-LC-04."""
    async with demo("--http", "0") as url, speaking(url, revision) as session:
        assert str(session.revision) == revision
        await call(session, "about_this_session")


async def test_a_call_whose_stream_is_cut_is_asked_for_again() -> None:
    """C-HTTP-10, C-HTTP-11, C-HTTP-12."""
    async with demo("--http", "0", "--cut-streams") as url, connected(at(url)) as session:
        await call(session, "about_this_session")

        assert words_of(session, "resuming")
        heads = texts(session, Channel.HTTP, Direction.SENT)
        assert any("Last-Event-ID: " in head for head in heads)


async def test_what_belongs_to_no_request_comes_on_the_standing_stream() -> None:
    """C-HTTP-41."""
    async with demo("--http", "0") as url, connected(at(url)) as session:
        changed = session.peer.listener("notifications/tools/list_changed")
        heard: list[int] = []
        changed.subscribe(lambda frame, _: heard.append(frame))
        await call(session, "toggle_tool")
        await wait_until(lambda: heard)


async def test_a_session_that_was_ended_elsewhere_is_renewed_before_the_next_call() -> None:
    """C-HTTP-15: the standing stream breaks off first, which puts the session in doubt; the call goes into a new one."""
    async with demo("--http", "0") as url, connected(at(url)) as session:
        heads = "\n".join(texts(session, Channel.HTTP, Direction.RECEIVED))
        name = heads.partition("Mcp-Session-Id: ")[2].split()[0]
        await wait_until(lambda: words_of(session, "server-stream"))
        assert await ask(url, "DELETE", headers={"Mcp-Session-Id": name}) == 200

        await wait_until(lambda: words_of(session, "server-stream-lost"))
        await call(session, "echo")

        assert words_of(session, "session-renewed")


async def test_an_unknown_tool_is_answered_in_json_rpc() -> None:
    """Ours: as a server should; what is wrong with a call is no status."""
    async with demo("--http", "0") as url, connected(at(url)) as session:
        with pytest.raises(PeerError, match="Unknown tool"):
            await call(session, "no such tool")


INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
BOTH = {"Accept": "application/json, text/event-stream"}


@pytest.mark.parametrize(
    ("verb", "headers", "status"),
    [
        ("POST", {**BOTH, "Origin": "http://evil.test"}, 403),
        ("POST", {**BOTH, "Origin": "http://localhost:8000"}, 400),
        ("POST", {"Accept": "application/json"}, 406),
        ("POST", {**BOTH, "Mcp-Session-Id": "unknown"}, 404),
        ("POST", {**BOTH, "MCP-Protocol-Version": "1900-01-01"}, 400),
        ("GET", {"Accept": "text/event-stream"}, 400),
        ("PUT", {}, 405),
    ],
)
async def test_it_refuses_as_the_specification_says(
    verb: str, headers: dict[str, str], status: int
) -> None:
    """basic/transports, "Security Warning", "Session Management", "Protocol Version Header"."""
    async with demo("--http", "0") as url:
        assert await ask(url, verb, json.dumps(INITIALIZE), headers=headers) == status


async def test_the_command_line_takes_an_address_in_place_of_a_command() -> None:
    """Ours."""
    async with demo("--http", "0") as url:
        arguments = [
            "--quiet",
            "--header",
            "X-A: 1",
            "call",
            "echo",
            '{"message":"hello"}',
            "--",
            url,
        ]
        done = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "inspector", *arguments],
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=30,
            check=False,
        )

        assert (done.returncode, "hello" in done.stdout) == (0, True), done


async def ask(url: str, verb: str, body: str = "", *, headers: dict[str, str]) -> int:
    """The status of one request by a client that is not ours."""
    parts = urlsplit(url)

    def run() -> int:
        connection = http.client.HTTPConnection(parts.netloc, timeout=5)
        connection.request(verb, parts.path, body, headers)
        status = connection.getresponse().status
        connection.close()
        return status

    return await asyncio.to_thread(run)
