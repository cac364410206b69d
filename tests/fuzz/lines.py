"""Lines of a server, cut into odd pieces: through a session with everything that reads, answers and judges beside it."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import TYPE_CHECKING

from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.inbox import MAX_PENDING, Inbox
from inspector.open_session import OpenSession
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.spec import validation
from inspector.transcript import batch_writer, findings
from inspector.transcript.transcript import Transcript
from tests.fuzz.other_thread import serving
from tests.support.asked import client_side

if TYPE_CHECKING:
    from random import Random

    from inspector.wire.json_codec import Json
    from tests.fuzz.case import Case

_ = validation.validate  # loading it takes a second, which is no fault of the lines

METHODS = (
    *("ping", "roots/list", "sampling/createMessage", "elicitation/create", "x", ""),
    *("notifications/message", "notifications/progress", "notifications/cancelled"),
    *("notifications/tools/list_changed", "notifications/tasks/status", "tasks/list"),
)
ODD: tuple[Json, ...] = (
    *(None, True, 0, -1, 1, 2, 10**40, 1e308, "", "1", "\0", "\u2028", [], {}, [[]]),
    *({"level": "info", "data": "x"}, {"progressToken": 1, "progress": 1}, {"requestId": 1}),
    *({"message": "m", "requestedSchema": {}}, {"messages": [], "maxTokens": 1}),
)
RAW = (
    *(b"{", b"[]", b"[{}]", b"nonsense", b"\xff\xfe", b'{"a":"\xff"}', b"\0", b"\r", b"null"),
    *(b"1" * 5000, b"-0.0e999", b'{"id":' + b"9" * 400 + b"}", b'{"id":1,"id":2,"result":{}}'),
    *(b"[" * 2000, b'{"a":' * 2000, b"[" * 300 + b"]" * 300, b'"\\ud800"', b"\xef\xbb\xbf{}"),
    *(b'{"jsonrpc":"2.0","id":1,"result":{},"error":{}}', b'{"jsonrpc":"2.0"}\r', b"\x1b[2J"),
)
MAX_LARGE = 3_000_000
"""Bytes of a large message."""

ITEMS = (
    *(b"1", b"1.5", b'"abc"', b'"\\ud800"', b"{}", b"[]", b"[[[]]]", b'{"a":1,"a":1}', b"true"),
    *(b'"a":1', b'"a":{"type":"string"}', b'{"role":"user","content":{"type":"text","text":"x"}}'),
    *(b'{"name":"a","inputSchema":{}}', b'{"uri":"x:y","name":"a"}', b'{"type":"text","text":"x"}'),
)
WITH_CONTENT = tuple(
    b'{"jsonrpc":"2.0",' + rest + b"}"
    for rest in (
        *(b'"id":1,"result":{"content":%}', b'"id":2,"result":{"tools":%}', b'"id":%,"result":{}'),
        *(b'"id":1,"result":{"structuredContent":%}', b'"id":1,"result":%', b'"id":1,"error":%'),
        b'"method":"notifications/message","params":{"level":"info","data":%}',
        b'"method":"notifications/progress","params":{"progressToken":%,"progress":1}',
        b'"id":1,"method":"sampling/createMessage","params":{"maxTokens":1,"messages":%}',
        b'"id":1,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":%}}',
        *(b'"id":1,"method":"ping","params":%', b'"id":1,"method":%', b'"id":[%],"method":"ping"'),
    )
)


async def run(case: Case) -> None:
    """Greet, perhaps oddly; then send anything, in pieces of any size, and look at what was kept."""
    random = case.random

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            answering = asyncio.ensure_future(_answer(random, reader, writer))
            for _ in range(random.randint(1, 6)):
                await _write(random, writer, lines(random))
            if random.random() < 0.5:
                await asyncio.wait([answering], timeout=0.2)
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)

    async with serving(serve) as port:
        url = f"tcp://127.0.0.1:{port}"
        profile = Profile(name="f", transport="tcp", url=url, timeout_seconds=0.2)
        await use(profile)


async def use(profile: Profile) -> None:
    """Connect, ask for everything, judge all of it; then see that what is kept is within its budgets."""
    transcript = Transcript()
    opened = OpenSession(
        profile, Session(profile, transcript, make_transport), client_side(), Inbox()
    )
    try:
        with suppress(InspectorError, TimeoutError):
            async with asyncio.timeout(2):
                await opened.connect()
        with suppress(InspectorError, TimeoutError):
            async with asyncio.timeout(1):
                await opened.session.request("tools/call", {"name": "a", "arguments": {}})
        assert len(opened.inbox.pending) <= MAX_PENDING
    finally:
        await opened.aclose()
    await opened.sweep.finish(3)
    await asyncio.to_thread(_check, transcript)


def _check(transcript: Transcript) -> None:
    """Frames can be read back, findings and unstored bytes are within their budgets."""
    kept = sum(len(transcript.findings(number)) for number in range(1, transcript.count + 1))
    assert kept <= findings.DEFAULT_BUDGET
    assert transcript.recent.held_bytes <= 2 * (
        batch_writer.MAX_CACHE_BYTES + batch_writer.MAX_UNWRITTEN_BYTES
    )
    for number in range(1, min(transcript.count, 200) + 1):
        transcript.frame(number)
        transcript.message(number)
        transcript.exchange(number)


def lines(random: Random) -> bytes:
    """Some lines: floods, single ones, or one without an end."""
    kind = random.randrange(12)
    if kind == 0:
        return random.choice((b"\n", b"\r\n", b" \n", b"{}\n", b"x\n")) * random.randint(1, 50_000)
    if kind == 1:
        return b"x" * random.randint(1, 2_000_000)
    if kind == 2:
        return (message(random) + b"\n") * random.randint(1, 3_000)
    if kind == 3:
        return random.randbytes(random.randint(1, 20_000))
    if kind == 4:
        batch = b",".join(message(random) for _ in range(random.randint(1, 300)))
        return b"[" + batch + b"]\n"
    if kind == 5:
        return large_message(random) + b"\n"
    if kind == 6:
        return b"[" + b",".join([message(random)] * random.randint(1, 100_000))[:MAX_LARGE] + b"]\n"
    return b"".join(message(random) + b"\n" for _ in range(random.randint(1, 40)))


def large_message(random: Random) -> bytes:
    """A message with very many of something, perhaps one of them odd, in one of its members."""
    item = random.choice(ITEMS)
    items = [item] * random.randint(1, MAX_LARGE // len(item))
    if random.random() < 0.5:
        items[random.randrange(len(items))] = random.choice((*RAW, b"NaN", b'"\xff"', b"1e999"))
    if item.startswith(b'"a":'):
        content = b"{" + b",".join(items) + b"}"
    else:
        content = b"[" + b",".join(items) + b"]"
    return random.choice(WITH_CONTENT).replace(b"%", content, 1)


def message(random: Random) -> bytes:
    """Nearly a message."""
    if random.random() < 0.2:
        return random.choice(RAW)
    made: dict[str, Json] = {"jsonrpc": "2.0"}
    for name in ("id", "method", "params", "result", "error"):
        if random.random() < 0.5:
            made[name] = random.choice(METHODS if name == "method" else ODD)
    return json.dumps(made, ensure_ascii=random.random() < 0.5).encode()


async def _answer(
    random: Random, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer what is asked, often rightly."""
    with suppress(ConnectionError):
        while line := await reader.readline():
            asked = json.loads(line)
            if "id" in asked and "method" in asked:
                await _write(random, writer, answer(random, asked) + b"\n")


def answer(random: Random, asked: dict[str, Json]) -> bytes:
    """An answer to a request: right, nearly right, or anything."""
    results: dict[str, Json] = {
        "initialize": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}, "resources": {}, "prompts": {}, "logging": {}},
            "serverInfo": {"name": "f", "version": "1"},
        },
        "tools/list": {"tools": [{"name": "a", "inputSchema": {"type": "object"}}]},
        "tools/call": {"content": [{"type": "text", "text": "x"}]},
    }
    result = results.get(str(asked["method"]), {})
    if isinstance(result, dict) and result and random.random() < 0.3:
        result = {**result, random.choice(list(result)): random.choice(ODD)}
    whole: Json = {"jsonrpc": "2.0", "id": asked["id"], "result": result}
    if random.random() < 0.1:
        return message(random)
    return json.dumps(whole).encode()


async def _write(random: Random, writer: asyncio.StreamWriter, data: bytes) -> None:
    """Write in pieces of any size."""
    size = random.choice((len(data), len(data), 1 + len(data) // 7, 1 + len(data) // 100))
    for at in range(0, len(data), size or 1):
        writer.write(data[at : at + size])
        await writer.drain()
        await asyncio.sleep(0)
