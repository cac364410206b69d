"""How much of the window its docks get.

Sizes follow from the size of the window, the scale of the text and what the user chose, never from sizes of before: larger text and a
smaller window leave nothing behind. What the user drags is kept as a share, which holds on any screen.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QTabBar

from ui.shell.bottom_dock import TABS_HEIGHT
from ui.theme import tokens
from ui.widgets.effective_size import WindowMode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QDockWidget

    from ui.shell.main_window import MainWindow
    from ui.theme import Theme

AROUND = 88
"""Pixels at 100% of what is above and below docks and pages: menu bar 24, header 40, status bar 24."""
BAR, HEADER = 34, 22
"""Pixels at 100% of the bar of the traffic and of the header of its rows."""
BOTTOM_SHARE = 0.45
"""Of the height between header and status bar that the bottom dock takes at most, unless the user drags it."""
MIN_ROWS = 1
"""Rows of the traffic that it shows at least."""
MIN_PAGE = 180
"""Pixels at 100% that a page needs beside the bottom dock, with its tab: where there is less, an open dock covers it until it is folded."""
FOLD_BELOW = 800
"""Effective height in pixels below which the bottom dock is folded, unless the user opened it."""

SERVERS_WIDTHS = {0: 176, 1440: 208, 1920: 224, 2560: 240}
"""Effective width of the window → width of the list of servers at 100%, in pixels; each from the width on."""
RAIL_WIDTH = 44
"""Pixels of the list of servers where there is no space for names, at 100%."""
REQUESTS_WIDTH, REQUESTS_SHARE = 240, 0.3
"""Pixels at 100% of the dock of requests, and of the window that it takes at most when the text is large."""

BOTTOM, SERVERS, REQUESTS, PROBLEMS = "bottom", "servers", "inbox", "problems"
"""Names of docks, for shares and choices."""
SLACK = 2
"""Pixels by which a size may differ from the requested one."""


def bottom_height(height: int, px: Callable[[float], int]) -> int:
    """Pixels of the bottom dock in a window of `height` pixels: as many whole rows of the traffic as `BOTTOM_SHARE` has room for."""
    fixed = px(TABS_HEIGHT) + px(BAR) + px(HEADER)
    row = px(tokens.ROW_HEIGHT_PX)
    rows = (BOTTOM_SHARE * (height - px(AROUND)) - fixed) // row
    return fixed + row * max(int(rows), MIN_ROWS)


def servers_width(effective_width: float) -> int:
    """Pixels at 100% of the list of servers in a window of `effective_width`."""
    steps = list(SERVERS_WIDTHS)
    return SERVERS_WIDTHS[steps[bisect_right(steps, effective_width) - 1]]


class DockSizes(QObject):
    """Sizes, folding and visibility of the docks of one window.

    Signals:
        maximized_changed: the bottom dock was maximized or restored.
    """

    maximized_changed = Signal()

    def __init__(self, window: MainWindow, theme: Theme) -> None:
        """Follow `window`, which owns it, and `theme`."""
        super().__init__(window)
        self._window = window
        self._theme = theme
        self.shares: dict[str, float] = {}
        """What the user dragged, by dock: of the height between header and status bar, or of the width of the window."""
        self.choices: dict[str, bool] = {}
        """By dock, whether the user had it opened (True) or folded or hidden (False), where Spyglass would not."""
        self.is_maximized = False
        """Whether the bottom dock is as high as possible for now."""
        self._before: dict[str, int] | None = None
        """Sizes when the drag began; None without one."""
        self.is_empty = False
        """Whether there is neither a server nor traffic: then the bottom dock has nothing to show, and is folded."""
        self.is_compact = False
        """Whether the list of servers is a rail."""
        self._was_large = False
        """What `is_bottom_large` was when `maximized_changed` was emitted last."""
        self._fitting = QTimer(self, interval=0, singleShot=True)
        self._fitting.timeout.connect(self.fit)
        self._dragging = QTimer(self, interval=0, singleShot=True)
        self._dragging.timeout.connect(self._on_dragged)
        self._wire()

    def _wire(self) -> None:
        window, bottom = self._window, self._window.bottom
        window.installEventFilter(self)
        window.effective_size.mode_changed.connect(self.fit)
        self._theme.changed.connect(self.fit_later)
        bottom.fold_requested.connect(self._on_fold_requested)
        bottom.maximize_requested.connect(self.toggle_maximized)
        for dock in (bottom, *window.docks.values()):
            dock.visibilityChanged.connect(self.fit_later)
            dock.topLevelChanged.connect(self.fit_later)
            dock.dockLocationChanged.connect(self.fit_later)
        window.docks[SERVERS].installEventFilter(self)

    def _on_fold_requested(self, folded: bool) -> None:
        self.choose(BOTTOM, not folded)

    def restore(self, shares: Mapping[str, float], choices: Mapping[str, bool]) -> None:
        """Take what was saved."""
        self.shares = {key: shares[key] for key in self._sizes() if key in shares}
        self.choices = {key: choices[key] for key in (BOTTOM, SERVERS) if key in choices}
        self.is_maximized = False

    def choose(self, key: str, opened: bool) -> None:
        """Open the dock of this name, or fold or hide it, as the user said.

        What Spyglass would do on its own account is not a choice: it may change with the size of the window.
        """
        if opened == self._opens(key):
            self.choices.pop(key, None)
        else:
            self.choices[key] = opened
        if key == BOTTOM and not opened and self._window.bottom.isFloating():
            self._window.bottom.setFloating(False)
        self.fit()

    def is_open(self, key: str) -> bool:
        """Whether the dock of this name is to be open, or is folded or hidden."""
        return self.choices.get(key, self._opens(key))

    def _opens(self, key: str) -> bool:
        """Whether it is open unless the user says otherwise."""
        size = self._window.effective_size
        if key == BOTTOM:
            return size.height >= FOLD_BELOW and not self.is_empty
        return key != SERVERS or size.mode >= WindowMode.COMPACT

    def set_empty(self, empty: bool) -> None:
        """Say whether there is neither a server nor traffic."""
        if empty != self.is_empty:
            self.is_empty = empty
            self.fit_later()

    def toggle_maximized(self) -> None:
        """Make the bottom dock as high as possible, or as high as it was, which is folded where it covers the page; as a window of its own, as large as the screen."""
        bottom = self._window.bottom
        if bottom.isFloating():
            bottom.setWindowState(bottom.windowState() ^ Qt.WindowState.WindowMaximized)
            self._report_maximized()
            return
        if self.is_open(BOTTOM) and self._has_low_page():
            self.is_maximized = False
            self.choose(BOTTOM, False)
            return
        self.is_maximized = not self.is_maximized or not self.is_open(BOTTOM)
        if not self.is_open(BOTTOM):
            self.choose(BOTTOM, True)
        self.fit()

    @property
    def is_dragging(self) -> bool:
        """Whether an edge between docks is being dragged, or was just now."""
        return self._before is not None

    @property
    def is_bottom_large(self) -> bool:
        """Whether the bottom dock is maximized where it is now, docked or floating."""
        bottom = self._window.bottom
        if bottom.isFloating():
            return bottom.isMaximized()
        return (self.is_maximized or self._has_low_page()) and not bottom.is_folded

    def fit_later(self) -> None:
        """Apply the sizes once the layouts know what is new."""
        self._fitting.start()

    def fit(self) -> None:
        """Apply sizes, folding and visibility."""
        bottom = self._window.bottom
        if bottom.isMaximized() and not bottom.isFloating():
            bottom.setWindowState(Qt.WindowState.WindowNoState)  # Qt docks it as large as it was
        was_folded = bottom.is_folded
        bottom.set_folded(not self.is_open(BOTTOM) and not bottom.isFloating())
        if bottom.is_folded != was_folded:
            self.fit_later()  # the layout of the window does not know the new limits of the dock yet
        is_beside = not bottom.is_folded and not bottom.isFloating()
        self._cover_page(is_beside and self._has_low_page())
        self._fit_servers()
        horizontal, vertical = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
        for key in (SERVERS, REQUESTS):
            self._resize(self._window.docks[key], self._width(key), horizontal)
        if not bottom.is_folded:
            self._resize(bottom, self._height(), vertical)
        self._report_maximized()

    def _report_maximized(self) -> None:
        """Emit `maximized_changed` when it did: Qt restores a dock on its own account when it docks it."""
        if self.is_bottom_large != self._was_large:
            self._was_large = self.is_bottom_large
            self.maximized_changed.emit()

    def _fit_servers(self) -> None:
        """Hide the list of servers, make it a rail, or show it with names."""
        window, dock = self._window, self._window.docks[SERVERS]
        dock.setVisible(self.is_open(SERVERS))
        compact = window.effective_size.mode < WindowMode.FULL and self._is_at_side(dock)
        if compact != self.is_compact:
            self.is_compact = compact
            window.set_servers_compact(compact)

    def _width(self, key: str) -> int:
        width, px = self._window.width(), self._theme.px
        if key == SERVERS and self.is_compact:
            return px(RAIL_WIDTH)
        if key in self.shares:
            return round(self.shares[key] * width)
        if key == SERVERS:
            return px(servers_width(self._window.effective_size.width))
        return min(px(REQUESTS_WIDTH), max(round(width * REQUESTS_SHARE), REQUESTS_WIDTH))

    def _height(self) -> int:
        if self.is_maximized or self._has_low_page():
            return self._shared_height()
        if BOTTOM in self.shares:
            return round(self.shares[BOTTOM] * self._shared_height())
        return bottom_height(self._window.height(), self._theme.px)

    def uncover_page(self) -> None:
        """Fold the bottom dock if it covers the page."""
        page = self._window.centralWidget()
        if page is not None and page.isHidden():
            self.choose(BOTTOM, False)

    def _cover_page(self, covered: bool) -> None:
        """Hide the page, or show it again."""
        page = self._window.centralWidget()
        if page is None or covered == page.isHidden():
            return
        had_focus = page.isAncestorOf(self._window.focusWidget())
        page.setHidden(covered)
        if covered and had_focus:
            self._window.bottom.tabs.setFocus()

    def _has_low_page(self) -> bool:
        """Whether there is too little height for a page and the bottom dock."""
        return self._shared_height() * (1 - BOTTOM_SHARE) < self._theme.px(MIN_PAGE)

    def _shared_height(self) -> int:
        """Pixels between header and status bar."""
        return self._window.height() - self._theme.px(AROUND)

    def _resize(self, dock: QDockWidget, pixels: int, orientation: Qt.Orientation) -> None:
        is_row = orientation is Qt.Orientation.Horizontal
        if dock.isHidden() or dock.isFloating() or self._is_at_side(dock) != is_row:
            return
        if not dock.isVisible() or self._size_of(dock) != pixels:
            self._window.resizeDocks([dock], [pixels], orientation)

    def _is_at_side(self, dock: QDockWidget) -> bool:
        """Whether a dock is docked at the left or the right."""
        sides = Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        return not dock.isFloating() and bool(self._window.dockWidgetArea(dock) & sides)

    def _size_of(self, dock: QDockWidget) -> int:
        """The width of a dock at a side, or the height of another with the tabs under it, as `resizeDocks` counts."""
        if self._is_at_side(dock):
            return dock.width()
        tabs = 0
        if self._window.tabifiedDockWidgets(dock):
            direct = Qt.FindChildOption.FindDirectChildrenOnly
            bars = self._window.findChildren(QTabBar, options=direct)
            tabs = max((bar.height() for bar in bars if bar.isVisible()), default=0)
        return dock.height() + tabs

    def _sizes(self) -> dict[str, int]:
        """The size of each dock, by name."""
        docks = self._window.docks
        return {
            BOTTOM: self._size_of(self._window.bottom),
            **{key: self._size_of(docks[key]) for key in (SERVERS, REQUESTS)},
        }

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Notice where a drag of an edge between docks begins and ends, and that the list of servers was closed; let everything through."""
        if watched is self._window.docks[SERVERS]:
            if event.type() is QEvent.Type.Close:
                self.choose(SERVERS, False)
        elif isinstance(event, QMouseEvent):
            if event.type() is QEvent.Type.MouseButtonPress:
                is_edge = self._window.isSeparator(event.position().toPoint())
                self._before = self._sizes() if is_edge else None
            elif event.type() is QEvent.Type.MouseButtonRelease and self._before is not None:
                self._dragging.start()  # the window gets the event after this
        return super().eventFilter(watched, event)

    def _on_dragged(self) -> None:
        before, self._before = self._before or {}, None
        sizes = self._sizes()
        for key in (key for key in before if abs(sizes[key] - before[key]) > SLACK):
            if key == BOTTOM:
                self.shares[key] = sizes[key] / max(self._shared_height(), 1)
                self.is_maximized = False
                self._report_maximized()
            elif self._is_at_side(self._window.docks[key]) and not (
                key == SERVERS and self.is_compact
            ):
                self.shares[key] = sizes[key] / max(self._window.width(), 1)
