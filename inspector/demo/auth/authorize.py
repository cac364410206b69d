"""The authorization endpoint: checks the request, asks the user, sends the answer by redirect.

What is wrong with the client or with the redirect URI is told on a page, for a redirect could lead anywhere.

Source: OAuth 2.1, 4.1.1 and 4.1.2; RFC 9207; RFC 8707, 2.1.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from msgspec.structs import replace

from inspector.demo.auth.client_document import fetch_client, is_document_url
from inspector.demo.auth.faults import Fault
from inspector.demo.auth.grants import new_grant
from inspector.demo.auth.pages import consent_page, error_page
from inspector.demo.auth.reply import (
    INVALID_REQUEST,
    OAuthError,
    page_reply,
    parameters,
    redirect,
)
from inspector.demo.auth.scopes import allowed, parse_scopes, requested_resource
from inspector.demo.auth.setup import CONSENT_AUTO, CONSENT_PAGE, OTHER_HOST
from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Mapping

    from inspector.demo.auth.clients import Client, Clients
    from inspector.demo.auth.grants import Grants
    from inspector.demo.auth.reply import Reply
    from inspector.demo.auth.setup import Setup
    from inspector.demo.http_wire import HttpRequest

MAX_PENDING = 100
"""Pages that wait for the user; the oldest is forgotten for the next."""
MAX_FIELDS = 100
DEMO_USER = "demo-user"
CHALLENGE_LENGTH = 43
"""Characters of what S256 makes."""


class Asked(FrozenStruct, frozen=True):
    """An authorization request that is in order."""

    client: Client
    """Who asks."""
    redirect_uri: str
    """Where the answer goes."""
    has_redirect_uri: bool
    """Whether the request named it."""
    state: str | None
    """What comes back with the answer."""
    challenge: str = ""
    """S256 of the verifier."""
    scopes: tuple[str, ...] = ()
    """What for."""
    resource: str = ""
    """Where."""


class AuthorizationEndpoint:
    """Answers authorization requests."""

    def __init__(self, setup: Setup, clients: Clients, grants: Grants) -> None:
        """Start without pages that wait."""
        self._setup = setup
        self._clients = clients
        self._grants = grants
        self._pending: dict[str, Asked] = {}

    async def ask(self, request: HttpRequest) -> Reply:
        """Ask the user, or answer at once."""
        try:
            query = parameters(request.query)
            client = await self._client(query)
            start = self._start(query, client)
        except OAuthError as error:
            return page_reply(error_page(error.error, error.description), error.status)
        try:
            asked = self._read(query, start)
        except OAuthError as error:
            return self._refuse(start, error.error, error.description)
        if self._setup.consent == CONSENT_PAGE:
            return self._page(asked)
        if self._setup.consent == CONSENT_AUTO:
            return self._allow(asked, DEMO_USER, asked.scopes)
        return self._deny(asked)

    def decide(self, request: HttpRequest) -> Reply:
        """Take what the user decided on the page."""
        try:
            fields = parse_qsl(request.body.decode("utf-8", "replace"), max_num_fields=MAX_FIELDS)
        except ValueError:
            fields = []
        form = dict(fields)
        asked = self._pending.pop(form.get("request", ""), None)
        if asked is None:
            return page_reply(error_page(INVALID_REQUEST, "This page was answered before"), 400)
        chosen = {value for name, value in fields if name == "scope"}
        scopes = tuple(scope for scope in asked.scopes if scope in chosen)
        if form.get("decision") != "allow" or not scopes:
            return self._deny(asked)
        return self._allow(asked, form.get("login") or DEMO_USER, scopes)

    async def _client(self, query: Mapping[str, str]) -> Client:
        client_id = query.get("client_id", "")
        if is_document_url(client_id) and not self._setup.has(Fault.REGISTRATION_NONE):
            self._clients.add(await fetch_client(self._setup, client_id))
        client = self._clients.find(client_id)
        if client is None:
            raise OAuthError("invalid_client", "This client is not known")
        return client

    def _start(self, query: Mapping[str, str], client: Client) -> Asked:
        """The URL to which every response is redirected."""
        if self._setup.has(Fault.AUTHORIZE_REFUSED):
            text = "The redirect URI is not on the list of allowed ones"
            raise OAuthError("invalid_client", text)
        uri = query.get("redirect_uri")
        if uri is None and len(client.redirect_uris) == 1:
            return Asked(client, client.redirect_uris[0], False, query.get("state"))
        exact_port = self._setup.has(Fault.REDIRECT_PORT)
        if uri is None or not client.redirects_to(uri, exact_port=exact_port):
            raise OAuthError(INVALID_REQUEST, "redirect_uri is not one of those registered")
        return Asked(client, uri, True, query.get("state"))

    def _read(self, query: Mapping[str, str], start: Asked) -> Asked:
        if query.get("response_type") != "code":
            raise OAuthError("unsupported_response_type", "response_type is code")
        if "authorization_code" not in start.client.grant_types:
            raise OAuthError("unauthorized_client", "The client is not registered for this")
        challenge = query.get("code_challenge", "")
        if query.get("code_challenge_method") != "S256" or len(challenge) != CHALLENGE_LENGTH:
            raise OAuthError(INVALID_REQUEST, "PKCE with S256 is required")
        scopes = parse_scopes(query.get("scope", ""))
        resource = requested_resource(self._setup, query)
        return replace(start, challenge=challenge, scopes=scopes, resource=resource)

    def _page(self, asked: Asked) -> Reply:
        name = secrets.token_urlsafe(16)
        self._pending[name] = asked
        if len(self._pending) > MAX_PENDING:
            self._pending.pop(next(iter(self._pending)))
        return page_reply(
            consent_page(
                client=asked.client.name,
                resource=asked.resource,
                redirect_uri=asked.redirect_uri,
                action=self._setup.path("authorize"),
                request=name,
                scopes=asked.scopes,
            )
        )

    def _allow(self, asked: Asked, login: str, scopes: tuple[str, ...]) -> Reply:
        granted = allowed(self._setup, scopes)
        grant = new_grant(asked.client.id, login, granted, asked.resource)
        code = self._grants.new_code(
            grant,
            asked.redirect_uri,
            asked.challenge,
            has_redirect_uri=asked.has_redirect_uri,
        )
        return self._answer(asked, {"code": code})

    def _deny(self, asked: Asked) -> Reply:
        return self._refuse(asked, "access_denied", "The user denied the request")

    def _refuse(self, asked: Asked, error: str, description: str) -> Reply:
        return self._answer(asked, {"error": error, "error_description": description})

    def _answer(self, asked: Asked, fields: dict[str, str]) -> Reply:
        if asked.state is not None and not self._setup.has(Fault.STATE_MISSING):
            fields["state"] = asked.state
        if self._setup.has(Fault.ISS_WRONG):
            fields["iss"] = OTHER_HOST
        elif not self._setup.has(Fault.ISS_MISSING):
            fields["iss"] = self._setup.described_issuer
        separator = "&" if urlsplit(asked.redirect_uri).query else "?"
        return redirect(f"{asked.redirect_uri}{separator}{urlencode(fields)}")
