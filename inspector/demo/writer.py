"""The only place that writes bytes.

Whole lines never mix, whichever thread writes them. A client that went away is no error: what is written to it is lost,
and the end of stdin, which follows, ends the server.
"""

from __future__ import annotations

import json
import os
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.wire.json_codec import Json

STDOUT = 1
STDERR = 2


def line(message: Json) -> bytes:
    """`message` as it travels, with its newline.

    Readable characters stay readable, half surrogates become escapes.
    """
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def write_stderr(text: str) -> None:
    """Write one line to stderr."""
    _write_all(STDERR, f"demo: {text}\n".encode(errors="backslashreplace"))


class Outlet:
    """Stdout, one writer at a time."""

    def __init__(self) -> None:
        """Start open."""
        self._lock = threading.Lock()
        self._is_open = True

    def about(self, number: Json) -> None:
        """What this thread writes from now on belongs to that request; of no matter on a single stream."""

    def done(self, number: Json) -> None:
        """That request has its answer, or gets none; of no matter on a single stream."""

    def send(self, message: Json) -> None:
        """Write one message."""
        self.write(line(message))

    def write(self, data: bytes) -> None:
        """Write exactly these bytes."""
        with self._lock:
            self._write(data)

    def write_slowly(self, pieces: Iterable[bytes], pause_seconds: float) -> None:
        """Write the pieces with pauses between them, while nothing else is written."""
        with self._lock:
            for piece in pieces:
                self._write(piece)
                time.sleep(pause_seconds)

    def close(self) -> None:
        """Close stdout for good, although the server goes on."""
        with self._lock:
            if self._is_open:
                self._is_open = False
                os.close(STDOUT)

    def _write(self, data: bytes) -> None:
        if self._is_open:
            self._is_open = _write_all(STDOUT, data)


def _write_all(descriptor: int, data: bytes) -> bool:
    """Write everything; False when there is no reader any more."""
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(descriptor, rest) :]
    except OSError:
        return False
    return True
