"""Rows one under the other, made a page at a time, with their names in one column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from ui.widgets.buttons import link_button
from ui.widgets.form.editor import column_layout
from ui.widgets.form.laying_out import LaidOutAtOnce, take_any_width
from ui.widgets.form.line_row import LineRow

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme
    from ui.widgets.form.row import Row

LABEL_SHARE = 0.38
"""Names take at most this share of the width."""

STACKED_BELOW = 30
"""In less room than this many digits names stand above their fields."""


class Stack(LaidOutAtOnce):
    """A column of rows and a button for those that have not been made yet.

    Signals:
        more_requested: the button was pressed.
    """

    more_requested = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        take_any_width(self)
        self._theme = theme
        self._sized = False
        self.rows: list[Row] = []
        self._layout = column_layout(self, space=theme.SPACING_PX)
        self._more = link_button("", name="more", repeats=True, parent=self)
        self._more.clicked.connect(self.more_requested)
        self._more.hide()
        self._layout.addWidget(self._more)

    def put_in(self, at: int, row: Row) -> None:
        """Put a row in."""
        self.rows.insert(at, row)
        self._layout.insertWidget(at, row)
        row.show()

    def take_out(self, at: int) -> None:
        """Take a row out and let it go."""
        row = self.rows.pop(at)
        self._layout.removeWidget(row)
        row.hide()
        row.deleteLater()

    def shift(self, at: int, to: int) -> None:
        """Put a row elsewhere."""
        row = self.rows.pop(at)
        self._layout.removeWidget(row)
        self.rows.insert(to, row)
        self._layout.insertWidget(to, row)

    def say_more(self, count: int) -> None:
        """Offer `count` more rows; 0 offers none."""
        self._more.setText(f"Show {count:,} more")
        self._more.setAccessibleName(self._more.text())
        self._more.setVisible(count > 0)

    def align(self) -> None:
        """Give all names the same room."""
        lines = [row for row in self.rows if isinstance(row, LineRow)]
        if not lines or not self._sized:
            return
        if self.width() < STACKED_BELOW * self._theme.character_width():
            width = 0
        else:
            widest = max(row.label_width() for row in lines)
            width = min(widest, round(self.width() * LABEL_SHARE))
        for row in lines:
            row.set_label_width(width)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The share of the names changes with the width."""
        super().resizeEvent(event)
        self._sized = True
        self.align()
