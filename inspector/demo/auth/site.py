"""Sends each request to the part it is for: the issuer, a document, or the MCP server behind its guard."""

from __future__ import annotations

from email.utils import formatdate
from typing import TYPE_CHECKING

from inspector.demo.auth.authentication import Authentication
from inspector.demo.auth.authorize import AuthorizationEndpoint
from inspector.demo.auth.clients import Clients
from inspector.demo.auth.dpop import Proofs
from inspector.demo.auth.faults import Fault
from inspector.demo.auth.grants import Grants
from inspector.demo.auth.guard import Guard
from inspector.demo.auth.metadata import well_known
from inspector.demo.auth.registration import register
from inspector.demo.auth.reply import OAuthError, Reply, json_reply
from inspector.demo.auth.revocation import revoke
from inspector.demo.auth.token_endpoint import TokenEndpoint
from inspector.demo.auth.tokens import AccessTokens

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.demo.auth.setup import Setup
    from inspector.demo.http_wire import Handle, HttpAnswering, HttpRequest

    Route = Callable[[HttpRequest], Awaitable[Reply]]


class ProtectedSite:
    """A server whose endpoints need a token, and the issuer of those tokens."""

    def __init__(self, setup: Setup, handle: Handle, protected: tuple[str, ...]) -> None:
        """Hand to `handle` what has a token, or goes to none of the paths in `protected`."""
        self._setup = setup
        self._handle = handle
        self._protected = protected
        self._clients = Clients()
        self._grants = Grants(setup.clock)
        self._tokens = AccessTokens(setup)
        self._guard = Guard(setup, self._grants, self._tokens, Proofs(setup))
        self._authentication = Authentication(setup, self._clients)
        self._authorization = AuthorizationEndpoint(setup, self._clients, self._grants)
        self._token_endpoint = TokenEndpoint(
            setup,
            self._clients,
            self._authentication,
            self._grants,
            self._tokens,
            Proofs(setup),
        )
        self._routes = self._make_routes()

    async def handle(self, request: HttpRequest, answering: HttpAnswering) -> None:
        """Answer one request."""
        reply = await self._issuer_reply(request)
        now = self._setup.issuer_now()
        if reply is None and request.path in self._protected:
            reply = self._guard.refusal(request)
            now = self._setup.clock()
        if reply is None:
            await self._handle(request, answering)
        else:
            headers = {**reply.headers, "date": formatdate(now, usegmt=True)}
            await answering.whole(reply.status, reply.body, **headers)

    async def _issuer_reply(self, request: HttpRequest) -> Reply | None:
        if request.verb == "GET" and (found := well_known(self._setup, request.path)):
            return found
        verbs = self._routes.get(request.path)
        if verbs is None:
            return None
        route = verbs.get(request.verb)
        if route is None:
            return Reply(405, b"", {"allow": ", ".join(verbs)})
        try:
            return await route(request)
        except OAuthError as error:
            return error.reply()

    def _make_routes(self) -> dict[str, dict[str, Route]]:
        path = self._setup.path
        routes: dict[str, dict[str, Route]] = {
            path("authorize"): {"GET": self._authorization.ask, "POST": self._decide},
            path("token"): {"POST": self._token},
            path("revoke"): {"POST": self._revoke},
            path("jwks"): {"GET": self._keys},
        }
        if not self._setup.has(Fault.REGISTRATION_NONE):
            routes[path("register")] = {"POST": self._register}
        return routes

    async def _decide(self, request: HttpRequest) -> Reply:
        return self._authorization.decide(request)

    async def _token(self, request: HttpRequest) -> Reply:
        return self._token_endpoint.answer(request)

    async def _revoke(self, request: HttpRequest) -> Reply:
        return revoke(request, self._authentication, self._grants, self._tokens)

    async def _register(self, request: HttpRequest) -> Reply:
        return register(self._setup, self._clients, request.headers, request.body)

    async def _keys(self, request: HttpRequest) -> Reply:
        del request
        return json_reply(self._tokens.keys())
