"""What shows the login page to the user and returns the callback. Light to import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.auth.messages import HttpRequest, HttpResponse
    from inspector.auth.settings import Settings


SHOWS_ERROR = "the authorization server shows an error instead of a login page"


def do_nothing() -> None:
    """Nobody wants to know."""


class UserAgent(Protocol):
    """A browser, as an authorization sees it."""

    async def start(self) -> str:
        """Be ready for a callback, and give the redirect URI at which it is awaited."""
        ...

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Have the user log in at `url`, and give the whole URL of the callback; `on_page_ready` is called once the user is to open it.

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


def browser_for(
    settings: Settings, open_url: Callable[[str], Awaitable[None]]
) -> Callable[[Sender], UserAgent]:
    """Return what makes the browser of this computer for the logins of one server; `open_url` shows a URL to the user."""

    # What it is made of is imported when a server asks for a login.
    def make(sender: Sender) -> UserAgent:
        from inspector.auth.browser import LoginPageCheck, LoopbackListener

        listener = LoopbackListener(
            open_url, host=settings.callback_host, port=settings.callback_port
        )
        return LoginPageCheck(listener, sender)

    return make
