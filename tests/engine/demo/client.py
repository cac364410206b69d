"""A client for the tests of the demo server: a real process over pipes, every wait bounded.

It knows no more of the protocol than to send lines and to read them; what arrives unasked is kept in `seen`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from asyncio.subprocess import PIPE, Process
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.spec.revision import REVISIONS, Revision
from tests.support.wait import patience

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from inspector.wire.json_codec import Json, JsonObject

ROOT = Path(__file__).parents[3]
STATEFUL = tuple(revision for revision in REVISIONS if revision.stateful)
NEWEST = STATEFUL[-1]

EVERYTHING: JsonObject = {"roots": {}, "sampling": {}, "elicitation": {"form": {}, "url": {}}}
"""Capabilities of a client that answers whatever it is asked."""


class Client:
    """One running server and what it said so far."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.seen: list[JsonObject] = []
        """Every message that was read, oldest first."""
        self.asked: dict[Json, str] = {}
        """The method of every request that was sent, by id."""

    async def line(self) -> bytes:
        """The next line of stdout; empty at the end."""
        assert self.process.stdout is not None
        async with asyncio.timeout(patience()):
            return await self.process.stdout.readline()

    async def message(self) -> JsonObject:
        """The next line of stdout, which must be an object."""
        value: Json = json.loads(await self.line())
        assert isinstance(value, dict)
        self.seen.append(value)
        return value

    async def until(self, member: str, wanted: Json) -> JsonObject:
        """Read until a message says `wanted` in `member`."""
        async with asyncio.timeout(patience()):
            while True:
                message = await self.message()
                if message.get(member) == wanted and ("method" in message) == (member == "method"):
                    return message

    def write(self, data: bytes) -> None:
        """Send bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def send(self, method: str, params: JsonObject | None = None) -> int:
        """Send a request and return its id."""
        number = len(self.asked) + 1
        self.asked[number] = method
        self.write_message({"id": number, "method": method, "params": params or {}})
        return number

    def notify(self, method: str, params: JsonObject | None = None) -> None:
        """Send a notification."""
        self.write_message({"method": method, "params": params or {}})

    def write_message(self, message: JsonObject) -> None:
        """Send a message, with `jsonrpc` in front."""
        self.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    async def ask(self, method: str, params: JsonObject | None = None) -> JsonObject:
        """Send a request and return the whole response."""
        return await self.until("id", self.send(method, params))

    async def result(self, method: str, params: JsonObject | None = None) -> JsonObject:
        """Send a request and return its result, which it must have."""
        response = await self.ask(method, params)
        result = response.get("result")
        assert isinstance(result, dict), response
        return result

    async def error_code(self, method: str, params: JsonObject | None = None) -> Json:
        """Send a request and return the code of its error, which it must have."""
        error = (await self.ask(method, params)).get("error")
        assert isinstance(error, dict)
        return error["code"]

    def start(self, tool: str, arguments: JsonObject | None = None, **more: Json) -> int:
        """Call a tool and return the id of the request."""
        return self.send("tools/call", {"name": tool, "arguments": arguments or {}, **more})

    async def call(self, tool: str, arguments: JsonObject | None = None) -> JsonObject:
        """Call a tool and return its result."""
        return await self.result("tools/call", {"name": tool, "arguments": arguments or {}})

    async def words(self, tool: str, arguments: JsonObject | None = None) -> str:
        """Call a tool and return the text of its first block."""
        return first_text(await self.call(tool, arguments))

    async def initialize(
        self, revision: Revision = NEWEST, capabilities: JsonObject | None = None
    ) -> JsonObject:
        """Shake hands and return the result."""
        result = await self.result(
            "initialize",
            {
                "protocolVersion": revision.date,
                "capabilities": capabilities or {},
                "clientInfo": {"name": "test", "version": "1"},
            },
        )
        self.notify("notifications/initialized")
        return result

    async def listed(self, method: str, key: str) -> list[JsonObject]:
        """All entries of all pages."""
        entries: list[JsonObject] = []
        params: JsonObject = {}
        while True:
            result = await self.result(method, params)
            page = result[key]
            assert isinstance(page, list)
            entries += [entry for entry in page if isinstance(entry, dict)]
            if "nextCursor" not in result:
                return entries
            params = {"cursor": result["nextCursor"]}

    async def stderr(self) -> str:
        """Everything on stderr until it ends, which it does with the process."""
        assert self.process.stderr is not None
        async with asyncio.timeout(patience()):
            return (await self.process.stderr.read()).decode()

    async def stderr_line(self) -> str:
        """The next line of stderr."""
        assert self.process.stderr is not None
        async with asyncio.timeout(patience()):
            return (await self.process.stderr.readline()).decode()

    async def end(self) -> int:
        """Close stdin and return the exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self.exited()

    async def exited(self) -> int:
        """Wait for the end of the process; its exit code."""
        async with asyncio.timeout(patience()):
            return await self.process.wait()


@contextlib.asynccontextmanager
async def bare_demo(*switches: str) -> AsyncGenerator[Client]:
    """Start the server; no handshake yet."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "inspector.demo", *switches),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        cwd=ROOT,
        env=_environment(),
        limit=64 * 1024 * 1024,
    )
    try:
        yield Client(process)
    finally:
        await _end(process)


@contextlib.asynccontextmanager
async def demo(
    *switches: str, revision: Revision = NEWEST, capabilities: JsonObject | None = None
) -> AsyncGenerator[Client]:
    """Start the server and shake hands."""
    async with bare_demo(*switches) as client:
        await client.initialize(revision, capabilities)
        yield client


def _environment() -> dict[str, str]:
    """Where no bytecode is written beside the sources, write it elsewhere: it halves the time to start."""
    if not sys.dont_write_bytecode:
        return {**os.environ}
    cache = Path(os.environ["XDG_CACHE_HOME"]) / "bytecode"
    return {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(cache)}


async def _end(process: Process) -> None:
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    async with asyncio.timeout(patience()):
        # Draining lets the transports close.
        await process.communicate()


def blocks(result: JsonObject) -> list[JsonObject]:
    """The content blocks of a result."""
    content = result["content"]
    assert isinstance(content, list)
    return [block for block in content if isinstance(block, dict)]


def first_text(result: JsonObject) -> str:
    """The text of the first block of a result."""
    text = blocks(result)[0]["text"]
    assert isinstance(text, str)
    return text


def told(client: Client, method: str = "") -> list[JsonObject]:
    """The params of the notifications of `method`, or of all, that were seen so far."""
    found = [
        message.get("params", {})
        for message in client.seen
        if "id" not in message and method in ("", message.get("method"))
    ]
    return [params for params in found if isinstance(params, dict)]


def member_object(value: Json, *names: str) -> JsonObject:
    """The object that stands under `names`, one inside the other."""
    found = member(value, *names)
    assert isinstance(found, dict)
    return found


def member(value: Json, *names: str) -> Json:
    """What stands under `names`, one inside the other."""
    for name in names:
        assert isinstance(value, dict)
        value = value[name]
    return value
