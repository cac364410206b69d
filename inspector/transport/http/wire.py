"""The HTTP client of one connection. Every head that crosses the wire is recorded, redirects included.

Nothing is sent to another origin than that of the address (`redirects.py`). Bodies are asked for uncompressed, so that what is recorded is
what came.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx

from inspector.errors import ConnectFailed, ConnectionLost, HttpStatus
from inspector.time_slices import in_time_slices
from inspector.transport.http import words
from inspector.transport.http.answer import Answer
from inspector.transport.http.decoding import ENCODINGS, PLAIN, decoded
from inspector.transport.http.heads import tracer
from inspector.transport.http.heard import Heard
from inspector.transport.http.lanes import Lanes
from inspector.transport.http.proxies import proxy_for
from inspector.transport.http.redirects import target_of
from inspector.transport.http.trust import tls_context
from inspector.version import VERSION
from inspector.wire.frame import Channel, Flaw
from inspector.wire.lines import Line
from inspector.wire.secrecy import mask_addresses

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    from inspector.transport.base import Sink
    from inspector.transport.http.address import HttpAddress
    from inspector.transport.http.proxies import Proxy

CONNECT_SECONDS = 10.0
"""For one attempt to connect, TLS included. Answers have no limit here: whoever asks has one."""

MAX_HOPS = 5
"""Redirects followed in a row."""


class HttpWire:
    """Makes HTTP exchanges with one server."""

    def __init__(self, address: HttpAddress, sink: Sink) -> None:
        """Prepare to exchange with `address`, telling `sink` what crosses the wire."""
        self._address = address
        self._sink = sink
        self._client: httpx.AsyncClient | None = None
        self._proxy: Proxy | None = None
        self._redirected: set[str] = set()
        self._url = httpx.URL("")  # that of the address, read once

    async def open(self) -> None:
        """Make the client; nothing is sent yet.

        Raises:
            ConnectFailed: the files or the proxy of the address are not usable.
        """
        self._proxy = proxy = proxy_for(self._address)
        context = await asyncio.to_thread(tls_context, self._address, proxy)
        try:
            self._url = httpx.URL(self._address.url)
        except httpx.InvalidURL as error:
            words_ = f"the connection cannot be prepared: the URL cannot be used: {error}"
            raise ConnectFailed(words_, remedy="Correct the URL.") from error
        try:
            self._client = _make_client(proxy, context)
        except (ValueError, ImportError, httpx.InvalidURL) as error:
            reason = mask_addresses(str(error))
            raise ConnectFailed(
                f"the connection cannot be prepared: {reason}",
                remedy=proxy.remedy if proxy is not None else "",
            ) from error
        if proxy is not None and proxy.named_by:
            self._sink.noted("proxy", f"connections go through {proxy.words}")
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
                    yield _answer(response, record)
                    return
            finally:
                await response.aclose()
            url = leads_to
        raise HttpStatus(
            f"the server redirected more than {MAX_HOPS} times, last to {mask_addresses(url)}",
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
        heard = Heard()
        try:
            request = self._client.build_request(
                verb,
                self._url if url == self._address.url else url,
                headers=[*headers, *self._address.headers],
                content=body,
                extensions={
                    "trace": tracer(record.sending, on_sent, record.received),
                    "heard": heard,
                },
            )
            return await self._client.send(request, stream=True)
        except words.FOREIGN as error:
            record.headless(heard)
            raise words.lost(error, url, proxy=self._proxy, heard=heard.data) from error

    def _redirect(self, response: httpx.Response, verb: str, url: str) -> str | None:
        """Where a redirect leads, if it is one that may be followed.

        Raises:
            HttpStatus: it may not.
        """
        target = target_of(response, verb, url)
        if target is not None and target not in self._redirected:
            self._redirected.add(target)
            shown = mask_addresses(target)
            self._sink.noted("redirected", f"the server redirects to {shown}: use that address")
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

    def headless(self, heard: Heard) -> None:
        """Record what arrived and is no whole head."""
        if heard.data:
            flaw = Flaw.CUT if heard.dropped else Flaw.UNTERMINATED
            line = Line(heard.data, flaw, heard.dropped)
            self._sink.received(Channel.HTTP, [line], self.stream)

    def unfinished(self, channel: Channel, size: int, head: bytes, tail: bytes) -> None:
        self._sink.unfinished(channel, size, head, tail, self.stream)

    def rest(self, line: Line) -> None:
        self._sink.received(Channel.HTTP, [line], self.stream)


def _answer(response: httpx.Response, record: _Record) -> Answer:
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in PLAIN and encoding not in ENCODINGS:
        raise HttpStatus(
            f"the body is encoded as {encoding}, although none of that was asked for",
            status=response.status_code,
        )
    body = in_time_slices(decoded(_chunks(response), encoding))
    return Answer(
        response.status_code,
        response.reason_phrase,
        response.headers,
        record.stream,
        body,
        record.rest,
        record.unfinished,
    )


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except words.FOREIGN as error:
        raise words.lost(error, str(response.url)) from error


def _make_client(proxy: Proxy | None, context: ssl.SSLContext) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        headers={
            "User-Agent": f"spyglass/{VERSION}",
            "Accept-Encoding": "identity",
        },
        transport=Lanes(context),
        verify=context,  # for proxies, which are reached in their own way
        proxy=proxy.url if proxy is not None else None,
        timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
        follow_redirects=False,
    )
