"""What the user adds to frames: marks, comments, and the frame that relative times count from; and which messages the user edited.

The annotations of a live session are kept in its recording (`annotation_storage`), those of an opened one in a file beside it. Frames are never
changed: an annotation refers to a frame by its number.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from inspector.errors import StorageError
from inspector.event import Event

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from concurrent.futures import Future

MAX_ANNOTATIONS = 20_000
"""Annotations of one transcript."""

MAX_COMMENT = 4000
"""Characters of a comment."""


class Kind(StrEnum):
    """What an annotation is; the value is its name in the file."""

    MARK = "mark"
    COMMENT = "comment"
    EDITED = "edited"
    """The user edited the message, or wrote it as JSON."""
    TIME_REFERENCE = "time-reference"


class Annotation(NamedTuple):
    """One annotation, as it is stored."""

    frame: int
    """Number of the frame, from 1."""
    kind: str
    """One of `Kind`; of a newer Spyglass perhaps another."""
    text: str | None = ""
    """The comment; None for an annotation that was removed."""


class AnnotationStorage(Protocol):
    """Where annotations are kept."""

    def save(self, changes: Sequence[Annotation]) -> Future[None]:
        """Write changes; the future carries a `StorageError` if that fails."""
        ...


class Annotations:
    """The annotations of one transcript.

    Fires `changed` after each change, and when they could not be saved.
    """

    def __init__(
        self, storage: AnnotationStorage | None = None, stored: Iterable[Annotation] = ()
    ) -> None:
        """Start with what is `stored`; keep changes in `storage`, without one in memory only."""
        self.changed: Event[()] = Event()
        self.failure: StorageError | None = None
        """Why the latest changes are in memory only."""
        self._storage = storage
        self._marks: dict[int, None] = {}
        self._comments: dict[int, str] = {}
        self._edited: dict[int, None] = {}
        self._time_reference = 0
        for each in stored:
            if not self.is_full:
                self._apply(each)

    @property
    def marks(self) -> Mapping[int, None]:
        """The marked frames."""
        return self._marks

    @property
    def comments(self) -> Mapping[int, str]:
        """The frames with a comment, and the comment."""
        return self._comments

    @property
    def edited(self) -> Mapping[int, None]:
        """The messages that the user edited, or wrote as JSON."""
        return self._edited

    @property
    def time_reference(self) -> int:
        """The frame that relative times count from; 0 where none was set."""
        return self._time_reference

    @property
    def is_saved(self) -> bool:
        """Whether annotations are kept in a file."""
        return self._storage is not None and self.failure is None

    @property
    def is_full(self) -> bool:
        """Whether no more annotations are kept."""
        return len(self._marks) + len(self._comments) + len(self._edited) >= MAX_ANNOTATIONS

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
        before = self._time_reference
        changes = [Annotation(before, Kind.TIME_REFERENCE, None)] if before else []
        if frame:
            changes.append(Annotation(frame, Kind.TIME_REFERENCE))
        self._change(changes)

    def all(self) -> list[Annotation]:
        """Return every annotation, to be stored elsewhere."""
        found = [Annotation(frame, Kind.MARK) for frame in self._marks]
        found += [Annotation(frame, Kind.COMMENT, text) for frame, text in self._comments.items()]
        found += [Annotation(frame, Kind.EDITED) for frame in self._edited]
        if self._time_reference:
            found.append(Annotation(self._time_reference, Kind.TIME_REFERENCE))
        return found

    def _change(self, changes: Sequence[Annotation]) -> None:
        applied = [each for each in changes if each.text is None or not self.is_full]
        for each in applied:
            self._apply(each)
        if applied and self._storage is not None:
            try:
                self._storage.save(applied).add_done_callback(self._on_saved)
            except StorageError as error:
                self.failure = error
        self.changed.fire()

    def _on_saved(self, saved: Future[None]) -> None:
        """Called in the thread of the storage: keep why it failed, for the next look."""
        error = saved.exception()
        self.failure = error if isinstance(error, StorageError) else None

    def _apply(self, each: Annotation) -> None:
        if each.kind == Kind.TIME_REFERENCE:
            self._time_reference = each.frame if each.text is not None else 0
        elif each.kind == Kind.COMMENT:
            if each.text:
                self._comments[each.frame] = each.text
            else:
                self._comments.pop(each.frame, None)
        else:
            kept = {Kind.MARK: self._marks, Kind.EDITED: self._edited}.get(Kind(each.kind))
            if kept is not None and each.text is not None:
                kept[each.frame] = None
            elif kept is not None:
                kept.pop(each.frame, None)
