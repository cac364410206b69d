"""An authorization over exchanges that are scripted: both servers and the browser in one, all of it right unless a test changes it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

from inspector.auth.flow import Flow, FlowFailed
from inspector.auth.messages import JSON, HttpRequest, HttpResponse
from inspector.auth.settings import Settings, Way
from inspector.auth.state import State
from inspector.auth.user_agent import do_nothing
from inspector.spec import revision as revisions
from inspector.wire import challenge

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.check import Check
    from inspector.auth.client import Client

SERVER, ISSUER, IDP = "https://mcp.example/mcp", "https://as.example", "https://idp.example"
REDIRECT_URI = "http://127.0.0.1:5/callback"
PRM = "https://mcp.example/.well-known/oauth-protected-resource/mcp"
METADATA = f"{ISSUER}/.well-known/oauth-authorization-server"
CODE = Settings(way=Way.CODE)


@dataclass
class Script:
    """Both servers and the browser."""

    resource: dict[str, object] | None = field(default_factory=dict[str, object])
    """Members that are other than right; None for no document."""
    metadata: dict[str, object] | None = field(default_factory=dict[str, object])
    registered: tuple[int, dict[str, object]] = (201, {"client_id": "registered"})
    """The answer to a registration."""
    answers: list[dict[str, object]] = field(default_factory=list[dict[str, object]])
    """Answers of the token endpoint before the right one."""
    token_headers: tuple[tuple[str, str], ...] = ()
    """Headers of the answers of the token endpoint."""
    refusals: list[str] = field(default_factory=list[str])
    """Errors that the authorization endpoint calls back with before it gives a code."""
    sent: list[HttpRequest] = field(default_factory=list[HttpRequest])
    visited: list[str] = field(default_factory=list[str])

    async def send(self, request: HttpRequest) -> HttpResponse:
        self.sent.append(request)
        where = urlsplit(request.url)._replace(query="").geturl()
        if where == PRM and self.resource is not None:
            value = {
                "resource": SERVER,
                "authorization_servers": [ISSUER],
                "scopes_supported": ["p", "q"],
            }
            return _json({**value, **self.resource})
        if where == METADATA and self.metadata is not None:
            return _json({**_METADATA, **self.metadata})
        if request.verb == "POST" and where.endswith("/register"):
            return _json(self.registered[1], self.registered[0])
        if request.verb == "POST" and where.endswith("/token"):
            if self.answers:
                value = self.answers.pop(0)
                status = 400 if "error" in value else 200
                return _json(value, status, ("DPoP-Nonce", "nonce"), *self.token_headers)
            kind = "DPoP" if any(name == "DPoP" for name, _ in request.headers) else "Bearer"
            value: dict[str, object] = {"access_token": "access", "token_type": kind}
            value["expires_in"] = 60
            return _json(value, 200, *self.token_headers)
        return HttpResponse(404)

    async def aclose(self) -> None:
        """Nothing was opened."""

    async def start(self) -> str:
        return REDIRECT_URI

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        on_page_ready()
        self.visited.append(url)
        parts = urlsplit(url)
        state, issuer = dict(parse_qsl(parts.query))["state"], f"{parts.scheme}://{parts.netloc}"
        came = {"error": self.refusals.pop(0)} if self.refusals else {"code": "c"}
        return f"{REDIRECT_URI}?{urlencode({**came, 'state': state, 'iss': issuer})}"

    def paste(self, url: str) -> str:
        return f"{url} is not awaited"

    async def stop(self) -> None:
        """Nothing listens."""

    def form(self, number: int = -1) -> dict[str, str]:
        """The form of a token request."""
        posted = [each for each in self.sent if each.url.endswith("/token")]
        return dict(posted[number].form)

    @property
    def paths(self) -> list[str]:
        return [urlsplit(each.url).path for each in self.sent]

    @property
    def asked(self) -> dict[str, list[str]]:
        """The parameters of the authorization request."""
        return parse_qs(urlsplit(self.visited[-1]).query)


_METADATA: dict[str, object] = {
    "issuer": ISSUER,
    "authorization_endpoint": f"{ISSUER}/authorize",
    "token_endpoint": f"{ISSUER}/token",
    "registration_endpoint": f"{ISSUER}/register",
    "code_challenge_methods_supported": ["S256"],
    "authorization_response_iss_parameter_supported": True,
}


def _json(value: dict[str, object], status: int = 200, *headers: tuple[str, str]) -> HttpResponse:
    return HttpResponse(status, (("content-type", JSON), *headers), json.dumps(value).encode())


def refused(field: str = "Bearer", settings: Settings = CODE, *, date: str = "") -> State:
    """What is known after a 401 with that challenge."""
    revision = revisions.find(date) or revisions.NEWEST
    return State(SERVER, revision, settings, challenge.read([field]), 401)


def flow_of(script: Script, state: State, stored: Client | None = None) -> Flow:
    async def known(_: str) -> Client | None:
        return stored

    return Flow(state, script, script, stored_client=known)


async def failure(script: Script, state: State, stored: Client | None = None) -> FlowFailed:
    with pytest.raises(FlowFailed) as failed:
        await flow_of(script, state, stored).run()
    return failed.value


def checks(flow: Flow) -> list[Check]:
    return [check for step in flow.steps for check in step.checks]
