"""What tests do with the panel, and what they look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QWidget

    from ui.traffic.panel import TrafficPanel


def numbers(panel: TrafficPanel) -> list[int]:
    return [panel.model.visible_frames.number_at(row) for row in range(panel.model.rowCount())]


def frames(panel: TrafficPanel) -> list[int]:
    """Also those that folded into a row."""
    return list(panel.model.visible_frames.all_numbers())


def press(widget: QWidget, key: Qt.Key, modifier: Qt.KeyboardModifier | None = None) -> None:
    QTest.keyClick(widget, key, modifier or Qt.KeyboardModifier.NoModifier)


def button(panel: TrafficPanel, name: str) -> QToolButton:
    found = panel.findChild(QToolButton, f"traffic_{name}")
    assert isinstance(found, QToolButton)
    return found


def at_bottom(panel: TrafficPanel) -> bool:
    bar = panel.table.verticalScrollBar()
    return bar.value() == bar.maximum()


def chosen_texts(menu: QMenu) -> list[str]:
    return [action.text() for action in entries(menu) if not action.isSeparator()]


def entries(menu: QMenu) -> list[QAction]:
    """The entries of a menu, those of the menus inside of it in their place."""
    found: list[QAction] = []
    for action in menu.actions():
        inner = action.menu()
        found += entries(inner) if isinstance(inner, QMenu) else [action]
    return found


def choose(menu: QMenu, text: str) -> None:
    next(action for action in entries(menu) if action.text().startswith(text)).trigger()
