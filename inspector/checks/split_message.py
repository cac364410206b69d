"""A message printed over several lines, which is why nobody could read it.

Source: basic/transports, "stdio": messages must not contain embedded newlines; L-STD-02.
"""

from __future__ import annotations

from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

MAX_LINES = 2000
"""Lines that are taken together at most."""

MAX_BYTES = 1 << 20
"""Bytes that are taken together at most."""

RULE = "split-message"
"""The rule's name in findings."""


class SplitMessages:
    """Gathers lines that are no JSON by themselves and tries them together."""

    def __init__(self) -> None:
        """Start with nothing gathered."""
        self._lines: list[bytes] = []
        self._first = 0
        self._size = 0

    def take(self, number: int, raw: bytes) -> tuple[int, int] | None:
        """Take the next unreadable line; gives the first and last frame when together they are JSON."""
        text = raw.strip()
        if not self._lines or number != self._first + len(self._lines):
            if not text.startswith((b"{", b"[")):
                self._lines = []
                return None
            self._lines, self._first, self._size = [], number, 0
        self._lines.append(text)
        self._size += len(text)
        if len(self._lines) > MAX_LINES or self._size > MAX_BYTES:
            self._lines = []
            return None
        return self._try(number) if text.endswith((b"}", b"]")) else None

    def _try(self, number: int) -> tuple[int, int] | None:
        if len(self._lines) < 2:
            return None
        try:
            json_codec.read(b"\n".join(self._lines))
        except JsonSyntaxError:
            return None
        self._lines = []
        return self._first, number


def lines_text(first: int, last: int) -> str:
    """What to say about it."""
    return f"message split across lines #{first}–#{last}; each message must be a single line"
