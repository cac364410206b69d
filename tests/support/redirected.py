"""A browser that is none: it takes the redirect of an authorization endpoint that answers at once for the callback."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin

from inspector.auth.messages import HttpRequest
from inspector.auth.user_agent import do_nothing
from inspector.errors import AuthError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.user_agent import Sender


class Redirected:
    """Follows no redirect, and takes it for the callback."""

    redirect_uri = "http://127.0.0.1:9/callback"

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    async def start(self) -> str:
        """Nobody listens there."""
        return self.redirect_uri

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Where the authorization endpoint redirects to."""
        on_page_ready()
        response = await self._sender.send(HttpRequest("GET", url, follows=False))
        location = response.header("location")
        if not location:
            said = response.problem or f"HTTP {response.status}"
            raise AuthError(f"the authorization endpoint does not redirect: {said}")
        return urljoin(url, location)

    def paste(self, url: str) -> str:
        """Nobody waits for it."""
        return f"{url} is not awaited"

    async def stop(self) -> None:
        """Nothing was started."""
