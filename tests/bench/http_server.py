"""The load server over HTTP: streamable HTTP with the standard library alone, so that it costs as little as can be.

    http_server.py [--events]

It prints its address and serves until its input ends. Each request is answered with JSON, or with one event when `--events` is given; there
is one tool, `echo {text}`. Connections stay open.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path
from typing import cast

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.server import Object, keep_precedence, schema, text_result

GREETED: Object = {"capabilities": {"tools": {}}, "serverInfo": {"name": "load", "version": "1"}}
ECHO: Object = {"name": "echo", "inputSchema": schema(text="string")}


class Connection(asyncio.Protocol):
    """Answers what comes on one connection, in turn."""

    def __init__(self, events: bool) -> None:
        self._events = events
        self._held = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        while (end := self._held.find(b"\r\n\r\n")) >= 0:
            head = self._held[:end].lower()
            start = head.find(b"\r\ncontent-length:")
            length = int(head[start + 17 :].split(b"\r\n", 1)[0]) if start >= 0 else 0
            if len(self._held) < end + 4 + length:
                return
            body, self._held = (
                self._held[end + 4 : end + 4 + length],
                self._held[end + 4 + length :],
            )
            assert self._transport is not None
            self._transport.write(self._answer(head.split(b" ", 1)[0], body))

    def _answer(self, verb: bytes, body: bytes) -> bytes:
        if verb != b"post":
            status = b"405 Method Not Allowed" if verb == b"get" else b"200 OK"
            return b"HTTP/1.1 %b\r\ncontent-length: 0\r\n\r\n" % status
        message: Object = json.loads(body)
        if "id" not in message or "method" not in message:
            return b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"
        text = json.dumps(_reply(message), separators=(",", ":")).encode()
        if not self._events:
            return _whole(b"application/json", text)
        event = b"event: message\ndata: %b\n\n" % text
        return (
            b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
            b"%x\r\n%b\r\n0\r\n\r\n" % (len(event), event)
        )


def _whole(media_type: bytes, text: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\ncontent-type: %b\r\ncontent-length: %d\r\n\r\n%b" % (
        media_type,
        len(text),
        text,
    )


def _reply(message: Object) -> Object:
    method, params = str(message["method"]), cast("Object", message.get("params") or {})
    answer: Object = {"jsonrpc": "2.0", "id": message["id"]}
    if method == "tools/call":
        arguments = cast("Object", params.get("arguments") or {})
        return {**answer, "result": text_result(str(arguments.get("text", "")))}
    results: dict[str, Object] = {
        "initialize": {"protocolVersion": params.get("protocolVersion"), **GREETED},
        "tools/list": {"tools": [ECHO]},
        "ping": {},
    }
    if method in results:
        return {**answer, "result": results[method]}
    return {**answer, "error": {"code": -32601, "message": "Method not found"}}


async def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", action="store_true")
    events = bool(parser.parse_args().events)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(events), "127.0.0.1", 0)
    sys.stdout.write(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp\n")
    sys.stdout.flush()
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


if __name__ == "__main__":
    keep_precedence()
    asyncio.run(main())
