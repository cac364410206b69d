"""A protected server on the official Python SDK, version 1 or 2, with a token verifier that checks JSON Web Tokens.

    sdk_protected.py PORT ISSUER SCOPE...

ISSUER is an authorization server whose keys are at `/jwks`; every request needs each SCOPE. Runs in the environment of a
peer, never in ours.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedFunctionDecorator=false, reportUnknownArgumentType=false, reportUnknownParameterType=false
# pyright: reportAttributeAccessIssue=false, reportCallIssue=false
# The SDK is not in our environment on purpose: Spyglass must not lean on it.

from __future__ import annotations

import asyncio
import sys

import jwt
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken
from mcp.server.auth.settings import AuthSettings

PORT, ISSUER, SCOPES = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
RESOURCE = f"http://127.0.0.1:{PORT}/mcp"


class Verifier:
    """Checks signature, issuer, audience and times."""

    def __init__(self) -> None:
        self._keys = jwt.PyJWKClient(f"{ISSUER}/jwks")

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            key = await asyncio.to_thread(self._keys.get_signing_key_from_jwt, token)
            claims = jwt.decode(token, key.key, ["RS256"], audience=RESOURCE, issuer=ISSUER)
        except jwt.PyJWTError as error:
            print(f"refused: {error}", file=sys.stderr)
            return None
        return AccessToken(
            token=token,
            client_id=claims["client_id"],
            scopes=claims.get("scope", "").split(),
            expires_at=claims["exp"],
            resource=RESOURCE,
        )


settings = {"issuer_url": ISSUER, "resource_server_url": RESOURCE, "required_scopes": SCOPES}
try:
    from mcp.server.mcpserver import MCPServer
except ImportError:
    from mcp.server.fastmcp import FastMCP

    auth = AuthSettings(**settings)
    server = FastMCP("sdk1-protected", auth=auth, token_verifier=Verifier(), port=PORT)
    options = {}
else:
    auth = AuthSettings(**settings, validate_token_resource=True)
    server = MCPServer("sdk2-protected", auth=auth, token_verifier=Verifier())
    options = {"port": PORT}


@server.tool(structured_output=False)
def whoami() -> str:
    """Tell whom the token was issued to, and for what."""
    token = get_access_token()
    assert token is not None
    return f"{token.client_id} {' '.join(token.scopes)}"


server.run("streamable-http", **options)
