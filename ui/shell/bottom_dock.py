"""The dock at the bottom: tabs at its top, a page below; folded, a strip with the latest message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QDockWidget, QStackedWidget, QWidget

from ui.shell.dock_strip import DockStrip
from ui.theme import tokens
from ui.widgets.buttons import tool_button
from ui.widgets.count_tab_bar import MESSAGE_COUNT, CountTabBar
from ui.widgets.labels import plain_label, tool_tip
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.units import short_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QCloseEvent, QMouseEvent, QPaintEvent, QResizeEvent

    from ui.shell.docks import BottomPageSpec
    from ui.shell.window_parts import WindowParts
    from ui.theme import Theme

TABS_HEIGHT = 27
"""Pixels of the tabs at 100%."""
MIN_SIDE = 1
"""Pixels of width and height of a page: one that needs more makes no window larger."""
MAX_HEIGHT = 16_777_215
"""QWIDGETSIZE_MAX: no limit."""


class BottomDock(QDockWidget):
    """All pages of the bottom in one dock, of which one is in front.

    Folded, its pages are hidden as they are: filter, selection and scroll position stay.

    Signals:
        fold_requested: the user folds the dock (True) or opens it (False).
        maximize_requested: the user wants the dock as high as possible, or as it was before.
        changed: another page is in front, or the dock was folded or opened.
    """

    fold_requested = Signal(bool)
    maximize_requested = Signal()
    changed = Signal()

    def __init__(
        self, specs: Sequence[BottomPageSpec], *, theme: Theme, parent: QWidget | None = None
    ) -> None:
        """A tab for each of `specs`; the pages are empty until `fill`."""
        super().__init__(specs[0].title, parent)
        self.setObjectName("dock_bottom")
        self.setAccessibleName("Bottom dock")
        self.setAllowedAreas(
            Qt.DockWidgetArea.TopDockWidgetArea | Qt.DockWidgetArea.BottomDockWidgetArea
        )
        features = QDockWidget.DockWidgetFeature
        self.setFeatures(features.DockWidgetMovable | features.DockWidgetFloatable)
        self._theme = theme
        self.specs = tuple(specs)
        self._is_folded = False
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.tabs = CountTabBar(theme, height=TABS_HEIGHT, parent=self)
        self.tabs.setObjectName("bottom_tabs")
        self.tabs.setAccessibleName("Bottom dock")
        self._stack = QStackedWidget()
        self._stack.setObjectName("bottom_pages")
        self._empty = [QWidget() for _ in self.specs]
        """What there is before the pages."""
        for spec, empty in zip(self.specs, self._empty, strict=True):
            widest = MESSAGE_COUNT if spec.count is not None else ""
            self.tabs.add_title(spec.title, widest=widest, has_sign=spec.tone is not None)
            self.tabs.addTab(spec.title)
            self._stack.addWidget(empty)
        self._body = QWidget(self)
        self._body.setMinimumSize(MIN_SIDE, MIN_SIDE)
        column_layout(self._body, self._stack, space=0)
        self.setWidget(self._body)
        self.strip = DockStrip(self.specs, theme=theme, parent=self)
        self.strip.hide()
        self._title = _TabRow(self.tabs, theme=theme, parent=self)
        title = QWidget(self)
        title.setObjectName("dock_bottom_title")
        column_layout(title, self._title, self.strip, space=0)
        self.setTitleBarWidget(title)

    def _wire(self) -> None:
        self.tabs.currentChanged.connect(self._on_current_changed)
        self.tabs.tabBarDoubleClicked.connect(self._on_tab_double_clicked)
        self._title.double_clicked.connect(self.maximize_requested)
        self._title.fold.clicked.connect(lambda: self.fold_requested.emit(True))
        self.strip.page_requested.connect(self.show_page)  # the line is about the first page
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self._title.refresh(self.specs[self.tabs.currentIndex()].shortcut)

    def fill(self, parts: WindowParts) -> None:
        """Put the pages into their tabs."""
        for at, spec in enumerate(self.specs):
            self._stack.insertWidget(at, spec.widget(parts))
        for empty in self._empty:
            self._stack.removeWidget(empty)
            empty.deleteLater()
        self._stack.setCurrentIndex(self.tabs.currentIndex())

    def show_counts(self, parts: WindowParts) -> None:
        """Show how much each page has."""
        for at, spec in enumerate(self.specs):
            if spec.count is None:
                continue
            count = spec.count(parts)
            tone = spec.tone(parts) if spec.tone is not None else ""
            self.tabs.set_count_text(at, short_count(count))
            self.tabs.set_count_tone(at, tone)
            self.tabs.setAccessibleTabName(at, f"{spec.title}, {count:,}")
            self.strip.set_count(spec.key, count, tone)

    @property
    def current_key(self) -> str:
        """The key of the page in front."""
        return self.specs[self.tabs.currentIndex()].key

    def set_current(self, key: str) -> None:
        """Bring a page to the front of the others, folded or not; unknown keys change nothing."""
        for at, spec in enumerate(self.specs):
            if spec.key == key:
                self.tabs.setCurrentIndex(at)

    def show_page(self, key: str) -> None:
        """Show a page to the user: in front, and not folded."""
        self.set_current(key)
        if self.is_folded:
            self.fold_requested.emit(False)

    def is_page_visible(self, key: str) -> bool:
        """Whether a page can be seen."""
        return self.isVisible() and not self.is_folded and self.current_key == key

    @property
    def is_folded(self) -> bool:
        """Whether there is only the strip."""
        return self._is_folded

    def set_folded(self, folded: bool) -> None:
        """Show only the strip, or tabs and a page; the focus goes with what it was in."""
        if folded == self._is_folded:
            return
        self._is_folded = folded
        focused = QApplication.focusWidget()
        has_focus = focused is not None and self.isAncestorOf(focused)
        self._title.setVisible(not folded)
        self.strip.setVisible(folded)
        self._stack.setVisible(not folded)
        self._body.setMinimumHeight(0 if folded else MIN_SIDE)
        self._body.setMaximumHeight(0 if folded else MAX_HEIGHT)
        if has_focus:
            (self.strip.button if folded else self.tabs).setFocus()
        self.changed.emit()

    def _on_current_changed(self, at: int) -> None:
        self._stack.setCurrentIndex(at)
        self.setWindowTitle(self.specs[at].title)
        self._refresh()
        self.changed.emit()

    def _on_tab_double_clicked(self, at: int) -> None:
        if at >= 0:
            self.maximize_requested.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closed as a window of its own, it goes back into the main window."""
        event.ignore()
        self.setFloating(False)


