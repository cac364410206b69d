"""What the window remembers between starts: its place, the docks, the columns, colors and text size."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QDockWidget, QSplitter, QWidget

from ui.shell.dock_sizes import DockSizes
from ui.theme.palettes import PALETTES, SYSTEM

if TYPE_CHECKING:
    from inspector.config.profile import Profile
    from inspector.config.server_list import ServerList
    from inspector.config.window_settings import WindowSettings, WindowSettingsFile
    from ui.shell.main_window import MainWindow
    from ui.theme import Theme

LAYOUT_VERSION = 2
"""Raised when docks are renamed, so that an old arrangement is not misread."""

SIZE = (1360, 860)
"""Of the window at its first start, where the screen has room for it."""


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
        self.settings = saved
        self.sizes = DockSizes(window, theme)
        self.was_placed = False
        """Whether the window has the place that it was left at."""
        self._scale = theme.scale
        self._splitters: dict[tuple[str, float], list[int]] = {}
        """Sizes of the parts of a splitter, by its name and the text scale."""
        self._dividing = QTimer(self, interval=0, singleShot=True)
        self._dividing.timeout.connect(self._divide_again)
        theme.changed.connect(self._on_theme_changed)
        self.restore()

    def restore(self) -> None:
        """Arrange the frame as it was left."""
        saved, window = self.settings, self._window
        self.was_placed = bool(saved.geometry) and window.restoreGeometry(
            QByteArray(saved.geometry)
        )
        if not self.was_placed:
            window.resize(*SIZE)
        self.sizes.restore(saved.dock_shares, saved.open_docks)
        self.sizes.is_empty = not saved.last_server  # what is known before the servers are read
        window.bottom.set_current(saved.bottom_page)
        self._restore_docks()

    def restore_parts(self) -> None:
        """Arrange what is inside the frame as it was left, and the docks again: full ones take other sizes than empty ones."""
        saved, window = self.settings, self._window
        self._restore_docks()
        columns = saved.columns.get("traffic")
        if columns:
            window.parts.traffic.restore_state(columns)
        window.parts.traffic.saved_filters.restore(saved.saved_filters)
        window.parts.traffic.bar.hints.history = list(saved.filter_history)
        if saved.last_filter:
            window.parts.traffic.set_filter(saved.last_filter)

    def _restore_docks(self) -> None:
        saved, window = self.settings, self._window
        if not (saved.layout and window.restoreState(QByteArray(saved.layout), LAYOUT_VERSION)):
            self._arrange_docks()
        window.bottom.show()
        self._hide_inbox()
        self._fit()

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

    def _on_theme_changed(self) -> None:
        """Remember how pages are divided at one text scale: at another one some parts need more, and do not give it back."""
        before, self._scale = self._scale, self._theme.scale
        if before == self._scale or not self._window.is_populated:
            return
        for splitter in self._fixed_splitters():
            self._splitters[splitter.objectName(), before] = splitter.sizes()
        self._dividing.start()  # once the layouts know what the new text needs

    def _divide_again(self) -> None:
        for splitter in self._fixed_splitters():
            sizes = self._splitters.get((splitter.objectName(), self._scale), [])
            if sizes != splitter.sizes() and sum(sizes) == sum(splitter.sizes()):
                splitter.setSizes(sizes)

    def _fixed_splitters(self) -> list[QSplitter]:
        """The splitters of pages that do not divide themselves again."""
        from ui.list_layout import ColumnSplitter

        splitters = _splitters(self._window.parts.workbench)
        return [each for each in splitters if not isinstance(each, ColumnSplitter)]

    def last_server(self, server_list: ServerList) -> Profile | None:
        """The server that was selected last, if it is still there."""
        return server_list.find(self.settings.last_server) if self.settings.last_server else None

    def reset(self) -> None:
        """The first arrangement."""
        self.sizes.restore({}, {})
        self._arrange_docks()
        self._hide_inbox()
        self._fit()

    def _arrange_docks(self) -> None:
        """Put each dock where it is at first."""
        window, front = self._window, dict[Qt.DockWidgetArea, QDockWidget]()
        window.bottom.setFloating(False)
        window.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, window.bottom)
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

    def _fit(self) -> None:
        self.sizes.fit()
        self.sizes.fit_later()  # and again when the layouts know what is in the docks

    def set_theme(self, mode: str, scale: float) -> None:
        """Change colors and text size, and remember them."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            self._theme.apply(app, mode, scale)
        self.settings = replace(self.settings, theme=str(mode), text_scale=scale)

    def set_scale(self, scale: float) -> None:
        """Change the text size and remember it; a theme of a newer version, which is not known here, stays the one to start with."""
        remembered = self.settings.theme
        self.set_theme(self._theme.mode, scale)
        if remembered not in {SYSTEM, *PALETTES}:
            self.settings = replace(self.settings, theme=remembered)

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
            dock_shares=dict(self.sizes.shares),
            open_docks=dict(self.sizes.choices),
            bottom_page=window.bottom.current_key,
            last_filter=window.parts.traffic.filter_text(),
            filter_history=tuple(window.parts.traffic.bar.hints.history),
            saved_filters=window.parts.traffic.saved_filters.filters,
            last_server=current.id if current is not None else "",
        )
        self._file.save(self.settings)


def _splitters(part: QWidget) -> list[QSplitter]:
    """Those of pages; the traffic saves its own."""
    return [splitter for splitter in part.findChildren(QSplitter) if splitter.objectName()]
