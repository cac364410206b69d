"""The line at the top of the details: the name of what is displayed, what can be done with it, and the way back to the rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.theme import tokens
from ui.widgets.buttons import link_button, tool_button
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from ui.theme import Theme

HEADER_PX = 32
"""Height of the line."""


class DetailHeader(QWidget):
    """The line.

    Signals:
        closed: hide the details.
    """

    closed = Signal()

    def __init__(
        self, *, theme: Theme, name: str, title: str, is_mono: bool = False, parent: QWidget
    ) -> None:
        """Start without a name; `name` is the beginning of the names of its buttons, `title` the name of its text."""
        super().__init__(parent)
        self._theme = theme
        self._is_mono = is_mono
        self._back = link_button("‹ Back", name=f"{name}_back", parent=self)
        self._back.setAccessibleName("Back to the rows")
        self._back.hide()
        self.title = ElidedLabel("", elide=Qt.TextElideMode.ElideRight, parent=self)
        self.title.setObjectName(title)
        self._close = tool_button(
            theme, "mdi6.close", "Close details", name=f"{name}_detail_close", parent=self
        )
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._back)
        self._row.addWidget(self.title, 0 if is_mono else 1)
        if is_mono:
            self._row.addStretch(1)
        self._row.addWidget(self._close)
        self._back.clicked.connect(self.closed)
        self._close.clicked.connect(self.closed)
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        theme = self._theme
        self._row.setContentsMargins(theme.px(tokens.DENSE_PADDING_PX), 0, theme.SPACING_PX, 0)
        self._row.setSpacing(theme.px(8) if self._is_mono else theme.SPACING_PX)
        self.setFixedHeight(theme.px(HEADER_PX))
        font = theme.mono(bold=True) if self._is_mono else theme.font(tokens.NAME, bold=True)
        self.title.setFont(font)

    def add_beside_title(self, widget: QWidget) -> None:
        """Have `widget` right after the name."""
        self._row.insertWidget(self._row.indexOf(self.title) + 1, widget)

    def add_button(self, button: QWidget) -> None:
        """Have `button` before the one that closes."""
        self._row.insertWidget(self._row.indexOf(self._close), button)

    def set_replaces_rows(self, replaces: bool) -> None:
        """Offer the way back to the rows, instead of closing, where the details are in their position."""
        self._back.setVisible(replaces)
        self._close.setVisible(not replaces)
