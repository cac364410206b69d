"""Which frame is folded beneath which: packed links over the frames of one transcript, without an object for each.

A frame stands beneath another one, or at the top (beneath 0). Neighbors with the same key are a *fold*: one row that counts them until it is
unfolded. It is named by its first frame, and has its own counts, so that no row ever counts its members one by one. 48 bytes a frame.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TOP = 0
"""Beneath it is what stands at the top."""
_MEMBER = 1 << 31
"""Marks in `_up` a frame that is not the first of its fold: the other bits are that one."""


class OperationTree:
    """Frames beneath frames. Index 0 is the top."""

    def __init__(self) -> None:
        """Start with the top alone."""
        self.changed: set[int] = set()
        """Frames whose rows may have other texts now; the receiver clears it."""
        self.regrown: set[int] = set()
        """Parents with other children than before; the receiver clears it."""
        self.moved: list[int] = []
        """Frames that were at the top and are beneath another one now; the receiver clears it."""
        self.moves = 0
        """How many frames were moved beneath another one so far."""
        self._up, self._next, self._first = array("I", [0]), array("I", [0]), array("I", [0])
        self._last_fold, self._fold_last = array("I", [0]), array("I", [0])
        self._fold_count, self._fold_frames = array("I", [0]), array("I", [0])
        self._fold_bytes, self._frames = array("Q", [0]), array("I", [0])
        self._bytes, self._key = array("Q", [0]), array("I", [0])

    def forget_changes(self) -> None:
        """Forget which rows changed, where all of them are read again, or none is."""
        self.changed.clear()
        self.regrown.clear()
        self.moved.clear()

    def grow(self, count: int) -> None:
        """Make room for the frames up to `count`."""
        more = count + 1 - len(self._up)
        if more > 0:
            for column in (
                *(self._up, self._next, self._first, self._last_fold, self._fold_last),
                *(self._fold_count, self._fold_frames, self._fold_bytes),
                *(self._frames, self._bytes, self._key),
            ):
                column.frombytes(bytes(column.itemsize * more))

    def add(self, frame: int, parent: int, key: int, size: int, after: int = 0) -> None:
        """Put a frame of `size` bytes beneath `parent`, last, or into the fold that begins with `after`.

        It joins the last fold beneath `parent` if both have the same `key`; 0 joins none.
        """
        self._frames[frame], self._bytes[frame], self._key[frame] = 1, size, key
        fold = after or self._last_fold[parent]
        if after or (key and fold and self._key[fold] == key):
            self._join(frame, fold)
        else:
            self._append(frame, parent)
        self.regrown.add(parent)
        self._count(frame, parent, 1, size)

    def _append(self, frame: int, parent: int) -> None:
        last = self._last_fold[parent]
        if last:
            self._next[self._fold_last[last]] = frame
        else:
            self._first[parent] = frame
        self._last_fold[parent] = self._fold_last[frame] = frame
        self._up[frame] = parent
        self._fold_count[frame] = self._fold_frames[frame] = 1
        self._fold_bytes[frame] = self._bytes[frame]

    def _join(self, frame: int, fold: int) -> None:
        last = self._fold_last[fold]
        self._next[frame], self._next[last] = self._next[last], frame
        self._fold_last[fold] = frame
        self._up[frame] = fold | _MEMBER
        self._fold_count[fold] += 1
        self._fold_frames[fold] += 1
        self._fold_bytes[fold] += self._bytes[frame]
        self.changed.add(fold)

    def _count(self, frame: int, parent: int, frames: int, size: int) -> None:
        """Count what came beneath `parent`, and beneath all that is above it."""
        self.changed.add(frame)
        up = self._up
        while parent:
            self._frames[parent] += frames
            self._bytes[parent] += size
            above = up[parent]
            fold = above ^ _MEMBER if above & _MEMBER else parent
            self._fold_frames[fold] += frames
            self._fold_bytes[fold] += size
            self.changed.add(parent)
            self.changed.add(fold)
            parent = up[fold]

    def move(self, frame: int, parent: int) -> None:
        """Put a frame that is alone in its fold, with all beneath it, beneath `parent` instead."""
        before = self.parent(frame)
        if self._fold_count[self.fold(frame)] != 1 or self.is_beneath(parent, frame):
            return
        self._unlink(frame, before)
        self.moves += 1
        if before == TOP:
            self.moved.append(frame)
        frames, size = self._frames[frame], self._bytes[frame]
        self._count(frame, before, -frames, -size)
        self._append(frame, parent)
        self._fold_frames[frame], self._fold_bytes[frame] = frames, size
        self._count(frame, parent, frames, size)
        self.regrown |= {before, parent}

    def _unlink(self, frame: int, parent: int) -> None:
        earlier = 0
        for each in self.children(parent):
            if each == frame:
                break
            earlier = each
        if earlier:
            self._next[self._fold_last[earlier]] = self._next[frame]
        else:
            self._first[parent] = self._next[frame]
        if self._last_fold[parent] == frame:
            self._last_fold[parent] = earlier
        self._next[frame] = 0

    def is_beneath(self, frame: int, other: int) -> bool:
        """Whether a frame is `other`, or somewhere beneath it."""
        while frame and frame != other:
            frame = self.parent(frame)
        return frame == other

    def is_added(self, frame: int) -> bool:
        """Whether a frame has its position."""
        return frame < len(self._frames) and self._frames[frame] > 0

    def fold(self, frame: int) -> int:
        """The first frame of the fold that a frame is in: itself for the first one and for one alone."""
        above = self._up[frame]
        return above ^ _MEMBER if above & _MEMBER else frame

    def parent(self, frame: int) -> int:
        """The frame that a frame stands beneath; 0 at the top."""
        return self._up[self.fold(frame)]

    def top(self, frame: int) -> int:
        """The fold at the top that a frame is in, or beneath a member of."""
        fold = self.fold(frame)
        while parent := self._up[fold]:
            fold = self.fold(parent)
        return fold

    def member_at_top(self, frame: int) -> int:
        """The frame at the top that a frame is, or stands beneath."""
        while parent := self.parent(frame):
            frame = parent
        return frame

    def key(self, frame: int) -> int:
        """The key with which a frame was added."""
        return self._key[frame]

    def has_children(self, frame: int) -> bool:
        """Whether anything stands beneath a frame."""
        return self._first[frame] != 0

    def children(self, parent: int, after: int = 0) -> Iterator[int]:
        """The folds beneath a frame, in order, by their first frames; those `after` a fold alone."""
        fold = self._next[self._fold_last[after]] if after else self._first[parent]
        while fold:
            yield fold
            fold = self._next[self._fold_last[fold]]

    def members(self, fold: int) -> Iterator[int]:
        """The frames of a fold, in order."""
        last, frame = self._fold_last[fold], fold
        yield frame
        while frame != last:
            frame = self._next[frame]
            yield frame

    def last_member(self, fold: int) -> int:
        """The last frame of a fold."""
        return self._fold_last[fold]

    def last_fold(self, parent: int) -> int:
        """The last fold beneath a frame; 0 for none."""
        return self._last_fold[parent]

    def member_count(self, fold: int) -> int:
        """How many frames a fold has; what is beneath them is not counted."""
        return self._fold_count[fold]

    def fold_totals(self, fold: int) -> tuple[int, int]:
        """The frames of a fold and their bytes, with all that is beneath them."""
        return self._fold_frames[fold], self._fold_bytes[fold]

    def totals(self, frame: int) -> tuple[int, int]:
        """The frames from one frame on downward, itself included, and their bytes."""
        return self._frames[frame], self._bytes[frame]

    def all_beneath(self, frame: int) -> Iterator[int]:
        """A frame and all beneath it, as the rows have them."""
        yield frame
        for fold in self.children(frame):
            for member in self.members(fold):
                yield from self.all_beneath(member)
