"""The tabs of the pages: title and count, in groups. Tabs that do not fit are in the menu *More* after the last one; the current tab never is.

Nothing moves when another tab becomes the current one or a count changes: each tab is as wide as its title in semibold and its widest count so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, cast

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QMenu, QTabBar, QTabWidget, QToolButton, QWidget

from ui.theme import tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QFont, QHoverEvent, QKeyEvent, QResizeEvent

    from ui.theme import Theme

HEIGHT = 32
"""Pixels at 100%, with the hairline at the bottom."""

EDGE, PADDING, GAP = 6, 11, 6
"""Pixels at 100%: left of all tabs, left and right in each, and between title and count."""

BETWEEN = 16
"""Pixels at 100% between two groups, with a hairline in their middle."""

LINE, LINE_MARGIN = 2, 5
"""Thickness of the underline of the current tab, and what it is wider than the text on each side."""

DOT = 8
"""Of a tab with a request that waits for the user."""

MIN_DIGITS = 1
"""Of a count, for which there is always space."""


class TabSpec(NamedTuple):
    """What never changes of a tab."""

    title: str
    group: str
    """Tabs of one group are together, with a line between two groups."""
    has_count: bool
    """Whether there is space for a count from the start."""


@dataclass(frozen=True, slots=True)
class TabState:
    """What changes of a tab."""

    count: str = ""
    missing: str = ""
    """Why the page cannot be used now; the tab is pale then, and opens nevertheless."""
    waiting: str = ""
    """The requests that wait for the user on the page, as a text; empty for none."""


class PageTabBar(QTabBar):
    """Draws its tabs itself, and decides which fit.

    Signals:
        resized: there is space for more or fewer tabs.
    """

    resized = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without tabs."""
        super().__init__(parent)
        self._theme = theme
        self._specs: list[TabSpec] = []
        self._states: list[TabState] = []
        self._digits: list[int] = []
        """Characters of the widest count of each tab so far."""
        self._hovered = -1
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideNone)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def add_spec(self, spec: TabSpec) -> None:
        """Know what the tab that is added next is."""
        self._specs.append(spec)
        self._states.append(TabState())
        self._digits.append(MIN_DIGITS if spec.has_count else 0)

    def state(self, at: int) -> TabState:
        """What a tab shows."""
        return self._states[at]

    def set_state(self, at: int, state: TabState) -> bool:
        """Show another count, or why the page cannot be used; return whether that is something new."""
        if state == self._states[at]:
            return False
        title = self._specs[at].title
        self._states[at] = state
        self._digits[at] = max(self._digits[at], len(state.count))
        self.setTabText(at, f"{title} {state.count}".strip())  # lays the tabs out again
        self.setTabToolTip(at, state.waiting or state.missing)
        parts = (self.tabText(at), state.waiting, state.missing)
        self.setAccessibleTabName(at, ", ".join(filter(None, parts)))
        self.update()
        return True

    def fit(self, more_width: int) -> list[int]:
        """Show the tabs that fit, with `more_width` pixels kept free if not all do; return those that are hidden."""
        every = range(self.count())
        visible = list(every)
        if self._total(visible) > self.width():
            visible = self._choose(self.width() - more_width)
        for at in every:
            if self.isTabVisible(at) != (at in visible):
                self.setTabVisible(at, at in visible)
        return [at for at in every if at not in visible]

    def _choose(self, width: int) -> list[int]:
        """The current tab, and the ones from the left for which there is space beside it."""
        chosen = [self.currentIndex()]
        for at in range(self.count()):
            if at in chosen:
                continue
            candidates = sorted((*chosen, at))
            if self._total(candidates) > width:
                break
            chosen = candidates
        return chosen

    def _total(self, tabs: Sequence[int]) -> int:
        """The width of these tabs side by side."""
        starts = sum(self._is_start(at, before) for before, at in pairwise(tabs))
        between = starts * self._theme.px(BETWEEN)
        return self._theme.px(EDGE) + between + sum(self._tab_width(at) for at in tabs)

    def _is_start(self, at: int, before: int) -> bool:
        return self._specs[at].group != self._specs[before].group

    def _lead(self, at: int) -> int:
        """Pixels left of a tab: the edge of the bar, or the space between two groups."""
        before = next((tab for tab in range(at - 1, -1, -1) if self.isTabVisible(tab)), None)
        if before is None:
            return self._theme.px(EDGE)
        return self._theme.px(BETWEEN) if self._is_start(at, before) else 0

    def _tab_width(self, at: int) -> int:
        theme = self._theme
        title = QFontMetrics(theme.font(bold=True)).horizontalAdvance(self._specs[at].title)
        digits = self._digits[at]
        count = theme.px(GAP) + digits * self._count_metrics().horizontalAdvance("0")
        return title + (count if digits else 0) + 2 * theme.px(PADDING)

    def _count_metrics(self) -> QFontMetrics:
        return QFontMetrics(self._theme.font(tokens.SMALL))

    def tabSizeHint(self, index: int) -> QSize:
        """The size of a tab, the same when it is the current one and when not."""
        width = self._tab_width(index) + self._lead(index)
        return QSize(width, self._theme.px(HEIGHT))

    def minimumTabSizeHint(self, index: int) -> QSize:
        """The same: titles are never elided."""
        return self.tabSizeHint(index)

    def minimumSizeHint(self) -> QSize:
        """Tabs make no window wider."""
        return QSize(1, self._theme.px(HEIGHT))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other tabs may fit now."""
        super().resizeEvent(event)
        self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go through all tabs, also those in the menu."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            at = self.currentIndex() + step
            self.setCurrentIndex(min(max(at, 0), self.count() - 1))

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
                self._draw_tab(painter, at)
        painter.end()

    def _draw_tab(self, painter: QPainter, at: int) -> None:
        theme, rect, is_current = self._theme, self.tabRect(at), at == self.currentIndex()
        lead = self._lead(at)
        if lead and rect.left() > 0:
            x, middle, half = rect.left() + lead // 2, rect.center().y(), theme.ICON // 2
            painter.fillRect(QRect(x, middle - half, 1, 2 * half), theme.color("hairline"))
        rect = rect.adjusted(lead, 0, 0, 0)
        font = theme.font(bold=is_current)
        left = rect.left() + theme.px(PADDING)
        right = self._draw_texts(
            painter, at, QRect(left, rect.top(), rect.width(), rect.height()), font
        )
        state = self._states[at]
        if state.waiting:
            draw_dot(painter, theme, QPoint(right + theme.px(3), rect.center().y()))
        if is_current:
            margin, line = theme.px(LINE_MARGIN), theme.px(LINE)
            under = QRect(left - margin, rect.bottom() + 1 - line, right - left + 2 * margin, line)
            painter.fillRect(under, theme.color("accent"))
            if self.hasFocus():
                draw_focus_frame(painter, theme, rect)

    def _draw_texts(self, painter: QPainter, at: int, area: QRect, font: QFont) -> int:
        """Draw title and count from the left of `area`; return where they end."""
        theme, state = self._theme, self._states[at]
        tone = "disabled" if state.missing else "muted"
        is_strong = at == self.currentIndex() or (at == self._hovered and not state.missing)
        painter.setPen(theme.color("text" if is_strong else tone))
        painter.setFont(font)
        metrics, title = QFontMetrics(font), self._specs[at].title
        baseline = area.top() + (area.height() + metrics.capHeight()) // 2
        painter.drawText(area.left(), baseline, title)
        right = area.left() + metrics.horizontalAdvance(title)
        if state.count:
            painter.setPen(theme.color(tone))
            painter.setFont(theme.font(tokens.SMALL))
            right += theme.px(GAP)
            painter.drawText(right, baseline, state.count)
            right += self._count_metrics().horizontalAdvance(state.count)
        return right


class MoreButton(QToolButton):
    """Opens the menu of the tabs that do not fit."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        """Start hidden."""
        super().__init__(parent)
        self._theme = theme
        self.has_dot = False
        """Whether a request waits on a page in the menu."""
        self.setObjectName("workbench_more")
        self.setText("More")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.hide()

    def sizeHint(self) -> QSize:
        """Text, a dot and an arrow."""
        theme = self._theme
        text = QFontMetrics(theme.font()).horizontalAdvance(self.text())
        width = text + theme.px(GAP) + theme.px(DOT) + theme.ICON + 2 * theme.px(PADDING)
        return QSize(width, theme.px(HEIGHT))

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
        left += metrics.horizontalAdvance(self.text()) + theme.px(2)
        if self.has_dot:
            draw_dot(painter, theme, QPoint(left, self.rect().center().y()))
        left += theme.px(DOT) + theme.px(2)
        arrow = QRect(left, (self.height() - theme.ICON) // 2, theme.ICON, theme.ICON)
        theme.icon("mdi6.chevron-down", "muted").paint(painter, arrow)
        if self.hasFocus():
            draw_focus_frame(painter, theme, self.rect())
        painter.end()


def draw_dot(painter: QPainter, theme: Theme, left: QPoint) -> None:
    """Draw the dot of requests that wait for the user, right of `left` and centered on its height."""
    edge = theme.px(DOT)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("person"))
    painter.drawEllipse(QRect(left.x(), left.y() - edge // 2, edge, edge))
    painter.restore()


def draw_focus_frame(painter: QPainter, theme: Theme, rect: QRect) -> None:
    """Draw the frame of what has the focus, inside of `rect`."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("accent"), LINE))
    painter.drawRect(rect.adjusted(1, 1, -1, -1))


