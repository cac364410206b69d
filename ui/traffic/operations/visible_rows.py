"""Which operations, and which of the rows beneath them, are rows of the table. Knows no Qt and no text.

The rows at the top are packed numbers in the order of the wire. Only what the user unfolded is kept row by row, and
no more than `MAX_UNFOLDED` rows of one operation; a last row counts the rest.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from typing import TYPE_CHECKING, NamedTuple

from inspector.transcript.operation_folds import fold_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.transcript.operation_folds import Fold
    from inspector.transcript.operation_tree import OperationTree

MAX_UNFOLDED = 5000
"""Rows beneath one row at the top."""
_DEPTH_BITS = 4


class Node(NamedTuple):
    """One row, by the number of its frame in the timeline."""

    number: int
    """Of its frame, of the first one of a fold, or of the first one of a run."""
    depth: int = 0
    """0 at the top."""
    is_fold: bool = False
    """Whether it stands for all frames of a fold."""
    is_divider: bool = False
    """Whether a run begins with it."""
    is_rest: bool = False
    """Whether it counts what is not displayed beneath the row at the top that `number` belongs to."""


class Splice(NamedTuple):
    """A change of rows: `removed` rows from `row` on were replaced by `added` ones."""

    row: int
    removed: int
    added: int


def top_key(number: int) -> int:
    """Return the number of a row at the top that begins with frame `number`."""
    return number << 1 | 1


def divider_key(number: int) -> int:
    """Return the number of the row with which the run of frame `number` begins: before that frame."""
    return number << 1


class VisibleRows:
    """Rows at the top, and what is unfolded beneath them."""

    def __init__(self) -> None:
        """Start empty."""
        self.tops = array("Q")
        """By `top_key` and `divider_key`, ascending."""
        self.dividers: list[int] = []
        """Those of them with which runs begin."""
        self.unfolded: set[tuple[int, bool]] = set()
        """Frames and folds whose children are displayed, once they are rows."""
        self.named: frozenset[Fold] = frozenset()
        """Folds of the kinds that the filter requests, which are unfolded: who filters by `kind:stderr` reads the lines."""
        self._unfolded_by_filter: set[tuple[int, bool]] = set()
        self._beneath: dict[int, array[int]] = {}
        """Top row → the rows beneath it, packed; only of rows at the top that are unfolded."""
        self._order: list[int] = []

    def __len__(self) -> int:
        """Rows in all."""
        return len(self.tops) + sum(map(len, self._beneath.values()))

    def set_named(self, named: frozenset[Fold]) -> set[int]:
        """Unfold these folds when they become rows; return those that an earlier filter unfolded, by their frames: they are to be folded."""
        earlier, self._unfolded_by_filter = self._unfolded_by_filter, set()
        self.named = named
        self.unfolded -= earlier
        return {number for number, _ in earlier}

    def unfold_if_named(self, tree: OperationTree, fold: int, number: int) -> bool:
        """Unfold a fold of a requested kind, by its frame in the run and in the timeline; not again once the user folded it."""
        key = number, True
        if fold_of(tree.key(fold)) not in self.named or key in self._unfolded_by_filter:
            return False
        self._unfolded_by_filter.add(key)
        self.unfolded.add(key)
        return True

    def node(self, row: int) -> Node:
        """Return what a row stands for; a fold at the top is not told from a single frame here."""
        at, offset = self._locate(row)
        key = self.tops[at]
        if offset:
            return _unpacked(self._beneath[key][offset - 1])
        return Node(key >> 1, is_divider=not key & 1)

    @property
    def divider_rows(self) -> list[int]:
        """The rows with which runs begin."""
        rows = (self.row_of_top(key) for key in self.dividers)
        return [row for row in rows if row is not None]

    def has_more_beneath(self, row: int) -> bool:
        """Whether the row below is beneath the same row at the top."""
        return row + 1 < len(self) and self.node(row + 1).depth > 0

    def parent_row(self, row: int) -> int | None:
        """Return the row that a row is beneath; None at the top."""
        depth = self.node(row).depth
        while depth and row:
            row -= 1
            if self.node(row).depth < depth:
                return row
        return None

    def top_of(self, row: int) -> int:
        """Return the frame of the row at the top that a row is, or is beneath."""
        return self.tops[self._locate(row)[0]] >> 1

    def _locate(self, row: int) -> tuple[int, int]:
        """Return the position at the top, and how many rows below that."""
        extra = 0
        for key in self._order:
            at = bisect_left(self.tops, key)
            if row <= at + extra:
                break
            count = len(self._beneath[key])
            if row <= at + extra + count:
                return at, row - at - extra
            extra += count
        return row - extra, 0

    def row_of_top(self, key: int) -> int | None:
        """Return the row of a row at the top; None if it is not displayed."""
        at = bisect_left(self.tops, key)
        if at == len(self.tops) or self.tops[at] != key:
            return None
        return at + self._extra_before(key)

    def _extra_before(self, key: int) -> int:
        return sum(
            len(self._beneath[each]) for each in self._order[: bisect_left(self._order, key)]
        )

    def row_near(self, key: int) -> int:
        """Return the first row at the top that is not before `key`; the number of rows if all are."""
        return bisect_left(self.tops, key) + self._extra_before(key)

    def row_of(self, node: Node, top: int) -> int | None:
        """Return the row of a node that is beneath the row at the top with frame `top`."""
        row = self.row_of_top(divider_key(node.number) if node.is_divider else top_key(top))
        if row is None or not node.depth:
            return row
        packed = _packed(node) & ~1
        for at, each in enumerate(self._beneath.get(top_key(top), ())):
            if each & ~1 == packed:
                return row + 1 + at
        return None

    def replace(self, tops: array[int]) -> None:
        """Take other rows at the top, everything folded."""
        self.tops = tops
        self.dividers = [key for key in tops if not key & 1]
        self._beneath.clear()
        self._order.clear()

    def append(self, keys: array[int]) -> None:
        """Add rows at the top after all others."""
        self.tops.extend(keys)
        self.dividers += [key for key in keys if not key & 1]

    def insert(self, key: int) -> None:
        """Add a row at the top in its position."""
        insort(self.tops, key)

    def remove(self, key: int) -> None:
        """Remove a row at the top with nothing beneath it."""
        del self.tops[bisect_left(self.tops, key)]

    def holds(self, key: int) -> bool:
        """Whether a row at the top is among them."""
        at = bisect_left(self.tops, key)
        return at < len(self.tops) and self.tops[at] == key

    def beneath(self, key: int) -> array[int]:
        """Return what is beneath a row at the top, packed."""
        return self._beneath.get(key, array("Q"))

    def rows_beneath(self, key: int) -> int:
        """Return how many rows are beneath a row at the top."""
        return len(self._beneath.get(key, ()))

    def is_open(self, key: int) -> bool:
        """Whether rows beneath a row at the top are displayed."""
        return key in self._beneath

    def planned(self, tree: OperationTree, base: int, top: int) -> array[int]:
        """Return what is to be beneath the row at the top with frame `top`; `base` is how many frames are before its run."""
        rows = array("Q")
        for node in _Walk(tree, base, self).beneath(top):
            if len(rows) == MAX_UNFOLDED:
                rows.append(_packed(Node(top, 1, is_rest=True)))
                break
            rows.append(_packed(node))
        return rows

    def difference(self, key: int, rows: array[int]) -> Splice:
        """Return what changes when `rows` are beneath a row at the top; a frame that became a fold keeps its row."""
        old = self._beneath.get(key, array("Q"))
        row = (self.row_of_top(key) or 0) + 1
        start = 0
        while start < min(len(old), len(rows)) and old[start] & ~1 == rows[start] & ~1:
            start += 1
        end = 0
        while end < min(len(old), len(rows)) - start and old[-1 - end] & ~1 == rows[-1 - end] & ~1:
            end += 1
        return Splice(row + start, len(old) - start - end, len(rows) - start - end)

    def set_beneath(self, key: int, rows: array[int], *, is_open: bool) -> None:
        """Put `rows` beneath a row at the top, or fold it."""
        if is_open and key not in self._beneath:
            insort(self._order, key)
        if is_open:
            self._beneath[key] = rows
        elif key in self._beneath:
            del self._beneath[key]
            self._order.remove(key)

    @property
    def open_tops(self) -> tuple[int, ...]:
        """The rows at the top beneath which rows are displayed."""
        return tuple(self._order)


def _packed(node: Node) -> int:
    """A node as a number; bit 0 is whether it is a fold."""
    rest = node.is_rest << 1
    return (node.number << _DEPTH_BITS | node.depth) << 2 | rest | node.is_fold


def _unpacked(packed: int) -> Node:
    depth = packed >> 2 & (1 << _DEPTH_BITS) - 1
    return Node(packed >> 2 + _DEPTH_BITS, depth, bool(packed & 1), is_rest=bool(packed & 2))


class _Walk:
    """Goes through what is displayed beneath one row at the top."""

    def __init__(self, tree: OperationTree, base: int, rows: VisibleRows) -> None:
        self._tree, self._base, self._rows = tree, base, rows
        self._unfolded = rows.unfolded

    def beneath(self, top: int) -> Iterator[Node]:
        """The rows beneath the one at the top with frame `top`."""
        local = top - self._base
        if self._tree.member_count(local) > 1:
            yield from self._members(local, 1)
        else:
            yield from self._children(local, 1)

    def _members(self, fold: int, depth: int) -> Iterator[Node]:
        for frame in self._tree.members(fold):
            yield from self._frame(frame, depth)

    def _children(self, parent: int, depth: int) -> Iterator[Node]:
        for fold in self._tree.children(parent):
            if self._tree.member_count(fold) == 1:
                yield from self._frame(fold, depth)
                continue
            number = fold + self._base
            yield Node(number, depth, is_fold=True)
            self._rows.unfold_if_named(self._tree, fold, number)
            if (number, True) in self._unfolded:
                yield from self._members(fold, depth + 1)

    def _frame(self, frame: int, depth: int) -> Iterator[Node]:
        number = frame + self._base
        yield Node(number, depth)
        if (number, False) in self._unfolded:
            yield from self._children(frame, depth + 1)
