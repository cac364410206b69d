"""What shows the login page to the user and returns the callback. Light to import."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.auth.messages import HttpRequest, HttpResponse
    from inspector.auth.settings import Settings


SHOWS_ERROR = "the authorization server shows an error instead of a login page"


def do_nothing() -> None:
    """Ignore the event."""


class UserAgent(Protocol):
    """Shows the login page to the user, and waits for the callback."""

    async def start(self) -> str:
        """Get ready for a callback, and return the redirect URI."""
        ...

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Show `url` to the user, and return the URL of the callback; `on_page_ready` is called when the user can open it.

        Raises:
            AuthError: the user did not log in, or not in time.
        """
        ...

    def paste(self, url: str) -> str:
        """Use the URL that a browser elsewhere was redirected to; return why it cannot be used, or an empty string."""
        ...

    async def stop(self) -> None:
        """Stop to wait for a callback; may be called at any time and more than once."""
        ...


class Sender(Protocol):
    """Makes HTTP exchanges."""

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Send a request; an error is the `problem` of the response."""
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
