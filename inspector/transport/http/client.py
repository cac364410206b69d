"""The HTTP client of one connection. Every header block that is sent or received is recorded, redirects included.

Nothing is sent to another origin than the server's (`redirects.py`). Bodies are requested uncompressed, so that what is recorded is
what was received.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import httpx
from msgspec.structs import replace

from inspector.background_tasks import in_time_slices
from inspector.errors import ConnectFailed, ConnectionLost, HttpStatus, InspectorError
from inspector.transport.base import NOT_ENCRYPTED, OWN_ADDRESS
from inspector.transport.http import errors
from inspector.transport.http.config import is_readable, network_address
from inspector.transport.http.connection_pool import ExclusivePool
from inspector.transport.http.credentials import REFUSALS, Refusal
from inspector.transport.http.header_recorder import HeaderRecorder, ResponseStart, httpcore_trace
from inspector.transport.http.proxies import proxy_for
from inspector.transport.http.redirects import target_of, target_of_header
from inspector.transport.http.response import ENCODINGS, IDENTITY, PLAIN, HttpResponse, decoded
from inspector.transport.http.tls import tls_context
from inspector.version import VERSION
from inspector.wire.frame import Channel
from inspector.wire.redaction import mask_target, mask_urls

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, AsyncIterator, Callable, Sequence

    from inspector.transport.base import Sink
    from inspector.transport.http.config import HttpConfig
    from inspector.transport.http.credentials import Credentials, Outcome
    from inspector.transport.http.proxies import Proxy

CONNECT_SECONDS = 10.0
"""For one attempt to connect, TLS included. Responses have no limit here: requests have timeouts of their own."""

MAX_HOPS = 5
"""Redirects followed in a row."""

MAX_REFUSALS = 6
"""How many times one request is sent again because its credentials were refused."""

MAX_REFUSAL_BYTES = 1 << 20
"""Bytes kept of the body of a refusal."""


class RecordingClient:
    """Sends HTTP requests to one server and records them."""

    def __init__(
        self,
        config: HttpConfig,
        sink: Sink,
        *,
        channel: Channel = Channel.HTTP,
        credentials: Credentials | None = None,
    ) -> None:
        """Prepare to reach the server of `config`; header blocks go to `sink` on `channel`, `credentials` add headers."""
        self._config = config
        self._sink = sink
        self._channel = channel
        self._credentials = credentials
        self._client: httpx.AsyncClient | None = None
        self._proxy: Proxy | None = None
        self._redirected: set[str] = set()
        self._has_responded = False
        self._is_exposed = False
        self._url = httpx.URL("")  # the URL of the configuration, parsed once

    async def open(self) -> None:
        """Make the client; nothing is sent yet.

        Raises:
            ConnectFailed: the URL, the proxy or a certificate file is not usable.
        """
        self._proxy = proxy = proxy_for(self._config)
        context = await asyncio.to_thread(tls_context, self._config, proxy)
        try:
            self._url = httpx.URL(self._config.url)
        except (httpx.InvalidURL, UnicodeError) as error:
            reason = f"cannot set up the connection: invalid URL: {error}"
            raise ConnectFailed(reason, hint="Fix the URL.", is_of_settings=True) from error
        try:
            self._client = _make_client(proxy, context)
        except (ValueError, ImportError, httpx.InvalidURL) as error:
            raise ConnectFailed(
                f"cannot set up the connection: {mask_urls(str(error))}",
                hint=proxy.hint if proxy is not None else "",
            ) from error
        if proxy is not None and proxy.named_by:
            self._sink.on_event("proxy", f"using {proxy.text}")
        if not self._config.verify and self._config.origin[0] == "https":
            self._sink.on_event("not-verified", "certificate verification is off")
        if is_readable(self._config) and self._channel is Channel.HTTP:
            self._sink.on_event(
                NOT_ENCRYPTED, "the connection is not encrypted: the URL starts with http:"
            )
        for name in self._config.left_out:
            self._sink.on_event("header-left-out", f"header {name} is set by the transport")

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
        frame: int = 0,
        on_sent: Callable[[], object] = lambda: None,
        follow_redirects: bool = True,
        replaced: frozenset[str] = frozenset(),
    ) -> AsyncGenerator[HttpResponse]:
        """Send one request and yield the response before its body is read.

        `frame` opens the exchange; 0: the header block of the request does. `url` defaults to the URL of the server; only `headers` decide
        on the names in `replaced`, which are in lower case.

        Raises:
            TransportError: there was no response, or a redirect that is not followed.
        """
        url = url or self._config.url
        recorder = HeaderRecorder(self._sink, self._channel, frame)
        hops = refusals = 0
        while hops <= MAX_HOPS:
            given = await self._credential_headers(verb, url)
            raw = await self._send(
                verb, url, [*headers, *given], body, recorder, on_sent, replaced=replaced
            )
            try:
                if follow_redirects and (target := self._redirect(raw, verb, url)) is not None:
                    url, hops = target, hops + 1
                    continue
                response = _to_response(raw, recorder, self._via(url))
                if given and response.status not in REFUSALS and self._credentials is not None:
                    self._credentials.accepted(given, response.header_pairs)
                if response.status in REFUSALS and self._credentials is not None:
                    refusals += 1
                    refusal = _to_refusal(verb, url, given, body, raw)
                    outcome, response = await self._refused(refusal, response)
                    if outcome.sends_again and refusals <= MAX_REFUSALS:
                        continue
                yield response
                return
            finally:
                await raw.aclose()
        raise HttpStatus(
            f"more than {MAX_HOPS} redirects, last to {mask_target(url)}",
            status=0,
            hint="Check the URL; the server or a proxy redirects in a loop.",
        )

    async def _credential_headers(self, verb: str, url: str) -> tuple[tuple[str, str], ...]:
        """Return the headers of the credentials; those that the user set replace them."""
        if self._credentials is None:
            return ()
        try:
            given = await self._credentials.headers(verb, url)
        except InspectorError as error:
            reason = f"cannot prepare the credentials for the request: {error.reason}"
            raise ConnectFailed(reason, hint=error.hint) from error
        set_by_user = {name.lower() for name, _ in self._config.headers}
        return tuple(pair for pair in given if pair[0].lower() not in set_by_user)

    async def _refused(
        self, refusal: Refusal, response: HttpResponse
    ) -> tuple[Outcome, HttpResponse]:
        """Return what the credentials make of a refusal, and the response with a body that can still be read."""
        assert self._credentials is not None
        read = await response.read(MAX_REFUSAL_BYTES)
        refusal = replace(refusal, body=read.raw, frame=response.frame)
        outcome = await self._credentials.refused(refusal)
        if outcome.sends_again and read.raw:
            response.record_rest(read)
        response = replace(
            response,
            chunks=_body_again(read.raw),
            credentials_text=outcome.reason,
            credentials_hint=outcome.hint,
            needs_user=outcome.needs_user,
        )
        return outcome, response

    async def _send(
        self,
        verb: str,
        url: str,
        headers: Sequence[tuple[str, str]],
        body: bytes | None,
        recorder: HeaderRecorder,
        on_sent: Callable[[], object],
        *,
        replaced: frozenset[str],
    ) -> httpx.Response:
        if self._client is None:
            raise ConnectionLost("not connected")
        start = recorder.expect_response(is_known=self._has_responded)

        def on_written() -> None:
            if body and self._channel is Channel.AUTH:  # the sender of a message records it
                recorder.sent_body(body)
            on_sent()

        own = (pair for pair in self._config.headers if pair[0].lower() not in replaced)
        try:
            request = self._client.build_request(
                verb,
                self._url if url == self._config.url else url,
                headers=[*headers, *own],
                content=body,
                extensions={
                    "trace": httpcore_trace(recorder, on_written, self._on_connected),
                    "response_start": start,
                },
            )
            for name in replaced.difference(name.lower() for name, _ in headers):
                request.headers.pop(name, None)  # those of every request
            response = await self._client.send(request, stream=True)
        except errors.HTTPX_ERRORS as error:
            if recorder.header:
                target_of_header(recorder.header, error, url)
            recorder.failed()
            raise errors.map_error(error, url, start, self._proxy) from error
        finally:
            start.complete()
        self._has_responded = True
        return response

    def _on_connected(self, local: object, remote: object) -> None:
        """Report once that a server on this computer is reached at a network address; a proxy hides which one it is."""
        address = network_address(local, remote) if self._proxy is None else ""
        if address and not self._is_exposed and self._channel is Channel.HTTP:
            self._is_exposed = True
            self._sink.on_event(
                OWN_ADDRESS, f"the server runs on this computer and is reached at {address}"
            )

    def _via(self, url: str) -> str:
        """Name the proxy that may respond itself: without TLS it reads every request."""
        is_plain = self._proxy is not None and url.startswith("http:")
        return self._proxy.text if self._proxy is not None and is_plain else ""

    def _redirect(self, response: httpx.Response, verb: str, url: str) -> str | None:
        """Return the target of a redirect; None for other responses.

        Raises:
            HttpStatus: it is not followed.
        """
        target = target_of(response, verb, url)
        if target is not None and target not in self._redirected:
            self._redirected.add(target)
            masked = mask_target(target)
            self._sink.on_event("redirected", f"redirected to {masked}; use that URL")
        return target


def _to_refusal(
    verb: str,
    url: str,
    given: tuple[tuple[str, str], ...],
    body: bytes | None,
    response: httpx.Response,
) -> Refusal:
    headers = tuple(response.headers.multi_items())
    return Refusal(verb, url, given, body or b"", response.status_code, headers, b"", 0)


async def _body_again(raw: bytes) -> AsyncIterator[bytes]:
    if raw:
        yield raw


def _to_response(response: httpx.Response, recorder: HeaderRecorder, via: str) -> HttpResponse:
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding not in PLAIN and encoding not in ENCODINGS:
        raise HttpStatus(
            f"unrequested `Content-Encoding`: {encoding[:40]}",
            status=response.status_code,
            hint=IDENTITY,
        )
    return HttpResponse(
        response.status_code,
        response.reason_phrase,
        response.headers,
        recorder.frame,
        in_time_slices(decoded(_chunks(response), encoding)),
        response.request.headers,
        str(response.request.url),
        via,
        recorder.rest,
        recorder.unfinished,
        header_pairs=tuple(response.headers.multi_items()),
    )


async def _chunks(response: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for chunk in response.aiter_raw():
            yield chunk
    except errors.HTTPX_ERRORS as error:
        start = ResponseStart(is_known=True)
        raise errors.map_error(error, str(response.url), start) from error


def _make_client(proxy: Proxy | None, context: ssl.SSLContext) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        headers={"User-Agent": f"spyglass/{VERSION}", "Accept-Encoding": "identity"},
        transport=ExclusivePool(context, httpx.Proxy(proxy.url) if proxy is not None else None),
        timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        limits=httpx.Limits(max_connections=None, max_keepalive_connections=None),
        follow_redirects=False,
    )
