"""Ctrl+Enter: does what the main button of a panel does. Held down, it does so once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QWidget

KEYS = ("Ctrl+Return", "Ctrl+Enter")
"""The large key, and the one of the number pad."""

ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def submit_shortcut(owner: QWidget, submit: Callable[[], object]) -> QShortcut:
    """Run `submit` when the keys are pressed anywhere in `owner`; they go before what its parts do with Enter."""
    shortcut = QShortcut(owner)
    shortcut.setKeys([QKeySequence(keys) for keys in KEYS])
    shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    shortcut.setAutoRepeat(False)
    shortcut.activated.connect(submit)
    return shortcut


def take_submit_key(event: QKeyEvent, submit: Callable[[], object]) -> bool:
    """Run `submit` if `event` is a press of the keys that no part wanted; return whether it is one."""
    is_control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
    if event.key() not in ENTER_KEYS or not is_control:
        return False
    if not event.isAutoRepeat():
        submit()
    return True
