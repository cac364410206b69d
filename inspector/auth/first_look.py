"""A look at the login page before a browser is opened: a refusal of the client or its redirect URI is a page, and reaches no listener.

Source: RFC 6749, section 4.1.2.1: the user agent must not be redirected in such a case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.auth import document, web_page
from inspector.auth.client import error_words
from inspector.auth.messages import HttpRequest
from inspector.auth.user_agent import tell_nobody
from inspector.errors import AuthError, Hint

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.messages import HttpResponse
    from inspector.auth.user_agent import Sender, UserAgent

SHOWS_ERROR = "the authorization server shows an error instead of a login page"

REFUSALS = frozenset({400, 404, 410, 422})
"""Statuses that a browser would be shown as well; others may be meant for programs alone, such as 403 of a firewall."""


class LookingFirst:
    """A user agent that opens no browser for what is refused, and none for what is answered at once."""

    def __init__(self, agent: UserAgent, sender: Sender) -> None:
        """Look with `sender`, then go on with `agent`."""
        self._agent = agent
        self._sender = sender
        self._redirect_uri = ""

    async def start(self) -> str:
        """Be ready for a callback, and give the redirect URI at which it is awaited."""
        self._redirect_uri = await self._agent.start()
        return self._redirect_uri

    async def visit(self, url: str, on_waiting: Callable[[], object] = tell_nobody) -> str:
        """Have the user log in at `url`, and give the whole URL of the callback; `on_waiting` is called once the user is to open it.

        Raises:
            AuthError: the authorization server refuses, or the user did not log in.
        """
        response = await self._sender.send(HttpRequest("GET", url, follows=False))
        location = response.header("location")
        if self._redirect_uri and location.partition("?")[0] == self._redirect_uri:
            return location
        if response.status in REFUSALS:
            raise AuthError(
                f"{SHOWS_ERROR}: {page_words(response)}",
                hint=Hint(
                    "Compare client id and redirect URI with what is registered, or register the client again.",
                    cli="Compare --client-id and the redirect URI (--callback-port) with what is registered, or run this again: a client that was kept is registered again.",
                ),
                frame=response.frame or None,
            )
        return await self._agent.visit(url, on_waiting)

    def paste(self, url: str) -> str:
        """Take the URL that a browser elsewhere was redirected to; return why it cannot be used, or an empty string."""
        return self._agent.paste(url)

    async def stop(self) -> None:
        """Await no callback any more."""
        await self._agent.stop()


def page_words(response: HttpResponse) -> str:
    """What a response says to whoever looks at it, with its status."""
    value, _, _ = document.read_object(response)
    said = error_words(value) if value is not None else web_page.excerpt(response.body)
    return f"{said or 'nothing'} (HTTP {response.status})"
