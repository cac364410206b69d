"""The button after the tabs that fit: it opens the menu of the others, and tells what needs attention there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QToolButton, QWidget

from ui.theme import tokens
from ui.theme.signs import SIGN_OF_TONE
from ui.widgets.count_tab_bar import GAP, LIST_COUNT, PADDING, SIGN_GAP, draw_focus_frame
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from ui.theme import Theme

HEIGHT = 32
"""Pixels at 100%, with the hairline at the bottom."""

DOT, DOT_RISE = 8, 5
"""Edge of the dot of a tab with something that waits for the user, and how far above the middle it is: by the tab that it belongs to."""


class MoreButton(QToolButton):
    """Opens the menu of the tabs that do not fit."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        """Start hidden."""
        super().__init__(parent)
        self._theme = theme
        self._has_dot = False
        """Whether something waits for the user on a page in the menu."""
        self._count, self._tone = "", ""
        self.setObjectName("workbench_more")
        self.setText("More")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def show_hidden(self, *, pending: Sequence[str], count: str = "", tone: str = "") -> None:
        """Show what needs attention on the pages in the menu: a dot for what is `pending` for the user, and a count of problems in its color."""
        self._has_dot, self._count, self._tone = bool(pending), count, tone
        problems = plural(int(count), "problem") if count.isdecimal() else count
        self.setAccessibleName(", ".join(filter(None, ("More pages", problems, *pending))))
        self.update()

    def sizeHint(self) -> QSize:
        """Text, a count with its sign, a dot and an arrow."""
        theme = self._theme
        text = QFontMetrics(theme.font()).horizontalAdvance(self.text())
        digits = QFontMetrics(theme.font(tokens.SMALL)).horizontalAdvance(LIST_COUNT)
        count = theme.px(GAP) + theme.ICON + theme.px(SIGN_GAP) + digits
        arrow = theme.px(GAP) + theme.px(DOT) + theme.ICON
        return QSize(text + count + arrow + 2 * theme.px(PADDING), theme.px(HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it as a tab with an arrow."""
        theme, painter = self._theme, QPainter(self)
        is_strong = self.underMouse() or self.isDown()
        painter.setPen(theme.color("text" if is_strong else "muted"))
        painter.setFont(theme.font())
        metrics = QFontMetrics(theme.font())
        baseline = (self.height() + metrics.capHeight()) // 2
        left = theme.px(PADDING)
        painter.drawText(left, baseline, self.text())
        left += metrics.horizontalAdvance(self.text())
        if self._count:
            left = self._draw_count(painter, left + theme.px(GAP), baseline)
        if self._has_dot:
            dot = QPoint(left + theme.px(2), self.rect().center().y() - theme.px(DOT_RISE))
            draw_dot(painter, theme, dot)
        left += theme.px(DOT) + theme.px(4)
        arrow = QRect(left, (self.height() - theme.ICON) // 2, theme.ICON, theme.ICON)
        theme.icon("mdi6.chevron-down", "muted").paint(painter, arrow)
        if self.hasFocus():
            draw_focus_frame(painter, theme, self.rect())
        painter.end()

    def _draw_count(self, painter: QPainter, left: int, baseline: int) -> int:
        """Draw the count with its sign, and return where it ends."""
        theme, sign = self._theme, SIGN_OF_TONE.get(self._tone, "")
        if sign:
            area = QRect(left, (self.height() - theme.ICON) // 2, theme.ICON, theme.ICON)
            theme.icon(sign, self._tone).paint(painter, area)
            left += theme.ICON + theme.px(SIGN_GAP)
        painter.setPen(theme.color(self._tone))
        painter.setFont(theme.font(tokens.SMALL))
        painter.drawText(left, baseline, self._count)
        return left + painter.fontMetrics().horizontalAdvance(self._count)


def draw_dot(painter: QPainter, theme: Theme, left: QPoint) -> None:
    """Draw the dot of what needs the user, right of `left` and centered on its height."""
    edge = theme.px(DOT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("person"))
    painter.drawEllipse(QRect(left.x(), left.y() - edge // 2, edge, edge))
    painter.restore()
