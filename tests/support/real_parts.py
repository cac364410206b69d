"""Parts of authorization that nobody here wrote, each a process on this machine: an authorization server, and protected servers.

    with authorization_server(npm_folder, printed) as issuer, typescript_server(npm_folder, issuer, printed) as url:
        ...

What the programs print is in files of the folder `printed`.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING

from joserfc.jwk import ECKey

from tests.support.foreign import serving
from tests.support.peers import NODE, SERVERS
from tests.support.ports import HERE, free_port

if TYPE_CHECKING:
    from collections.abc import Generator
    from pathlib import Path

    from inspector.wire.json_codec import Json, JsonObject

DOCUMENT = "https://client.example/spyglass.json"
DESCRIBED = {
    "client_id": DOCUMENT,
    "client_name": "Spyglass",
    "application_type": "native",
    "redirect_uris": ["http://127.0.0.1/callback"],
    "grant_types": ["authorization_code", "refresh_token"],
    "response_types": ["code"],
    "token_endpoint_auth_method": "none",
}
"""What the authorization server finds at that URL."""

KEY = ECKey.generate_key("P-256", private=True)
SECRET = "s ecret/:%+with everything"
PUBLIC: JsonObject = json.loads(json.dumps(KEY.as_dict(private=False)))
MACHINE: JsonObject = {
    "client_id": "machine",
    "grant_types": ["client_credentials"],
    "response_types": [],
    "redirect_uris": [],
    "token_endpoint_auth_method": "private_key_jwt",
    "jwks": {"keys": [PUBLIC]},
}
CONFIDENTIAL: JsonObject = {
    "client_id": "confidential",
    "client_secret": SECRET,
    "application_type": "native",
    "redirect_uris": ["http://127.0.0.1/callback"],
    "token_endpoint_auth_method": "client_secret_basic",
}
"""Clients that are registered at the authorization server."""

EXAMPLE = "node_modules/@modelcontextprotocol/sdk/dist/esm/examples/server/simpleStreamableHttp.js"


@contextmanager
def authorization_server(npm_folder: Path, printed: Path, **switches: Json) -> Generator[str]:
    """The issuer of a running `oidc-provider`, which binds tokens to a key where it is asked to; `oidc_server.mjs` tells the switches."""
    port = free_port()
    given = json.dumps({"dpop": True, "documents": {DOCUMENT: DESCRIBED}, **switches})
    argv = [NODE, SERVERS / "oidc_server.mjs", npm_folder, str(port), given]
    with serving(argv, port, printed / f"issuer-{port}.txt"):
        yield f"http://{HERE}:{port}"


@contextmanager
def python_server(python: Path, issuer: str, printed: Path, *scopes: str) -> Generator[str]:
    """The URL of a server on the SDK of that `python`, which needs these scopes for everything."""
    port = free_port()
    argv = [python, SERVERS / "sdk_protected.py", str(port), issuer, *scopes]
    with serving(argv, port, printed / f"python-{port}.txt"):
        yield f"http://{HERE}:{port}/mcp"


@contextmanager
def typescript_server(npm_folder: Path, issuer: str, printed: Path) -> Generator[str]:
    """The URL of a server on the TypeScript SDK, one of whose tools needs another scope."""
    port = free_port()
    argv = [NODE, SERVERS / "ts1_protected.mjs", npm_folder, str(port), issuer]
    with serving(argv, port, printed / f"typescript-{port}.txt"):
        yield f"http://{HERE}:{port}/mcp"


@contextmanager
def typescript_example(npm_folder: Path, printed: Path) -> Generator[str]:
    """The URL of the example of the TypeScript SDK, which has its own authorization server."""
    port, issuer_port = free_port(), free_port()
    argv = [NODE, npm_folder / EXAMPLE, "--oauth", "--oauth-strict"]
    ports = {"MCP_PORT": str(port), "MCP_AUTH_PORT": str(issuer_port)}
    with serving(argv, port, printed / f"example-{port}.txt", ports):
        yield f"http://localhost:{port}/mcp"
