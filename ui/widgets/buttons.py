"""Buttons as they look everywhere: named, reachable by keyboard, with an icon that follows the scheme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QToolButton

from ui.widgets.clicks import ClickGuard
from ui.widgets.labels import set_style_property
from ui.widgets.tool_tip import tool_tip

if TYPE_CHECKING:
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme


def push_button(
    text: str,
    *,
    name: str,
    primary: bool = False,
    repeats: bool = False,
    parent: QWidget | None = None,
) -> PushButton:
    """A button with words; at most one in a panel is `primary`. A double click counts once unless it `repeats`."""
    button = PushButton(text, repeats=repeats, parent=parent)
    button.setObjectName(name)
    button.setAccessibleName(text.replace("&", ""))
    button.setProperty("primary", primary)
    button.setAutoDefault(False)
    return button


def set_primary(button: QPushButton, *, is_primary: bool) -> None:
    """Let a button be the primary one of its panel, or no longer."""
    set_style_property(button, "primary", is_primary)


def link_button(
    text: str, *, name: str, repeats: bool = False, parent: QWidget | None = None
) -> PushButton:
    """A quiet button in the colour of the accent, for side actions within text."""
    button = push_button(text, name=name, repeats=repeats, parent=parent)
    dress_link(button)
    return button


def dress_link(button: QPushButton) -> None:
    """Let a button look like a link."""
    button.setProperty("flat_look", True)
    button.setCursor(Qt.CursorShape.PointingHandCursor)


def tool_button(
    theme: Theme,
    icon: str,
    text: str,
    *,
    name: str,
    checkable: bool = False,
    parent: QWidget | None = None,
) -> QToolButton:
    """A flat button with an icon; `words` are its accessible name and tool tip."""
    button = IconButton(theme=theme, parent=parent)
    button.setObjectName(name)
    button.setIcon(theme.icon(icon, "muted"))
    button.setAccessibleName(text)
    button.setToolTip(tool_tip(text))
    button.setCheckable(checkable)
    return button


class PushButton(QPushButton):
    """A button that takes a double click for one click, unless clicking it quickly makes sense."""

    def __init__(self, text: str, *, repeats: bool = False, parent: QWidget | None = None) -> None:
        """`repeats`: each click counts, as for a button that adds a line."""
        super().__init__(text, parent)
        self._repeats = repeats

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Not for the second half of a double click; what is not pressed is not clicked."""
        if not self._repeats and ClickGuard.is_second(self, event):
            event.accept()
            return
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """From here on the interval runs."""
        if not self._repeats:
            ClickGuard.note(self, event)
        super().mouseReleaseEvent(event)


class IconButton(QToolButton):
    """A tool button whose icon grows with the text."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """An empty button."""
        super().__init__(parent)
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._refresh()
        theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self.setIconSize(QSize(self._theme.ICON, self._theme.ICON))
