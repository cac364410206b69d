"""How a list page divides its width: the list and its panels side by side, or, in a small window or with large text, the list as a line above.

All widths here are effective: pixels divided by the text scale, so that large text in a large window is laid out as usual text in a
small one.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QByteArray, QSize

from ui.widgets.effective_size import WindowMode
from ui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

WIDTHS = (
    (1024, 212, 376),
    (1280, 232, 408),
    (1360, 240, 432),
    (1440, 256, 448),
    (1920, 288, 560),
    (2560, 320, 640),
)
"""Width of the window → widths of the list and of the form; the result gets the rest. Between two rows it is interpolated."""

MIN_LIST, MIN_FORM, MIN_RESULT = 180, 340, 320
"""Least widths of the columns."""


class Arrangement(Enum):
    """Where the list and its panels are."""

    COLUMNS = "columns"
    """Side by side."""
    PICKER = "picker"
    """The list is a line above the panels, which are side by side."""
    SINGLE = "single"
    """The list is a line above, and one panel is visible at a time."""


def arrangement_of(window: float, page: float, *, columns: int) -> Arrangement:
    """Return the arrangement of a page of `columns` columns, the list included, for the widths of the window and of the page."""
    if page < WindowMode.NARROW and columns > 2:
        return Arrangement.SINGLE
    needed = sum((MIN_LIST, MIN_FORM, MIN_RESULT)[:columns])
    return (
        Arrangement.PICKER if window < WindowMode.COMPACT or page < needed else Arrangement.COLUMNS
    )


def usual_widths(window: float) -> tuple[int, int]:
    """Return the widths of the list and of the form for the width of the window."""
    before = WIDTHS[0]
    for row in WIDTHS:
        if window <= row[0]:
            share = (window - before[0]) / (row[0] - before[0]) if row is not before else 1.0
            share = max(share, 0.0)
            listed, form = (
                round(low + share * (high - low))
                for low, high in zip(before[1:], row[1:], strict=True)
            )
            return listed, form
        before = row
    return before[1:]


class ColumnSplitter(Splitter):
    """Columns side by side: as wide as usual, or, once the user dragged one, with the shares of the width that the user gave them.

    Shares are kept for each number of visible columns. No column becomes narrower than its least width where there is enough for all.
    """

    def __init__(
        self, minimums: Sequence[int], *, theme: Theme, name: str, parent: QWidget | None = None
    ) -> None:
        """Start without columns; `minimums` are their least effective widths."""
        super().__init__(theme=theme, parent=parent)
        self.setObjectName(name)
        self._theme = theme
        self._minimums = tuple(minimums)
        self._usual: tuple[int, ...] = ()
        self._shares: dict[int, tuple[float, ...]] = {}
        self.splitterMoved.connect(self._on_splitter_moved)
        theme.changed.connect(self.divide)

    def set_usual_widths(self, widths: Sequence[int]) -> None:
        """Set the effective widths of all columns but the last, which apply while all are visible and none was dragged."""
        self._usual = tuple(widths)
        self.divide()

    def divide(self) -> None:
        """Divide the width between the visible columns."""
        visible = self._visible()
        available = self.width() - self.handleWidth() * (len(visible) - 1)
        if not visible or available <= 0:
            return
        scaled = self._scaled_minimums(visible, available)
        for at, part in enumerate(self._parts()):
            part.setMinimumWidth(scaled[at] if len(visible) > 1 else 0)
        widths = fitted(
            self._requested(visible, available), [scaled[at] for at in visible], available
        )
        sizes = [0] * self.count()
        for at, width in zip(visible, widths, strict=True):
            sizes[at] = width
        self.setSizes(sizes)

    def _scaled_minimums(self, visible: Sequence[int], available: int) -> list[int]:
        """Return the least width of every column: less than usual where there is not enough for all, so that none covers another."""
        scaled = [self._theme.px(each) for each in self._minimums]
        missing = sum(scaled[at] for at in visible) - available
        if missing <= 0:
            return scaled
        return [each * available // (available + missing) for each in scaled]

    def _visible(self) -> list[int]:
        return [at for at, part in enumerate(self._parts()) if not part.isHidden()]

    def _parts(self) -> list[QWidget]:
        parts = (self.widget(at) for at in range(self.count()))
        return [part for part in parts if part is not None]

    def _requested(self, visible: Sequence[int], available: int) -> list[int]:
        shares = self._shares.get(len(visible))
        if shares is not None:
            return [round(share * available) for share in shares]
        if len(visible) == self.count():
            return [*(self._theme.px(width) for width in self._usual), 0]
        return [available // len(visible)] * len(visible)

    def _on_splitter_moved(self) -> None:
        visible, sizes = self._visible(), self.sizes()
        total = sum(sizes[at] for at in visible)
        if total > 0:
            self._shares[len(visible)] = tuple(sizes[at] / total for at in visible)

    def saveState(self) -> QByteArray:
        """Return the shares that the user gave to columns."""
        text = json.dumps({str(count): shares for count, shares in self._shares.items()})
        return QByteArray(text.encode())

    def restoreState(self, state: QByteArray | bytes | bytearray | memoryview) -> bool:
        """Restore what `saveState` returned; False for anything else."""
        shares = _read_shares(bytes(state.data() if isinstance(state, QByteArray) else state))
        if shares is None:
            return False
        self._shares = shares
        self.divide()
        return True

    def minimumSizeHint(self) -> QSize:
        """Return no width: the columns must not keep a window from becoming too narrow for them, upon which they are rearranged."""
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep widths and shares."""
        super().resizeEvent(event)
        self.divide()


def fitted(widths: Sequence[int], minimums: Sequence[int], available: int) -> list[int]:
    """Return `widths` of at least `minimums` that fill `available`: the last column takes what is left, and others give way for it."""
    fitting = [max(width, minimum) for width, minimum in zip(widths, minimums, strict=True)]
    excess = sum(fitting) - available
    for at in reversed(range(len(fitting))):
        given = min(max(excess, 0), fitting[at] - minimums[at])
        fitting[at] -= given
        excess -= given
    fitting[-1] = max(fitting[-1] - excess, 0)
    return fitting


def _read_shares(state: bytes) -> dict[int, tuple[float, ...]] | None:
    try:
        read = cast("object", json.loads(state))
    except ValueError:
        return None
    if not isinstance(read, dict):
        return None
    found: dict[int, tuple[float, ...]] = {}
    for count, shares in cast("dict[str, object]", read).items():
        if not isinstance(shares, list):
            return None
        values = cast("list[object]", shares)
        numbers = [each for each in values if isinstance(each, float) and 0 < each < 1]
        if not numbers or len(numbers) != len(values) or str(len(numbers)) != count:
            return None
        found[len(numbers)] = tuple(numbers)
    return found
