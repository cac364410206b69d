"""What the user adds to frames: marks, comments, and the frame that relative times count from; and which messages the user edited.

Frames are never changed: an annotation refers to a frame by its number. `annotation_storage` keeps them.
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.event import Event
from inspector.transcript.annotation_storage import (
    MAX_ANNOTATIONS,
    MAX_COMMENT,
    Annotation,
    AnnotationStorage,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from concurrent.futures import Future
    from pathlib import Path


class Kind(StrEnum):
    """What an annotation is; the value is its name in the file."""

    MARK = "mark"
    COMMENT = "comment"
    EDITED = "edited"
    """The user edited the message, or wrote it as JSON."""
    TIME_REFERENCE = "time-reference"


class Annotations:
    """The annotations of one transcript: each `Kind` by frame. Fires `changed` after each change."""

    def __init__(self, recording: Path | None = None) -> None:
        """Start empty; keep changes in the recording of a live session, or in memory only."""
        self.changed: Event[()] = Event()
        self._storage = None if recording is None else AnnotationStorage(recording, is_beside=False)
        self._by_kind: dict[str, dict[int, str]] = {kind: {} for kind in Kind}
        self._saved: Future[None] | None = None

    def restore(self, recording: Path, stored: Iterable[Annotation]) -> None:
        """Take over what is `stored` for an opened recording; keep changes beside it."""
        self._storage = AnnotationStorage(recording, is_beside=True)
        self._apply(stored)
        self.changed.fire()

    @property
    def marks(self) -> Mapping[int, str]:
        """The marked frames."""
        return self._by_kind[Kind.MARK]

    @property
    def comments(self) -> Mapping[int, str]:
        """The frames with a comment, and the comment."""
        return self._by_kind[Kind.COMMENT]

    @property
    def edited(self) -> Mapping[int, str]:
        """The messages that the user edited, or wrote as JSON."""
        return self._by_kind[Kind.EDITED]

    @property
    def time_reference(self) -> int:
        """The frame that relative times count from; 0 where none was set."""
        return next(iter(self._by_kind[Kind.TIME_REFERENCE]), 0)

    @property
    def is_empty(self) -> bool:
        """Whether no frame has an annotation."""
        return not any(self._by_kind.values())

    @property
    def is_full(self) -> bool:
        """Whether no more annotations are kept."""
        return sum(map(len, self._by_kind.values())) >= MAX_ANNOTATIONS

    @property
    def failure(self) -> StorageError | None:
        """Why the latest change could not be saved; None while that is not known."""
        error = self._saved.exception() if self._saved is not None and self._saved.done() else None
        return error if isinstance(error, StorageError) else None

    @property
    def storage_text(self) -> str:
        """Where changes are kept."""
        if self._storage is None:
            return "in memory only: this session has no recording"
        return f"in {self._storage.path}"

    def set_marked(self, frames: Iterable[int], *, marked: bool) -> None:
        """Mark frames, or take their marks away."""
        text = "" if marked else None
        self._change([Annotation(frame, Kind.MARK, text) for frame in frames])

    def set_comment(self, frame: int, text: str) -> None:
        """Comment on a frame; an empty text removes the comment."""
        self._change([Annotation(frame, Kind.COMMENT, text[:MAX_COMMENT] or None)])

    def set_edited(self, frame: int) -> None:
        """Note that the user edited the message in a frame, or wrote it as JSON."""
        self._change([Annotation(frame, Kind.EDITED)])

    def set_time_reference(self, frame: int) -> None:
        """Count relative times from a frame; from the first one for 0."""
        before = self._by_kind[Kind.TIME_REFERENCE]
        changes = [Annotation(number, Kind.TIME_REFERENCE, None) for number in before]
        added = [Annotation(frame, Kind.TIME_REFERENCE)] if frame else []
        self._change([*changes, *added])

    def all(self) -> list[Annotation]:
        """Return every annotation, to be stored as a whole."""
        return [
            Annotation(frame, kind, text)
            for kind, found in self._by_kind.items()
            for frame, text in found.items()
        ]

    async def flush(self) -> None:
        """Wait until the latest change is written, or has failed."""
        if self._saved is not None:
            await asyncio.gather(asyncio.wrap_future(self._saved), return_exceptions=True)

    def _change(self, changes: Sequence[Annotation]) -> None:
        applied = self._apply(changes)
        if applied and self._storage is not None:
            self._saved = self._storage.save(applied, self.all)
        self.changed.fire()

    def _apply(self, changes: Iterable[Annotation]) -> list[Annotation]:
        """Apply changes as far as there is space; return those."""
        applied: list[Annotation] = []
        for each in changes:
            found = self._by_kind.get(each.kind)
            if found is None or (each.text is not None and self.is_full):
                continue
            applied.append(each)
            if each.text is None:
                found.pop(each.frame, None)
            else:
                found[each.frame] = each.text
        return applied
