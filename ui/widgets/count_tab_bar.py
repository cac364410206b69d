"""A bar of tabs with a title and a count each, without icons."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QTabBar, QWidget

from ui.theme import tokens
from ui.theme.signs import SIGN_OF_TONE
from ui.widgets.delegates import baseline

if TYPE_CHECKING:
    from PySide6.QtGui import QFont, QHoverEvent

    from ui.theme import Theme

PADDING, GAP = 11, 6
"""Pixels at 100%: left and right in each tab, and between title and count."""

LINE, LINE_MARGIN = 2, 5
"""Thickness of the underline of the current tab, and what it is wider than the text on each side."""

SIGN_GAP = 3
"""Pixels at 100% between the sign of a count and the count."""

DIGIT = "0"
"""As wide as every digit."""

LIST_COUNT, MESSAGE_COUNT = "99", "9,999"
"""The widest counts for which there is space from the start: of a list, and of messages, which grows while the user looks."""


class CountTabBar(QTabBar):
    """Draws its tabs itself: the current one has a semibold title and a line under it.

    Nothing moves when another tab becomes the current one or a count changes: each tab is as wide as its semibold title and its widest
    count so far.
    """

    def __init__(self, theme: Theme, *, height: int, parent: QWidget | None = None) -> None:
        """Start without tabs, `height` pixels high at 100%."""
        super().__init__(parent)
        self._theme = theme
        self._height = height
        self._titles: list[str] = []
        self._counts: list[str] = []
        self._tones: list[str] = []
        """Names of the colors of the counts; empty for that of the tab."""
        self._digits: list[int] = []
        """Characters of the widest count of each tab so far."""
        self._has_signs: list[bool] = []
        """Whether the tone of a count is said by a sign before it, too."""
        self._hovered = -1
        self._advances: dict[str, int] = {}
        """Widths of the titles and of a digit; Qt asks for the size of each tab whenever the text of one changes."""
        theme.changed.connect(self._measure_again)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def _measure_again(self) -> None:
        """The text has another size; what Qt has measured when it heard of the font is of the size before."""
        self._advances.clear()
        if self.count():
            self.setTabText(0, self.tabText(0))  # lays all tabs out again

    def add_title(self, title: str, *, widest: str = "", has_sign: bool = False) -> None:
        """Know what the tab that is added next is, and the `widest` count for which there is space from the start.

        `has_sign`: there is also space for the sign before a count in a color of its own.
        """
        self._titles.append(title)
        self._counts.append("")
        self._tones.append("")
        self._digits.append(len(widest))
        self._has_signs.append(has_sign)

    def count_text(self, at: int) -> str:
        """The count that a tab shows."""
        return self._counts[at]

    def set_count_text(self, at: int, count: str) -> None:
        """Show a count; the tabs are laid out again only if there is too little space for it."""
        if count == self._counts[at]:
            return
        self._counts[at] = count
        if len(count) > self._digits[at]:
            self._digits[at] = len(count)
            self.setTabText(at, self.tabText(at))  # lays the tabs out again
        self.update(self.tabRect(at))

    def set_count_tone(self, at: int, tone: str) -> None:
        """Draw a count in a color by its name; empty for that of the tab."""
        if tone != self._tones[at]:
            self._tones[at] = tone
            self.update(self.tabRect(at))

    def lead(self, at: int) -> int:
        """Pixels left of a tab."""
        del at
        return 0

    def tone(self, at: int) -> str:
        """The color of a tab that is neither the current one nor under the mouse."""
        del at
        return "muted"

    def tab_width(self, at: int) -> int:
        """The width of a tab without its lead."""
        theme, title = self._theme, self._titles[at]
        advances = self._advances
        if title not in advances:
            advances[title] = QFontMetrics(theme.font(bold=True)).horizontalAdvance(title)
            advances[DIGIT] = self._count_metrics().horizontalAdvance(DIGIT)
        digits = self._digits[at]
        count = theme.px(GAP) + digits * advances[DIGIT] if digits else 0
        sign = theme.ICON + theme.px(SIGN_GAP) if self._has_signs[at] else 0
        return advances[title] + count + sign + 2 * theme.px(PADDING)

    def _count_metrics(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font(tokens.SMALL))

    def tabSizeHint(self, index: int) -> QSize:
        """The size of a tab, the same when it is the current one and when not."""
        return QSize(self.tab_width(index) + self.lead(index), self._theme.px(self._height))

    def minimumTabSizeHint(self, index: int) -> QSize:
        """The same: titles are never elided."""
        return self.tabSizeHint(index)

    def minimumSizeHint(self) -> QSize:
        """Tabs make no window wider."""
        return QSize(1, self._theme.px(self._height))

    def event(self, event: QEvent) -> bool:
        """Follow the mouse."""
        kind = event.type()
        if kind in {QEvent.Type.HoverMove, QEvent.Type.HoverEnter, QEvent.Type.HoverLeave}:
            position = cast("QHoverEvent", event).position().toPoint()
            hovered = -1 if kind == QEvent.Type.HoverLeave else self.tabAt(position)
            if hovered != self._hovered:
                self._hovered = hovered
                self.update()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the tabs that fit, above a hairline."""
        painter = QPainter(self)
        line = QRect(0, self.height() - 1, self.width(), 1)
        painter.fillRect(line, self._theme.color("hairline"))
        for at in range(self.count()):
            if self.isTabVisible(at):
                self.draw_tab(painter, at, self.tabRect(at).adjusted(self.lead(at), 0, 0, 0))
        painter.end()

    def draw_tab(self, painter: QPainter, at: int, rect: QRect) -> int:
        """Draw a tab into `rect`, and return where its texts end."""
        theme, is_current = self._theme, at == self.currentIndex()
        left = rect.left() + theme.px(PADDING)
        right = self._draw_texts(
            painter, at, left, baseline(rect.top(), rect.height(), theme.font())
        )
        if is_current:
            margin, line = theme.px(LINE_MARGIN), theme.px(LINE)
            under = QRect(left - margin, rect.bottom() + 1 - line, right - left + 2 * margin, line)
            painter.fillRect(under, theme.color("accent"))
            if self.hasFocus():
                draw_focus_frame(painter, theme, rect)
        return right

    def _draw_texts(self, painter: QPainter, at: int, left: int, line: int) -> int:
        """Draw title and count from `left` on the base `line`; return where they end."""
        theme, tone, is_current = self._theme, self.tone(at), at == self.currentIndex()
        is_strong = is_current or (at == self._hovered and tone == "muted")
        font: QFont = theme.font(bold=is_current)
        painter.setPen(theme.color("text" if is_strong else tone))
        painter.setFont(font)
        painter.drawText(QPoint(left, line), self._titles[at])
        right = left + QFontMetrics(font).horizontalAdvance(self._titles[at])
        if count := self._counts[at]:
            painter.setPen(theme.color(self._tones[at] or tone))
            painter.setFont(theme.font(tokens.SMALL))
            right += theme.px(GAP)
            sign = SIGN_OF_TONE.get(self._tones[at], "")
            if sign and self._has_signs[at]:
                middle = self.tabRect(at).center().y()
                area = QRect(right, middle - theme.ICON // 2, theme.ICON, theme.ICON)
                theme.icon(sign, self._tones[at]).paint(painter, area)
                right += theme.ICON + theme.px(SIGN_GAP)
            painter.drawText(QPoint(right, line), count)
            right += self._count_metrics().horizontalAdvance(count)
        return right


def draw_focus_frame(painter: QPainter, theme: Theme, rect: QRect) -> None:
    """Draw the frame of what has the focus, inside of `rect`."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("accent"), LINE))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))
