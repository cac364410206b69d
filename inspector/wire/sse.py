"""Cutting a byte stream into server-sent events, and reading one. Never raises, whatever the bytes.

A *block* is everything up to and including a blank line, exactly as it came: an event, or a comment that keeps the connection alive. Its
meaning is read by the `httpx-sse` decoder; the bytes stay beside it.

Source: WHATWG HTML, "Server-sent events", parsing an event stream. A block without data is no message, yet its id counts.
"""

from __future__ import annotations

import re

from httpx_sse._decoders import (
    SSEDecoder,
)  # the public door wants an HTTP response; the version is pinned

from inspector.fact import Fact
from inspector.wire.frame import Flaw
from inspector.wire.lines import DEFAULT_LINE_BUDGET, Line

_LINE_END = re.compile(rb"(?>\r\n|\n|\r)")
_BLOCK_END = re.compile(rb"(?>\r\n|\n|\r){2}")
_COMPLETE = re.compile(rb"(?>\r\n|\n|\r){2}\Z")
_BOM = b"\xef\xbb\xbf"


class SseEvent(Fact, frozen=True):
    """What a block says."""

    event: str
    """The type; `message` when it names none."""
    data: str
    """The data; empty when there is none."""
    id: str | None
    """The id it sets; none when it sets none."""
    retry_ms: int | None
    """The reconnection time it sets."""
    has_data: bool
    """Whether it dispatches an event at all."""
    is_comment: bool
    """Whether it is nothing but comments."""


class BlockSplitter:
    """Turns chunks of any size into blocks; linear in the bytes fed."""

    def __init__(self, budget: int = DEFAULT_LINE_BUDGET) -> None:
        """Keep at most `budget` bytes of a block."""
        self._budget = budget
        self._held = bytearray()
        self._searched = 0
        self._dropped = 0

    def feed(self, data: bytes) -> list[Line]:
        """The blocks that `data` completes, in order."""
        self._held += data
        blocks: list[Line] = []
        start = 0
        while (end := self._block_end(start)) is not None:
            blocks.append(self._line(bytes(self._held[start:end]), Flaw.NONE))
            start = self._searched = end
        del self._held[:start]
        self._keep_within_budget()
        self._searched = max(0, len(self._held) - 4)
        return blocks

    def finish(self) -> list[Line]:
        """What is left when the stream ends; without its blank line it is no event."""
        if not self._held:
            return []
        rest = bytes(self._held)
        self._held.clear()
        complete = _BLOCK_END.search(rest) is not None
        return [self._line(rest, Flaw.NONE if complete else Flaw.UNTERMINATED)]

    def _block_end(self, start: int) -> int | None:
        found = _BLOCK_END.search(self._held, max(start, self._searched - 4))
        if found is None or found.start() < start:
            return None
        # A carriage return at the end of a chunk may be half of the pair that ends the line.
        at_the_edge = found.end() == len(self._held) and self._held.endswith(b"\r")
        return None if at_the_edge else found.end()

    def _keep_within_budget(self) -> None:
        over = len(self._held) - self._budget
        if over > 0:
            del self._held[self._budget :]
            self._dropped += over

    def _line(self, raw: bytes, flaw: Flaw) -> Line:
        dropped, self._dropped = self._dropped, 0
        return Line(raw, flaw | Flaw.CUT if dropped else flaw, dropped)


def is_complete(raw: bytes) -> bool:
    """Whether a block has its blank line; without it, it is no event."""
    return _COMPLETE.search(raw) is not None


def read_block(raw: bytes) -> SseEvent:
    """What one block says."""
    lines = [line.decode("utf-8", "replace") for line in _LINE_END.split(raw.removeprefix(_BOM))]
    fields = [line for line in lines if line and not line.startswith(":")]
    decoder = SSEDecoder()
    for line in fields:
        decoder.decode(line)
    dispatched = decoder.decode("")
    names = {line.partition(":")[0] for line in fields}
    if dispatched is None:
        return SseEvent("message", "", None, None, False, not fields)
    return SseEvent(
        event=dispatched.event or "message",
        data=dispatched.data,
        id=dispatched.id if "id" in names else None,
        retry_ms=dispatched.retry,
        has_data="data" in names and bool(dispatched.data),
        is_comment=not fields,
    )
