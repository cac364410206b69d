"""Buttons: named, reachable by keyboard, with an icon that follows the color scheme; and the keys that press the main one.

A double click counts once: a user who double-clicks everything must not send a request twice, nor press the button that appears in the
place of the first. Clicks are compared by the times of the mouse events, not by those at which they are handled: in a busy window, two
deliberate clicks are handled at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, NamedTuple

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QToolButton,
    QWidget,
)

from ui.theme.restyle import set_semibold
from ui.widgets.labels import set_style_property, tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent, QMouseEvent

    from ui.theme import Theme

SUBMIT_KEYS = ("Ctrl+Return", "Ctrl+Enter")
"""The large key, and the one of the number pad."""

SUBMIT_TEXT = SUBMIT_KEYS[1]
"""What both are called in a text."""

READ_ONLY = "recording, read-only"
"""Why a button that sends is off in a recording."""

ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def displayed_keys(keys: str) -> str:
    """Return keys as they are displayed: Enter is also the large key, which Qt calls Return."""
    return keys.replace("Return", "Enter")


def push_button(
    text: str,
    *,
    name: str,
    primary: bool = False,
    repeats: bool = False,
    parent: QWidget | None = None,
) -> PushButton:
    """A button with a label; at most one in a panel is `primary`. A double click counts once unless it `repeats`."""
    button = PushButton(text, repeats=repeats, parent=parent)
    button.setObjectName(name)
    button.setAccessibleName(_without_mnemonic(text))
    set_primary(button, is_primary=primary)
    button.setAutoDefault(False)
    return button


def _without_mnemonic(label: str) -> str:
    """A label without the sign of its mnemonic."""
    return label.replace("&", "")


def set_primary(button: QPushButton, *, is_primary: bool) -> None:
    """Let a button be the primary one of its panel, or no longer."""
    before = bool(button.property("primary"))
    set_style_property(button, "primary", is_primary)
    if before != is_primary:
        set_semibold(button, is_semibold=is_primary)


def link_button(
    text: str, *, name: str, repeats: bool = False, parent: QWidget | None = None
) -> PushButton:
    """A flat button in the accent color, for side actions within text."""
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
    """A flat button with an icon; `text` is its accessible name and tooltip."""
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
        self._sign_theme: Theme | None = None

    def sizeHint(self) -> QSize:
        """The size for the label, and no less width than height: a link of one letter has to be hit, too."""
        hint = super().sizeHint()
        return hint.expandedTo(QSize(hint.height(), 0))

    def setText(self, text: str) -> None:
        """Change the label, and the accessible name if that is the label."""
        is_named_so = self.accessibleName() == _without_mnemonic(self.text())
        super().setText(text)
        if is_named_so:
            self.setAccessibleName(_without_mnemonic(text))

    def set_sign(self, theme: Theme, sign: str) -> None:
        """Show a sign before the label of a main action, in its color; its size follows the text."""
        self.setIcon(theme.icon(sign, "on_accent" if self.property("primary") else "text"))
        if self._sign_theme is None:
            self._sign_theme = theme
            theme.changed.connect(self._fit_sign)
        self._fit_sign()

    def _fit_sign(self) -> None:
        if self._sign_theme is not None:
            self.setIconSize(QSize(self._sign_theme.ICON, self._sign_theme.ICON))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Not for the second half of a double click; what is not pressed is not clicked."""
        if not self._repeats and ClickGuard.is_double_click(self, event):
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
        super().__init__(parent)
        self._theme = theme
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._refresh()
        theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self.setIconSize(QSize(self._theme.ICON, self._theme.ICON))


class _Click(NamedTuple):
    button: int
    """`id()` of the widget; it may be gone."""
    at_ms: int
    """Time of the event, in milliseconds of the window system."""
    position: QPoint
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
    def is_double_click(cls, button: QWidget, event: QMouseEvent) -> bool:
        """Return True when `event`, a press, belongs to the click before it, on `button` or on what stood in its place."""
        if event.type() == QEvent.Type.MouseButtonDblClick:
            return True
        last = cls._last
        if last is None:
            return False
        is_soon = 0 <= event.timestamp() - last.at_ms < QApplication.doubleClickInterval()
        away = event.globalPosition().toPoint() - last.position
        is_near = away.manhattanLength() <= QApplication.startDragDistance()
        return is_soon and (is_near or last.button == id(button))


def submit_shortcut(owner: QWidget, submit: Callable[[], object]) -> QShortcut:
    """Run `submit` when the keys are pressed anywhere in `owner`; they go before what its parts do with Enter."""
    shortcut = QShortcut(owner)
    shortcut.setKeys([QKeySequence(keys) for keys in SUBMIT_KEYS])
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.setAutoRepeat(False)
    shortcut.activated.connect(submit)
    return shortcut


def take_submit_key(event: QKeyEvent, submit: Callable[[], object]) -> bool:
    """Run `submit` if `event` is a press of the keys that no part handled; return whether it is one."""
    is_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    if event.key() not in ENTER_KEYS or not is_control:
        return False
    if not event.isAutoRepeat():
        submit()
    return True
