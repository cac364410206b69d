"""How often something happens to a widget."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


class Counted(QObject):
    """Counts the events of one type that a widget gets."""

    def __init__(self, widget: QWidget, kind: QEvent.Type) -> None:
        """Begin now, and go with `widget`."""
        super().__init__(widget)
        self.count = 0
        self._kind = kind
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look on."""
        self.count += event.type() == self._kind
        return super().eventFilter(watched, event)
