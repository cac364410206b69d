"""A client on the official Python SDK, version 1 or 2, that logs in to a protected server and calls a tool that writes.

    sdk_login.py URL

The authorization endpoint must answer by redirect at once. Writes one line of JSON: the scopes it was granted, one login
after the other, and the text of the tool's result. Runs in the environment of a peer, never in ours.
"""

# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownParameterType=false, reportAttributeAccessIssue=false
# The SDK is not in our environment on purpose: Spyglass must not lean on it.

from __future__ import annotations

import asyncio
import json
import sys
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from mcp import ClientSession
from mcp.client import auth, streamable_http
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

try:
    import httpx2 as httpx  # what version 2 brings along
except ImportError:
    import httpx

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

CALLBACK = AnyUrl("http://127.0.0.1:5999/callback")


class Login:
    """Keeps what the SDK learns, and plays the browser."""

    def __init__(self) -> None:
        self.scopes: list[str | None] = []
        self._tokens: OAuthToken | None = None
        self._client: OAuthClientInformationFull | None = None
        self._answer: dict[str, str] = {}

    async def get_tokens(self) -> OAuthToken | None:
        return self._tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self._tokens = tokens
        self.scopes.append(tokens.scope)

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self._client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self._client = client_info

    async def visit(self, url: str) -> None:
        async with httpx.AsyncClient(trust_env=False) as browser:
            answer = await browser.get(url)
        query = urlsplit(answer.headers["location"]).query
        self._answer = {name: value for name, (value,) in parse_qs(query).items()}

    async def take_answer(self) -> object:
        code, state = self._answer["code"], self._answer["state"]
        if hasattr(auth, "AuthorizationCodeResult"):
            return auth.AuthorizationCodeResult(code=code, state=state, iss=self._answer["iss"])
        return code, state


def streams(
    url: str, provider: auth.OAuthClientProvider
) -> AbstractAsyncContextManager[tuple[object, ...]]:
    """The streams of a connection, which the two versions open differently."""
    if hasattr(streamable_http, "streamablehttp_client"):
        return streamable_http.streamablehttp_client(url, auth=provider)
    client = httpx.AsyncClient(auth=provider, timeout=20, trust_env=False)
    return streamable_http.streamable_http_client(url, http_client=client)


async def main(url: str) -> None:
    """Log in, call the tool, log in for more where that is asked for."""
    login = Login()
    metadata = OAuthClientMetadata(
        client_name="SDK",
        redirect_uris=[CALLBACK],
        grant_types=["authorization_code", "refresh_token"],
        response_types=["code"],
    )
    provider = auth.OAuthClientProvider(
        server_url=url,
        client_metadata=metadata,
        storage=login,
        redirect_handler=login.visit,
        callback_handler=login.take_answer,
    )
    async with (
        streams(url, provider) as (read, write, *_),
        ClientSession(read, write) as session,
    ):
        await session.initialize()
        result = await session.call_tool("notes_add", {"text": "from the SDK"})
    print(json.dumps({"scopes": login.scopes, "text": result.content[0].text}))


asyncio.run(main(sys.argv[1]))
