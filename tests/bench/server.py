"""The load server: raw JSON-RPC over stdio, with the standard library alone, so that it costs as little as can be.

    server.py [--tools N] [--page P] [--stamp FILE]

echo {text}; flood {n}: n log notifications, then the result; big {mb}: one text block in one line; bigjson {mb}: the text is JSON;
structured {mb}: the structured content is. Further tools fill the list up to N, in pages of P. When the answer to a call is
written, the time on the monotonic clock goes into FILE.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable

Object = dict[str, object]

LINE = "The quick brown fox jumps over the lazy dog 0123456789 and keeps on running. "
BURST = 200
"""Notifications written at once."""


def schema(**properties: str) -> Object:
    """The schema of an object with these members, by type."""
    return {
        "type": "object",
        "properties": {name: {"type": kind} for name, kind in properties.items()},
        "required": list(properties),
    }


def tools(total: int) -> list[Object]:
    """The working tools first, then as many as it takes."""
    made: list[Object] = [
        {"name": "echo", "description": "Say it again", "inputSchema": schema(text="string")},
        {"name": "flood", "description": "Log n times", "inputSchema": schema(n="integer")},
        {"name": "big", "description": "A large text", "inputSchema": schema(mb="number")},
        {"name": "bigjson", "description": "JSON as text", "inputSchema": schema(mb="number")},
        {"name": "structured", "description": "JSON", "inputSchema": schema(mb="number")},
    ]
    return made + [_filler(number) for number in range(total - len(made))]


def _filler(number: int) -> Object:
    return {
        "name": f"t{number:05d}_do_something_useful",
        "title": f"Generated tool {number}",
        "description": f"Generated tool number {number}: does something useful with a path and options.",
        "inputSchema": schema(path="string", limit="integer", deep="boolean"),
        "annotations": {"readOnlyHint": number % 2 == 0},
    }


def rows(mb: float) -> list[Object]:
    """Objects that are about `mb` million bytes of JSON."""
    one: Object = {"name": "Some name", "email": "user@example.test", "tags": ["a", "b"], "v": 3.25}
    count = int(mb * 1_000_000 / (len(json.dumps({"id": 100_000, **one})) + 2))
    return [{"id": 100_000 + number, **one} for number in range(count)]


def flood(out: IO[bytes], count: int) -> str:
    """Write `count` notifications of about 180 bytes."""
    data = LINE[:64]
    line = (
        b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info",'
        b'"logger":"flood","data":"f %%06d %b"}}\n' % data.encode()
    )
    began = time.perf_counter()
    for start in range(0, count, BURST):
        out.write(b"".join([line % n for n in range(start, min(start + BURST, count))]))
    return json.dumps({"n": count, "write_seconds": round(time.perf_counter() - began, 4)})


def text_result(text: str) -> Object:
    """The answer of a tool that says `text`."""
    return {"content": [{"type": "text", "text": text}], "isError": False}


def call(out: IO[bytes], name: str, arguments: dict[str, str]) -> Object:
    """The result of a call."""
    makers: dict[str, Callable[[], Object]] = {
        "echo": lambda: text_result(str(arguments.get("text", ""))),
        "flood": lambda: text_result(flood(out, int(arguments["n"]))),
        "big": lambda: text_result(_text(float(arguments["mb"]))),
        "bigjson": lambda: text_result(json.dumps(rows(float(arguments["mb"])))),
        "structured": lambda: {
            **text_result("see structured"),
            "structuredContent": {"rows": rows(float(arguments["mb"]))},
        },
    }
    return makers.get(name, lambda: text_result(f"ok {json.dumps(arguments)}"))()


def _text(mb: float) -> str:
    count = int(mb * 1_000_000)
    return (LINE * (count // len(LINE) + 1))[:count]


def page(listed: list[Object], size: int, cursor: str) -> Object:
    """One page of the list."""
    if not size:
        return {"tools": listed}
    start = int(cursor or 0)
    found: Object = {"tools": listed[start : start + size]}
    return {**found, "nextCursor": str(start + size)} if start + size < len(listed) else found


def serve(options: argparse.Namespace) -> None:
    """Answer until the input ends."""
    out, listed = sys.stdout.buffer, tools(options.tools)

    def answer(method: str, params: dict[str, str]) -> Object:
        if method == "tools/call":
            return call(out, params["name"], cast("dict[str, str]", params.get("arguments") or {}))
        if method == "tools/list":
            return page(listed, options.page, params.get("cursor", ""))
        return _greeting(params) if method == "initialize" else {}

    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        result = answer(message["method"], message.get("params") or {})
        body = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        out.write(json.dumps(body, separators=(",", ":")).encode() + b"\n")
        out.flush()
        if options.stamp is not None and message["method"] == "tools/call":
            options.stamp.write_text(repr(time.monotonic()))


def _greeting(params: dict[str, str]) -> Object:
    return {
        "protocolVersion": params["protocolVersion"],
        "capabilities": {"tools": {}, "logging": {}},
        "serverInfo": {"name": "load", "version": "1"},
    }


def keep_precedence() -> None:
    """Be as important as the process that started this one, though its session is another."""
    group = Path("/proc/self/autogroup")
    if group.exists() and os.getpriority(os.PRIO_PROCESS, 0) < 0:
        with contextlib.suppress(OSError):
            group.write_text(str(os.getpriority(os.PRIO_PROCESS, 0)))


if __name__ == "__main__":
    keep_precedence()
    parser = argparse.ArgumentParser()
    parser.add_argument("--tools", type=int, default=0)
    parser.add_argument("--page", type=int, default=0)
    parser.add_argument("--stamp", type=Path)
    serve(parser.parse_args())
