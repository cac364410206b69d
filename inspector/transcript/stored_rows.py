"""Rows of a recording as frames; and the report of what could not be read. Never raises: no value is trusted.

An invalid value beside a good frame (a time, the HTTP exchange) is replaced, with a finding. A row with an invalid direction, channel or
content becomes a note that has what could be read.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from inspector.finding import Finding, Severity
from inspector.transcript.read_only_database import StoredText
from inspector.transcript.recording_file import FrameBatch
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from inspector.transcript.plain_pages import PlainPage
    from inspector.transcript.read_only_database import StoredRow

COLUMNS = ("direction", "channel", "at", "wall", "stream", "flaw", "dropped", "raw")
"""The columns of a frame besides its number; the content comes last."""

MAX_MONOTONIC_S = 1e11
"""Three thousand years; a larger time cannot be subtracted without loss."""

MAX_WALL_S = 253_402_128_000.0
"""Two days before the year 10000, the last that every time zone can show."""

MAX_DROPPED_BYTES = 1 << 60
"""More bytes of one line than any machine could send."""

MAX_QUOTED_BYTES = 64 << 10
"""Bytes of an unreadable frame that are quoted in its place."""

UNREADABLE, MISSING = "unreadable-frame", "missing-frame"
"""Events of the notes that stand in the place of frames, and the rules of their findings."""

_DIRECTIONS = {int(each): each for each in Direction}
_CHANNELS = {int(each): each for each in Channel}
_CROSSED: dict[tuple[object, object], tuple[Direction, Channel]] = {
    (int(direction), int(channel)): (direction, channel)
    for direction in Direction
    for channel in Channel
    if (direction is Direction.NOTE) == (channel is Channel.NOTE)
}
"""Stored direction and channel → the same, where they go together."""
_FLAWS = {number: FrameDefect(number) for number in range(2 * max(FrameDefect))}


class Decoded(NamedTuple):
    """A frame or several of one moment, and what was wrong with the row."""

    crossing: FrameBatch
    """As it is shown, of one frame."""
    findings: tuple[Finding, ...] = ()
    """About the row, not about the message."""
    is_substitute: bool = False
    """The frame is a note in the place of one that is missing or makes no sense."""


class RowDecoder:
    """Decodes rows in order; a time that makes no sense is taken from the row before."""

    def __init__(self) -> None:
        self._monotonic_s = 0.0
        self._wall_s = 0.0

    def follow(self, page: PlainPage) -> None:
        """Go on after a page: the next row may take its times."""
        self._monotonic_s, self._wall_s = page.monotonic_s[-1], page.wall_s[-1]

    def decode(self, number: int, row: StoredRow) -> Decoded:
        """The frame `number` from the values of `COLUMNS`."""
        return self._decode_plain(number, row) or self._decode_any(number, row)

    def _decode_plain(self, number: int, row: StoredRow) -> Decoded | None:
        """Return the frame of a row without anomalies, as nearly all are, in a third of the time; None for any other row."""
        direction, channel, at, wall_s, stream, flaw, dropped, raw = row
        crossed = _CROSSED.get((direction, channel))
        if crossed is None or type(raw) is not bytes or flaw != 0 or dropped != 0:
            return None
        if type(at) is not float or type(wall_s) is not float or type(stream) is not int:
            return None
        if not (-MAX_MONOTONIC_S <= at <= MAX_MONOTONIC_S and 0 <= wall_s <= MAX_WALL_S):
            return None
        if not 0 <= stream < number:
            return None
        self._monotonic_s, self._wall_s = at, wall_s
        return Decoded(FrameBatch(number, *crossed, at, wall_s, stream, [RawChunk(raw)]))

    def _decode_any(self, number: int, row: StoredRow) -> Decoded:
        problem = _problem(row)
        faults: list[tuple[str, object]] = []
        at, wall_s = self._times(row[2], row[3], faults)
        if problem:
            return _unreadable(number, at, wall_s, row, problem)
        direction, channel, _, _, stream, flaw, dropped, raw = row
        assert isinstance(raw, bytes)
        if flaw not in _FLAWS:
            faults.append(("flaw", flaw))
        line = RawChunk(
            bytes(raw) if type(raw) is StoredText else raw,
            _FLAWS.get(flaw, FrameDefect.NONE),  # type: ignore[arg-type] - any value may be looked up
            _within(dropped, MAX_DROPPED_BYTES, "dropped", faults),
        )
        crossing = FrameBatch(
            number,
            _DIRECTIONS[direction],  # type: ignore[index] - `_problem` looked it up
            _CHANNELS[channel],  # type: ignore[index] - likewise
            *(at, wall_s, _within(stream, number - 1, "stream", faults), [line]),
        )
        return Decoded(crossing, tuple(_replaced(*fault) for fault in faults) if faults else ())

    def missing(self, number: int) -> Decoded:
        """The frame in the place of one that the file does not hold."""
        text = f"Frame {number:,} is missing from the recording."
        return _note(number, self._monotonic_s, self._wall_s, MISSING, text)

    def _times(
        self, at: object, wall_s: object, faults: list[tuple[str, object]]
    ) -> tuple[float, float]:
        if isinstance(at, (int, float)) and -MAX_MONOTONIC_S <= at <= MAX_MONOTONIC_S:
            self._monotonic_s = float(at)
        else:
            faults.append(("at", at))
        if isinstance(wall_s, (int, float)) and 0 <= wall_s <= MAX_WALL_S:
            self._wall_s = float(wall_s)
        else:
            faults.append(("wall", wall_s))
        return self._monotonic_s, self._wall_s


def stored_bytes(number: int, row: StoredRow | None) -> bytes:
    """The content of frame `number` alone, as `RowDecoder` gives it; None for a row that is missing."""
    if row is None:
        return RowDecoder().missing(number).crossing.lines[0].raw
    return RowDecoder().decode(number, row).crossing.lines[0].raw


def _problem(row: StoredRow) -> str:
    """Why a row makes no frame; empty where it makes one."""
    direction, channel, raw = row[0], row[1], row[-1]
    if direction not in _DIRECTIONS:
        return f"`direction` is {_value(direction)}, which no version up to this one writes"
    if channel not in _CHANNELS:
        return f"`channel` is {_value(channel)}, which no version up to this one writes"
    if not isinstance(raw, bytes):
        return f"`raw` is {_value(raw)}, not bytes"
    if (direction == Direction.NOTE) != (channel == Channel.NOTE):
        return f"`direction` {_value(direction)} does not go with `channel` {_value(channel)}"
    return ""


def _within(value: object, limit: int, name: str, faults: list[tuple[str, object]]) -> int:
    if isinstance(value, int) and 0 <= value <= limit:
        return value
    faults.append((name, value))
    return 0


def _replaced(name: str, value: object) -> Finding:
    text = f"`{name}` in the recording is {_value(value)}; {_INSTEAD[name]}"
    return Finding("stored-value", Severity.WARNING, text)


_INSTEAD = {
    "at": "shown with the time of the frame before",
    "wall": "shown with the time of the frame before",
    "flaw": "ignored",
    "dropped": "shown as 0",
    "stream": "shown without its HTTP exchange",
}
"""Column → what is done about a value that makes no sense."""


def _unreadable(number: int, at: float, wall_s: float, row: StoredRow, problem: str) -> Decoded:
    text = f"Frame {number:,} cannot be read: {problem}."
    raw = row[-1]
    if not isinstance(raw, bytes):
        return _note(number, at, wall_s, UNREADABLE, text)
    quoted = raw[:MAX_QUOTED_BYTES].decode("utf-8", "replace")
    return _note(number, at, wall_s, UNREADABLE, text, raw=quoted, size=len(raw))


def _note(
    number: int, at: float, wall_s: float, event: str, text: str, **beside: json_codec.Json
) -> Decoded:
    raw = json_codec.write_bytes({"event": event, "words": text, **beside})
    crossing = FrameBatch(number, Direction.NOTE, Channel.NOTE, at, wall_s, 0, [RawChunk(raw)])
    finding = Finding(event, Severity.ERROR, text.rstrip("."))
    return Decoded(crossing, (finding,), is_substitute=True)


def _value(value: object) -> str:
    """A value of the file as it may be shown: short, and of one line."""
    if value is None:
        return "null"
    if isinstance(value, bytes):
        kind = "text" if isinstance(value, StoredText) else "bytes"
        return f"{kind} ({value[:40].decode('utf-8', 'replace')!r})"
    if isinstance(value, float) and not math.isfinite(value):
        return "infinite"
    return f"{value:,}" if isinstance(value, int) else f"{value}"


MAX_NAMED = 5
"""Frames or ranges that are named one by one."""


@dataclass(slots=True)
class ReadingReport:
    """Grows while a recording is read; empty for a good one."""

    newer_format: int = 0
    """The format of the file where a newer Spyglass wrote it."""
    damage: str = ""
    """What SQLite reported about a damaged part."""
    damaged_after: int = 0
    """The last frame before the first damaged part; 0 if it is unknown."""
    failure: str = ""
    """Why reading ended before the end of the file."""
    is_stopped: bool = False
    """The user stopped the reading."""
    missing: int = 0
    """Frames that the file does not hold, up to the last one that it holds."""
    unreadable: int = 0
    """Frames whose row makes no sense."""
    moved: int = 0
    """Frames that could not keep the number they are stored with."""
    _ignored: list[str] = field(default_factory=list[str])
    _missing_named: list[str] = field(default_factory=list[str])
    _unreadable_named: list[str] = field(default_factory=list[str])
    _moved_named: list[str] = field(default_factory=list[str])

    def add_missing(self, first: int, last: int) -> None:
        """Count the frames from `first` to `last` as missing."""
        self.missing += last - first + 1
        _name(self._missing_named, f"{first:,}" if first == last else f"{first:,}–{last:,}")

    def add_unreadable(self, number: int) -> None:
        """Count a frame as unreadable."""
        self.unreadable += 1
        _name(self._unreadable_named, f"{number:,}")

    def add_moved(self, number: int) -> None:
        """Count a frame that is shown under another number."""
        self.moved += 1
        _name(self._moved_named, f"{number:,}")

    def add_ignored(self, problem: str) -> None:
        """Take note of a part of the file that is not used, and why."""
        self._ignored.append(problem)

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the user has to know, the weightiest first."""
        found: list[str] = []
        if self.newer_format:
            found.append(
                f"This recording was written by a newer Spyglass (format {self.newer_format}). "
                "Update Spyglass to see all of it."
            )
        if self.failure:
            found.append(f"Reading ended early: {self.failure}.")
        if self.is_stopped:
            found.append("Opening was stopped: the frames after these were not read.")
        if self.damage:
            after = f" after frame {self.damaged_after:,}" if self.damaged_after else ""
            found.append(f"The file is damaged{after}: {self.damage}. What could be read is shown.")
        if self.missing:
            found.append(_sentence(self.missing, self._missing_named, "missing from the recording"))
        if self.unreadable:
            found.append(_sentence(self.unreadable, self._unreadable_named, "unreadable"))
        if self.moved:
            text = "shown with other numbers than stored"
            found.append(_sentence(self.moved, self._moved_named, text))
        return (*found, *(f"Part of the file was ignored: {each}." for each in self._ignored))


def _name(named: list[str], text: str) -> None:
    if len(named) < MAX_NAMED:
        named.append(text)
    elif len(named) == MAX_NAMED:
        named.append("…")


def _sentence(count: int, named: list[str], text: str) -> str:
    is_one = count == 1
    noun, verb = ("Frame", "is") if is_one else ("Frames", "are")
    total = "" if is_one else f"{count:,} frames are {text}: "
    return f"{noun} {named[0]} {verb} {text}." if is_one else f"{total}{', '.join(named)}."
