"""Fonts of the theme that widgets keep when the text size changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from ui.theme.restyle import set_own_font

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme.theme import Theme


def set_theme_font(widget: QWidget, theme: Theme, size: float = 1.0, *, bold: bool = False) -> None:
    """Give `widget` the font of `theme`, `size` times the size of ordinary text, now and whenever the text size changes.

    For a widget that gets its font once. One whose font depends on its state sets it whenever either changes.
    """
    _ThemeFont(widget, theme, size, bold=bold)


class _ThemeFont(QObject):
    """Sets the font of its parent, and lives as long."""

    def __init__(self, widget: QWidget, theme: Theme, size: float, *, bold: bool) -> None:
        super().__init__(widget)
        self._widget = widget
        self._theme = theme
        self._size = size
        self._bold = bold
        theme.changed.connect(self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        set_own_font(self._widget, self._theme.font(self._size, bold=self._bold))
