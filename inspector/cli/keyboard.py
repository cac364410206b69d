"""The only place that reads what the user types: lines of standard input.

A thread reads them, because no event loop can wait for a terminal on every system. It is a daemon and reads the descriptor itself: a thread
that waits in a buffered reader would keep the program from ending.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

READ_BYTES = 65_536

MAX_LINE_BYTES = 1 << 20
"""Of a longer line the rest is dropped; a URL with a code is far shorter."""


class Keyboard:
    """Lines from one file descriptor."""

    def __init__(self, descriptor: int | None) -> None:
        """Read from `descriptor`; None if there is no standard input."""
        self._descriptor = descriptor
        self._arrived: asyncio.Queue[bytes] | None = None
        self._rest = b""

    @classmethod
    def standard(cls) -> Keyboard:
        """Return the standard input of this process."""
        try:
            return cls(sys.stdin.fileno())
        except (AttributeError, OSError, ValueError):  # closed, or no file at all
            return cls(None)

    @property
    def is_terminal(self) -> bool:
        """Whether a user can type."""
        return self._descriptor is not None and os.isatty(self._descriptor)

    async def lines(self) -> AsyncIterator[str]:
        """Yield every line without its end until the input ends; a later call continues with the next line."""
        if self._descriptor is None:
            return
        if self._arrived is None:
            self._arrived = asyncio.Queue()
            _start_reading(self._descriptor, self._arrived)
        while data := await self._arrived.get():
            *lines, rest = (self._rest + data).split(b"\n")
            self._rest = rest[:MAX_LINE_BYTES]
            for line in lines:
                yield _text(line)
        self._arrived.put_nowait(b"")  # the end stays the end
        if self._rest:
            line, self._rest = self._rest, b""
            yield _text(line)


def _start_reading(descriptor: int, arrived: asyncio.Queue[bytes]) -> None:
    """Add what is typed to a queue; an empty piece is the end."""
    loop = asyncio.get_running_loop()

    def read() -> None:
        data = b"begin"
        while data:
            try:
                data = os.read(descriptor, READ_BYTES)
            except OSError:
                data = b""
            try:
                loop.call_soon_threadsafe(arrived.put_nowait, data)
            except RuntimeError:  # the event loop has ended
                return

    threading.Thread(target=read, name="read standard input", daemon=True).start()


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")
