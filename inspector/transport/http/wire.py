"""The HTTP client of one connection. Every head that crosses the wire is recorded, redirects included.

Nothing is sent to another origin than that of the address: a redirect that leads there is refused, because the headers of the person
may hold secrets. Bodies are asked for uncompressed, so that what is recorded is what came.

Source: RFC 9110, sections 15.4.8 and 15.4.9: a request that is redirected by 307 or 308 keeps its method and body.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx

from inspector.errors import ConnectFailed, ConnectionLost, HttpStatus
from inspector.time_slices import in_time_slices
from inspector.transport.http import words
from inspector.transport.http.address import LOOPBACK, origin, origin_words
from inspector.transport.http.answer import Answer
from inspector.transport.http.decoding import ENCODINGS, PLAIN, decoded
from inspector.transport.http.heads import tracer
from inspector.transport.http.lanes import Lanes
from inspector.transport.http.trust import tls_context
from inspector.version import VERSION
from inspector.wire.frame import Channel
from inspector.wire.lines import Line

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    from inspector.transport.base import Sink
    from inspector.transport.http.address import HttpAddress

CONNECT_SECONDS = 10.0
"""For one attempt to connect, TLS included. Answers have no limit here: whoever asks has one."""

MAX_HOPS = 5
"""Redirects followed in a row."""

_KEEPING = {307, 308}
"""Redirects that keep method and body."""

_REDIRECTS = {301, 302, 303, *_KEEPING}


class HttpWire:
    """Makes HTTP exchanges with one server."""

    def __init__(self, address: HttpAddress, sink: Sink) -> None:
        """Prepare to exchange with `address`, telling `sink` what crosses the wire."""
        self._address = address
        self._sink = sink
        self._client: httpx.AsyncClient | None = None
        self._redirected: set[str] = set()
        self._url = httpx.URL("")  # that of the address, read once

    async def open(self) -> None:
        """Make the client; nothing is sent yet.

        Raises:
            ConnectFailed: the files or the proxy of the address are not usable.
        """
        try:
            context = await asyncio.to_thread(tls_context, self._address)
            self._client = _make_client(self._address, context)
            self._url = httpx.URL(self._address.url)
        except (
            OSError,
            ValueError,
            ImportError,
            httpx.InvalidURL,
        ) as error:  # SOCKS would need another library
            raise ConnectFailed(
                f"the connection cannot be prepared: {error}",
                remedy="Check the proxy: that of this server, or else that of the environment. Its address begins with http://.",
            ) from error
        if not self._address.verify and self._address.origin[0] == "https":
            self._sink.noted("not-verified", "the certificate of the server is not checked")
        for name in self._address.left_out:
            self._sink.noted("header-left-out", f"the header {name} is set by the transport")

    async def aclose(self) -> None:
        """Close all connections."""
        if self._client is not None:
            await self._client.aclose()

    @asynccontextmanager
    async def exchange(
        self,
        verb: str,
        *,
        headers: Sequence[tuple[str, str]],
        url: str = "",
        body: bytes | None = None,
        stream: int = 0,
        on_sent: Callable[[], object] = lambda: None,
    ) -> AsyncGenerator[Answer]:
        """Send one request and give the answer while its body is still to come.

        `stream` is the frame that opens the exchange; without one, the head of the request does.

        Raises:
            TransportError: there was no answer, or one that leads elsewhere.
        """
        url = url or self._address.url
        record = _Record(self._sink, stream)
        for _ in range(MAX_HOPS + 1):
            response = await self._send(verb, url, headers, body, record, on_sent)
            try:
                leads_to = self._redirect(response, verb, url)
                if leads_to is None:
                    yield _answer(response, record.stream)
                    return
            finally:
                await response.aclose()
            url = leads_to
        raise HttpStatus(
            f"the server redirected more than {MAX_HOPS} times, last to {url}",
            status=0,
            remedy="Check the URL; a proxy or the server sends its visitors round in circles.",
        )

    async def _send(
        self,
        verb: str,
        url: str,
        headers: Sequence[tuple[str, str]],
        body: bytes | None,
        record: _Record,
        on_sent: Callable[[], object],
    ) -> httpx.Response:
        if self._client is None:
            raise ConnectionLost("there is no connection")
        try:
            request = self._client.build_request(
                verb,
                self._url if url == self._address.url else url,
                headers=[*headers, *self._address.headers],
                content=body,
                extensions={"trace": tracer(record.sending, on_sent, record.received)},
            )
            return await self._client.send(request, stream=True)
        except words.FOREIGN as error:
            raise words.lost(error, url, proxy=self._address.proxy) from error

    def _redirect(self, response: httpx.Response, verb: str, url: str) -> str | None:
        """Where a redirect leads, if it is one that may be followed.

        Raises:
            HttpStatus: it may not.
        """
        if response.status_code not in _REDIRECTS or "location" not in response.headers:
            return None
        try:
            target = str(response.url.join(response.headers["location"]))
            same = origin(target) == origin(url)
        except (httpx.InvalidURL, ValueError):
            target, same = response.headers["location"], False
        if not same:
            raise HttpStatus(
                f"{origin_words(url)} redirects to {response.headers['location']}, another origin; "
                "nothing was sent there",
                status=response.status_code,
                remedy="If that is the server you mean, use its address.",
            )
        if verb != "GET" and response.status_code not in _KEEPING:
            raise HttpStatus(
                f"HTTP {response.status_code} redirects to {target} by another method than {verb}, "
                "as pages for people do, such as a login page",
                status=response.status_code,
                remedy="Check the URL, and whether the server wants authorization.",
            )
        if target not in self._redirected:
            self._redirected.add(target)
            self._sink.noted("redirected", f"the server redirects to {target}: use that address")
        return target


class _Record:
    """Records the heads of one exchange."""

    def __init__(self, sink: Sink, stream: int) -> None:
        self.stream = stream
        self._sink = sink

    def sending(self, head: bytes) -> None:
        number = self._sink.sent(Channel.HTTP, [Line(head)], self.stream)
        self.stream = self.stream or number

    def received(self, head: bytes) -> None:
        self._sink.received(Channel.HTTP, [Line(head)], self.stream)


def _answer(response: httpx.Response, stream: int) -> Answer:
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in PLAIN and encoding not in ENCODINGS:
        raise HttpStatus(
            f"the body is encoded as {encoding}, although none of that was asked for",
            status=response.status_code,
        )
    body = in_time_slices(decoded(_chunks(response), encoding))
    return Answer(response.status_code, response.reason_phrase, response.headers, stream, body)


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except words.FOREIGN as error:
        raise words.lost(error, str(response.url)) from error


def _make_client(address: HttpAddress, context: ssl.SSLContext) -> httpx.AsyncClient:
    direct = {f"all://{f'[{host}]' if ':' in host else host}": None for host in LOOPBACK}
    return httpx.AsyncClient(
        headers={
            "User-Agent": f"spyglass/{VERSION}",
            "Accept-Encoding": "identity",
        },
        transport=Lanes(context),
        verify=context,  # for proxies, which are reached in their own way
        proxy=address.proxy or None,
        mounts={} if address.proxy else direct,
        timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
        follow_redirects=False,
    )
