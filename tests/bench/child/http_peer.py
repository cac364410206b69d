"""The official Python SDK over streamable HTTP. Runs in the environment of that peer, which has nothing of ours."""

from __future__ import annotations

import asyncio
import importlib

from tests.bench.child import figures, http_load, telling
from tests.bench.child.peer import Official


async def main() -> None:
    options = figures.options()
    mcp = importlib.import_module("mcp")
    http = importlib.import_module("mcp.client.streamable_http")
    found: dict[str, float] = {}
    for form in http_load.FORMS:
        with http_load.serving(form) as url:
            async with mcp.Client(http.streamable_http_client(url)) as client:
                found |= await http_load.measure(Official(client), form, options.seconds)
    telling.report(found)


if __name__ == "__main__":
    asyncio.run(main())
