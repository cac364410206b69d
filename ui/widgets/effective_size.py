"""How much a window holds: its size divided by the scale of the text, and the arrangement that this size is enough for.

A window of 1440 pixels with text of 200% holds as much as one of 720 with text of 100%, and is arranged like that one.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme


class WindowMode(IntEnum):
    """Arrangements from the narrowest to the widest; each value is the least effective width that is enough for it."""

    SINGLE_PANE = 0
    """Arguments or result, one at a time."""
    NARROW = 640
    """Two panes; the list above them and the servers in the header."""
    COMPACT = 1000
    """Three panes beside a rail of servers."""
    FULL = 1136
    """Three panes beside the list of servers: 176, 232, 408 and a result of 320, its least width."""


class EffectiveSize(QObject):
    """The effective size of one window.

    Signals:
        mode_changed: the window is to be arranged in another way from now on.
    """

    mode_changed = Signal()

    def __init__(self, window: QWidget, theme: Theme) -> None:
        """Follow `window`, which owns it, and the text scale of `theme`."""
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._mode = self._mode_of_now()
        window.installEventFilter(self)
        theme.changed.connect(self._refresh)

    @property
    def width(self) -> float:
        """Pixels of width at 100%."""
        return self._window.width() / self._theme.scale

    @property
    def height(self) -> float:
        """Pixels of height at 100%."""
        return self._window.height() / self._theme.scale

    @property
    def mode(self) -> WindowMode:
        """How the window is to be arranged."""
        return self._mode

    def _mode_of_now(self) -> WindowMode:
        return max(mode for mode in WindowMode if mode <= self.width)

    def _refresh(self) -> None:
        mode = self._mode_of_now()
        if mode is not self._mode:
            self._mode = mode
            self.mode_changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again when the window has another size; let everything through."""
        if event.type() is QEvent.Type.Resize:
            self._refresh()
        return super().eventFilter(watched, event)


def effective_size_of(part: QWidget, theme: Theme) -> EffectiveSize:
    """The effective size of the window that `part` is in; call it when `part` is shown, before that it may be in no window yet."""
    window = part.window()
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    return window.findChild(EffectiveSize, options=direct) or EffectiveSize(window, theme)
