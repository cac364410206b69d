"""An importer: how it knows its files, and how it reads them."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from inspector.frozen import FrozenStruct
from inspector.wire.frame import Channel, Direction, Frame, FrameDefect

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SAMPLE_BYTES = 64 << 10
"""Beginning of a file by which its format is found."""

MAX_NAMED = 5
"""Skipped parts that are named one by one."""

MAX_SESSIONS = 1000
"""Sessions of one file that are listed."""

MAX_LINE_BYTES = 256 << 20
"""The longest line or item; a longer one is skipped."""


class Sample(FrozenStruct, frozen=True):
    """What the format of a file is found by."""

    path: Path
    start: bytes
    """Its first bytes, without a byte order mark."""

    @property
    def is_database(self) -> bool:
        """Whether it is an SQLite database."""
        return self.start.startswith(b"SQLite format 3\0")

    @property
    def is_object(self) -> bool:
        """Whether it begins as a JSON object."""
        return self.start.lstrip()[:1] == b"{"

    @property
    def is_array(self) -> bool:
        """Whether it begins as a JSON array."""
        return self.start.lstrip()[:1] == b"["

    @property
    def first_line(self) -> bytes:
        """The first line that is not blank, as far as it was read."""
        return self.start.lstrip().partition(b"\n")[0]


class ForeignSession(FrozenStruct, frozen=True):
    """One of the sessions in a file."""

    key: str
    """What it is chosen by."""
    title: str
    """The name of its server, as far as known."""
    messages: int
    started_s: float
    """Seconds since 1970; 0 if unknown."""


@dataclass(slots=True)
class ImportReport:
    """What became of a file; grows while it is read."""

    frames: int = 0
    """Frames that were taken."""
    skipped: int = 0
    """Parts of the file that are no frames."""
    failure: str = ""
    """Why reading ended before the end of the file."""
    is_stopped: bool = False
    """The user stopped the reading."""
    limits: list[str] = field(default_factory=list[str])
    """What a format does not have, such as the exact bytes."""
    _named: list[str] = field(default_factory=list[str])

    def skip(self, where: str, why: str) -> None:
        """Count a part that is not taken."""
        self.skipped += 1
        if len(self._named) < MAX_NAMED:
            self._named.append(f"{where}: {why}")

    @property
    def skipped_text(self) -> str:
        """What was skipped, as a sentence; empty for nothing."""
        if not self.skipped:
            return ""
        noun = "part was" if self.skipped == 1 else "parts were"
        more = "; …" if self.skipped > len(self._named) else ""
        return f"{self.skipped:,} {noun} skipped ({'; '.join(self._named)}{more})."

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the user has to know, the weightiest first."""
        found: list[str] = []
        if self.failure:
            found.append(f"Reading ended early: {self.failure}.")
        if self.is_stopped:
            found.append("Importing was stopped: the rest of the file was not read.")
        if self.skipped:
            found.append(self.skipped_text)
        return (*found, *(f"{each}." for each in self.limits))


Read: TypeAlias = "Callable[[Path, str, ImportReport], Iterator[Frame]]"
"""Yields the frames of a file, or of the session of this key in it; what is not one is counted in the report.

It runs in a thread. Raises `StorageError` or `OSError` if the file cannot be read.
"""


def single_session(path: Path) -> list[ForeignSession]:
    """Return no sessions: a file of this format has one, which needs no key."""
    del path
    return []


class Importer(FrozenStruct, frozen=True):
    """A format of files."""

    key: str
    title: str
    """Its name in sentences."""
    accepts: Callable[[Sample], bool]
    """Whether a file is of this format."""
    read: Read
    sessions: Callable[[Path], list[ForeignSession]] = single_session
    """Returns the sessions in a file; empty where it can have one only."""


def foreign_frame(
    direction: Direction,
    channel: Channel,
    wall_s: float,
    raw: bytes,
    *,
    number: int = 0,
    stream: int = 0,
    flaw: FrameDefect = FrameDefect.NONE,
) -> Frame:
    """Return a frame of a file that has no monotonic time: the wall clock has to do."""
    return Frame(number, direction, channel, wall_s, wall_s, raw, flaw, 0, stream)


def seconds(text: object) -> float | None:
    """Return the time of a date in ISO 8601, or of milliseconds since 1970, in seconds; None for anything else."""
    if isinstance(text, (int, float)) and not isinstance(text, bool):
        return _within_calendar(text / 1000)
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(_microseconds(text))
    except ValueError:
        return None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _microseconds(text: str) -> str:
    """A date with at most six digits of a second: Go writes nine."""
    start, dot, rest = text.partition(".")
    digits = len(rest) - len(rest.lstrip("0123456789"))
    return f"{start}{dot}{rest[: min(digits, 6)]}{rest[digits:]}"


def _within_calendar(value: float) -> float | None:
    return float(value) if 0 <= value < 2**38 else None