class PageTabs(QTabWidget):
    """Pages with their tabs; `add` them, then `set_state` what their tabs show."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start without pages."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._hidden: list[int] = []
        self.bar = PageTabBar(theme)
        self.setTabBar(self.bar)
        self.setDocumentMode(True)
        self.setMinimumWidth(1)
        self.setAccessibleName("Pages")
        self.bar.setAccessibleName("Pages")
        self.more = MoreButton(theme, self)
        self.more.setAccessibleName("More pages")
        self._menu = QMenu(self.more)
        self._menu.setObjectName("workbench_more_menu")
        self.more.clicked.connect(self._open_menu)
        self._menu.aboutToShow.connect(self._fill_menu)
        self.bar.resized.connect(self.fit)
        self.currentChanged.connect(self.fit)
        theme.changed.connect(self.fit)

    def add(self, page: QWidget, spec: TabSpec) -> None:
        """Add a page at the end."""
        self.bar.add_spec(spec)
        self.addTab(page, spec.title)

    def set_states(self, states: Iterable[TabState]) -> None:
        """Show what all tabs show now, in their order."""
        changed = [self.bar.set_state(at, state) for at, state in enumerate(states)]
        if any(changed):
            self.fit()

    def fit(self) -> None:
        """Put the tabs without space into the menu."""
        more = self.more
        size = more.sizeHint()
        self._hidden = self.bar.fit(size.width())
        if self._hidden:
            last = max(at for at in range(self.count()) if at not in self._hidden)
            corner = self.bar.mapTo(self, self.bar.tabRect(last).topRight())
            more.setGeometry(QRect(corner + QPoint(1, 0), size))
            more.has_dot = any(self.bar.state(at).waiting for at in self._hidden)
            more.raise_()
            more.update()
        more.setVisible(bool(self._hidden))

    def _open_menu(self) -> None:
        # Not as the menu of the button, which would run an event loop for it.
        self._menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _fill_menu(self) -> None:
        self._menu.clear()
        for at in self._hidden:
            state = self.bar.state(at)
            action = self._menu.addAction(f"{self.tabText(at)}\t{state.waiting}".rstrip())
            action.setToolTip(state.missing)
            action.triggered.connect(partial(self._go, at))

    def _go(self, at: int, _checked: bool = False) -> None:
        self.setCurrentIndex(at)
        self.bar.setFocus(Qt.FocusReason.OtherFocusReason)


MANY = 9_999
"""Above this, a count is shown in thousands."""


def short_count(count: str) -> str:
    """A count as tabs show it: `1,204`, `10k`; other texts stay as they are."""
    digits = count.replace(",", "")
    return f"{int(digits) // 1000}k" if digits.isdecimal() and int(digits) > MANY else count
