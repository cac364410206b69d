"""Servers that respond in something else than HTTP/1.1: what came is shown and told."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx
import pytest
from msgspec.structs import replace

from inspector.errors import InspectorError
from inspector.transport.http import errors
from inspector.transport.http.header_recorder import ResponseStart
from inspector.wire.frame import Channel, Direction
from tests.support.certificates import make_certificates
from tests.support.http_session import at, session_of, texts
from tests.support.http_stub import HttpStub, Reply

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path


@asynccontextmanager
async def responding(data: bytes, *, stays: bool = False) -> AsyncGenerator[str]:
    """A server that responds to whatever comes with these bytes, and closes the connection unless it `stays`."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65536)
        writer.write(data)
        await writer.drain()
        if stays:
            await reader.read()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    finally:
        server.close()
        await server.wait_closed()


async def failure_of(url: str, *, proxy: str = "") -> tuple[InspectorError, list[str]]:
    profile = replace(at(url), proxy=proxy, timeout_seconds=0.5 if proxy or "stays" in url else 60)
    async with session_of(profile) as session:
        with pytest.raises(InspectorError) as failure:
            await session.connect()
        return failure.value, texts(session, Channel.HTTP, Direction.RECEIVED)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", "SSH-2.0-OpenSSH_9.6"),
        (b"220 mail.test ESMTP\r\n", "220 mail.test ESMTP"),
        (b"-ERR unknown command 'POST'\r\n\r\n", "-ERR unknown command"),
        (b'{"jsonrpc":"2.0","id":1,"result":{}}\n', '{"jsonrpc"'),
    ],
)
async def test_what_is_no_http_is_quoted_and_in_the_traffic(data: bytes, said: str) -> None:
    """Ours."""
    async with responding(data) as url:
        failure, received = await failure_of(url)

        assert said in failure.reason
        assert "HTTP/1.1" in failure.reason
        assert "port" in failure.hint
        assert data.decode() in received


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"SSH-2.0-OpenSSH_9.6\r\n", "responds in SSH"),
        (b"\0\1\2\3", "does not respond in HTTP/1.1"),
        (b"HTTP/1.1 200 OK\r\ncontent-type: app", "headers of the response do not end"),
    ],
)
async def test_what_is_no_whole_response_is_named_though_the_connection_stays_open(
    data: bytes, said: str
) -> None:
    """Ours: bytes that came are no silence."""
    async with responding(data, stays=True) as url:
        failure, _ = await failure_of(f"{url}?stays")

        assert said in failure.reason
        assert "increase" not in failure.hint.lower()


@pytest.mark.parametrize("stays", [False, True])
@pytest.mark.parametrize("url", ["http://mcp.test/mcp", "https://mcp.test/mcp"])
async def test_a_proxy_that_is_none_is_blamed_and_not_the_server(url: str, stays: bool) -> None:
    """Ours: nothing has reached the server."""
    async with responding(b"SSH-2.0-OpenSSH_9.6\r\n", stays=stays) as proxy:
        failure, _ = await failure_of(url, proxy=proxy.removesuffix("/mcp"))

        assert "responds in SSH" in failure.reason
        assert "mcp.test" not in failure.reason
        assert "proxy" in failure.reason or url.startswith("http:")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"HTTP/1.1 200 OK\r\nx bad: 1\r\n\r\n", "illegal header line: x bad: 1"),
        (b"HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 OK"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: abc\r\n\r\n", "bad Content-Length"),
    ],
)
async def test_an_invalid_response_is_told_as_one_and_not_as_a_cut_connection(
    data: bytes, said: str
) -> None:
    """Ours: it is this side that stops reading."""
    async with responding(data) as url:
        failure, _ = await failure_of(url)

        assert "invalid HTTP response" in failure.reason
        assert said in failure.reason
        assert "bytearray" not in failure.reason
        assert "https" not in failure.hint


@pytest.mark.parametrize(
    ("message", "is_reused", "hint"),
    [
        ("illegal status line", True, "Content-Length"),
        ("Server disconnected without sending a response.", True, "Connection: close"),
        ("Server disconnected without sending a response.", False, "it may have crashed"),
    ],
)
def test_what_an_earlier_response_on_the_connection_caused_is_told(
    message: str, is_reused: bool, hint: str
) -> None:
    """Ours: its rest comes in the place of the next response, or the server has closed the connection after it."""
    heard = ResponseStart(is_known=True)
    heard.is_reused = is_reused

    failure = errors.map_error(httpx.RemoteProtocolError(message), "http://x.test", heard)

    assert hint in failure.hint


@pytest.mark.parametrize("data", [b"\x15\x03\x01\x00\x02\x02\x46", b"\x15\x03\x03\x00\x02\x02\x28"])
async def test_an_alert_of_tls_tells_to_use_https(data: bytes) -> None:
    """Ours: the other direction has had its hint."""
    async with responding(data) as url:
        failure, _ = await failure_of(url)

        assert "TLS" in failure.reason
        assert "https" in failure.hint


async def test_a_server_with_tls_that_only_closes_leads_to_a_hint_about_https(
    tmp_path: Path,
) -> None:
    """Ours."""
    async with HttpStub(tls=make_certificates(tmp_path).server_context()) as stub:
        failure, _ = await failure_of(stub.url.replace("https:", "http:"))

        assert "https" in failure.hint


async def test_too_many_headers_are_told_as_a_limit_of_ours() -> None:
    """Ours: nobody cut the connection."""
    headers = tuple((f"X-{number}", "y" * 4000) for number in range(40))
    async with HttpStub({"POST": Reply(200, headers)}) as stub:
        failure, received = await failure_of(stub.url)

        assert "more than 100 KB of headers" in failure.reason
        assert received[0].startswith("HTTP/1.1 200")
