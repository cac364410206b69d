"""What the window remembers between starts: its place, the docks, the columns, colors and text size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDockWidget, QSplitter, QTabBar, QWidget

from ui.shell.docks import DockHeightKeeper

if TYPE_CHECKING:
    from inspector.config.profile import Profile
    from inspector.config.server_list import ServerList
    from inspector.config.window_settings import WindowSettings, WindowSettingsFile
    from ui.shell.main_window import MainWindow
    from ui.theme import Theme

LAYOUT_VERSION = 1
"""Raised when docks are renamed, so that an old arrangement is not misread."""

SIZE = (1360, 860)
"""Of the window at its first start."""

SERVERS_WIDTH = 190
"""At 100%; with larger text, at most `SERVERS_SHARE` of the width."""
SERVERS_SHARE = 0.22
TRAFFIC_SHARE = 0.42
"""Of the height."""
LOW, LOW_SHARE = 480, 0.34
"""A window lower than this at 100% leaves a page too little: there the traffic gets this share."""


class LayoutState(QObject):
    """Reads and writes the arrangement of one window."""

    def __init__(
        self, window: MainWindow, file: WindowSettingsFile, saved: WindowSettings, theme: Theme
    ) -> None:
        """Restore what was `saved` in `file`."""
        super().__init__(window)
        self._window = window
        self._file = file
        self._theme = theme
        self._scale = theme.scale
        self.settings = saved
        self._sizes: dict[float, tuple[int, int]] = {}
        self._bottom = DockHeightKeeper(TRAFFIC_SHARE)
        self._fitting = QTimer(self, interval=0, singleShot=True)
        self._fitting.timeout.connect(self._fit)
        theme.changed.connect(self._on_theme_changed)
        self.restore()

    def restore(self) -> None:
        """Arrange the frame as it was left."""
        saved, window = self.settings, self._window
        if not (saved.geometry and window.restoreGeometry(QByteArray(saved.geometry))):
            window.resize(*SIZE)
        self._restore_docks()

    def restore_parts(self) -> None:
        """Arrange what is inside the frame as it was left, and the docks again: full ones take other sizes than empty ones."""
        saved, window = self.settings, self._window
        self._restore_docks()
        columns = saved.columns.get("traffic")
        if columns:
            window.parts.traffic.restore_state(columns)
        if saved.last_filter:
            window.parts.traffic.set_filter(saved.last_filter)

    def _restore_docks(self) -> None:
        saved, window = self.settings, self._window
        if not (saved.layout and window.restoreState(QByteArray(saved.layout), LAYOUT_VERSION)):
            self.reset()
        self._hide_inbox()

    def _hide_inbox(self) -> None:
        """A list of requests with nothing in it comes back with no arrangement of another day."""
        window = self._window
        if window.is_populated:
            window.parts.inbox.hide_if_empty()
        else:
            window.docks["inbox"].hide()

    def restore_splitters(self, page: QWidget) -> None:
        """Divide a page as it was left."""
        for splitter in _splitters(page):
            state = self.settings.columns.get(splitter.objectName())
            if state:
                splitter.restoreState(QByteArray(state))

    def last_server(self, server_list: ServerList) -> Profile | None:
        """The server that was selected last, if it is still there."""
        return server_list.find(self.settings.last_server) if self.settings.last_server else None

    def reset(self) -> None:
        """The first arrangement."""
        window, front = self._window, dict[Qt.DockWidgetArea, QDockWidget]()
        for spec in window.dock_specs:
            if spec.starts_hidden:
                continue
            dock = window.docks[spec.key]
            dock.setFloating(False)
            window.addDockWidget(spec.area, dock)
            dock.show()
            if spec.area in front:
                window.tabifyDockWidget(front[spec.area], dock)
            front.setdefault(spec.area, dock)
        for dock in front.values():
            dock.raise_()
        self._hide_inbox()
        self._sizes.clear()
        self._fit()
        self._fitting.start()  # and again when the layouts know what is in the docks

    def keep_dock_height(self, before: int, now: int) -> None:
        """Divide the height again: the window was `before` pixels high and is `now`."""
        front = self._front()
        at_the_bottom = self._window.dockWidgetArea(front) == Qt.DockWidgetArea.BottomDockWidgetArea
        if not at_the_bottom or front.isFloating() or not front.isVisible():
            return
        current = self._available_height()[1]
        height = self._bottom.height(current, before, now)
        if height != current:
            self._window.resizeDocks([front], [height], Qt.Orientation.Vertical)

    def set_theme(self, mode: str, scale: float) -> None:
        """Change colors and text size, and remember them."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            self._theme.apply(app, mode, scale)
        self.settings = replace(self.settings, theme=str(mode), text_scale=scale)

    def save(self) -> None:
        """Write how the window is arranged now.

        Raises:
            StorageError: it cannot be written.
        """
        window = self._window
        current = window.parts.servers.current()
        states = {
            part.objectName(): bytes(part.saveState().data())
            for part in _splitters(window.parts.workbench)
        }
        self.settings = replace(
            self.settings,
            geometry=bytes(window.saveGeometry().data()),
            layout=bytes(window.saveState(LAYOUT_VERSION).data()),
            columns={
                **self.settings.columns,
                **states,
                "traffic": window.parts.traffic.save_state(),
            },
            last_filter=window.parts.traffic.filter_text(),
            last_server=current.id if current is not None else "",
        )
        self._file.save(self.settings)

    def _servers_width(self) -> int:
        limit = round(self._window.width() * SERVERS_SHARE)
        return min(self._theme.px(SERVERS_WIDTH), max(limit, SERVERS_WIDTH))

    def _apply_dock_sizes(self, width: int, height: int) -> None:
        window = self._window
        window.resizeDocks([window.docks["servers"]], [width], Qt.Orientation.Horizontal)
        window.resizeDocks([self._front()], [height], Qt.Orientation.Vertical)

    def _on_theme_changed(self) -> None:
        """Larger text wants more room; at a size it had before, the arrangement is the one of then."""
        before, now = self._scale, self._theme.scale
        if before == now:
            return
        self._sizes[before] = self._available_height()
        self._scale = now
        self._fitting.start()

    def _available_height(self) -> tuple[int, int]:
        """Width of the servers, and height of the traffic with the tabs under it, as `resizeDocks` counts."""
        window = self._window
        direct = Qt.FindChildOption.FindDirectChildrenOnly
        bars = [bar for bar in window.findChildren(QTabBar, options=direct) if bar.isVisible()]
        tabs = max((bar.height() for bar in bars), default=0)
        return window.docks["servers"].width(), self._front().height() + tabs

    def _front(self) -> QDockWidget:
        """Of the docks at the bottom the one that is seen; what a tab covers keeps an old size."""
        docks = self._window.docks
        return docks["stderr"] if self._window.is_dock_visible("stderr") else docks["traffic"]

    def _fit(self) -> None:
        """Once the layouts know the new sizes of text."""
        width, height = self._sizes.get(self._scale, (self._servers_width(), 0))
        is_low = self._window.height() < self._theme.px(LOW)
        share = LOW_SHARE if is_low else TRAFFIC_SHARE
        self._apply_dock_sizes(width, height or round(self._window.height() * share))


def _splitters(part: QWidget) -> list[QSplitter]:
    """Those of pages; the traffic saves its own."""
    return [splitter for splitter in part.findChildren(QSplitter) if splitter.objectName()]
