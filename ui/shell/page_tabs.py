"""The tabs of the pages: title and count, in groups. Tabs that do not fit are in the menu *More* after the last one; the current tab never is.

Nothing moves when another tab becomes the current one or a count changes: each tab is as wide as its title in semibold and its widest count so far.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtWidgets import QMenu, QTabWidget, QWidget

from ui.shell.more_button import DOT_RISE, HEIGHT, MoreButton, draw_dot
from ui.widgets.count_tab_bar import GAP, PADDING, CountTabBar
from ui.widgets.units import short_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent

    from ui.theme import Theme

EDGE = 6
"""Pixels at 100% left of all tabs."""

BETWEEN = 16
"""Pixels at 100% between two groups, with a hairline in their middle."""


class TabSpec(NamedTuple):
    """What never changes of a tab."""

    title: str
    group: str
    """Tabs of one group are together, with a line between two groups."""
    widest: str
    """The widest count for which there is space from the start; empty for none."""
    is_closable: bool = False
    """Whether the tab is there only after it was opened, and closes."""
    has_sign: bool = False
    """Whether its count may have a color, and a sign before it then."""


@dataclass(frozen=True, slots=True)
class TabState:
    """What changes of a tab."""

    count: str = ""
    missing: str = ""
    """Why the page cannot be used now; the tab is pale then, and opens nevertheless."""
    pending: str = ""
    """What needs the user on the page, as a text; empty for nothing."""
    tone: str = ""
    """The name of the color of the count; empty for that of the tab."""


class PageTabBar(CountTabBar):
    """Tabs in groups, and which of them fit.

    Signals:
        resized: there is space for more or fewer tabs.
        close_requested: close the tab at this position.
    """

    resized = Signal()
    close_requested = Signal(int)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without tabs."""
        super().__init__(theme, height=HEIGHT, parent=parent)
        self._specs: list[TabSpec] = []
        self._states: list[TabState] = []
        self._opened: set[int] = set()
        self._pressed_cross = -1
        """The tab on whose cross the mouse is down; -1 for none."""

    def add_spec(self, spec: TabSpec) -> None:
        """Know what the tab that is added next is."""
        self.add_title(spec.title, widest=spec.widest, has_sign=spec.has_sign)
        self._specs.append(spec)
        self._states.append(TabState())

    def is_open(self, at: int) -> bool:
        """Whether a tab is there."""
        return not self._specs[at].is_closable or at in self._opened

    def set_open(self, at: int, *, is_open: bool) -> None:
        """Open or close a tab; call `fit` next."""
        if is_open:
            self._opened.add(at)
        else:
            self._opened.discard(at)

    def tab_width(self, at: int) -> int:
        """The width of a tab without its lead, with the cross of one that closes."""
        cross = self._theme.px(GAP) + self._theme.ICON if self._specs[at].is_closable else 0
        return super().tab_width(at) + cross

    def cross_rect(self, at: int) -> QRect:
        """Where the cross of a tab is; empty for one that does not close."""
        if not self._specs[at].is_closable:
            return QRect()
        tab, edge = self.tabRect(at), self._theme.ICON
        left = tab.right() + 1 - self._theme.px(PADDING) - edge
        return QRect(left, tab.top() + (tab.height() - edge) // 2, edge, edge)

    def state(self, at: int) -> TabState:
        """What a tab shows."""
        return self._states[at]

    def set_state(self, at: int, state: TabState) -> bool:
        """Show another count, or why the page cannot be used; return whether that is something new."""
        if state == self._states[at]:
            return False
        self._states[at] = state
        self.set_count_text(at, state.count)
        self.set_count_tone(at, state.tone)
        self.setTabText(at, f"{self._specs[at].title} {state.count}".strip())
        self.setTabToolTip(at, state.pending or state.missing)
        parts = (self.tabText(at), state.pending, state.missing)
        self.setAccessibleTabName(at, ", ".join(filter(None, parts)))
        self.update()
        return True

    def fit(self, more_width: int) -> list[int]:
        """Show the tabs that fit, with `more_width` pixels kept free if not all do; return those that are hidden."""
        every = [at for at in range(self.count()) if self.is_open(at)]
        visible = list(every)
        if self._total(visible) > self.width():
            visible = self._choose(self.width() - more_width)
        for at in range(self.count()):
            if self.isTabVisible(at) != (at in visible):
                self.setTabVisible(at, at in visible)
        return [at for at in every if at not in visible]

    def end(self) -> int:
        """Where the last visible tab ends, also before Qt has laid the tabs out."""
        return self._total([at for at in range(self.count()) if self.isTabVisible(at)])

    def _choose(self, width: int) -> list[int]:
        """The current tab, and the ones from the left for which there is space beside it."""
        chosen = [self.currentIndex()]
        for at in range(self.count()):
            if at in chosen or not self.is_open(at):
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
        return self._theme.px(EDGE) + between + sum(self.tab_width(at) for at in tabs)

    def _is_start(self, at: int, before: int) -> bool:
        return self._specs[at].group != self._specs[before].group

    def lead(self, at: int) -> int:
        """Pixels left of a tab: the edge of the bar, or the space between two groups."""
        before = next((tab for tab in range(at - 1, -1, -1) if self.isTabVisible(tab)), None)
        if before is None:
            return self._theme.px(EDGE)
        return self._theme.px(BETWEEN) if self._is_start(at, before) else 0

    def tone(self, at: int) -> str:
        """Quiet where the server does not declare what the page shows, though it can be opened."""
        return "quiet" if self._states[at].missing else "muted"

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other tabs may fit now."""
        super().resizeEvent(event)
        self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go through all tabs, also those in the menu; Delete closes one that closes."""
        current = self.currentIndex()
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Delete and self._specs[current].is_closable:
            self.close_requested.emit(current)
        elif step is None:
            super().keyPressEvent(event)
        else:
            following = range(current + step, self.count() if step > 0 else -1, step)
            self.setCurrentIndex(next((at for at in following if self.is_open(at)), current))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Keep which cross is pressed."""
        self._pressed_cross = self._cross_at(event)
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Close the tab whose cross is clicked: pressed and released on it."""
        pressed, self._pressed_cross = self._pressed_cross, -1
        if pressed >= 0 and self._cross_at(event) == pressed:
            self.close_requested.emit(pressed)
        else:
            super().mouseReleaseEvent(event)

    def _cross_at(self, event: QMouseEvent) -> int:
        """Return the tab whose cross the left button is on; -1 for none."""
        position = event.position().toPoint()
        at = self.tabAt(position)
        is_left = event.button() is Qt.MouseButton.LeftButton
        return at if at >= 0 and is_left and self.cross_rect(at).contains(position) else -1

    def draw_tab(self, painter: QPainter, at: int, rect: QRect) -> int:
        """Draw a tab, what divides its group from the one before, and the dot of what needs the user."""
        theme, lead, middle = self._theme, self.lead(at), rect.center().y()
        start = rect.left() - lead
        if lead and start > 0:
            half = theme.ICON // 2
            line = QRect(start + lead // 2, middle - half, 1, 2 * half)
            painter.fillRect(line, theme.color("hairline"))
        right = super().draw_tab(painter, at, rect)
        if self._states[at].pending:
            draw_dot(painter, theme, QPoint(right + theme.px(2), middle - theme.px(DOT_RISE)))
        if self._specs[at].is_closable:
            theme.icon("mdi6.close", "muted").paint(painter, self.cross_rect(at))
        return right


class PageTabs(QTabWidget):
    """Pages with their tabs; `add` them, then `set_states` what their tabs show."""

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
        """Add a page at the end; the tab of one that closes is not there yet."""
        self.bar.add_spec(spec)
        self.addTab(page, spec.title)
        if spec.is_closable:
            self.setTabVisible(self.count() - 1, False)

    def set_open(self, at: int, *, is_open: bool) -> None:
        """Open or close a tab that closes; another one is the current one after that."""
        if is_open:
            self.bar.set_open(at, is_open=True)
        elif self.bar.is_open(at):
            if self.currentIndex() == at:
                open_before = (tab for tab in range(at - 1, -1, -1) if self.bar.is_open(tab))
                self.setCurrentIndex(next(open_before, 0))
            self.bar.set_open(at, is_open=False)
        self.fit()

    def set_state(self, at: int, state: TabState) -> None:
        """Show what one tab shows now."""
        if self.bar.set_state(at, state):
            self.fit()

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
            # Where the last tab will end: Qt lays tabs out later.
            more.setGeometry(QRect(self.bar.mapTo(self, QPoint(self.bar.end(), 0)), size))
            states = [self.bar.state(at) for at in self._hidden]
            toned = next((state for state in states if state.tone), TabState())
            pending = [state.pending for state in states if state.pending]
            more.show_hidden(pending=pending, count=toned.count, tone=toned.tone)
            more.raise_()
        more.setVisible(bool(self._hidden))

    def _open_menu(self) -> None:
        # Not as the menu of the button, which would run an event loop for it.
        self._menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def _fill_menu(self) -> None:
        self._menu.clear()
        self._menu.setToolTipsVisible(True)
        for at in self._hidden:
            state = self.bar.state(at)
            action = self._menu.addAction(f"{self.tabText(at)}\t{state.pending}".rstrip())
            action.setToolTip(state.missing)
            action.triggered.connect(partial(self._go, at))

    def _go(self, at: int, _checked: bool = False) -> None:
        self.setCurrentIndex(at)
        self.bar.setFocus(Qt.FocusReason.OtherFocusReason)


def short_badge(count: str) -> str:
    """A count as tabs show it: `1,204`, `10k`; other texts stay as they are."""
    digits = count.replace(",", "")
    return short_count(int(digits)) if digits.isdecimal() else count
