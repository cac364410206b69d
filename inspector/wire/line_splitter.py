"""Splits a byte stream into lines. Never raises.

Lines end at the byte 0x0A and nowhere else: other characters that some libraries take for line ends are legal inside JSON
strings. The work is linear in the bytes fed, however long a line is, and so is the memory, however small the chunks are. Blank lines that
follow each other are one line, whose bytes hold the newlines between them: what costs memory is the line, and they mean nothing.

Source: basic/transports, "stdio": messages are delimited by newlines.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.wire.frame import FrameDefect

if TYPE_CHECKING:
    from inspector.wire.message import Message

DEFAULT_LINE_BUDGET = 256 << 20
"""Bytes kept of one line; what comes beyond is counted, not kept."""

EXCERPT_BYTES = 4096
"""Bytes of an unfinished line that can be looked at: as many of its beginning, and as many of its end."""

_BLOCK = 1 << 14
"""Small chunks of a line are joined up to this size, so that many of them cost no more than their bytes."""

_MAX_BLANK = 16
"""Bytes of a blank line that is joined with its neighbors; only lines as short as this are looked at for it."""


class RawChunk(FrozenStruct, frozen=True, gc=False):
    """One line and what was amiss with it."""

    raw: bytes
    """The bytes before the newline; a carriage return at the end belongs to them."""
    flaw: FrameDefect = FrameDefect.NONE
    """`UNTERMINATED` at the end of a stream, `CUT` when over the budget, `CONTINUED` when the next line goes on with it."""
    dropped: int = 0
    """Bytes beyond the budget."""
    message: Message | None = None
    """What it was decoded as, where that was done before it is recorded: a large line."""
    held_s: float = 0.0
    """For how many seconds it was complete before it is recorded, because decoding it took them."""


class LineSplitter:
    """Turns chunks of any size into lines; at most `budget` bytes of a line are kept."""

    def __init__(self, budget: int = DEFAULT_LINE_BUDGET) -> None:
        self._budget = budget
        self.held = 0
        """Bytes that came since the last newline, kept or not."""
        self._parts: list[bytes] = []
        self._dropped = 0
        self._tail = b""

    @property
    def head(self) -> bytes:
        """The first of them, `EXCERPT_BYTES` at most."""
        found = b""
        for part in self._parts:
            found += part[: EXCERPT_BYTES - len(found)]
            if len(found) == EXCERPT_BYTES:
                break
        return found

    @property
    def tail(self) -> bytes:
        """The latest of them, `EXCERPT_BYTES` at most."""
        return self._tail

    def feed(self, data: bytes) -> list[RawChunk]:
        """The lines that `data` completes, in order."""
        pieces = data.split(b"\n")
        tail = pieces.pop()
        if not pieces:
            self._keep(tail)
            return []
        lines: list[RawChunk] = []
        if self.held:
            self._keep(pieces.pop(0))
            lines.append(self._take(FrameDefect.NONE))
        shortest = min(map(len, pieces), default=_MAX_BLANK + 1)
        lines += _joined(pieces) if shortest <= _MAX_BLANK else map(RawChunk, pieces)
        if len(data) > self._budget:
            lines = [_within(line, self._budget) for line in lines]
        self._keep(tail)
        return lines

    def break_off(self) -> list[RawChunk]:
        """What is held, as a line that the next one goes on with; nothing where nothing is."""
        return [self._take(FrameDefect.CONTINUED)] if self.held else []

    def finish(self) -> list[RawChunk]:
        """What is left when the stream ends: one unterminated line, or nothing."""
        return [self._take(FrameDefect.UNTERMINATED)] if self.held else []

    def _keep(self, part: bytes) -> None:
        if not part:
            return
        full = len(part) >= EXCERPT_BYTES
        self._tail = part[-EXCERPT_BYTES:] if full else (self._tail + part)[-EXCERPT_BYTES:]
        free = self._budget - (self.held - self._dropped)
        self.held += len(part)
        if len(part) > free:
            self._dropped += len(part) - free
            part = part[:free]
        if self._parts and len(self._parts[-1]) + len(part) <= _BLOCK:
            self._parts[-1] += part
        elif part:
            self._parts.append(part)

    def _take(self, flaw: FrameDefect) -> RawChunk:
        if self._dropped:
            flaw |= FrameDefect.TRUNCATED
        parts, self._parts = self._parts, []
        line = RawChunk(parts[0] if len(parts) == 1 else b"".join(parts), flaw, self._dropped)
        self.held = self._dropped = 0
        self._tail = b""
        return line


def blank_lines(raw: bytes) -> int:
    """How many blank lines one `RawChunk` of nothing else stands for."""
    return raw.count(b"\n") + 1


_END = 4096
"""Characters in which the latest restart mostly stands: a line may have a million of them, and is searched each time it grows."""

_RESTARTS = re.compile("\r|\x1b\\[2K|\x1b\\[[01]?G")


def last_written(text: str) -> str:
    """What a terminal shows of a line: a carriage return starts it again, and so does a sequence that erases it or goes to its first column."""
    if "\r" not in text and "\x1b[" not in text:
        return text.rstrip("\n")
    end = _RESTARTS.split(text[-_END:].rstrip("\r\n"))
    for part in reversed(end[1:]):  # whole: it begins in the end of the text
        if part.strip():
            return part
    parts = _RESTARTS.split(text.rstrip("\r\n"))
    return next((part for part in reversed(parts) if part.strip()), parts[-1])


def _joined(pieces: list[bytes]) -> list[RawChunk]:
    runs = ((is_blank, list(run)) for is_blank, run in groupby(pieces, _is_blank))
    joined = ([b"\n".join(run)] if is_blank else run for is_blank, run in runs)
    return [RawChunk(raw) for raws in joined for raw in raws]


def _is_blank(piece: bytes) -> bool:
    return len(piece) <= _MAX_BLANK and not piece.strip()


def _within(line: RawChunk, budget: int) -> RawChunk:
    if len(line.raw) <= budget:
        return line
    return RawChunk(line.raw[:budget], line.flaw | FrameDefect.TRUNCATED, len(line.raw) - budget)
