"""The rows and the details of one frame: beside each other, below each other, or one instead of the other, by the size of the window.

The details are open while a frame is selected, unless the user closed them. Opening and closing them moves no row.
"""

from __future__ import annotations

from enum import Enum, auto
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal

from ui.widgets.effective_size import WindowMode, effective_size_of
from ui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

MIN_BESIDE = 1280
"""Width of a window, in pixels at 100%, below which the details are under the rows; below `WindowMode.COMPACT` they replace them."""
WIDTHS = ((1280, 360), (1360, 384), (1440, 400), (1920, 520), (2560, 640))
"""Widths of windows, and of the details beside the rows in them, in pixels at 100%; those between are interpolated."""
MIN_SHARE = 0.25
MAX_SHARE = 0.45
"""Part of the width that details beside the rows may take."""
SHARE_BELOW = 0.5
"""Part of the height that details below the rows take, until the user drags their edge."""


class Arrangement(Enum):
    """Where the details are."""

    BESIDE = auto()
    BELOW = auto()
    INSTEAD = auto()
    """In the position of the rows, with a way back."""


def arrangement_for(width: float, *, prefers_below: bool) -> Arrangement:
    """Return where the details are in a window of `width` pixels at 100%."""
    if width < WindowMode.COMPACT:
        return Arrangement.INSTEAD
    return Arrangement.BELOW if width < MIN_BESIDE or prefers_below else Arrangement.BESIDE


def detail_width(width: float) -> float:
    """Return how wide the details beside the rows are in a window of `width`, both in pixels at 100%."""
    for (left, low), (right, high) in pairwise(WIDTHS):
        if width <= right:
            return low + max(width - left, 0) / (right - left) * (high - low)
    return WIDTHS[-1][1]


class DetailSplit(Splitter):
    """Two widgets, of which the second is not always displayed.

    Signals:
        arranged: the details are elsewhere, were opened or closed.
    """

    arranged = Signal()

    def __init__(
        self, rows: QWidget, details: QWidget, *, theme: Theme, name: str, parent: QWidget
    ) -> None:
        """Show `rows`; `details` once a frame is selected."""
        super().__init__(theme=theme, parent=parent)
        self.setObjectName(name)
        self._rows, self._details, self._theme = rows, details, theme
        self.is_enabled = True
        """Whether the details open with a selection."""
        self.prefers_below = False
        """Whether the user wants them below the rows, where they could be beside them."""
        self.shares = {Arrangement.BESIDE: 0.0, Arrangement.BELOW: 0.0}
        """Part of the width or height that the user gave them; 0 until then."""
        self.arrangement = Arrangement.BESIDE
        self._has_frame = False
        self._is_in_front = False
        """Whether they are displayed instead of the rows, where there is space for one."""
        self.addWidget(rows)
        self.addWidget(details)
        details.hide()
        self.splitterMoved.connect(self._on_splitter_moved)
        theme.changed.connect(self._arrange)

    @property
    def is_open(self) -> bool:
        """Whether the details are displayed."""
        return not self._details.isHidden()

    def set_enabled(self, enabled: bool) -> None:
        """Let the details open with a selection, or close them."""
        self.is_enabled = self._is_in_front = enabled
        self._show_parts()

    @property
    def is_offered(self) -> bool:
        """Whether the details are displayed, or would be if a frame were selected."""
        return self.is_open if self._has_frame else self.is_enabled

    def set_frame(self, has_frame: bool, *, in_front: bool = False) -> None:
        """Open the details of a frame, or close them without one; `in_front` also where they replace the rows."""
        self._has_frame = has_frame
        self._is_in_front = has_frame and (in_front or self._is_in_front)
        self._show_parts()

    def close_details(self) -> None:
        """Close the details until the user opens them; where they replace the rows, until a row is clicked."""
        if self.arrangement is not Arrangement.INSTEAD:
            self.set_enabled(False)
            return
        self._is_in_front = False
        self._show_parts()
        self._rows.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_below(self, below: bool) -> None:
        """Put the details below the rows where they could be beside them."""
        self.prefers_below = below
        self._arrange()

    def _window_width(self) -> float:
        """Return the width of the window in pixels at 100%."""
        return effective_size_of(self, self._theme).width

    def _arrange(self) -> None:
        if not self.isVisible():  # in no window yet
            return
        arrangement = arrangement_for(self._window_width(), prefers_below=self.prefers_below)
        if arrangement is not self.arrangement:
            self.arrangement = arrangement
            self._is_in_front = False
            below = arrangement is Arrangement.BELOW
            self.setOrientation(Qt.Orientation.Vertical if below else Qt.Orientation.Horizontal)
        self._show_parts()
        self._share_out()

    def _show_parts(self) -> None:
        is_instead = self.arrangement is Arrangement.INSTEAD
        is_open = self._has_frame and self.is_enabled and (self._is_in_front or not is_instead)
        was_open = self.is_open
        self._rows.setVisible(not (is_open and is_instead))
        self._details.setVisible(is_open)
        if is_open and not was_open:
            self._share_out()
        self.arranged.emit()

    def _share_out(self) -> None:
        """Give the details their part, and both the whole where only one of them is displayed."""
        if not self.is_open:
            return
        if self.arrangement is Arrangement.INSTEAD:
            self.setSizes([self.width(), self.width()])
            return
        share = self.shares[self.arrangement]
        if self.arrangement is Arrangement.BELOW:
            total = self.height()
            part = (share or SHARE_BELOW) * total
        else:
            total = self.width()
            part = share * total or self._theme.px(detail_width(self._window_width()))
            part = min(max(part, MIN_SHARE * total), MAX_SHARE * total)
        self.setSizes([total - round(part), round(part)])

    def showEvent(self, event: QShowEvent) -> None:
        """Arrange both for the window, which may be another one."""
        super().showEvent(event)
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange both for another size."""
        super().resizeEvent(event)
        self._arrange()

    def _on_splitter_moved(self) -> None:
        sizes = self.sizes()
        share = sizes[1] / max(sum(sizes), 1)
        if self.arrangement is Arrangement.BESIDE:
            share = min(max(share, MIN_SHARE), MAX_SHARE)
        self.shares[self.arrangement] = share
        self._share_out()
