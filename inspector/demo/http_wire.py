"""As much HTTP/1.1 as the demo server needs: requests with a length, answers with a length or in chunks, connections that stay open."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

    Handle = Callable[["HttpRequest", "HttpAnswering"], Awaitable[None]]

BODY_LIMIT = 64 << 20
"""Bytes taken of one request."""

LOOPBACK = {"127.0.0.1", "localhost", "::1"}


class HttpRequest(FrozenStruct, frozen=True):
    """One request."""

    verb: str
    """The method, in capitals."""
    path: str
    """Without the query."""
    query: str
    """Behind the question mark."""
    headers: Mapping[str, str]
    """By name in small letters."""
    body: bytes
    """All of it."""

    def accepts(self, *types: str) -> bool:
        """Whether the client takes every one of these."""
        accepted = self.headers.get("accept", "").lower()
        return "*/*" in accepted or all(kind in accepted for kind in types)

    @property
    def is_from_elsewhere(self) -> bool:
        """Whether a page of another origin is behind it.

        Source: basic/transports, "Security Warning": servers must look at `Origin`.
        """
        origin = self.headers.get("origin")
        return origin is not None and urlsplit(origin).hostname not in LOOPBACK


class HttpAnswering:
    """Answers one request."""

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        """Write to `writer`."""
        self._writer = writer

    async def whole(self, status: int, body: bytes = b"", **headers: str) -> None:
        """Answer with a body that is there; names of headers are written with underscores."""
        self._write_head(status, headers | {"content_length": str(len(body))})
        self._writer.write(body)
        await self._writer.drain()

    async def stream(self, pieces: AsyncIterator[bytes], **headers: str) -> None:
        """Answer with an event stream that goes on for as long as `pieces` do."""
        fixed = {"content_type": "text/event-stream", "cache_control": "no-store"}
        self._write_head(200, headers | fixed | {"transfer_encoding": "chunked"})
        await self._writer.drain()
        async for piece in pieces:
            self._writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await self._writer.drain()
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()

    def _write_head(self, status: int, headers: Mapping[str, str]) -> None:
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}"]
        lines += [f"{name.replace('_', '-').title()}: {value}" for name, value in headers.items()]
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))


def bind(port: int) -> socket.socket:
    """A socket on the loopback interface; 0 asks for any port that is free."""
    return socket.create_server(("127.0.0.1", port))


async def listen(
    bound: socket.socket, handle: Handle, tls: ssl.SSLContext | None = None
) -> asyncio.Server:
    """Serve on a socket until the server is closed."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await _read(reader)) is not None:
                await _attend(handle, request, HttpAnswering(writer), reader)
        except (ConnectionError, asyncio.IncompleteReadError, ValueError):
            pass
        finally:
            writer.close()

    return await asyncio.start_server(serve, sock=bound, ssl=tls)


async def _attend(
    handle: Handle,
    request: HttpRequest,
    answering: HttpAnswering,
    reader: asyncio.StreamReader,
) -> None:
    """Answer, unless the client goes away first: a stream without a reader is no longer written."""

    async def answer() -> None:
        with contextlib.suppress(ConnectionError):
            await handle(request, answering)
        watching.cancel()

    async with asyncio.TaskGroup() as group:
        watching = group.create_task(_wait_closed(reader))
        answering_task = group.create_task(answer())
        watching.add_done_callback(lambda _: answering_task.cancel())


async def _wait_closed(reader: asyncio.StreamReader) -> None:
    """Wait until the client closed the connection; our client sends nothing before it has its answer."""
    while not reader.at_eof():  # noqa: ASYNC110 - reading would take the next request
        await asyncio.sleep(0.05)


async def _read(reader: asyncio.StreamReader) -> HttpRequest | None:
    try:
        start = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = start.decode("latin-1").strip().split("\r\n")
    verb, target, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    length = int(headers.get("content-length", "0"))
    if not 0 <= length <= BODY_LIMIT:
        raise ValueError(length)
    parts = urlsplit(target)
    return HttpRequest(
        verb.upper(), parts.path, parts.query, headers, await reader.readexactly(length)
    )
