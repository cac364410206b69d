"""An HTTP proxy that makes tunnels, on a real socket."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType


class Tunnel:
    """Answers CONNECT with a tunnel to a port of this machine, whatever the host asked for; a context."""

    def __init__(self, to_port: int, *, refusal: str = "") -> None:
        """Lead everybody to `to_port`, or answer with a status line of `refusal`."""
        self.heads: list[str] = []
        """The heads of the requests that came."""
        self._to_port = to_port
        self._refusal = refusal
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Tunnel:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
            if self._refusal:
                writer.write(f"HTTP/1.1 {self._refusal}\r\nContent-Length: 0\r\n\r\n".encode())
                await writer.drain()
                return
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to_port)
            writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
            try:
                await asyncio.gather(_pump(reader, far_writer), _pump(far_reader, writer))
            finally:
                far_writer.transport.abort()
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            writer.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.transport.abort()
