"""The browser of this computer as what the user logs in with: first a look at the login page, then a listener for the callback.

An authorization server that refuses the client or its redirect URI shows a page and redirects to no listener (RFC 6749, section 4.1.2.1): the
look finds that. The listener accepts one callback on 127.0.0.1, or the URL that the user pastes; beside it is a document that describes the client,
for authorization servers on this machine. The page that the browser gets has nothing of the callback: the browser is redirected to a bare path, so
that no code stays in its history.

Source: RFC 8252, sections 7.3 and 8.3; RFC 6749, section 3.1.2; C-AUT-41.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.auth import client, document, urls
from inspector.auth.client import error_text
from inspector.auth.messages import JSON, HttpRequest
from inspector.auth.user_agent import SHOWS_ERROR, do_nothing
from inspector.errors import AuthError, Hint

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.auth.messages import HttpResponse
    from inspector.auth.user_agent import Sender, UserAgent

LIMIT_SECONDS = 300.0
"""How long a user may take to log in."""

LINGER_SECONDS = 1.0
"""How long the final page is still served."""

MAX_REQUEST = 65_536
"""Bytes of a request that are read."""

PATH, DONE_PATH = "/callback", "/done"

REFUSALS = frozenset({400, 404, 410, 422})
"""Statuses that a browser would be shown as well; others may be meant for programs alone, such as 403 of a firewall."""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Spyglass</title>
<style>body{font:16px system-ui,sans-serif;margin:20vh auto;max-width:32em;padding:0 1em;color-scheme:light dark}</style></head>
<body><h1>Back to Spyglass</h1><p>The answer has arrived. You can close this tab.</p></body></html>
"""

_HEADERS = (
    "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
    "X-Content-Type-Options: nosniff\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'\r\n"
    "Connection: close\r\n"
)