class _TabRow(QWidget):
    """The tabs, and at the right what folds the dock; the keys for it give way to the tabs. Dragging it moves the dock."""

    double_clicked = Signal()

    def __init__(self, tabs: CountTabBar, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme, self._tabs = theme, tabs
        self._keys = plain_label(tone="muted", name="bottom_keys", parent=self)
        self.fold = tool_button(theme, "mdi6.chevron-down", "Fold", name="bottom_fold", parent=self)
        self._row = row_layout(self, tabs, space=0)
        self._row.addStretch(1)
        self._row.addWidget(self._keys)
        self._row.addWidget(self.fold)

    def refresh(self, shortcut: str) -> None:
        """Fold with `shortcut`."""
        theme = self._theme
        self.setFixedHeight(theme.px(TABS_HEIGHT))
        self._row.setContentsMargins(theme.px(8), 0, theme.px(8), 0)
        self._row.setSpacing(theme.px(4))
        self._keys.setFont(theme.font(tokens.SMALL))
        self._keys.setText(shortcut)
        self.fold.setToolTip(tool_tip(f"Fold ({shortcut})"))

    def _fit(self) -> None:
        """Show the keys where the tabs leave room for them."""
        parts = (self._tabs, self._keys, self.fold)
        margins = self._row.contentsMargins()
        needed = sum(part.sizeHint().width() + self._row.spacing() for part in parts)
        self._keys.setVisible(needed + margins.left() + margins.right() <= self.width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """There is more room for the keys, or less."""
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        """A tab may have become wider."""
        if event.type() is QEvent.Type.LayoutRequest:
            self._fit()
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the hairline under the tabs on to the right edge."""
        painter = QPainter(self)
        line = QRect(0, self.height() - 1, self.width(), 1)
        painter.fillRect(line, self._theme.color("hairline"))
        painter.end()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """As on a tab; Qt would float the dock."""
        event.accept()
        self.double_clicked.emit()
