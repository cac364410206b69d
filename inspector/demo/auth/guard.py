"""The resource server: lets an MCP request pass whose access token is good for it.

Source: basic/authorization, "Access Token Usage" and "Scope Challenge Handling"; RFC 6750, 3.1; RFC 9449, 7.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from inspector.demo.auth.challenge import challenge
from inspector.demo.auth.dpop import Expected, NonceRequired
from inspector.demo.auth.faults import Fault
from inspector.demo.auth.jose import BadToken
from inspector.demo.auth.reply import Reply, json_reply
from inspector.demo.auth.setup import READ, WRITE
from inspector.demo.tools import TOOLS

if TYPE_CHECKING:
    from inspector.demo.auth.dpop import Proofs
    from inspector.demo.auth.grants import Grants
    from inspector.demo.auth.setup import Setup
    from inspector.demo.auth.tokens import AccessToken, AccessTokens
    from inspector.demo.http_wire import HttpRequest
    from inspector.wire.json_codec import Json, JsonObject

INVALID_TOKEN = "invalid_token"
ORIGIN_ERROR = -32000

WRITERS = frozenset(tool.name for tool in TOOLS if tool.hints.get("readOnlyHint") is False)
"""Tools that say that they change something: calling one needs the scope for it."""

INSTEAD_OF_401 = {
    Fault.STATUS_200: json_reply({"error": "unauthorized"}, 200),
    Fault.STATUS_403: json_reply({"error": "forbidden"}, 403),
    Fault.STATUS_404: Reply(404, b"Not Found", {"content_type": "text/plain"}),
    Fault.STATUS_500: Reply(500, b"Internal Server Error", {"content_type": "text/plain"}),
}


class Guard:
    """Stands before the MCP endpoint."""

    def __init__(self, setup: Setup, grants: Grants, tokens: AccessTokens, proofs: Proofs) -> None:
        """Take what `tokens` issued."""
        self._setup = setup
        self._grants = grants
        self._tokens = tokens
        self._proofs = proofs

    def refusal(self, request: HttpRequest) -> Reply | None:
        """Why a request does not pass; None if it passes."""
        if self._setup.has(Fault.ORIGIN_REFUSED):
            return _refused_origin(request)
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != ("dpop" if self._setup.dpop else "bearer"):
            return self._unauthorized()
        try:
            access = self._read(request, token.strip())
        except NonceRequired:
            return self._unauthorized("use_dpop_nonce", "The proof needs the nonce of DPoP-Nonce")
        except BadToken as error:
            return self._unauthorized(INVALID_TOKEN, _in_ascii(str(error)))
        needed = WRITE if _calls_writer(request.body) else READ
        return None if needed in access.scopes else self._forbidden(needed)

    def _read(self, request: HttpRequest, token: str) -> AccessToken:
        access = self._tokens.read(token)
        if self._grants.has_ended(access.grant_id):
            raise BadToken("The grant of the token was revoked")
        if self._setup.dpop:
            url = self._setup.origin + request.path
            expected = Expected(request.verb, url, self._setup.clock(), token)
            proof = request.headers.get("dpop", "")
            if self._proofs.thumbprint(proof, expected) != access.thumbprint:
                raise BadToken("The token is bound to another key")
        return access

    def _unauthorized(self, error: str = "", description: str = "") -> Reply:
        setup = self._setup
        for fault, reply in INSTEAD_OF_401.items():
            if setup.has(fault):
                return reply
        headers = {"www_authenticate": challenge(setup, READ, error, description)}
        if setup.has(Fault.CHALLENGE_MISSING):
            headers = {}
        if error == "use_dpop_nonce":
            headers["dpop_nonce"] = self._proofs.nonce()
        body: JsonObject = {
            "error": error or INVALID_TOKEN,
            "error_description": description or "Authentication required",
        }
        return json_reply(body, 401, **headers)

    def _forbidden(self, needed: str) -> Reply:
        scope = READ if needed == READ else f"{READ} {WRITE}"
        error, text = "insufficient_scope", f"This needs the scope {needed}"
        headers = {"www_authenticate": challenge(self._setup, scope, error, text)}
        return json_reply({"error": error, "error_description": text}, 403, **headers)


def _refused_origin(request: HttpRequest) -> Reply:
    """What one of the official SDKs answers."""
    origin = request.headers.get("origin", "none")
    error: JsonObject = {"code": ORIGIN_ERROR, "message": f"Invalid Origin: {origin}"}
    return json_reply({"jsonrpc": "2.0", "error": error, "id": None}, 403)


def _calls_writer(body: bytes) -> bool:
    try:
        message: Json = json.loads(body)
    except (ValueError, RecursionError):
        return False
    params = message.get("params") if isinstance(message, dict) else None
    if not isinstance(message, dict) or not isinstance(params, dict):
        return False
    return message.get("method") == "tools/call" and params.get("name") in WRITERS


def _in_ascii(text: str) -> str:
    """What may stand in a quoted string without escapes."""
    return "".join(
        each for each in text if each.isascii() and each.isprintable() and each not in '"\\'
    )