class LoopbackListener:
    """A user agent that is a browser on this machine."""

    def __init__(
        self,
        open_url: Callable[[str], Awaitable[None]],
        *,
        host: str = "127.0.0.1",
        port: int = 0,
        limit_seconds: float = LIMIT_SECONDS,
    ) -> None:
        """Have `open_url` show a URL to the user; `host` is how the redirect URI calls this machine, `port` 0 for any that is free."""
        self._open_url = open_url
        self._host = host
        self._port = port
        self._limit_seconds = limit_seconds
        self._server: asyncio.Server | None = None
        self._callback: asyncio.Future[str] | None = None
        self._displayed = asyncio.Event()

    @property
    def redirect_uri(self) -> str:
        """The redirect URI; empty while the listener is stopped."""
        if self._server is None:
            return ""
        port = self._server.sockets[0].getsockname()[1]
        return f"http://{self._host}:{port}{PATH}"

    async def start(self) -> str:
        """Start to listen, and return the redirect URI.

        Raises:
            AuthError: the port is taken.
        """
        if self._server is None:
            try:
                self._server = await asyncio.start_server(
                    self._serve, "127.0.0.1", self._port, limit=MAX_REQUEST
                )
            except OSError as error:
                text = f"cannot listen on port {self._port} of this machine: {error.strerror}"
                raise AuthError(text, hint="Select another callback port.") from error
            # The client is registered for this port: a step that is done again listens there as well.
            self._port = self._server.sockets[0].getsockname()[1]
        return self.redirect_uri

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Show `url` to the user, and return the URL of the callback; `on_page_ready` is called when the user can open it.

        Raises:
            AuthError: there was no callback in time.
        """
        await self.start()
        self._callback = callback = asyncio.get_running_loop().create_future()
        on_page_ready()
        await self._open_url(url)
        try:
            async with asyncio.timeout(self._limit_seconds):
                return await callback
        except TimeoutError:
            raise AuthError(
                f"no callback came within {self._limit_seconds:g} s",
                hint="Look at the page in the browser: an error about the client or the redirect URI is shown there and nowhere else.",
            ) from None

    def paste(self, url: str) -> str:
        """Use the URL that the browser was redirected to, copied from its address bar; return why it cannot be used, or an empty string.

        The browser may be on another machine: only the query is used.
        """
        if self._callback is None or self._callback.done():
            return "no callback is awaited"
        parts = urls.split(url.strip())
        if parts is None or "=" not in parts.query:
            return "this is not the URL that the browser was redirected to"
        self._callback.set_result(url.strip())
        self._displayed.set()  # no browser waits for the page at the end
        return ""

    async def stop(self) -> None:
        """Stop to listen, after the final page was served or `LINGER_SECONDS` have passed."""
        server, self._server = self._server, None
        if server is None:
            return
        came = self._callback is not None and self._callback.done()
        if came and self._callback is not None and not self._callback.cancelled():
            try:
                async with asyncio.timeout(LINGER_SECONDS):
                    await self._displayed.wait()
            except TimeoutError:
                pass
        server.close()
        await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(LINGER_SECONDS * 5):
                header_block = await reader.readuntil(b"\r\n\r\n")
            writer.write(self._response(header_block.split(b"\r\n", 1)[0].decode("latin-1")))
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, TimeoutError):
            pass
        finally:
            writer.close()

    def _response(self, line: str) -> bytes:
        verb, _, rest = line.partition(" ")
        target = rest.partition(" ")[0]
        path = target.partition("?")[0]
        if verb == "GET" and path == DONE_PATH:
            self._displayed.set()
            return _http("200 OK", _PAGE)
        if verb == "GET" and path == client.DOCUMENT_PATH:
            document = client.served_document(self.redirect_uri)
            return _http("200 OK", document.decode(), media_type=JSON)
        if verb != "GET" or path != PATH or "=" not in target:
            return _http("404 Not Found", "")
        if self._callback is None or self._callback.done():
            return _http("410 Gone", "")  # one callback is enough
        self._callback.set_result(f"http://{self._host}{target}")
        return _http("303 See Other", "", f"Location: {DONE_PATH}\r\n")


def _http(
    status: str, page: str, more: str = "", *, media_type: str = "text/html; charset=utf-8"
) -> bytes:
    body = page.encode()
    about = f"Content-Type: {media_type}\r\nContent-Length: {len(body)}\r\n"
    return f"HTTP/1.1 {status}\r\n{_HEADERS}{more}{about}\r\n".encode() + body


class LoginPageCheck:
    """A user agent that opens no browser if the login page is an error, or redirects to the callback at once."""

    def __init__(self, agent: UserAgent, sender: Sender) -> None:
        """Request the login page with `sender`, then let `agent` show it."""
        self._agent = agent
        self._sender = sender
        self._redirect_uri = ""

    async def start(self) -> str:
        """Get ready for a callback, and return the redirect URI."""
        self._redirect_uri = await self._agent.start()
        return self._redirect_uri

    async def visit(self, url: str, on_page_ready: Callable[[], object] = do_nothing) -> str:
        """Show `url` to the user, and return the URL of the callback; `on_page_ready` is called when the user can open it.

        Raises:
            AuthError: the authorization server refuses, or the user did not log in.
        """
        response = await self._sender.send(HttpRequest("GET", url, follows=False))
        location = response.header("location")
        if self._redirect_uri and location.partition("?")[0] == self._redirect_uri:
            return location
        if response.status in REFUSALS:
            raise AuthError(
                f"{SHOWS_ERROR}: {page_text(response)}",
                hint=Hint(
                    "Compare client id and redirect URI with what is registered, or register the client again.",
                    cli="Compare --client-id and the redirect URI (--callback-port) with what is registered, or run this again: a client that was kept is registered again.",
                ),
                frame=response.frame or None,
            )
        return await self._agent.visit(url, on_page_ready)

    def paste(self, url: str) -> str:
        """Use the URL that a browser elsewhere was redirected to; return why it cannot be used, or an empty string."""
        return self._agent.paste(url)

    async def stop(self) -> None:
        """Stop to wait for a callback."""
        await self._agent.stop()


def page_text(response: HttpResponse) -> str:
    """Return the visible text of a response, with its status."""
    value, _, _ = document.read_object(response)
    text = error_text(value) if value is not None else document.page_excerpt(response.body)
    return f"{text or 'nothing'} (HTTP {response.status})"
