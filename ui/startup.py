"""What is on the screen first: the frame of the window, painted before anything heavy is imported. A part of the composition root."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QTimer

from inspector.config.window_settings import WindowSettings, WindowSettingsFile
from inspector.errors import StorageError
from ui.shell.main_window import MainWindow
from ui.theme import Theme

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

PATIENCE_MS = 500
"""How long to wait for the first paint: on a screen that is not shown it may never come."""


@dataclass(frozen=True, slots=True)
class AppPaths:
    """Where things are kept."""

    config: Path
    """Servers and settings."""
    records: Path
    """Transcripts."""


class Startup:
    """Settings, look and frame."""

    def __init__(self, qt: QApplication, folders: AppPaths, *, is_styled: bool = False) -> None:
        """Make them as they were left; nothing is shown yet. `is_styled`: `qt` was started in the style of the theme."""
        self.folders = folders
        self.settings = WindowSettingsFile(folders.config)
        self.saved = load_settings(self.settings)
        self.theme = Theme(qt, is_styled=is_styled)
        self.theme.apply(qt, self.saved.theme, self.saved.text_scale)
        self.window = MainWindow(settings=self.settings, saved=self.saved, theme=self.theme)

    def fit_screen(self) -> None:
        """Let a window that has no place yet be no larger than what the screen has room for."""
        if self.window.layout_state.was_placed:
            return
        from ui.widgets.layout_parts import max_window_size  # at the first start only

        self.window.resize(self.window.size().boundedTo(max_window_size(self.window)))


class InitialPaint(QObject):
    """Runs the loop of `qt` until a window has been painted.

    This loop is over before the one of the program begins; none ever runs inside another.
    """

    def __init__(self, qt: QApplication, window: MainWindow) -> None:
        """Show `window`, and return when it is painted."""
        super().__init__(qt)
        self._end = QTimer(self, interval=PATIENCE_MS, singleShot=True)
        self._end.timeout.connect(qt.exit)  # `quit` would ask the window to close first
        self._end.start()
        window.installEventFilter(self)
        window.show()
        qt.exec()
        window.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let everything through; the timer runs when the whole window is painted."""
        if event.type() == QEvent.Type.Paint:
            self._end.start(0)
        return super().eventFilter(watched, event)


def load_settings(file: WindowSettingsFile) -> WindowSettings:
    """What was remembered; the defaults when the file cannot be read, which is no reason not to start."""
    try:
        return file.load()
    except StorageError:
        return WindowSettings()
