"""Who shows the login page to the user, and brings back where it redirected to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.messages import HttpRequest, HttpResponse


def tell_nobody() -> None:
    """Nobody wants to know."""


class UserAgent(Protocol):
    """A browser, as an authorization sees it."""

    async def start(self) -> str:
        """Be ready for a callback, and give the redirect URI at which it is awaited."""
        ...

    async def visit(self, url: str, on_waiting: Callable[[], object] = tell_nobody) -> str:
        """Have the user log in at `url`, and give the whole URL of the callback; `on_waiting` is called once the user is to open it.

        Raises:
            AuthError: the user did not, or not in time.
        """
        ...

    def paste(self, url: str) -> str:
        """Take the URL that a browser elsewhere was redirected to; return why it cannot be used, or an empty string."""
        ...

    async def stop(self) -> None:
        """Await no callback any more; may be called at any time and more than once."""
        ...


class Sender(Protocol):
    """Makes HTTP exchanges."""

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Make one exchange; what goes wrong is said in the response."""
        ...

    async def aclose(self) -> None:
        """Close every connection."""
        ...
