"""Event streams that are remembered, so that a client can go on where it was cut off.

Source: basic/transports, "Resumability and Redelivery": an event id names the stream and the place in it.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

RETRY_MS = 200
"""How soon a client should come back to a stream that was cut."""

SILENCE_SECONDS = 15
SIGN_OF_LIFE = b": nothing new\n\n"
"""What is said after so long, for clients that take silence for the end."""


class Stream:
    """One stream: what was said on it, and whether more can come. Only the thread of the event loop uses it."""

    def __init__(
        self, name: str, *, has_priming: bool, is_cut: bool = False, has_ids: bool = True
    ) -> None:
        """Begin; `has_priming` says an id at once, `is_cut` ends the first reading there: without an id no client could resume.

        Without ids (`has_ids`) no client can resume, and comments are sent while there is no event.
        """
        self.name = name
        self.lines: list[bytes] = []
        self.is_closed = False
        self.readers = 0
        self._has_priming = has_priming
        self._has_ids = has_ids
        self._is_cut = is_cut and has_priming
        self._more = asyncio.Event()

    def add(self, line: bytes) -> None:
        """Say a message."""
        self.lines.append(line)
        self._wake()

    def end(self) -> None:
        """Nothing more will be said."""
        self.is_closed = True
        self._wake()

    async def begun(self) -> None:
        """Wait until something was said, or nothing will be."""
        while not (self.lines or self.is_closed):
            await self._more.wait()

    async def wait_closed(self) -> None:
        """Wait until nothing more will be said."""
        while not self.is_closed:
            await self._more.wait()

    async def events(self, after: int = 0) -> AsyncIterator[bytes]:
        """The events behind the place `after`, as they come."""
        self.readers += 1
        try:
            if self._has_priming and not after:
                yield f"id: {self.name}-0\nretry: {RETRY_MS}\ndata:\n\n".encode()
            if self._is_cut and not after:
                self._is_cut = False
                return
            async for event in self.follow(after):
                yield event
        finally:
            self.readers -= 1

    async def follow(self, after: int) -> AsyncIterator[bytes]:
        """The events behind the place `after`, as they come, and no priming."""
        at = after
        while True:
            while at < len(self.lines):
                at += 1
                yield self._event(at)
            if self.is_closed:
                return
            if not await self._is_written_soon():
                yield SIGN_OF_LIFE

    async def _is_written_soon(self) -> bool:
        if self._has_ids:
            return await self._more.wait()
        try:
            return await asyncio.wait_for(self._more.wait(), SILENCE_SECONDS)
        except TimeoutError:
            return False

    def _event(self, position: int) -> bytes:
        data = self.lines[position - 1].replace(b"\r", b"\\r").rstrip(b"\n")
        body = b"".join(b"data: %b\n" % line for line in data.split(b"\n"))
        id_ = f"id: {self.name}-{position}\n" if self._has_ids else ""
        return f"event: message\n{id_}".encode() + body + b"\n"

    def _wake(self) -> None:
        more, self._more = self._more, asyncio.Event()
        more.set()
