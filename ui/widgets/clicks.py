"""A double click counts once: whoever double-clicks everything must not send a request twice, nor press what came in the button's place.

Clicks are told apart by the times of the mouse events, not by those at which they are handled: in a window that is busy, two clicks on
purpose are handled at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent


class _Click(NamedTuple):
    button: int
    """`id()` of the widget; it may be gone."""
    at_ms: int
    """Time of the event, in milliseconds of the window system."""
    place: QPoint
    """On the screen."""


class ClickGuard:
    """Tells whether a press of the mouse on a button is the second half of a double click."""

    _last: ClassVar[_Click | None] = None
    """The latest click on any guarded button; the next widget in its place is another one."""

    @classmethod
    def note(cls, button: QWidget, event: QMouseEvent) -> None:
        """Remember that `button` was pressed or released."""
        cls._last = _Click(id(button), event.timestamp(), event.globalPosition().toPoint())

    @classmethod
    def is_second(cls, button: QWidget, event: QMouseEvent) -> bool:
        """Return True when `event`, a press, belongs to the click before it, on `button` or on what stood in its place."""
        if event.type() == QEvent.Type.MouseButtonDblClick:
            return True
        last = cls._last
        if last is None:
            return False
        is_soon = 0 <= event.timestamp() - last.at_ms < QApplication.doubleClickInterval()
        away = event.globalPosition().toPoint() - last.place
        is_near = away.manhattanLength() <= QApplication.startDragDistance()
        return is_soon and (is_near or last.button == id(button))
