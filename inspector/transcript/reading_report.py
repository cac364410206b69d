"""What could not be read of a recording, in sentences for whoever opened it."""

from __future__ import annotations

from dataclasses import dataclass, field

MAX_NAMED = 5
"""Frames or ranges that are named one by one."""


@dataclass(slots=True)
class ReadingReport:
    """Grows while a recording is read; empty for a good one."""

    newer_format: int = 0
    """The format of the file where a newer Spyglass wrote it."""
    damage: str = ""
    """What SQLite reported about a damaged part."""
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
            found.append(f"The file is damaged: {self.damage}. What could be read is shown.")
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
