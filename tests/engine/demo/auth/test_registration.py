"""Who may register, and how: dynamic registration and client id metadata documents."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.demo.auth import jose
from inspector.demo.http_wire import bind, listen
from tests.engine.demo.auth.site import CALLBACK, PASSED, answered, is_page, protected

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.demo.http_wire import HttpAnswering, HttpRequest


async def test_what_a_client_said_comes_back_with_an_id() -> None:
    """Ours: RFC 7591, 3.2.1."""
    async with protected() as site:
        answer = await site.registered(software_id="kept")

        assert answer["client_id"]
        assert answer["software_id"] == "kept"
        assert answer["redirect_uris"] == [CALLBACK]
        assert "client_secret" not in answer


@pytest.mark.parametrize("method", ["client_secret_basic", "client_secret_post", None])
async def test_a_client_with_a_secret_is_given_one(method: str | None) -> None:
    """Ours: RFC 7591, 2: the method that goes without saying is client_secret_basic."""
    async with protected() as site:
        answer = await site.registered(token_endpoint_auth_method=method)

        assert answer["token_endpoint_auth_method"] == (method or "client_secret_basic")
        assert answer["client_secret"]
        assert answer["client_secret_expires_at"] == 0


@pytest.mark.parametrize(
    "uri",
    [
        "http://127.0.0.1/callback",
        "http://localhost:3000/",
        "http://[::1]:9/x",
        "https://app.example/callback",
        "com.example.app:/callback",
    ],
)
async def test_a_native_client_may_have_this_redirect_uri(uri: str) -> None:
    """Ours: RFC 8252, 7."""
    async with protected() as site:
        assert (await site.register(redirect_uris=[uri])).status_code == 201


@pytest.mark.parametrize(
    ("uri", "kind"),
    [
        ("http://example.com/callback", "native"),
        ("http://127.0.0.1/callback#x", "native"),
        ("javascript:alert(1)", "native"),
        ("/callback", "native"),
        ("https:///callback", "native"),
        ("http://127.0.0.1:x/", "native"),
        ("http://127.0.0.1/\r\nSet-Cookie: a=b", "native"),
        ("com.example.app:/callback", "web"),
        ("http://example.com/callback", "web"),
    ],
)
async def test_no_client_may_have_this_redirect_uri(uri: str, kind: str) -> None:
    """Ours: RFC 8252, 8.4, and OpenID Connect Registration."""
    async with protected() as site:
        answer = await site.register(redirect_uris=[uri], application_type=kind)

        assert answer.status_code == 400
        assert answer.json()["error"] == "invalid_redirect_uri"


@pytest.mark.parametrize(
    "changed",
    [
        {"application_type": "desktop"},
        {"token_endpoint_auth_method": "tls_client_auth"},
        {"token_endpoint_auth_method": ["none"]},
        {"token_endpoint_auth_method": "private_key_jwt"},
        {"grant_types": ["implicit"]},
        {"grant_types": "authorization_code"},
        {"redirect_uris": [1]},
    ],
)
async def test_wrong_metadata_is_refused(changed: dict[str, object]) -> None:
    """Ours: RFC 7591, 3.2.2."""
    async with protected() as site:
        answer = await site.register(**changed)

        assert answer.status_code == 400
        assert answer.json()["error"] == "invalid_client_metadata"


@pytest.mark.parametrize("body", [b"", b"[]", b"\xff", b"[" * 100_000])
async def test_what_is_no_json_object_is_refused(body: bytes) -> None:
    """Ours."""
    async with protected() as site:
        assert (await site.http.post("/register", content=body)).status_code == 400


@asynccontextmanager
async def published(status: int = 200, /, **document: object) -> AsyncGenerator[str]:
    """The URL of a client id metadata document."""

    async def show(request: HttpRequest, answering: HttpAnswering) -> None:
        del request
        body = json.dumps({"client_id": url, "redirect_uris": [CALLBACK]} | document).encode()
        await answering.whole(status, body, content_type="application/json", location=url)

    bound = bind(0)
    url = f"http://127.0.0.1:{bound.getsockname()[1]}/client.json"
    async with await listen(bound, show):
        yield url


async def test_a_client_is_known_by_its_document() -> None:
    """Ours: basic/authorization, "Client ID Metadata Documents"."""
    async with protected() as site:
        async with published(client_name="A client") as url:
            code = answered(await site.authorize(url))["code"]
        tokens = (await site.trade(url, code)).json()

        assert (await site.issuer_metadata())["client_id_metadata_document_supported"] is True
        assert (await site.call(tokens["access_token"])).status_code == PASSED


async def test_a_client_with_a_document_may_have_a_key_that_it_then_must_use() -> None:
    """Ours."""
    document: dict[str, object] = {
        "token_endpoint_auth_method": "private_key_jwt",
        "jwks": jose.public_keys(jose.new_key()),
    }
    async with protected() as site, published(**document) as url:
        code = answered(await site.authorize(url))["code"]

        assert (await site.trade(url, code)).status_code == 401


@pytest.mark.parametrize(
    ("status", "document"),
    [
        (404, {}),
        (302, {}),
        (200, {"client_id": "http://127.0.0.1/other.json"}),
        (200, {"client_secret": "x"}),
        (200, {"token_endpoint_auth_method": "client_secret_basic"}),
        (200, {"redirect_uris": []}),
        (200, {"padding": "x" * 6000}),
    ],
)
async def test_a_document_that_is_not_right_is_told_on_a_page(
    status: int, document: dict[str, object]
) -> None:
    """Ours."""
    async with protected() as site, published(status, **document) as url:
        assert is_page(await site.authorize(url))


@pytest.mark.parametrize(
    "url",
    [
        "https://client.example/metadata.json",
        "http://10.0.0.1/metadata.json",
        "http://127.0.0.1:1/metadata.json",
        "http://127.0.0.1/",
        "http://127.0.0.1/a/../b.json",
        "http://user@127.0.0.1/a.json",
        "http://127.0.0.1/a.json#x",
        "http://[::1/a.json",
        "http://127.0.0.1:x/a.json",
    ],
)
async def test_a_document_elsewhere_or_nowhere_is_not_fetched(url: str) -> None:
    """Ours: a demo server asks nothing of the network."""
    async with protected() as site:
        assert is_page(await site.authorize(url))
