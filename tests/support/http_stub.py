"""A small HTTP server on a real socket that plays rules, byte by byte where they say so. What no rule names, a well-behaved server answers.

    async with HttpStub({"POST tools/list": reply(502, b"<html>")}) as stub:
        ... connect to stub.url ...
        assert stub.said("POST tools/list")[0].headers["mcp-session-id"] == "s-1"

A rule's key is a verb, or a verb and the method of the message or the path. A list of replies is played in order, its last one for ever; in a
list, None is the well-behaved server.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import ssl
    from collections.abc import Callable, Mapping, Sequence
    from types import TracebackType

    from inspector.wire.json_codec import Json, JsonObject

JSON_TYPE = "application/json"
STREAM_TYPE = "text/event-stream"

Piece: TypeAlias = "bytes | float"
"""Bytes to write at once, or seconds to wait."""


@dataclass(frozen=True)
class Reply:
    """What the server does with a request."""

    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    pieces: tuple[Piece, ...] = ()
    """The body; `{{id}}` in it is the id of the request as it was written."""
    end: str = "close"
    """`close` ends the body, `hang` leaves it open, `reset` cuts the connection in the middle."""
    hangs: bool = False
    """Whether nothing is answered at all."""
    lasting: bool = True
    """Whether the connection serves more requests afterwards."""
    feed: asyncio.Queue[bytes] | None = None
    """Gives more pieces; an empty one ends the body."""
    length: int | None = None
    """Give this length instead of a body in chunks."""


@dataclass(frozen=True)
class Asked:
    """A request that came."""

    verb: str
    path: str
    """With its query."""
    pairs: tuple[tuple[str, str], ...]
    """Headers in order, as they were spelled."""
    body: bytes
    connection: int = 0
    """A number of its connection."""

    @property
    def headers(self) -> dict[str, str]:
        """Headers by name in small letters."""
        return {name.lower(): value for name, value in self.pairs}

    @property
    def message(self) -> JsonObject:
        """The body as a message; empty when it is none."""
        with contextlib.suppress(ValueError):
            value: Json = json.loads(self.body)
            return value if isinstance(value, dict) else {}
        return {}

    @property
    def rpc(self) -> str:
        """The method of the message."""
        return str(self.message.get("method", ""))


Rule: TypeAlias = "Reply | Callable[[Asked], Reply] | Sequence[Reply | None]"


def reply(status: int = 200, body: bytes = b"", media_type: str = "", **headers: str) -> Reply:
    """One whole body; names of headers are written with underscores."""
    pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
    if media_type:
        pairs.append(("Content-Type", media_type))
    return Reply(status, tuple(pairs), (body,) if body else (), length=len(body))


def answer(message: Json, *, status: int = 200, **headers: str) -> Reply:
    """A body of JSON; without an id the message takes that of the request."""
    if isinstance(message, dict) and "id" not in message and "method" not in message:
        text = json.dumps({"jsonrpc": "2.0", "id": 0, **message})
        text = text.replace('"id": 0', '"id": {{id}}', 1)
    else:
        text = json.dumps(message)
    made = reply(status, text.encode(), JSON_TYPE, **headers)
    return Reply(made.status, made.headers, made.pieces)


def stream(*pieces: Piece | str, end: str = "close", **headers: str) -> Reply:
    """An event stream."""
    pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
    written = tuple(p.encode() if isinstance(p, str) else p for p in pieces)
    return Reply(200, (*pairs, ("Content-Type", STREAM_TYPE)), written, end)


def result_event(result: str = "{}", *, before: str = "") -> str:
    """The event that answers the request."""
    return f'{before}data: {{"jsonrpc":"2.0","id":{{{{id}}}},"result":{result}}}\n\n'


def message_event(message: JsonObject, *, before: str = "") -> str:
    """An event with any message."""
    return f"{before}data: {json.dumps(message)}\n\n"


HANGS = Reply(hangs=True)
RESET = Reply(end="reset")

TOOL: JsonObject = {"name": "a", "inputSchema": {"type": "object"}}


def well_behaved(asked: Asked, *, session: str | None = "s-1") -> Reply:
    """What a proper server does."""
    if asked.verb == "GET":
        return reply(405, allow="POST, DELETE")
    if asked.verb == "DELETE":
        return reply(200)
    if "id" not in asked.message or not asked.rpc:
        return reply(202)
    if asked.rpc == "initialize":
        params = asked.message["params"]
        assert isinstance(params, dict)
        greeting: JsonObject = {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "stub", "version": "1"},
        }
        made = answer({"result": greeting})
        return (
            made
            if session is None
            else replace(made, headers=(*made.headers, ("Mcp-Session-Id", session)))
        )
    results: dict[str, JsonObject] = {
        "tools/list": {"tools": [TOOL]},
        "tools/call": {"content": [{"type": "text", "text": "called"}]},
    }
    return answer({"result": results.get(asked.rpc, {})})


class HttpStub:
    """The server; a context."""

    def __init__(
        self,
        rules: Mapping[str, Rule] | None = None,
        *,
        otherwise: Callable[[Asked], Reply] = well_behaved,
        path: str = "/mcp",
        tls: ssl.SSLContext | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        self.asked: list[Asked] = []
        """Every request, in the order in which they came."""
        self.answered: list[Asked] = []
        """Those of them whose answer is complete."""
        self.open_connections = 0
        self.connections = 0
        """All that were made."""
        self._rules = dict(rules or {})
        self._played: dict[str, int] = {}
        self._otherwise = otherwise
        self._path = path
        self._tls = tls
        self._host = host
        self._serving: set[asyncio.Task[None]] = set()
        self._busy: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Its address."""
        return f"{self.origin}{self._path}"

    @property
    def origin(self) -> str:
        """Its address without a path."""
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    def said(self, key: str) -> list[Asked]:
        """The requests that a key names."""
        return [asked for asked in self.asked if key in _keys(asked)]

    def play(self, key: str, rule: Rule) -> None:
        """Change or add a rule."""
        self._rules[key] = rule
        self._played.pop(key, None)

    async def close_idle(self) -> None:
        """Close the connections on which nothing is asked at this moment, as servers do after a while."""
        for task in list(self._serving - self._busy):
            task.cancel()
        await asyncio.sleep(0)

    async def __aenter__(self) -> HttpStub:
        self.port = 0
        await self.start()
        return self

    async def start(self) -> None:
        """Listen; at the same address as before where it was stopped."""
        self._server = await asyncio.start_server(self._serve, self._host, self.port, ssl=self._tls)
        self.port: int = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Be gone: nothing listens, and every connection is cut."""
        self._server.close()
        for task in list(self._serving):
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)
        await self._server.wait_closed()

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._serving.add(task)
        self.open_connections += 1
        self.connections += 1
        try:
            while (asked := await _read(reader)) is not None:
                self.asked.append(asked)
                self._busy.add(task)
                goes_on = await self._play(self._reply_to(asked), asked, reader, writer)
                self.answered.append(asked)
                self._busy.discard(task)
                if not goes_on:
                    break
        except (ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self.open_connections -= 1
            self._serving.discard(task)
            self._busy.discard(task)
            writer.transport.abort()

    def _reply_to(self, asked: Asked) -> Reply:
        for key in _keys(asked):
            rule = self._rules.get(key)
            if rule is None:
                continue
            if isinstance(rule, Reply):
                return rule
            if callable(rule):
                return rule(asked)
            at = self._played.get(key, 0)
            self._played[key] = at + 1
            return rule[min(at, len(rule) - 1)] or self._otherwise(asked)
        return self._otherwise(asked)

    async def _play(
        self,
        reply: Reply,
        asked: Asked,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> bool:
        """Answer; tells whether the connection goes on."""
        if reply.hangs:
            await reader.read()
            return False
        writer.write(_head(reply))
        for piece in reply.pieces:
            await _write_piece(piece, reply, asked, writer)
        if reply.feed is not None:
            await _feed(reply.feed, reply, asked, reader, writer)
        if reply.end == "hang":
            await reader.read()
            return False
        if reply.end == "reset":
            await writer.drain()
            return False
        if reply.length is None:
            writer.write(b"0\r\n\r\n")
        await writer.drain()
        return reply.lasting


async def _feed(
    feed: asyncio.Queue[bytes],
    reply: Reply,
    asked: Asked,
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    gone = asyncio.ensure_future(reader.read())
    piece = asyncio.ensure_future(feed.get())
    try:
        while True:
            await asyncio.wait([piece, gone], return_when=asyncio.FIRST_COMPLETED)
            if gone.done() or not piece.result():
                return
            await _write_piece(piece.result(), reply, asked, writer)
            piece = asyncio.ensure_future(feed.get())
    finally:
        for task in (gone, piece):
            task.cancel()
        await asyncio.wait([gone, piece])


async def _write_piece(
    piece: Piece, reply: Reply, asked: Asked, writer: asyncio.StreamWriter
) -> None:
    if not isinstance(piece, bytes):
        await writer.drain()
        await asyncio.sleep(piece)
        return
    id_ = json.dumps(asked.message.get("id")).encode()
    data = piece.replace(b"{{id}}", id_)
    if data:
        writer.write(b"%x\r\n%b\r\n" % (len(data), data) if reply.length is None else data)
    await writer.drain()
    await asyncio.sleep(0.002)  # so that the pieces arrive one by one


def _head(reply: Reply) -> bytes:
    lines = [f"HTTP/1.1 {reply.status} Reason", *(f"{n}: {v}" for n, v in reply.headers)]
    if reply.length is None:
        lines.append("Transfer-Encoding: chunked")
    else:
        lines.append(f"Content-Length: {reply.length}")
    return "\r\n".join([*lines, "", ""]).encode()


async def _read(reader: asyncio.StreamReader) -> Asked | None:
    """The next request; None once the client is gone, be it in the middle of one."""
    try:
        first = await reader.readexactly(1)
        if first == b"\x16":  # TLS, which real servers notice too
            return None
        head = first + await reader.readuntil(b"\r\n\r\n")
        line, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
        verb, path, _ = line.split(" ", 2)
        pairs = tuple((n, v.strip()) for n, _, v in (each.partition(":") for each in lines))
        length = next((int(v) for n, v in pairs if n.lower() == "content-length"), 0)
        return Asked(verb, path, pairs, await reader.readexactly(length), id(reader))
    except asyncio.IncompleteReadError:
        return None


def _keys(asked: Asked) -> tuple[str, ...]:
    path = asked.path.partition("?")[0]
    return f"{asked.verb} {asked.rpc}", f"{asked.verb} {path}", asked.verb
