"""Cutting a byte stream into lines. Never raises, whatever the bytes.

Lines end at the byte 0x0A and nowhere else: other characters that some libraries take for line ends are legal inside JSON
strings. The work is linear in the bytes fed, however long one line is.

Source: basic/transports, "stdio": messages are delimited by newlines.
"""

from __future__ import annotations

from inspector.fact import Fact
from inspector.wire.frame import Flaw

DEFAULT_LINE_BUDGET = 256 << 20
"""Bytes kept of one line; what comes beyond is counted, not kept."""


class Line(Fact, frozen=True, gc=False):
    """One line and what was amiss with it."""

    raw: bytes
    """The bytes before the newline; a carriage return at the end belongs to them."""
    flaw: Flaw = Flaw.NONE
    """`UNTERMINATED` at the end of a stream, `CUT` when over the budget."""
    dropped: int = 0
    """Bytes beyond the budget."""


class LineSplitter:
    """Turns chunks of any size into lines."""

    def __init__(self, budget: int = DEFAULT_LINE_BUDGET) -> None:
        """Keep at most `budget` bytes of a line."""
        self._budget = budget
        self._parts: list[bytes] = []
        self._size = 0
        self._dropped = 0

    @property
    def held(self) -> int:
        """Bytes that came since the last newline, kept or not."""
        return self._size + self._dropped

    def feed(self, data: bytes) -> list[Line]:
        """The lines that `data` completes, in order."""
        pieces = data.split(b"\n")
        tail = pieces.pop()
        if not pieces:
            self._hold(tail)
            return []
        if self.held:
            self._hold(pieces[0])
            first = self._take(Flaw.NONE)
            lines = [first, *map(Line, pieces[1:])]
        else:
            lines = list(map(Line, pieces))
        if len(data) > self._budget:
            lines = [_within(line, self._budget) for line in lines]
        self._hold(tail)
        return lines

    def finish(self) -> list[Line]:
        """What is left when the stream ends: one unterminated line, or nothing."""
        return [self._take(Flaw.UNTERMINATED)] if self.held else []

    def _hold(self, part: bytes) -> None:
        room = self._budget - self._size
        if len(part) > room:
            self._dropped += len(part) - room
            part = part[:room]
        if part:
            self._parts.append(part)
            self._size += len(part)

    def _take(self, flaw: Flaw) -> Line:
        if self._dropped:
            flaw |= Flaw.CUT
        line = Line(b"".join(self._parts), flaw, self._dropped)
        self._parts = []
        self._size = self._dropped = 0
        return line


def _within(line: Line, budget: int) -> Line:
    if len(line.raw) <= budget:
        return line
    return Line(line.raw[:budget], line.flaw | Flaw.CUT, len(line.raw) - budget)
