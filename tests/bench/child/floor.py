"""The floor: a bare asyncio client that reads, parses and matches answers, and does nothing else. Standard library alone."""

from __future__ import annotations

import asyncio
import json
import time
from asyncio.subprocess import DEVNULL, PIPE
from typing import TYPE_CHECKING

from tests.bench.child import figures, telling

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import Mapping

CHUNK = 1 << 18


class Bare:
    """One connection over stdio."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._last = 0
        self._waiting: dict[int, asyncio.Future[dict[str, object]]] = {}
        self.notifications = 0
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def open(cls, *options: object) -> Bare:
        command = figures.server_command(*options)
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL
        )
        bare = cls(process)
        await bare.request(
            "initialize",
            {
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "bare", "version": "0"},
            },
        )
        bare.write({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return bare

    def write(self, message: Mapping[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    async def request(self, method: str, params: Mapping[str, object]) -> dict[str, object]:
        self._last += 1
        waited: asyncio.Future[dict[str, object]] = asyncio.get_running_loop().create_future()
        self._waiting[self._last] = waited
        self.write({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        return await waited

    async def call(self, name: str, arguments: Mapping[str, str | int | float]) -> int:
        result = await self.request("tools/call", {"name": name, "arguments": arguments})
        content = result["content"]
        assert isinstance(content, list)
        return len(content[0]["text"])  # pyright: ignore[reportUnknownArgumentType] - the floor trusts the server

    async def list_tools(self) -> int:
        count, cursor = 0, None
        while True:
            result = await self.request("tools/list", {"cursor": cursor} if cursor else {})
            listed = result["tools"]
            assert isinstance(listed, list)
            count += len(listed)  # pyright: ignore[reportUnknownArgumentType] - the floor trusts the server
            cursor = result.get("nextCursor")
            if not cursor:
                return count

    async def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()
        await self._reading

    async def _read(self) -> None:
        assert self._process.stdout is not None
        parts: list[bytes] = []
        while data := await self._process.stdout.read(CHUNK):
            if b"\n" not in data:
                parts.append(data)
                continue
            lines = (b"".join(parts) + data).split(b"\n")
            parts = [lines.pop()]
            for line in lines:
                self._take(line)

    def _take(self, line: bytes) -> None:
        message = json.loads(line)
        if "id" in message and "method" not in message:
            self._waiting.pop(message["id"]).set_result(message["result"])
        else:
            self.notifications += 1


async def main() -> None:
    options = figures.options()
    began = time.perf_counter()
    client = await Bare.open()
    found = {"connect": time.perf_counter() - began}
    found |= await figures.measure(client, options.seconds, options.flood)
    assert client.notifications == options.flood
    for name, mb in (("big", 50 * options.share), ("bigjson", 10 * options.share)):
        began = time.perf_counter()
        await client.call(name, {"mb": mb})
        found[name] = time.perf_counter() - began
    await client.close()
    began = time.perf_counter()
    client = await Bare.open("--tools", 10_000, "--page", 100)
    assert await client.list_tools() == 10_000
    found["tools"] = time.perf_counter() - began
    await client.close()
    telling.report(found)


if __name__ == "__main__":
    asyncio.run(main())
