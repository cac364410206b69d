"""Parts of layouts: a thin line between two areas, and a width that stays reserved while its text changes.

Each change of the size hint of a label lays out the whole window again, and paints most of it. A label of a fixed size has no such changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

if TYPE_CHECKING:
    from ui.theme import Theme


class Hairline(QWidget):
    """One pixel, across or down."""

    def __init__(
        self, *, theme: Theme, vertical: bool = False, parent: QWidget | None = None
    ) -> None:
        """Draw across, or down if `vertical`."""
        super().__init__(parent)
        self._theme = theme
        fixed, free = QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding
        if vertical:
            self.setFixedWidth(1)
            self.setSizePolicy(fixed, free)
        else:
            self.setFixedHeight(1)
            self.setSizePolicy(free, fixed)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Fill with the colour of the moment."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.colour("hairline"))
        painter.end()


SLACK_STEPS = 2
"""Steps of room too much that are left as they are."""


def reserve_width(widget: QWidget, step: int) -> None:
    """Give `widget` the room that its words want now, its width in steps of `step` pixels."""
    wanted = _wish(widget)
    width = -(-wanted.width() // step) * step
    held = widget.maximumSize()
    spare = held.width() - width
    is_fixed = held == widget.minimumSize() and held.height() == wanted.height()
    if not is_fixed or not 0 <= spare <= SLACK_STEPS * step:
        widget.setFixedSize(QSize(width, wanted.height()))


def _wish(widget: QWidget) -> QSize:
    """What the words need; a label's own hint is never less than the room that it holds already."""
    if not isinstance(widget, QLabel):
        return widget.sizeHint()
    edge = 2 * widget.margin()
    text = widget.fontMetrics().size(0, widget.text())
    return text.grownBy(widget.contentsMargins()) + QSize(edge, edge)
