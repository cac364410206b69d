"""The protected demo server as a process of its own, with the engine at the other end."""

from __future__ import annotations

import ssl
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import httpx
import pytest
from msgspec.structs import replace

from inspector.errors import InspectorError
from tests.support.demo_server import demo
from tests.support.http_session import at, call, connected

if TYPE_CHECKING:
    from pathlib import Path

AUTH = ("--auth", "--auth-consent", "auto")


async def own_token(url: str, certificate: Path | None = None) -> str:
    """A token for a client that acts for itself."""
    verify = True if certificate is None else ssl.create_default_context(cafile=certificate)
    async with httpx.AsyncClient(trust_env=False, verify=verify) as client:
        answer = await client.post(
            urljoin(url, "/token"),
            data={"grant_type": "client_credentials", "resource": url},
            auth=("demo-client", "demo-secret"),
        )
    return str(answer.json()["access_token"])


@pytest.mark.parametrize(("transport", "switch"), [("http", "--http"), ("sse", "--sse")])
async def test_a_session_works_with_a_token_and_not_without(transport: str, switch: str) -> None:
    """Ours."""
    async with demo(switch, "0", *AUTH) as url:
        profile = at(url, transport)
        with pytest.raises(InspectorError, match="401"):
            async with connected(profile):
                pass
        token = await own_token(url)

        headers = (("Authorization", f"Bearer {token}"),)
        async with connected(replace(profile, headers=headers)) as session:
            await call(session, "about_this_session")


async def test_over_tls_the_certificate_is_in_the_file(tmp_path: Path) -> None:
    """Ours."""
    file = tmp_path / "demo.pem"
    async with demo("--http", "0", "--tls", str(file), *AUTH) as url:
        assert url.startswith("https://")
        assert "PRIVATE" not in file.read_text()
        headers = (("Authorization", f"Bearer {await own_token(url, file)}"),)

        async with connected(replace(at(url), headers=headers, ca_file=str(file))) as session:
            await call(session, "about_this_session")


@pytest.mark.parametrize(
    ("fault", "document", "member"),
    [
        ("resource-http", "oauth-protected-resource/mcp", "resource"),
        ("issuer-http", "oauth-authorization-server", "issuer"),
    ],
)
async def test_behind_tls_a_document_can_name_http(
    tmp_path: Path, fault: str, document: str, member: str
) -> None:
    """Ours."""
    file = tmp_path / "demo.pem"
    async with demo("--http", "0", "--tls", str(file), *AUTH, "--auth-fault", fault) as url:
        verify = ssl.create_default_context(cafile=file)
        async with httpx.AsyncClient(trust_env=False, verify=verify) as client:
            answer = await client.get(urljoin(url, f"/.well-known/{document}"))

        assert url.startswith("https://")
        assert answer.json()[member].startswith("http://127.0.0.1:")


async def test_a_certificate_can_have_expired(tmp_path: Path) -> None:
    """Ours."""
    file = tmp_path / "demo.pem"
    async with demo("--http", "0", "--tls", str(file), "--tls-expired") as url:
        with pytest.raises(httpx.ConnectError, match="expired"):
            await own_token(url, file)
