"""A notebook in memory: something that tools can really change, so that their annotations tell the truth."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject

URI = "demo://notes"
"""The whole notebook as a resource."""


@dataclass(slots=True)
class Note:
    """One entry."""

    number: int
    """Counted from 1, never used twice."""
    text: str
    """What it says."""
    tags: set[str] = field(default_factory=set[str])
    """What it is filed under."""

    def entry(self) -> JsonObject:
        """As JSON."""
        return {"number": self.number, "text": self.text, "tags": [*sorted(self.tags)]}


class Notebook:
    """All notes, oldest first."""

    def __init__(self) -> None:
        """Start with two notes."""
        self._lock = threading.Lock()
        self._notes: list[Note] = []
        self._made = 0
        self.add("Calls of tools change this notebook.")
        self.add("It is discarded when the server exits.", {"memory"})

    def entries(self) -> JsonObject:
        """Everything as JSON."""
        with self._lock:
            return {"notes": [note.entry() for note in self._notes]}

    def note(self, number: int) -> Note | None:
        """The note with that number."""
        with self._lock:
            return next((note for note in self._notes if note.number == number), None)

    def add(self, text: str, tags: set[str] | None = None) -> Note:
        """Write one more."""
        with self._lock:
            self._made += 1
            note = Note(self._made, text, tags or set())
            self._notes.append(note)
            return note

    def pop(self) -> Note | None:
        """Tear out the newest."""
        with self._lock:
            return self._notes.pop() if self._notes else None
