"""Makes the HTTP exchanges of an authorization, recorded beside those of the server, each host with a connection of its own.

Headers, certificate and proxy of the user are for the server: another host gets none of its headers and no certificate. A redirect is never
followed with a secret in the request. Secrets are reported before anything is recorded, so that they can be hidden by value wherever they occur:
a parameter called `code` is a secret here, and none in the arguments of a tool.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec.structs import replace

from inspector.auth import document, messages, urls
from inspector.auth.messages import HttpResponse
from inspector.errors import TransportError
from inspector.transport.http.connection import import_http
from inspector.wire.frame import Channel
from inspector.wire.redaction import OAUTH_NAMES

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.auth.messages import HttpRequest, Pairs
    from inspector.transport.base import Sink
    from inspector.transport.http.client import RecordingClient
    from inspector.transport.http.config import HttpConfig

LIMIT_SECONDS = 30.0
"""Time limit of one exchange."""

BODY_BUDGET = 1 << 20
"""Bytes kept of a body."""


_SECRET_HEADERS = frozenset({"authorization", "dpop", "set-cookie"})


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
        """Send a request; an error is the `problem` of the response."""
        try:
            async with asyncio.timeout(self._limit_seconds):
                return await self._send(request)
        except TimeoutError:
            return HttpResponse(problem=f"no response within {self._limit_seconds:g} s")
        except TransportError as error:
            return HttpResponse(problem=error.reason, hint=error.hint)

    async def aclose(self) -> None:
        """Close every connection."""
        wires = list(self._wires.values())
        self._wires.clear()
        for wire in wires:
            await wire.aclose()

    async def _send(self, request: HttpRequest) -> HttpResponse:
        self._on_secrets(secrets_in_request(request))
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
            self._on_secrets(secrets_in_response(response))
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


def secrets_in_request(request: HttpRequest) -> tuple[str, ...]:
    """Return the secrets of a request."""
    is_form = any(value == messages.FORM for _, value in request.headers)
    fields = request.form if is_form else ()
    return (*_in_headers(request.headers), *_in_fields(fields), *secrets_in_url(request.url))


def secrets_in_response(response: HttpResponse) -> tuple[str, ...]:
    """Return the secrets of a response: those of an object or a form in its body, and of a redirect."""
    value, _, _ = document.read_object(response)
    found = list(secrets_in_url(response.header("location")))
    if value is not None:
        found += [document.text(value, name) for name in OAUTH_NAMES]
    elif response.media_type == messages.FORM:
        found += _in_fields(messages.read_form(response.body.decode("utf-8", "replace")))
    return (*(each for each in found if each), *_in_headers(response.headers))


def secrets_in_url(url: str) -> tuple[str, ...]:
    """Return the secrets of a URL, those of its fragment included."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ()
    fields = (*messages.read_form(parts.query), *messages.read_form(parts.fragment))
    return _in_fields(fields)


def _in_fields(fields: Pairs) -> tuple[str, ...]:
    return tuple(value for name, value in fields if value and name in OAUTH_NAMES)


def _in_headers(headers: Pairs) -> tuple[str, ...]:
    found = (value for name, value in headers if name.lower() in _SECRET_HEADERS)
    return tuple(value.partition(" ")[2] or value for value in found)
