"""A server in a thread of its own, so that what it works does not count as work of the loop that is watched."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def serving(serve: Serve) -> AsyncGenerator[int]:
    """Serve every connection so until this is left; gives the port."""
    loop = asyncio.new_event_loop()
    server: asyncio.Server | None = None
    thread = Thread(target=loop.run_forever, name="server", daemon=True)
    thread.start()
    try:
        started = asyncio.run_coroutine_threadsafe(_start(serve), loop)
        server = await asyncio.wrap_future(started)
        yield server.sockets[0].getsockname()[1]
    finally:
        await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(_end(server), loop))
        loop.call_soon_threadsafe(loop.stop)
        await asyncio.to_thread(thread.join)
        loop.close()


async def _start(serve: Serve) -> asyncio.Server:
    async def run(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            await serve(reader, writer)
        writer.close()

    return await asyncio.start_server(run, "127.0.0.1", 0)


async def _end(server: asyncio.Server | None) -> None:
    if server is not None:
        server.close()
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
