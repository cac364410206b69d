"""Splits a byte stream into SSE blocks, and reads one. Never raises.

A *block* is everything up to and including a blank line, as it was received: an event, or a comment that keeps the connection alive. The
`httpx-sse` decoder reads it; the bytes are kept beside the result. The byte order mark that may begin a stream is a block of its own: so a
block means the same wherever it stands, and a mark anywhere else is part of the name of an unknown field.

Blank lines that follow each other without a line between them are one block: they mean nothing, and each frame costs memory. So are comments that
came at once, with the blank lines after each.

A carriage return ends a line at once. If it ends a block and the stream goes on with a line feed later, that is the first byte of the next block.

Source: WHATWG HTML, "Server-sent events", parsing an event stream. A block without data is no message, but its id counts.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from httpx_sse._decoders import (
    SSEDecoder,
)  # the public door wants an HTTP response; the version is pinned

from inspector.frozen import FrozenStruct
from inspector.wire.frame import FrameDefect
from inspector.wire.line_splitter import DEFAULT_LINE_BUDGET, EXCERPT_BYTES, RawChunk

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLOCK_END = re.compile(rb"[\r\n](?>(?:(?<=\r)\n)?)(?>\r\n?|\n)")
"""Two line ends. It begins with a set of bytes, because `re` finds one several times faster than alternatives."""

_MAX_RUN = 65536
"""Bytes of blank lines, or of comments, that are one block at most."""

_BLANK_LINES = re.compile(rb"[\r\n]++")
_COMMENTS = re.compile(rb"(?:(?::[^\r\n]*+(?>\r\n?|\n))++[\r\n]++)++")
"""Blank lines, and comments each of which has one."""

_DATA = re.compile(rb"\ndata(?:: ?|(?=\n))")
_OTHER = re.compile(rb"\n(?!(?:data|event|id|retry)?[:\n]|\Z)")
_CONTENT = re.compile(rb"\n[^:\n]")
_INVALID_RETRY = re.compile(rb"\nretry(?=[:\n])(?!: ?[0-9]++\n)(?:: ?)?+([^\n]*+)")
"""Lines in what `_between_newlines` returns: of data, of no field, any that is no comment, and of a delay that is no number."""

_EVENT = (b"\nevent", re.compile(rb"(?:: ?([^\n]*+))?+\n"))
_ID = (b"\nid", re.compile(rb"(?:: ?([^\n\0]*+))?+\n"))
_RETRY = (b"\nretry", re.compile(rb": ?(?=[0-9])0*+([0-9]*+)\n"))
"""The fields of which the last valid value counts, and what follows their names."""

MAX_RETRY_MS = (1 << 31) - 1
"""The longest reconnection time, which is that of a timer, more than three weeks; a longer one counts as this."""

_MAX_DIGITS = len(str(MAX_RETRY_MS)) + 1
"""Digits that are converted: so many without a zero at their beginning are more than the longest time."""


class _Lines:
    """Finds lines of certain fields in a block as it is: it may be as large as the budget, and copying it takes longer than this."""

    def __init__(self, names: bytes) -> None:
        line = rb"(?:%b)(?=[:\r\n]|\Z)" % names
        self._first = re.compile(line)
        self._others = tuple((end, re.compile(end + line)) for end in (b"\n", b"\r"))

    def are_in(self, raw: bytes) -> bool:
        """Return whether there is one. Each search begins with one byte, because `re` finds one fast."""
        if self._first.match(raw) is not None:
            return True
        return any(end in raw and line.search(raw) is not None for end, line in self._others)


_SETTING, _DATA_LINES = _Lines(b"id|retry"), _Lines(b"data")

_TWO_LINE_ENDS = (b"\n\n", b"\r\r", b"\n\r", b"\n\r\n", b"\r\r\n")
_MAX_END = 4
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class SseEvent(FrozenStruct, frozen=True):
    """What a block says."""

    event: str
    """The type; `message` when it names none."""
    data: str
    """The data; may be empty."""
    id: str | None
    """The id it sets; none when it sets none."""
    retry_ms: int | None
    """The reconnection time it sets; at most `MAX_RETRY_MS`."""
    has_data: bool
    """Whether it dispatches an event at all."""
    is_comment: bool
    """Whether it is nothing but comments."""


PLAIN_EVENT = SseEvent("message", "", None, None, True, False)
"""What a block with data alone says, apart from the data."""


class BlockSplitter:
    """Turns chunks of any size into blocks; linear in the bytes fed."""

    def __init__(self, budget: int = DEFAULT_LINE_BUDGET) -> None:
        """Keep at most `budget` bytes of a block, and the blank line that ends it."""
        self._budget = budget
        self._held = bytearray()
        self._searched = 0
        self._dropped = 0
        self._is_start = True
        self._after_return = False
        """Whether the last block ended with a carriage return, and nothing has come since."""
        self._skipped = 0
        """1 if what is held begins with the line feed of such a block; it ends no line."""

    @property
    def held(self) -> int:
        """Bytes that came since the last block, kept or not."""
        return len(self._held) + self._dropped - self._skipped

    @property
    def head(self) -> bytes:
        """The first of them, `EXCERPT_BYTES` at most."""
        return bytes(self._held[:EXCERPT_BYTES])

    @property
    def tail(self) -> bytes:
        """The latest of them, as many."""
        return bytes(self._held[-EXCERPT_BYTES:])

    def feed(self, data: bytes) -> Iterator[RawChunk]:
        """Yield the blocks that `data` completes, in order. `data` is kept in any case, also if the iterator is not exhausted."""
        self._held += data
        return self._complete_blocks()

    def finish(self) -> list[RawChunk]:
        """What is left when the stream ends; without its blank line it is no event."""
        if not self._held:
            return []
        end, size = self._block_end(), len(self._held)
        if end is not None and end[1] == size:
            return [self._take(*end, FrameDefect.NONE)]
        is_rest = size == self._skipped
        return [self._take(size, size, FrameDefect.NONE if is_rest else FrameDefect.UNTERMINATED)]

    def _complete_blocks(self) -> Iterator[RawChunk]:
        while (end := self._block_end()) is not None:
            yield self._take(*end, FrameDefect.NONE)
        self._searched = len(self._held)
        self._keep_within_budget()

    def _block_end(self) -> tuple[int, int] | None:
        """Where the blank line begins and ends; it is never looked for across the place where bytes were dropped."""
        if self._is_start and self._held.startswith(BYTE_ORDER_MARK):
            return len(BYTE_ORDER_MARK), len(BYTE_ORDER_MARK)
        if self._after_return and self._held:
            self._skipped = int(self._held.startswith(b"\n"))
            self._after_return = False
        start = self._budget if self._dropped else max(self._skipped, self._searched - _MAX_END)
        found = _BLOCK_END.search(self._held, start)
        if found is None:
            return None
        run = self._run(_BLANK_LINES, _MAX_RUN) if found.start() == self._skipped else 0
        if not run and self._held.startswith(b":", self._skipped) and not self._dropped:
            run = self._run(_COMMENTS, min(_MAX_RUN, self._budget))
        return (self._skipped, run) if run else found.span()

    def _run(self, lines: re.Pattern[bytes], limit: int) -> int:
        """Return where a run of such lines ends that begins the block, 0 for none."""
        run = lines.match(self._held, self._skipped, self._skipped + limit)
        return 0 if run is None else run.end()

    def _take(self, body: int, end: int, flaw: FrameDefect) -> RawChunk:
        """Remove the block that ends at `end`; of its `body` bytes those over the budget are dropped."""
        kept = min(body, self._budget)
        with memoryview(
            self._held
        ) as held:  # slices of the array itself would copy a large block twice
            raw = b"".join((held[:kept], held[body:end]))
        dropped = self._dropped + body - kept
        del self._held[:end]
        self._searched = self._dropped = self._skipped = 0
        self._is_start, self._after_return = False, raw.endswith(b"\r")
        return RawChunk(raw, flaw | FrameDefect.TRUNCATED if dropped else flaw, dropped)

    def _keep_within_budget(self) -> None:
        """Drop what is over the budget, but for the last bytes: the end of the block may begin there."""
        excess = len(self._held) - _MAX_END - self._budget
        if excess > 0:
            del self._held[self._budget : self._budget + excess]
            self._dropped += excess


def is_complete(raw: bytes) -> bool:
    """Whether a block has its blank line; without it, it is no event."""
    return raw.endswith(_TWO_LINE_ENDS)


def may_set(raw: bytes) -> bool:
    """Return whether a block has a line with an id or a delay, valid or not."""
    return _SETTING.are_in(raw)


def has_data_line(raw: bytes) -> bool:
    """Return whether a block has a line of data, be it empty."""
    return _DATA_LINES.are_in(raw)


def has_other_lines(raw: bytes) -> bool:
    """Return whether a block has lines that are neither fields nor comments."""
    return _OTHER.search(_between_newlines(raw)) is not None


def invalid_retry(raw: bytes) -> str | None:
    """Return the first value of `retry` in a block that is no number, and so ignored; None without one."""
    found = _INVALID_RETRY.search(_between_newlines(raw)) if b"retry" in raw else None
    return None if found is None else found[1].decode("utf-8", "replace")


def is_empty(raw: bytes) -> bool:
    """Whether a block has no line with a character: it is line ends, or the byte order mark of the stream."""
    return raw == BYTE_ORDER_MARK or not raw.strip(b"\r\n")


def read_block(raw: bytes) -> SseEvent:
    """What one block says.

    The decoder gets what counts: that there is data, and the last valid value of the type and the delay. Line by line it would take half a second
    for a block of a million lines. The id it cannot tell: one that is reset looks to it like none.
    """
    text = _between_newlines(raw)
    decoder = SSEDecoder()
    data = [text[each.end() : text.find(b"\n", each.end())] for each in _DATA.finditer(text)]
    if data:
        decoder.decode("data")
    event, id_, digits = (_last(text, *field) for field in (_EVENT, _ID, _RETRY))
    if event is not None:
        decoder.decode(f"event: {event.decode('utf-8', 'replace')}")
    if digits is not None:
        decoder.decode(f"retry: {min(int(digits[:_MAX_DIGITS] or b'0'), MAX_RETRY_MS)}")
    dispatched = decoder.decode("")
    return SseEvent(
        event=(dispatched.event if dispatched is not None else "") or "message",
        data=b"\n".join(data).decode("utf-8", "replace"),
        id=None if id_ is None else id_.decode("utf-8", "replace"),
        retry_ms=dispatched.retry if dispatched is not None else None,
        has_data=any(data) or len(data) > 1,
        is_comment=_CONTENT.search(text) is None,
    )


def _between_newlines(raw: bytes) -> bytes:
    """Return a block with every line between two newlines, so that patterns can begin with them: `re` finds such ones fast."""
    text = b"" if raw == BYTE_ORDER_MARK else raw
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return b"\n%b\n" % text


def _last(text: bytes, start: bytes, value: re.Pattern[bytes]) -> bytes | None:
    """Return the last valid value of the field whose lines begin with `start`."""
    at = text.rfind(start)
    while at >= 0:
        found = value.match(text, at + len(start))
        if found is not None:
            return found[1] or b""
        at = text.rfind(start, 0, at)
    return None
