"""The official Python SDK on the same load. Runs in the environment of that peer, which has nothing of ours."""

from __future__ import annotations

import asyncio
import importlib
import sys
from typing import TYPE_CHECKING, Protocol

from tests.bench.child import figures, telling

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Block(Protocol):
    """What we use of a content block of the SDK."""

    text: str


class Result(Protocol):
    """What we use of its results."""

    content: Sequence[Block]


class Client(Protocol):
    """What we use of its client."""

    async def call_tool(self, name: str, arguments: dict[str, str | int | float]) -> Result: ...


class Official:
    """A session of the SDK."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, name: str, arguments: Mapping[str, str | int | float]) -> int:
        result = await self._client.call_tool(name, dict(arguments))
        return len(result.content[0].text)


async def main() -> None:
    options = figures.options()
    mcp = importlib.import_module("mcp")
    stdio = importlib.import_module("mcp.client.stdio")
    program, *arguments = figures.server_command()
    parameters = mcp.StdioServerParameters(command=program, args=arguments)
    async with mcp.Client(stdio.stdio_client(parameters, errlog=sys.stderr)) as client:
        found = await figures.measure(Official(client), options.seconds, options.flood)
    telling.report(found)


if __name__ == "__main__":
    asyncio.run(main())
