"""The protected demo server in this process, and a client that does what it is told, right or wrong."""

from __future__ import annotations

import base64
import json
import secrets
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import httpx

from inspector.demo.auth.dpop import token_hash
from inspector.demo.auth.setup import CONSENT_AUTO, Setup
from inspector.demo.auth.site import ProtectedSite
from inspector.demo.http_wire import bind, listen

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.demo.auth.faults import Fault
    from inspector.demo.http_wire import HttpAnswering, HttpRequest
    from inspector.wire.json_codec import JsonObject

CALLBACK = "http://127.0.0.1:5001/callback"
PASSED = 202
WRITER = "notes_add"
READER = "notes_read"


@dataclass
class Clock:
    """A clock that only moves when a test wants it to."""

    now: float

    def __call__(self) -> float:
        return self.now


@dataclass
class Site:
    """A running server and a connection to it."""

    setup: Setup
    http: httpx.AsyncClient
    clock: Clock

    async def document(self, path: str) -> JsonObject:
        """What lies at a well-known place."""
        answer = await self.http.get(path)
        assert answer.status_code == 200
        return answer.json()

    async def issuer_metadata(self) -> JsonObject:
        return await self.document(
            f"/.well-known/oauth-authorization-server{self.setup.issuer_path}"
        )

    async def resource_metadata(self) -> JsonObject:
        return await self.document("/.well-known/oauth-protected-resource/mcp")

    async def register(self, **changed: object) -> httpx.Response:
        """Register a native client."""
        metadata = {
            "client_name": "A test",
            "application_type": "native",
            "redirect_uris": [CALLBACK],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        }
        kept = {name: value for name, value in (metadata | changed).items() if value is not None}
        return await self.http.post(self.setup.path("register"), json=kept)

    async def registered(self, **changed: object) -> JsonObject:
        answer = await self.register(**changed)
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def authorize(self, client_id: str, **changed: str | None) -> httpx.Response:
        """Ask for a code; a parameter is left out with None."""
        query = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": CALLBACK,
            "state": "a-state",
            "code_challenge": token_hash(VERIFIER),
            "code_challenge_method": "S256",
            "resource": self.setup.resource,
            "scope": "mcp:read",
        }
        kept = {name: value for name, value in (query | changed).items() if value is not None}
        return await self.http.get(self.setup.path("authorize"), params=kept)

    async def token(
        self,
        form: dict[str, str],
        auth: tuple[str, str] | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Ask the token endpoint."""
        path = self.setup.path("token")
        return await self.http.post(path, data=form, headers=headers, auth=auth or NO_AUTH)

    async def trade(self, client_id: str, code: str, **changed: str) -> httpx.Response:
        """Trade a code."""
        form = {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "code": code,
            "redirect_uri": CALLBACK,
            "code_verifier": VERIFIER,
            "resource": self.setup.resource,
        }
        return await self.token(form | changed)

    async def refresh(self, client_id: str, token: object, **more: str) -> httpx.Response:
        """Trade a refresh token."""
        form = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": str(token)}
        return await self.token(form | more)

    async def log_in(self, scope: str = "mcp:read", **registered: object) -> Login:
        """Register, get a code without a page, and trade it."""
        client_id = str((await self.registered(**registered))["client_id"])
        code = answered(await self.authorize(client_id, scope=scope))["code"]
        answer = await self.trade(client_id, code)
        return Login(client_id, code, answer, answer.json())

    async def call(self, token: object, tool: str = READER, **headers: str) -> httpx.Response:
        """Call a tool with a token."""
        body = {"method": "tools/call", "params": {"name": tool}}
        named = {"Authorization": f"Bearer {token}"} | headers
        return await self.http.post("/mcp", json=body, headers=named)


@dataclass
class Login:
    """What came of logging in."""

    client_id: str
    code: str
    answer: httpx.Response
    tokens: JsonObject

    @property
    def access(self) -> str:
        return str(self.tokens["access_token"])

    @property
    def claims(self) -> JsonObject:
        """What the access token says, not verified."""
        return jwt_part(self.access, 1)


class Form(HTMLParser):
    """The first form of a page, as a browser would send it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.action = ""
        self.fields: list[tuple[str, str]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "form":
            self.action = found.get("action") or ""
        if tag == "input":
            self.fields.append((found.get("name") or "", found.get("value") or ""))


VERIFIER = secrets.token_urlsafe(32)
NO_AUTH = httpx.Auth()


def answered(answer: httpx.Response) -> dict[str, str]:
    """What an authorization response holds; it must be a redirect to the client."""
    assert answer.status_code == 303, answer.text
    location = answer.headers["location"]
    assert location.startswith(CALLBACK)
    return {name: value for name, (value,) in parse_qs(urlsplit(location).query).items()}


def jwt_part(token: str, number: int) -> JsonObject:
    """Header (0) or claims (1) of a JWT."""
    text = token.split(".")[number]
    return json.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))


@asynccontextmanager
async def protected(
    *faults: Fault,
    consent: str = CONSENT_AUTO,
    issuer_path: str = "",
    token_seconds: float = 3600,
    dpop: str = "",
) -> AsyncGenerator[Site]:
    """The server, with an MCP endpoint that lets everything pass."""

    async def welcome(request: HttpRequest, answering: HttpAnswering) -> None:
        await answering.whole(PASSED if request.path == "/mcp" else 404)

    bound = bind(0)
    origin = f"http://127.0.0.1:{bound.getsockname()[1]}"
    clock = Clock(time.time())
    setup = Setup(
        origin, "/mcp", clock, issuer_path, frozenset(faults), consent, token_seconds, dpop
    )
    server = await listen(bound, ProtectedSite(setup, welcome, ("/mcp",)).handle)
    async with server, httpx.AsyncClient(base_url=origin, trust_env=False) as http:
        yield Site(setup, http, clock)
        await http.aclose()


def is_page(answer: httpx.Response) -> bool:
    """Whether it is an error that the user reads."""
    return answer.status_code == 400 and answer.headers["content-type"].startswith("text/html")
