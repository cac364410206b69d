"""The proxies that the environment names, and the files that it names for TLS."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.errors import ConnectFailed
from inspector.transport.http.config import HttpConfig, is_loopback
from inspector.transport.http.proxies import is_excepted, proxy_for
from tests.support.http_session import at, call, connected, session_of, words_of
from tests.support.http_stub import HttpStub
from tests.support.tunnel import Tunnel

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")
HOST = "http://mcp.test/mcp"


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


async def failure_of(url: str, *, proxy: str = "") -> ConnectFailed:
    async with session_of(replace(at(url), proxy=proxy)) as session:
        with pytest.raises(ConnectFailed) as failure:
            await session.connect()
        return failure.value


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"])
async def test_a_proxy_of_the_environment_is_used_and_named(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: what the field for the proxy promises for an empty value."""
    async with HttpStub() as proxy:
        monkeypatch.setenv(name, proxy.origin)
        async with connected(at(HOST)) as session:
            await call(session)

            assert name in words_of(session, "proxy")[0]
        assert {asked.path for asked in proxy.asked} == {HOST}


async def test_a_proxy_of_the_environment_makes_tunnels_for_tls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours: the failure names the proxy, and who named it."""
    async with Tunnel(1, refusal="407 Proxy Authentication Required") as tunnel:
        monkeypatch.setenv("HTTPS_PROXY", tunnel.url)
        failure = await failure_of("https://mcp.test/mcp")

        assert tunnel.heads[0].startswith("CONNECT mcp.test:443")
        assert "HTTPS_PROXY" in failure.reason
        assert "407" in failure.reason
        assert "user name and password" in failure.hint


@pytest.mark.parametrize("url", ["http://mcp.test/mcp", "https://mcp.test/mcp"])
async def test_a_proxy_of_the_environment_that_is_not_there_is_blamed_with_its_variable(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""
    monkeypatch.setenv("ALL_PROXY", "http://user:hidden@127.0.0.1:1")
    failure = await failure_of(url)

    assert "http://127.0.0.1:1 (ALL_PROXY) refused the connection" in failure.reason
    assert "ALL_PROXY" in failure.hint
    assert "NO_PROXY" in failure.hint
    assert "hidden" not in failure.reason


@pytest.mark.parametrize("value", ["socks://127.0.0.1:1", "socks5://127.0.0.1:1", "http://[", "x"])
async def test_an_odd_proxy_breaks_no_connection_that_does_not_need_it(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: desktops set `socks://` for everything; this computer itself is reached directly."""
    monkeypatch.setenv("ALL_PROXY", value)
    async with HttpStub() as stub, connected(at(stub.url)) as session:
        await call(session)


@pytest.mark.parametrize("value", ["socks://127.0.0.1:1", "socks5h://127.0.0.1:1"])
async def test_a_socks_proxy_that_is_needed_is_named_before_anything_is_sent(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""
    monkeypatch.setenv("ALL_PROXY", value)
    failure = await failure_of(HOST)

    assert "SOCKS" in failure.reason
    assert "ALL_PROXY" in failure.reason
    assert "ALL_PROXY" in failure.hint


async def test_the_proxy_of_a_server_wins_over_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ours."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    async with HttpStub() as proxy, connected(replace(at(HOST), proxy=proxy.origin)) as session:
        await call(session)


@pytest.mark.parametrize(
    ("environ", "used"),
    [
        ({"HTTPS_PROXY": "http://p:1"}, None),
        ({"HTTP_PROXY": "p:1"}, "http://p:1"),
        ({"HTTP_PROXY": "http://p:1", "ALL_PROXY": "socks://q:1"}, "http://p:1"),
        ({"HTTP_PROXY": "http://p:1", "http_proxy": "http://q:1"}, "http://q:1"),
        ({"HTTP_PROXY": "http://p:1", "REQUEST_METHOD": "GET"}, None),
        ({"HTTP_PROXY": "http://p:1", "NO_PROXY": "other, .test"}, None),
        ({"HTTP_PROXY": "http://p:1", "no_proxy": "*"}, None),
        ({"ALL_PROXY": "socks://p:1", "NO_PROXY": "mcp.test"}, None),
        ({"HTTP_PROXY": "  "}, None),
    ],
)
def test_the_variables_are_read_as_other_programs_read_them(
    environ: dict[str, str], used: str | None
) -> None:
    """Ours."""
    if sys.platform in {"win32", "darwin"} and used is None:
        pytest.skip("the system may name a proxy")
    found = proxy_for(HttpConfig(HOST), environ)

    assert (found.url if found is not None else None) == used


@pytest.mark.parametrize(
    ("host", "listed", "is_one"),
    [
        ("mcp.test", "mcp.test", True),
        ("a.mcp.test", "mcp.test", True),
        ("a.mcp.test", "*.mcp.test", True),
        ("amcp.test", "mcp.test", False),
        ("mcp.test", "mcp.test:443", False),
        ("mcp.test", "mcp.test:80", True),
        ("10.1.2.3", "10.0.0.0/8", True),
        ("10.1.2.3", "10.1.2.3", True),
        ("11.1.2.3", "10.0.0.0/8", False),
        ("fd00::1", "[fd00::1]", True),
        ("mcp.test", "", False),
        ("mcp.test", ",,", False),
        ("mcp.test", "x/y", False),
        ("10.1.2.3", "x/y", False),
        ("10.1.2.3", "10.0.0.0/99", False),
    ],
)
def test_exceptions_are_hosts_domains_and_networks(host: str, listed: str, is_one: bool) -> None:
    """Ours."""
    assert is_excepted(host, 80, listed) is is_one


@pytest.mark.parametrize("host", ["localhost", "a.localhost", "127.0.0.1", "127.9.9.9", "::1"])
def test_this_computer_has_many_names(host: str) -> None:
    """Ours."""
    assert is_loopback(host)


@pytest.mark.parametrize("name", ["SSLKEYLOGFILE", "SSL_CERT_FILE"])
async def test_a_file_of_the_environment_that_cannot_be_used_is_named_with_its_variable(
    name: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ours: and no proxy is blamed."""
    missing = str(tmp_path / "none" / "file")
    monkeypatch.setenv(name, missing)
    failure = await failure_of("https://127.0.0.1:9/mcp")

    assert name in failure.reason
    assert missing in failure.reason
    assert name in failure.hint
    assert "proxy" not in failure.reason + failure.hint


async def test_a_file_for_tls_does_not_matter_without_tls(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Ours."""
    monkeypatch.setenv("SSLKEYLOGFILE", str(tmp_path / "none" / "file"))
    async with HttpStub() as stub, connected(at(stub.url)) as session:
        await call(session)
