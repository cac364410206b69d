"""Makes the HTTP exchanges of an authorization over the wire that records those of the server, each host with a connection of its own.

Headers, certificate and proxy of the user are for the server: another host is told none of its headers, and shown no certificate of ours. A
redirect is never followed with what is secret in a request.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.auth import secret_values, urls
from inspector.auth.messages import HttpResponse
from inspector.errors import TransportError
from inspector.transport.http.connection import import_http
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.messages import HttpRequest
    from inspector.transport.base import Sink
    from inspector.transport.http.client import RecordingClient
    from inspector.transport.http.config import HttpConfig

LIMIT_SECONDS = 30.0
"""For one exchange."""

BODY_BUDGET = 1 << 20
"""Bytes kept of a body."""


class Exchanges:
    """The exchanges of one authorization."""

    def __init__(
        self,
        address: HttpConfig,
        sink: Sink,
        *,
        on_secrets: Callable[[tuple[str, ...]], object] = lambda _: None,
        limit_seconds: float = LIMIT_SECONDS,
    ) -> None:
        """Reach other hosts as the server at `address` is reached, recording into `sink`; `on_secrets` takes secrets before that."""
        self._address = address
        self._sink = sink
        self._on_secrets = on_secrets
        self._limit_seconds = limit_seconds
        self._wires: dict[tuple[str, str, int], RecordingClient] = {}

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Make one exchange; what goes wrong is said in the response."""
        try:
            async with asyncio.timeout(self._limit_seconds):
                return await self._send(request)
        except TimeoutError:
            return HttpResponse(problem=f"no response within {self._limit_seconds:g} s")
        except TransportError as error:
            return HttpResponse(problem=error.reason)

    async def aclose(self) -> None:
        """Close every connection."""
        wires = list(self._wires.values())
        self._wires.clear()
        for wire in wires:
            await wire.aclose()

    async def _send(self, request: HttpRequest) -> HttpResponse:
        self._on_secrets(secret_values.in_request(request))
        wire = await self._wire(request.url)
        async with wire.exchange(
            request.verb,
            url=request.url,
            headers=request.headers,
            body=request.body or None,
            follow_redirects=request.follows and request.verb == "GET",
        ) as answer:
            body = await answer.read(BODY_BUDGET)
            response = HttpResponse(answer.status, answer.header_pairs, body.raw, answer.frame)
            self._on_secrets(secret_values.in_response(response))
            if body.raw:
                self._sink.received(Channel.AUTH, [body], answer.frame)
            return response

    async def _wire(self, url: str) -> RecordingClient:
        await import_http()
        from inspector.transport.http.client import RecordingClient

        where = urls.origin(url)
        if where is None:
            raise TransportError(f"{url} is no URL")
        if where not in self._wires:
            wire = RecordingClient(self._address_of(url), self._sink, channel=Channel.AUTH)
            await wire.open()
            self._wires[where] = wire
        return self._wires[where]

    def _address_of(self, url: str) -> HttpConfig:
        ours, theirs = urls.origin(self._address.url), urls.origin(url)
        if ours == theirs:
            return replace(self._address, url=urls.base(url), headers=(), left_out=())
        is_same_host = ours is not None and theirs is not None and ours[1] == theirs[1]
        return replace(
            self._address,
            url=urls.base(url),
            headers=(),
            left_out=(),
            client_cert="",
            verify=self._address.verify or not is_same_host,
        )
