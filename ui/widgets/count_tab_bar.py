"""A bar of tabs with a title and a count each, without icons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QStyle, QStyleOptionTab, QTabBar, QWidget

from ui.theme import tokens
from ui.widgets.delegates import baseline
from ui.widgets.units import short_count

if TYPE_CHECKING:
    from PySide6.QtGui import QFont

    from ui.theme import Theme

EDGE = 10
"""Pixels left and right of a tab's text."""
GAP = 6
"""Pixels between title and count."""
LINE = 2
"""Pixels of the line under the current tab, and of the frame of the focus."""


class CountTabBar(QTabBar):
    """Tabs of one height; the current one has a semibold title and a line under it.

    A tab has the width of its semibold title and of its widest count so far, so that neither a change of tabs nor a count moves
    another one.
    """

    def __init__(
        self, *, theme: Theme, height: int, name: str, parent: QWidget | None = None
    ) -> None:
        """Start without tabs, `height` pixels high at 100%."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._height = height
        self._counts: list[tuple[str, str]] = []
        """The count of each tab and its tone."""
        self._widest: list[int] = []
        """The width of the widest count of each tab."""
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.changed.connect(self._on_theme_changed)

    def set_count(self, at: int, count: int, tone: str = "muted") -> None:
        """Show `count` after the title of a tab, in a color by name."""
        self._prepare(at)
        text = short_count(count)
        if self._counts[at] == (text, tone):
            return
        self._counts[at] = text, tone
        self.setAccessibleTabName(at, f"{self.tabText(at)}, {count:,}")
        width = self._advance(self._theme.font(tokens.SMALL), text)
        if width > self._widest[at]:
            self._widest[at] = width
            self.setTabText(at, self.tabText(at))  # lays out the tabs again
        else:
            self.update(self.tabRect(at))

    def count_text(self, at: int) -> str:
        """The count of a tab as it is shown; empty where none was set."""
        return self._counts[at][0] if at < len(self._counts) else ""

    def _prepare(self, at: int) -> None:
        while len(self._counts) <= at:
            self._counts.append(("", "muted"))
            self._widest.append(0)

    def _on_theme_changed(self) -> None:
        small = self._theme.font(tokens.SMALL)
        self._widest = [self._advance(small, text) for text, _ in self._counts]
        for at in range(self.count()):
            self.setTabText(at, self.tabText(at))

    def tabSizeHint(self, index: int) -> QSize:
        """The semibold title, the widest count, and the space around them."""
        px = self._theme.px
        width = self._title_width(index) + 2 * px(EDGE)
        if index < len(self._widest) and self._widest[index]:
            width += px(GAP) + self._widest[index]
        return QSize(width, px(self._height))

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Titles are never elided."""
        return self.tabSizeHint(index)

    def _title_width(self, at: int) -> int:
        return self._advance(self._theme.font(bold=True), self.tabText(at))

    def _advance(self, font: QFont, text: str) -> int:
        return QFontMetrics(font).horizontalAdvance(text)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the tabs in `event`'s area."""
        painter = QPainter(self)
        for at in range(self.count()):
            if self.isTabVisible(at) and self.tabRect(at).intersects(event.rect()):
                option = QStyleOptionTab()
                self.initStyleOption(option, at)
                self._paint_tab(painter, at, option)
        painter.end()

    def _paint_tab(self, painter: QPainter, at: int, option: QStyleOptionTab) -> None:
        theme, rect = self._theme, self.tabRect(at)
        is_current = at == self.currentIndex()
        title, count = theme.font(bold=is_current), theme.font(tokens.SMALL)
        left, line = rect.left() + theme.px(EDGE), baseline(rect.top(), rect.height(), theme.font())
        painter.setFont(title)
        painter.setPen(theme.color(_tone(option, is_current=is_current)))
        painter.drawText(QPoint(left, line), self.tabText(at))
        if text := self.count_text(at):
            painter.setFont(count)
            painter.setPen(theme.color(self._counts[at][1]))
            after = left + self._advance(title, self.tabText(at)) + theme.px(GAP)
            painter.drawText(QPoint(after, line), text)
        edge = theme.px(LINE)
        if is_current:
            below = QRect(rect.left(), rect.bottom() + 1 - edge, rect.width(), edge)
            painter.fillRect(below, theme.color("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(theme.color("accent"), edge))
            half = edge // 2
            painter.drawRect(rect.adjusted(half, half, -edge + half, -edge + half))


def _tone(option: QStyleOptionTab, *, is_current: bool) -> str:
    if not option.state & QStyle.StateFlag.State_Enabled:
        return "disabled"
    is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
    return "text" if is_current or is_hovered else "muted"
