"""A protected server and its authorization server in one, on a real socket: what it says is right unless a test changes it.

    async with Protected() as server:
        opened = server.workspace().open(server.profile)
        await opened.connect()
        assert server.count("POST /token") == 1

The authorization endpoint redirects at once; `Redirected` is the browser that takes that for the callback.
"""

from __future__ import annotations

import itertools
import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx

from inspector.auth.grant import Access, MemoryGrants
from inspector.auth.settings import Settings, Way
from inspector.config.profile import Profile
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.workspace import Workspace
from tests.support.http_stub import HttpStub, Reply, reply, well_behaved
from tests.support.redirected import Redirected

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from types import TracebackType

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Asked

JSON = "application/json"


@dataclass
class Protected:
    """The server; a context."""

    resource: JsonObject = field(default_factory=dict[str, "Json"])
    """Members of the metadata of the resource that are other than right."""
    metadata: JsonObject = field(default_factory=dict[str, "Json"])
    """Members of the metadata of the authorization server that are other than right."""
    token: JsonObject = field(default_factory=dict[str, "Json"])
    """Members of token answers that are other than usual."""
    hides_behind: int = 0
    """The status that comes instead of 401, without a challenge; 0 for none."""
    is_open: bool = False
    """Whether no token is needed."""
    shows_login: bool = False
    """Whether the authorization endpoint shows a page, on which a user would log in, instead of redirecting at once."""
    refuses_all: bool = False
    """Whether no token is good enough."""
    scope_of_calls: str = ""
    """The scope without which a call of a tool is refused."""

    def __post_init__(self) -> None:
        self.stub = HttpStub(otherwise=self.answer)
        self.grants = MemoryGrants()
        self.valid: set[str] = set()
        """The access tokens that are good."""
        self.refresh = ""
        """The refresh token that is good."""
        self.issued: set[str] = set()
        """Every token that was ever given."""
        self._numbers = itertools.count(1)
        self._asked_scope = ""

    async def __aenter__(self) -> Protected:
        await self.stub.__aenter__()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stub.__aexit__(kind, error, trace)

    @property
    def issuer(self) -> str:
        """Its authorization server."""
        return self.stub.origin

    @property
    def profile(self) -> Profile:
        """How to reach it."""
        return Profile(
            name="protected",
            transport="http",
            url=self.stub.url,
            revision=NEWEST_STATEFUL.date,
        )

    def workspace(self, settings: Settings | None = None, *, with_user: bool = True) -> Workspace:
        """One that lets it in."""
        chosen = settings or Settings(way=Way.CODE)
        agent = Redirected if with_user else None
        return Workspace(None, access=lambda _: Access(chosen, self.grants, agent))

    def asked(self, key: str) -> list[Asked]:
        """The requests for a verb and a path."""
        verb, _, path = key.partition(" ")
        return [each for each in self.stub.asked if (each.verb, _path(each)) == (verb, path)]

    def count(self, key: str) -> int:
        """How many there were."""
        return len(self.asked(key))

    def forms(self, key: str = "POST /token") -> list[dict[str, str]]:
        """The forms that came with them."""
        forms = [parse_qs(each.body.decode()) for each in self.asked(key)]
        return [{name: values[0] for name, values in form.items()} for form in forms]

    def answer(self, asked: Asked) -> Reply:
        """What it does with a request."""
        answers: dict[str, Callable[[Asked], Reply]] = {
            "/.well-known/oauth-protected-resource/mcp": self._resource,
            "/.well-known/oauth-authorization-server": self._metadata,
            "/register": self._register,
            "/authorize": self._authorize,
            "/token": self._token,
            "/revoke": lambda _: reply(200),
            "/mcp": self._mcp,
        }
        made = answers.get(_path(asked))
        return made(asked) if made is not None else reply(404)

    def _resource(self, _: Asked) -> Reply:
        value: JsonObject = {
            "resource": self.stub.url,
            "authorization_servers": [self.issuer],
            "scopes_supported": ["read"],
        }
        return _json(200, {**value, **self.resource})

    def _metadata(self, _: Asked) -> Reply:
        value: JsonObject = {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "registration_endpoint": f"{self.issuer}/register",
            "revocation_endpoint": f"{self.issuer}/revoke",
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "token_endpoint_auth_methods_supported": ["none"],
        }
        return _json(200, {**value, **self.metadata})

    def _register(self, asked: Asked) -> Reply:
        return _json(201, {**asked.message, "client_id": f"client-{next(self._numbers)}"})

    def _authorize(self, asked: Asked) -> Reply:
        given = {name: value[0] for name, value in parse_qs(urlsplit(asked.path).query).items()}
        if self.shows_login and "allowed" not in given:
            return reply(200, b"<h1>Log in</h1>", "text/html")
        self._asked_scope = given.get("scope", "")
        fields = {"code": "the-code", "state": given["state"], "iss": self.issuer}
        return reply(302, location=f"{given['redirect_uri']}?{urlencode(fields)}")

    def _token(self, asked: Asked) -> Reply:
        given = {name: value[0] for name, value in parse_qs(asked.body.decode()).items()}
        if given["grant_type"] == "refresh_token" and given["refresh_token"] != self.refresh:
            return _json(400, {"error": "invalid_grant"})
        self._asked_scope = given.get("scope", self._asked_scope)
        number = next(self._numbers)
        access, self.refresh = f"access-token-{number}", f"refresh-token-{number}"
        self.valid = {access}
        self.issued |= {access, self.refresh}
        value: JsonObject = {
            "access_token": access,
            "token_type": "Bearer",
            "expires_in": 3600,
            "refresh_token": self.refresh,
            "scope": self._asked_scope,
        }
        return _json(200, {**value, **self.token})

    def _mcp(self, asked: Asked) -> Reply:
        sent = asked.headers.get("authorization", "").partition(" ")[2]
        where = f'resource_metadata="{self.issuer}/.well-known/oauth-protected-resource/mcp"'
        if self.is_open:
            return well_behaved(asked)
        if self.hides_behind and sent not in self.valid:
            return reply(self.hides_behind)
        if self.refuses_all or sent not in self.valid:
            return reply(401, www_authenticate=f"Bearer {where}")
        needed = self.scope_of_calls if asked.rpc == "tools/call" else ""
        if needed not in ("", *self._asked_scope.split()):
            text = f'Bearer error="insufficient_scope", scope="{needed}", {where}'
            return reply(403, www_authenticate=text)
        return well_behaved(asked)


async def log_in(url: str) -> int:
    """Take the part of a user with a browser on the login page at `url`; gives the status of the page at the end."""
    async with httpx.AsyncClient(trust_env=False, follow_redirects=True) as browser:
        return (await browser.get(f"{url}&allowed=1")).status_code


def _path(asked: Asked) -> str:
    return asked.path.partition("?")[0]


def _json(status: int, value: JsonObject) -> Reply:
    return reply(status, json.dumps(value).encode(), JSON, cache_control="no-store")


@asynccontextmanager
async def opened(
    server: Protected, workspace: Workspace | None = None
) -> AsyncGenerator[OpenSession]:
    """A session with the server, not yet connected."""
    workspace = workspace or server.workspace()
    try:
        yield workspace.open(server.profile)
    finally:
        await workspace.aclose()


async def call(session: OpenSession, name: str = "a") -> None:
    """Call a tool by its name.

    Raises:
        InspectorError: that failed.
    """
    await session.session.request("tools/call", {"name": name, "arguments": {}})
