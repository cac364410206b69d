"""Rows of a recording with nothing remarkable about them, many together and column by column: nearly all rows of nearly all recordings."""

from __future__ import annotations

from array import array
from operator import lt
from typing import TYPE_CHECKING, NamedTuple, cast

from inspector.transcript.stored_rows import COLUMNS, MAX_MONOTONIC_S, MAX_WALL_S
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.message import plain_data

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.read_only_database import ReadOnlyDatabase, StoredRow
    from inspector.wire.message import Message

STEP_ROWS = 250
"""Rows of one page: below a millisecond of processing."""

MAX_PAGES, MAX_BYTES = 16, 4 << 20
"""Read in one go, and about the bytes that they hold: between two of these a thread has to wait for the loop."""

SMALL_BYTES = 1 << 15
"""A longer value is read alone, and row by row: no more than a page of these is in memory before anyone looks at them."""

_DIRECTIONS = bytes(each for each in Direction if each is not Direction.NOTE)
_CHANNELS = bytes(each for each in Channel if each is not Channel.NOTE)
_FLAWS = bytes((FrameDefect.NONE, FrameDefect.REDACTED))


class PlainPage(NamedTuple):
    """Frames of many moments, and no note among them."""

    first: int
    """Number of the first; the others follow."""
    directions: bytes
    channels: bytes
    monotonic_s: array[float]
    wall_s: array[float]
    streams: array[int]
    flaws: bytes
    """`FrameDefect.NONE`, or `REDACTED`."""
    sizes: array[int]
    raws: Sequence[bytes]
    texts: Sequence[bytes]
    """What a message may be read from: of a frame of an event stream its data, or nothing where that is not found in passing."""
    messages: dict[int, Message]
    """Large messages that were read in advance, by number: `inspector.transcript.large_frames.read_ahead`."""

    @property
    def last(self) -> int:
        """Number of the last."""
        return self.first + len(self.raws) - 1

    @property
    def is_in_passing(self) -> bool:
        """Whether the data of every frame of an event stream was found."""
        return all(self.texts) or all(
            text or channel != Channel.SSE
            for text, channel in zip(self.texts, self.channels, strict=True)
        )


def plain_page(rows: Sequence[StoredRow], first: int) -> PlainPage | None:
    """The rows as a page that begins with frame `first`; None if anything about them is remarkable.

    Each is a key, a number and the values of `COLUMNS`.
    """
    try:
        page = _packed(rows, first)
    except (TypeError, ValueError, OverflowError):  # a value of another type, or out of range
        return None
    return page if page is not None and _is_plain(page) else None


def _packed(rows: Sequence[StoredRow], first: int) -> PlainPage | None:
    keys, numbers, directions, channels, at, wall_s, streams, flaws, dropped, raws = cast(
        "tuple[tuple[int, ...], ...]", tuple(zip(*rows, strict=True))
    )
    if set(map(type, raws)) != {bytes} or bytes(dropped).strip(b"\0"):
        return None
    if keys != numbers or numbers != tuple(range(first, first + len(rows))):
        return None
    contents, crossed = cast("tuple[bytes, ...]", raws), bytes(channels)
    return PlainPage(
        first,
        bytes(directions),
        crossed,
        array("d", at),
        array("d", wall_s),
        array("I", streams),
        bytes(flaws),
        array("Q", map(len, contents)),
        contents,
        _texts(crossed, contents),
        {},
    )


def _is_plain(page: PlainPage) -> bool:
    return (
        not page.directions.translate(None, _DIRECTIONS)
        and not page.channels.translate(None, _CHANNELS)
        and not page.flaws.translate(None, _FLAWS)
        and min(page.monotonic_s) >= -MAX_MONOTONIC_S
        and max(page.monotonic_s) <= MAX_MONOTONIC_S
        and min(page.wall_s) >= 0
        and max(page.wall_s) <= MAX_WALL_S
        and all(map(lt, page.streams, range(page.first, page.first + len(page.raws))))
    )


def _texts(channels: bytes, raws: Sequence[bytes]) -> Sequence[bytes]:
    if Channel.SSE not in channels:
        return raws
    sse = Channel.SSE
    return [
        plain_data(raw) if channel == sse else raw
        for channel, raw in zip(channels, raws, strict=True)
    ]


def plain_pages(database: ReadOnlyDatabase, key: str, first: int) -> list[PlainPage]:
    """Some pages from frame `first` on, up to the first row that has anything remarkable or cannot be read."""
    pages: list[PlainPage] = []
    left = [MAX_BYTES]

    def take(rows: list[StoredRow]) -> bool:
        page = plain_page(rows, first + STEP_ROWS * len(pages))
        if page is None:
            return False
        pages.append(page)
        left[0] -= sum(page.sizes)
        return left[0] > 0 and len(pages) < MAX_PAGES

    sql = f"SELECT {key}, number, {', '.join(COLUMNS)} FROM frame WHERE {key} >= ? ORDER BY {key}"
    database.small_rows(sql, (first,), take, at_once=STEP_ROWS, max_bytes=SMALL_BYTES)
    return pages
