"""Logging in from a terminal: the full URL is printed before anything opens it, and the callback comes from the browser or is pasted.

Source: RFC 8252, section 7.3; basic/authorization, "Authorization Server Security".
"""

from __future__ import annotations

import asyncio
import webbrowser
from typing import TYPE_CHECKING

from inspector.auth import urls
from inspector.auth.browser import LoopbackListener
from inspector.auth.user_agent import do_nothing
from inspector.errors import AuthError

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.settings import Settings
    from inspector.cli.auth_options import AuthOptions
    from inspector.cli.console import Console, Keyboard


class TerminalAgent:
    """A user agent whose user sits at a terminal."""

    def __init__(
        self, console: Console, keyboard: Keyboard, settings: Settings, options: AuthOptions
    ) -> None:
        """Show on `console`, read from `keyboard`, listen as `settings` say and open a browser as `options` say."""
        self._console = console
        self._keyboard = keyboard
        self._options = options
        self._listener = LoopbackListener(
            self._show, host=settings.callback_host, port=settings.callback_port
        )

    async def start(self) -> str:
        """Listen on this machine and return the redirect URI.

        Raises:
            AuthError: the port is taken.
        """
        return await self._listener.start()

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Let the user log in at `url` and return the URL of the callback; `on_page_ready` is called when the URL is printed.

        Raises:
            AuthError: no callback came in time.
        """
        failure: AuthError | None = None
        callback = ""
        async with asyncio.TaskGroup() as group:
            reading = group.create_task(self._read(url))
            try:
                callback = await self._listener.visit(url, on_page_ready)
            except AuthError as error:  # a task group would wrap it
                failure = error
            finally:
                reading.cancel()
        if failure is not None:
            raise failure
        return callback

    def paste(self, url: str) -> str:
        """Use the URL that a browser elsewhere was redirected to; returns why it cannot be used, or an empty string."""
        return self._listener.paste(url)

    async def stop(self) -> None:
        """Stop listening."""
        await self._listener.stop()

    async def _show(self, url: str) -> None:
        """Print the URL of the login, and open it if the options say so."""
        # The URL holds the state of this login: without it the callback would be refused.
        self._console.err(f"Log in at {host_of(url)}:\n\n{url}\n", with_secrets=True)
        if self._options.yes:
            await self._open(url)
        elif self._keyboard.is_terminal and not self._options.no_browser:
            self._console.err(
                "Press Enter to open this URL in your browser, or open it yourself. If the browser is on another machine, "
                "paste the URL that it was redirected to."
            )
        else:
            self._console.err(
                "Open this URL in a browser. If that is on another machine, paste the URL that it was redirected to:"
            )
        self._console.flush()

    async def _read(self, url: str) -> None:
        """Read what the user types: a redirect URL, or Enter."""
        may_open = self._keyboard.is_terminal and not self._options.no_browser
        async for line in self._keyboard.lines():
            text = line.strip()
            if text:
                problem = self._listener.paste(text)
                if problem:
                    self._console.err(f"{problem}; paste the whole URL")
            elif may_open:
                await self._open(url)

    async def _open(self, url: str) -> None:
        try:
            is_open = await asyncio.to_thread(webbrowser.open, url)
        except webbrowser.Error:
            is_open = False
        if not is_open:
            self._console.err("No browser could be opened. Open the URL yourself.")


def host_of(url: str) -> str:
    """Return host and port of a URL as they are sent: letters of other scripts that look like Latin ones are encoded."""
    parts = urls.split(url)
    if parts is None or parts.hostname is None:
        return url
    try:
        host = parts.hostname.encode("idna").decode("ascii")
    except UnicodeError:
        host = parts.hostname
    return f"{host}:{parts.port}" if parts.port else host
