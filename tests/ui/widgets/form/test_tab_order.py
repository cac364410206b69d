"""Tab out of a form, forward and back; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView, QVBoxLayout, QWidget
from shiboken6 import delete, isValid

from ui.widgets.form import Form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme

SCHEMA: Json = {
    "type": "object",
    "properties": {"first": {"type": "string"}, "second": {"type": "string"}},
    "required": ["first", "second"],
}


class Page(QWidget):
    """A form between a line and a table."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        self.before, self.form, self.after = QLineEdit(), Form(theme=theme), QTableView()
        self.viewport = self.after.viewport()
        for part in (self.before, self.form, self.after):
            column.addWidget(part)
        self.form.set_schema(SCHEMA)

    def field(self, name: str) -> QLineEdit:
        """The line of a property."""
        found = self.form.findChild(QLineEdit, f"field:/{name}")
        assert found is not None
        return found


@pytest.fixture
def page(qtbot: QtBot, theme: Theme) -> Iterator[Page]:
    made = Page(theme)
    qtbot.addWidget(made)
    made.show()
    made.activateWindow()
    qtbot.waitUntil(made.isActiveWindow, timeout=20_000)
    yield made
    made.close()


def pressed(key: Qt.Key, until: QWidget) -> list[QWidget]:
    """The widgets that have the focus, one after the other, while a key is pressed until `until` has it."""
    seen: list[QWidget] = []
    for _ in range(20):
        focused = QApplication.focusWidget()
        assert focused is not None
        seen.append(focused)
        if focused is until:
            return seen
        QTest.keyClick(focused, key)
    raise AssertionError([widget.objectName() for widget in seen])


def test_what_tab_led_to_outlives_the_form(page: Page) -> None:
    """Ours: taken from Qt's chain of focus, it belonged to the form for Python, and was gone with it: a crash."""
    page.field("first").setFocus()
    pressed(Qt.Key.Key_Tab, page.after)
    page.field("second").setFocus()
    pressed(Qt.Key.Key_Backtab, page.before)

    delete(page.form)

    assert isValid(page.viewport)
    assert page.viewport.rect().isValid()
