"""HTTP answers and event streams that a server gets wrong: heads, lengths, encodings and bodies, cut anywhere."""

from __future__ import annotations

import asyncio
import gzip
import json
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING

from inspector.config.profile import Profile
from tests.fuzz.lines import answer, lines, message, use
from tests.fuzz.other_thread import serving

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from inspector.wire.json_codec import Json
    from tests.fuzz.case import Case

STATUSES = (
    *("200",) * 8,
    "202",
    "204",
    "301",
    "307",
    "400",
    "401",
    "404",
    "405",
    "500",
    "099",
    "999",
    "x",
)
TYPES = (
    *("application/json",) * 4,
    *("text/event-stream",) * 4,
    *("", "text/html", "application/json; charset=utf-16", "x", "application/JSON;;="),
)
HEADERS = (
    *(
        "Mcp-Session-Id: s",
        "Mcp-Session-Id: \x01é",
        "Location: /mcp",
        "Location: http://[",
        "Location: x:y",
    ),
    *(
        "Retry-After: 9e999",
        "WWW-Authenticate: Bearer \x00",
        "A" * 9000 + ": b",
        "no colon",
        ": x",
        " folded",
    ),
    *(
        "Set-Cookie: a=b",
        "Connection: close",
        "Transfer-Encoding: gzip, chunked",
        "Content-Length: -1",
    ),
)
ENDS = (b"\n\n", b"\r\n\r\n", b"\r\r", b"\n\r\n", b"\n", b"")
FIELDS = (
    *(
        b": comment",
        b":",
        b"id: 1",
        b"id: \0",
        b"id",
        b"retry: 1",
        b"retry: 99999999999999999999",
        b"retry: x",
    ),
    *(
        b"event: message",
        b"event: x",
        b"event: endpoint\ndata: /x",
        b"data",
        b"data:",
        b"data: {",
        b"\xff\xfe",
        b"x" * 3000,
    ),
)


async def run(case: Case) -> None:
    """Bodies of any type."""
    await _talk(case.random, _body)


async def run_streams(case: Case) -> None:
    """Event streams."""
    await _talk(case.random, _stream)


async def _talk(
    random: Random, make: Callable[[Random, dict[str, Json]], tuple[str, bytes]]
) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                asked = await _asked(head, reader)
                media_type, body = make(random, asked)
                data = _response(random, media_type, body)
                is_cut = random.random() < 0.15
                writer.write(data[: random.randrange(len(data))] if is_cut else data)
                await writer.drain()
                if is_cut or random.random() < 0.2:
                    return

    async with serving(serve) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        kind = random.choice(("http", "http", "http", "sse"))
        await use(Profile(name="f", transport=kind, url=url, timeout_seconds=0.2))


async def _asked(head: bytes, reader: asyncio.StreamReader) -> dict[str, Json]:
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    body = await reader.readexactly(int(lengths[0].split(b":")[1])) if lengths else b""
    return json.loads(body) if body else {}


def _body(random: Random, asked: dict[str, Json]) -> tuple[str, bytes]:
    media_type = random.choice(TYPES)
    if random.random() < 0.6 and "id" in asked and "method" in asked:
        raw = answer(random, asked)
        return media_type, b"data: " + raw + b"\n\n" if "stream" in media_type else raw
    return media_type, random.choice((b"", message(random), lines(random), b"0" * 3_000_000))


def _stream(random: Random, asked: dict[str, Json]) -> tuple[str, bytes]:
    blocks: list[bytes] = []
    for _ in range(random.choice((0, 1, 5, 50))):
        fields = random.choices(FIELDS, k=random.randint(0, 4))
        if random.random() < 0.4:
            fields.append(b"data: " + message(random))
        blocks.append(random.choice((b"\n", b"\r\n", b"\r")).join(fields) + random.choice(ENDS))
    if random.random() < 0.2:
        blocks.append(
            random.choice((b"\n\n", b":\n\n", b"data: {}\n\n", b"id: 1\r\r", b"data:\n")) * 20_000
        )
    if random.random() < 0.7 and "id" in asked and "method" in asked:
        blocks.insert(
            random.randint(0, len(blocks)), b"\n\ndata: " + answer(random, asked) + b"\n\n"
        )
    return "text/event-stream", b"".join(blocks)


def _response(random: Random, media_type: str, body: bytes) -> bytes:
    fields = [f"Content-Type: {media_type}"] if media_type else []
    if random.random() < 0.3:
        fields += random.choices(HEADERS, k=random.randint(1, 3))
    encoding = random.choice(("", "", "", "gzip", "deflate", "br"))
    if encoding:
        fields.append(f"Content-Encoding: {encoding}")
        if random.random() < 0.1:
            body = b" " * 200_000_000 if random.random() < 0.1 else body * 10
        body = gzip.compress(body, 1) if encoding == "gzip" else zlib.compress(body, 1)
    match random.randrange(4):
        case 0:
            fields.append("Transfer-Encoding: chunked")
            body = _chunked(random, body)
        case 1:
            fields += [f"Content-Length: {max(0, len(body) + random.choice((-1, 1, 10**9)))}"]
        case _:
            fields.append(f"Content-Length: {len(body)}")
    first = random.choice(("HTTP/1.1",) * 20 + ("HTTP/1.0", "HTTP/9", "x"))
    head = "\r\n".join([f"{first} {random.choice(STATUSES)} Reason", *fields, "", ""])
    return head.encode("utf-8", "replace") + body


def _chunked(random: Random, body: bytes) -> bytes:
    size = random.choice((1 + len(body) // 3, 1 + len(body) // 200, len(body) + 1))
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    made = b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)
    return made + random.choice(
        (b"0\r\n\r\n", b"0\r\n\r\n", b"", b"z\r\n", b"-1\r\n", b"ffffffffffffffffffff\r\n")
    )
