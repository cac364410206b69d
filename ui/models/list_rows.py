"""The rows of a list of a server, with a filter, and how often they follow a list that is still being read.

Rows refer to entries by position, so equal names stay apart.

The rows are Qt's own list of (empty) texts: a view asks for their number once for each row whenever it lays itself out, which for
thousands of them takes a tenth of a second if Python answers.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, QStringListModel, QTimer

from ui.widgets.delegates import Sign
from ui.widgets.freshness import Freshness
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inspector.finding import Finding
    from inspector.spec.views.list_page import CacheHints

T = TypeVar("T")

MARK_TONES = {"new": "ok", "changed": "pending"}
"""How it is marked that an entry differs from the reading before."""


PROBLEM_ICON = "mdi6.alert-outline"
DUPLICATE_ICON = "mdi6.content-duplicate"

ROWS_AT_ONCE = 1024
"""Rows that are inserted in one go. Qt inserts the texts one by one at the same place and moves those behind it each time: 20,000 in one go take 60 ms,
and 1 ms in pieces."""


def insert_rows(model: QStringListModel, first: int, count: int) -> None:
    """Insert so many rows without texts from row `first` on."""
    for start in range(0, count, ROWS_AT_ONCE):
        model.insertRows(first + start, min(ROWS_AT_ONCE, count - start))


def list_signs(problems: int, *, is_duplicate: bool) -> list[Sign]:
    """Return the signs of an entry with so many problems, whose name another may have as well."""
    signs: list[Sign] = []
    if problems:
        signs.append(Sign(PROBLEM_ICON, "warning", plural(problems, "problem")))
    if is_duplicate:
        signs.append(Sign(DUPLICATE_ICON, "warning", "duplicate"))
    return signs


class ListRows(QStringListModel, Generic[T]):
    """What matches the filter, in the order of the server; `data` is left to those that know what it is."""

    def __init__(self, searched: Callable[[T], str], parent: QObject | None = None) -> None:
        """Start empty; `searched` gives what the filter looks through, in lower case."""
        super().__init__(parent)
        self.items: Sequence[T] = ()
        self.all_clashes: Mapping[int, tuple[Finding, ...]] = {}
        self._searched = searched
        self._texts: list[str] = []
        self._tooltips: list[str] = []
        self._visible: list[int] = []
        self._order: Callable[[T], int] | None = None
        self._marks: Mapping[int, str] = {}

    def set_items(self, items: Sequence[T], clashes: Mapping[int, tuple[Finding, ...]]) -> bool:
        """Show `items`; `clashes` are findings about names, by position.

        A list that only grew gets its new rows; True when all rows were replaced, and with them what was selected.
        """
        grown = begins_with(items, self.items) and self._order is None
        if grown:
            self._append(items)
        else:
            self._replace(items)
        if clashes != self.all_clashes:
            self.all_clashes = clashes
            if self._visible:
                self.dataChanged.emit(self.index(0), self.index(len(self._visible) - 1))
        return not grown

    def set_filter(self, text: str) -> bool:
        """Keep only what has every word of `text` in it; True if rows were replaced."""
        message = text.casefold().split()
        if message == self._tooltips:
            return False
        self._tooltips = message
        self._show(self._matching(range(len(self.items))))
        return True

    def set_order(self, order: Callable[[T], int] | None) -> None:
        """Show what `order` gives the largest number first, or all in the order of the server; rows are replaced."""
        self._order = order
        self._show(self._matching(range(len(self.items))))

    @property
    def is_ordered(self) -> bool:
        """Whether rows are in another order than the server sent."""
        return self._order is not None

    def set_marks(self, marks: Mapping[int, str]) -> None:
        """Mark what is new or changed, by position."""
        if marks != self._marks:
            self._marks = marks
            if self._visible:
                self.dataChanged.emit(self.index(0), self.index(len(self._visible) - 1))

    def mark_badges(self, position: int) -> list[tuple[str, str]]:
        """The mark of an entry as a badge, or none."""
        mark = self._marks.get(position)
        return [(mark, MARK_TONES[mark])] if mark is not None else []

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return bool(self._tooltips)

    def clashes(self, position: int) -> tuple[Finding, ...]:
        """What is odd about a name beside the others."""
        return self.all_clashes.get(position, ())

    def position(self, row: int) -> int:
        """The position, in the server's list, of what is in a row."""
        return self._visible[row]

    def row_of(self, position: int) -> int:
        """The row of what is at `position`; -1 when the filter hides it."""
        try:
            return self._visible.index(position)
        except ValueError:
            return -1

    def _append(self, items: Sequence[T]) -> None:
        known = len(self.items)
        self._texts += [self._searched(item) for item in items[known:]]
        matching = self._matching(range(known, len(items)))
        first = len(self._visible)
        self.items = items
        self._visible += matching
        if matching:
            insert_rows(self, first, len(matching))

    def _replace(self, items: Sequence[T]) -> None:
        self.items = items
        self._texts = [self._searched(item) for item in items]
        self._show(self._matching(range(len(items))))

    def _show(self, positions: list[int]) -> None:
        self._visible = positions
        self.setStringList([""] * len(positions))

    def _matching(self, positions: Iterable[int]) -> list[int]:
        text = self._tooltips
        texts, order = self._texts, self._order
        found = [at for at in positions if all(word in texts[at] for word in text)]
        if order is None:
            return found
        items = self.items
        return sorted(found, key=lambda at: -order(items[at]))


def begins_with(items: Sequence[T], before: Sequence[T]) -> bool:
    """Whether `items` are those from `before` and more; pages are only ever added to what was read."""
    if len(items) < len(before):
        return False
    return not before or all(items[at] is before[at] for at in (0, len(before) - 1))


PACE_MS = 600
"""How often a list that is still being read is shown again, at most."""

REST = 9
"""How many times what showing it took passes before it is shown again."""


class Pace(QObject):
    """Passes on that a list has changed."""

    def __init__(
        self, show: Callable[[], object], is_partial: Callable[[], bool], *, parent: QObject
    ) -> None:
        """Call `show` for every change, but not more often than now and then while the list `is_partial`."""
        super().__init__(parent)
        self._show = show
        self._is_partial = is_partial
        self._passed_over = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._on_timeout)

    def follow(self) -> None:
        """The list has changed."""
        self._passed_over = self._is_partial() and self._timer.isActive()
        if self._passed_over:
            return
        began = perf_counter()
        self._show()
        spent = round((perf_counter() - began) * 1000)
        self._timer.start(max(PACE_MS, REST * spent))

    def _on_timeout(self) -> None:
        if self._passed_over:
            self.follow()


def freshness_of(caching: CacheHints | None) -> Freshness | None:
    """Return the freshness of a result; None in revisions without caching hints."""
    if caching is None:
        return None
    return Freshness(caching.ttl_ms / 1000 if caching.has_ttl else None, caching.scope)
