"""Connections by way of a proxy, each server with its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import ConnectFailed
from inspector.wire.frame import Channel, Direction
from tests.support.certificates import make_certificates
from tests.support.http_session import at, call, connected, session_of, texts
from tests.support.http_stub import HttpStub
from tests.support.tunnel import Tunnel

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.config.profile import Profile


async def failure_of(profile: Profile) -> ConnectFailed:
    async with session_of(profile) as session:
        with pytest.raises(ConnectFailed) as failure:
            await session.connect()
        return failure.value


async def test_a_server_with_tls_is_reached_through_a_tunnel(tmp_path: Path) -> None:
    """Ours: what the proxy is asked and says is in the record; it never sees the headers for the server."""
    files = make_certificates(tmp_path)
    async with HttpStub(tls=files.server_context()) as stub, Tunnel(stub.port) as tunnel:
        profile = replace(
            at(stub.url),
            proxy=tunnel.url.replace("//", "//me:word@"),
            ca_file=str(files.authority),
            headers=(("Authorization", "Bearer t"),),
        )
        async with connected(profile) as session:
            await call(session)

            heads = texts(session, Channel.HTTP, Direction.SENT)
            assert heads[0].startswith(f"CONNECT 127.0.0.1:{stub.port} HTTP/1.1")
        assert tunnel.heads[0].startswith(f"CONNECT 127.0.0.1:{stub.port}")
        assert "Proxy-Authorization: Basic" in tunnel.heads[0]
        assert all("Bearer" not in head for head in tunnel.heads)
        assert stub.asked[0].headers["authorization"] == "Bearer t"
        assert all("proxy-authorization" not in asked.headers for asked in stub.asked)


async def test_a_certificate_is_checked_at_the_far_end_of_a_tunnel(tmp_path: Path) -> None:
    """Ours."""
    files = make_certificates(tmp_path)
    async with HttpStub(tls=files.server_context()) as stub, Tunnel(stub.port) as tunnel:
        failure = await failure_of(replace(at(stub.url), proxy=tunnel.url))

        assert f"certificate of {stub.origin} not trusted" in failure.reason


@pytest.mark.parametrize(
    ("refusal", "hint"),
    [
        ("407 Proxy Authentication Required", "user name"),
        ("501 Unsupported method", "no tunnels"),
        ("502 Bad Gateway", "cannot reach"),
    ],
)
async def test_a_proxy_that_refuses_says_so(refusal: str, hint: str) -> None:
    """Ours."""
    async with Tunnel(1, refusal=refusal) as tunnel:
        failure = await failure_of(replace(at("https://mcp.test/mcp"), proxy=tunnel.url))

        assert f"rejected by the proxy: {refusal}" in failure.reason
        assert hint in failure.hint


@pytest.mark.parametrize("url", ["http://mcp.test/mcp", "https://mcp.test/mcp"])
async def test_a_proxy_that_is_not_there_is_named_and_not_the_server(url: str) -> None:
    """Ours."""
    failure = await failure_of(replace(at(url), proxy="http://127.0.0.1:1"))

    assert "the proxy http://127.0.0.1:1 refused the connection" in failure.reason


@pytest.mark.parametrize(
    "proxy",
    ["127.0.0.1:8080", "socks5://127.0.0.1:1080", "ftp://x", "http://h:99999", "http://[::1"]
    + [f"http://me:{word}@proxy:8080" for word in ("s3cret/x", "s3cret#x", "s3/cret", "471/s3cret")]
    + ["me:s3cret@proxy:8080"],
)
async def test_a_proxy_that_cannot_be_used_is_told_before_anything_is_sent(proxy: str) -> None:
    """Ours."""
    failure = await failure_of(replace(at("http://mcp.test/mcp"), proxy=proxy))

    assert "cannot set up the connection" in failure.reason
    assert "s3" not in failure.reason
    assert "proxy" in failure.hint
