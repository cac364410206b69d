"""The HTTP client of one connection. Every head that crosses the wire is recorded, redirects included.

Nothing is sent to another origin than that of the address (`redirects.py`). Bodies are asked for uncompressed, so that what is recorded is
what came.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx
from msgspec.structs import replace

from inspector.errors import ConnectFailed, ConnectionLost, HttpStatus, InspectorError
from inspector.time_slices import in_time_slices
from inspector.transport.http import words
from inspector.transport.http.answer import HttpResponse
from inspector.transport.http.credentials import REFUSALS, Refusal
from inspector.transport.http.decoding import ENCODINGS, IDENTITY, PLAIN, decoded
from inspector.transport.http.exposure import is_readable, network_address
from inspector.transport.http.heads import httpcore_trace
from inspector.transport.http.heard import ResponseStart
from inspector.transport.http.lanes import ExclusivePool
from inspector.transport.http.proxies import proxy_for
from inspector.transport.http.redirects import target_of, target_of_head
from inspector.transport.http.trust import tls_context
from inspector.transport.notes import NOT_ENCRYPTED, OWN_ADDRESS
from inspector.version import VERSION
from inspector.wire.frame import Channel, Flaw
from inspector.wire.lines import EXCERPT_BYTES, Line
from inspector.wire.secrecy import mask_addresses, mask_target

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    from inspector.transport.base import Sink
    from inspector.transport.http.address import HttpConfig
    from inspector.transport.http.credentials import Credentials, Outcome
    from inspector.transport.http.proxies import Proxy

CONNECT_SECONDS = 10.0
"""For one attempt to connect, TLS included. Answers have no limit here: whoever asks has one."""

MAX_HOPS = 5
"""Redirects followed in a row."""

MAX_REFUSALS = 6
"""How often one request is sent again because its credentials were refused, whatever they say."""

REFUSAL_BUDGET = 1 << 20
"""Bytes kept of the body of a refusal."""


class RecordingClient:
    """Makes HTTP exchanges with one server."""

    def __init__(
        self,
        address: HttpConfig,
        sink: Sink,
        *,
        channel: Channel = Channel.HTTP,
        credentials: Credentials | None = None,
    ) -> None:
        """Prepare to exchange with `address`, telling `sink` what crosses the wire on `channel`; `credentials` let it in."""
        self._address = address
        self._sink = sink
        self._channel = channel
        self._credentials = credentials
        self._client: httpx.AsyncClient | None = None
        self._proxy: Proxy | None = None
        self._redirected: set[str] = set()
        self._has_responded = False
        self._is_exposed = False
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
            self._sink.on_event("proxy", f"connections go through {proxy.text}")
        if not self._address.verify and self._address.origin[0] == "https":
            self._sink.on_event("not-verified", "the certificate of the server is not checked")
        if is_readable(self._address) and self._channel is Channel.HTTP:
            self._sink.on_event(
                NOT_ENCRYPTED, "the connection is not encrypted: the URL begins with http:"
            )
        for name in self._address.left_out:
            self._sink.on_event("header-left-out", f"the header {name} is set by the transport")

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
        follows: bool = True,
    ) -> AsyncGenerator[HttpResponse]:
        """Send one request and give the answer while its body is still to come.

        `stream` is the frame that opens the exchange; without one, the head of the request does. Without `follows` a redirect is an answer
        like any other.

        Raises:
            TransportError: there was no answer, or one that leads elsewhere.
        """
        url = url or self._address.url
        record = HeaderRecorder(self._sink, self._channel, stream)
        hops = refusals = 0
        while hops <= MAX_HOPS:
            given = await self._given(verb, url)
            sent = [*headers, *given]
            response = await self._send(verb, url, sent, body, record, on_sent)
            try:
                leads_to = self._redirect(response, verb, url) if follows else None
                if leads_to is not None:
                    url, hops = leads_to, hops + 1
                    continue
                answer = _answer(response, record, self._via(url))
                if given and answer.status not in REFUSALS and self._credentials is not None:
                    self._credentials.accepted(given, answer.header_pairs)
                if answer.status in REFUSALS and self._credentials is not None:
                    refusals += 1
                    outcome, answer = await self._refused(
                        _refusal(verb, url, given, body, response), answer
                    )
                    if outcome.sends_again and refusals <= MAX_REFUSALS:
                        continue
                yield answer
                return
            finally:
                await response.aclose()
        raise HttpStatus(
            f"the server redirected more than {MAX_HOPS} times, last to {mask_target(url)}",
            status=0,
            remedy="Check the URL, and the redirects of the server and of proxies in between: they form a loop.",
        )

    async def _given(self, verb: str, url: str) -> tuple[tuple[str, str], ...]:
        """Headers of the credentials; those of the user win over them."""
        if self._credentials is None:
            return ()
        try:
            given = await self._credentials.headers(verb, url)
        except InspectorError as error:
            words_ = f"the credentials for the request cannot be prepared: {error.words}"
            raise ConnectFailed(words_, remedy=error.remedy) from error
        set_by_user = {name.lower() for name, _ in self._address.headers}
        return tuple(pair for pair in given if pair[0].lower() not in set_by_user)

    async def _refused(self, refusal: Refusal, answer: HttpResponse) -> tuple[Outcome, HttpResponse]:
        """What the credentials say of a refusal, and the answer as it can still be read."""
        assert self._credentials is not None
        read = await answer.read(REFUSAL_BUDGET)
        frame = answer.frame
        outcome = await self._credentials.refused(replace(refusal, body=read.raw, frame=frame))
        if outcome.sends_again and read.raw:
            answer.record_rest(read)
        answer = replace(
            answer,
            chunks=_again(read.raw),
            explained=outcome.reason,
            remedy=outcome.hint,
            needs_user=outcome.needs_user,
        )
        return outcome, answer

    async def _send(
        self,
        verb: str,
        url: str,
        headers: Sequence[tuple[str, str]],
        body: bytes | None,
        record: HeaderRecorder,
        on_sent: Callable[[], object],
    ) -> httpx.Response:
        if self._client is None:
            raise ConnectionLost("there is no connection")
        heard = ResponseStart(record.headers_begin, is_known=self._has_responded)
        record.heard = heard

        def written() -> None:
            if body and self._channel is Channel.AUTH:  # a message is recorded by who sends it
                record.sent_body(body)
            on_sent()

        try:
            request = self._client.build_request(
                verb,
                self._url if url == self._address.url else url,
                headers=[*headers, *self._address.headers],
                content=body,
                extensions={
                    "trace": httpcore_trace(record.sending, written, record.received, self._connected),
                    "heard": heard,
                },
            )
            response = await self._client.send(request, stream=True)
        except words.HTTPX_ERRORS as error:
            if record.head:
                target_of_head(record.head, error, url)
            record.headless(heard)
            raise words.map_error(error, url, heard, self._proxy) from error
        finally:
            heard.on_header_end()
        self._has_responded = True
        return response

    def _connected(self, ours: object, theirs: object) -> None:
        """Tell once that a server of this computer is reached as others could reach it; the address of a proxy says nothing."""
        own = network_address(ours, theirs) if self._proxy is None else ""
        if own and not self._is_exposed and self._channel is Channel.HTTP:
            self._is_exposed = True
            self._sink.on_event(
                OWN_ADDRESS, f"the server runs on this computer, and is reached at {own}"
            )

    def _via(self, url: str) -> str:
        """The proxy that responds itself if it wants to: without TLS it sees everything."""
        is_plain = self._proxy is not None and url.startswith("http:")
        return self._proxy.text if self._proxy is not None and is_plain else ""

    def _redirect(self, response: httpx.Response, verb: str, url: str) -> str | None:
        """Where a redirect leads, if it is one that may be followed.

        Raises:
            HttpStatus: it may not.
        """
        target = target_of(response, verb, url)
        if target is not None and target not in self._redirected:
            self._redirected.add(target)
            shown = mask_target(target)
            self._sink.on_event("redirected", f"the server redirects to {shown}: use that address")
        return target


class HeaderRecorder:
    """Records the heads of one exchange."""

    def __init__(self, sink: Sink, channel: Channel, stream: int) -> None:
        self.stream = stream
        self.heard = ResponseStart()
        self.head = b""
        """Of the response to the latest request, once it came."""
        self._sink = sink
        self._channel = channel
        self._is_connect = False

    def sending(self, head: bytes) -> None:
        self.head, self._is_connect = b"", head.startswith(b"CONNECT ")
        number = self._sink.sent(self._channel, [Line(head)], self.stream)
        self.stream = self.stream or number

    def sent_body(self, body: bytes) -> None:
        self._sink.sent(self._channel, [Line(body)], self.stream)

    def received(self, head: bytes) -> None:
        self._sink.received(self._channel, [Line(head)], self.stream)
        if self._is_connect:
            self.heard.enter_tunnel()
        else:
            self.head = head
            self.heard.on_header_end()

    def headers_begin(self, size: int, data: bytes) -> None:
        """Let it be known how much came of headers that are not complete; 0 for none any more."""
        self._sink.unfinished(self._channel, size, data, data[-EXCERPT_BYTES:], self.stream)

    def headless(self, heard: ResponseStart) -> None:
        """Record what arrived and is no whole head."""
        if heard.data:
            flaw = Flaw.CUT if heard.dropped else Flaw.UNTERMINATED
            line = Line(heard.data, flaw, heard.dropped)
            self._sink.received(self._channel, [line], self.stream)

    def unfinished(self, channel: Channel, size: int, head: bytes, tail: bytes) -> None:
        self._sink.unfinished(channel, size, head, tail, self.stream)

    def rest(self, line: Line) -> None:
        self._sink.received(self._channel, [line], self.stream)


def _refusal(
    verb: str,
    url: str,
    given: tuple[tuple[str, str], ...],
    body: bytes | None,
    response: httpx.Response,
) -> Refusal:
    headers = tuple(response.headers.multi_items())
    return Refusal(verb, url, given, body or b"", response.status_code, headers, b"", 0)


async def _again(raw: bytes) -> AsyncIterator[bytes]:
    """A body that was read before."""
    if raw:
        yield raw


def _answer(response: httpx.Response, record: HeaderRecorder, via: str) -> HttpResponse:
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in PLAIN and encoding not in ENCODINGS:
        raise HttpStatus(
            f"the body is encoded as {encoding[:40]}, although the request asks for identity",
            status=response.status_code,
            remedy=IDENTITY,
        )
    body = in_time_slices(decoded(_chunks(response), encoding))
    return HttpResponse(
        response.status_code,
        response.reason_phrase,
        response.headers,
        record.stream,
        body,
        response.request.headers,
        str(response.request.url),
        via,
        record.rest,
        record.unfinished,
        header_pairs=tuple(response.headers.multi_items()),
    )


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except words.HTTPX_ERRORS as error:
        raise words.map_error(error, str(response.url), ResponseStart(is_known=True)) from error


def _make_client(proxy: Proxy | None, context: ssl.SSLContext) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        headers={
            "User-Agent": f"spyglass/{VERSION}",
            "Accept-Encoding": "identity",
        },
        transport=ExclusivePool(context, httpx.Proxy(proxy.url) if proxy is not None else None),
        timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
        follow_redirects=False,
    )
