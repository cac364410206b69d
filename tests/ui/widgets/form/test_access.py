"""The form without a mouse, without eyes, with large letters, and with a lot in it; ours."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QMenu, QScrollArea, QWidget

from ui.widgets.form.row import Row

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.theme import Theme
    from ui.widgets.form import Form

EVERYTHING: Json = {
    "type": "object",
    "required": ["text", "list", "object"],
    "properties": {
        "text": {"type": "string", "description": "words " * 80},
        "a_rather_long_name_of_a_parameter_that_does_not_fit": {"type": "boolean"},
        "number": {"type": "number", "minimum": 0},
        "choice": {"enum": ["one", "two"]},
        "nullable": {"type": ["string", "null"]},
        "picks": {"type": "array", "items": {"enum": ["a", "b"]}},
        "list": {
            "type": "array",
            "items": {"type": "object", "properties": {"i": {"type": "string"}}},
        },
        "object": {"type": "object", "properties": {"deep": {"type": "object", "required": ["x"]}}},
        "union": {"anyOf": [{"type": "object", "properties": {"u": {}}}, {"type": "array"}]},
        "scalar": {"type": ["integer", "string"]},
        "map": {"type": "object", "additionalProperties": {"type": "string"}},
        "any": True,
        "never": False,
        **{f"more{at}": {"type": "string"} for at in range(6)},
    },
}
VALUE = (
    '{"text":"t","list":[{"i":"x"},{"i":"y"}],"object":{"deep":{"x":1}},"union":{"u":1},'
    '"map":{"k":"v"},"any":[1],"never":1,"undeclared":2}'
)


def test_everything_that_takes_the_focus_has_a_name(form: Form, player: Player) -> None:
    """Ours."""
    player.show(EVERYTHING)
    form.set_text(VALUE)
    player.settle()

    nameless = [
        widget
        for widget in form.findChildren(QWidget)
        if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus
        and widget.focusProxy() is None
        and not _is_part(widget)
        and not _spoken(widget)
    ]

    assert [(type(widget).__name__, widget.objectName()) for widget in nameless] == []


def _is_part(widget: QWidget) -> bool:
    """Scroll areas and the insides of drop-downs and text boxes are Qt's own matter."""
    inside = widget.parentWidget()
    while inside is not None and not isinstance(inside, QComboBox):
        inside = inside.parentWidget()
    return inside is not None or isinstance(widget, QScrollArea | QMenu)


def _spoken(widget: QWidget) -> str:
    spoken = QAccessible.queryAccessibleInterface(widget)
    return spoken.text(QAccessible.Text.Name)


def test_a_name_says_the_way_from_the_root_and_what_is_required(form: Form, player: Player) -> None:
    """Ours."""
    player.show(EVERYTHING)
    form.set_text(VALUE)

    line = player.find(QLineEdit, "field:/list/1/i")

    assert _spoken(line) == "list, [1], i"
    assert player.row("/text").findChildren(QWidget)[0].accessibleName() == "text (required)"


def test_the_form_is_whole_where_an_accessibility_client_is_active(
    form: Form, player: Player
) -> None:
    """Ours: PySide then refers weakly to the owner of every connected method, and failed where that was impossible."""
    was_active = QAccessible.isActive()
    QAccessible.setActive(True)
    try:
        player.show(EVERYTHING)
        form.set_text(VALUE)
        player.settle()
    finally:
        QAccessible.setActive(was_active)

    for name in ("field:/text", "field:/list/1/i", "new key:/map", "variant:/union"):
        assert player.has(name)


def test_tab_leaves_every_field(form: Form, player: Player) -> None:
    """Ours: no box keeps the key for itself."""
    player.show(EVERYTHING)
    form.set_text(VALUE)
    player.settle()
    form.activateWindow()
    form.setFocus()
    seen: list[QWidget] = []

    for _ in range(200):
        focused = QApplication.focusWidget()
        if focused is None or focused in seen:
            break
        seen.append(focused)
        QTest.keyClick(focused, Qt.Key.Key_Tab)

    names = [widget.objectName() for widget in seen]
    for name in ("field:/text", "field:/number", "json:/any", "field:/list/1/i", "new key:/map"):
        assert name in names


def test_the_menu_of_the_focused_field_opens_by_keyboard(form: Form, player: Player) -> None:
    """Ours."""
    player.show(EVERYTHING)
    form.activateWindow()
    line = player.find(QLineEdit, "field:/number")
    line.setFocus()

    QTest.keyClick(line, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)

    menus = player.row("/number").findChildren(QMenu, "row menu")
    assert len(menus) == 1
    menus[0].close()


@pytest.mark.parametrize("look", [("light", 1.0), ("dark", 2.0)])
def test_nothing_is_wider_than_the_column(
    look: tuple[str, float],
    form: Form,
    player: Player,
    theme: Theme,
    qapp: QApplication,
    qtbot: QtBot,
) -> None:
    """Ours."""
    theme.apply(qapp, *look)
    player.show(EVERYTHING)
    form.set_text(VALUE)
    form.show_problems()
    player.settle()

    area = form.findChild(QScrollArea)
    assert area is not None
    fields = player.find(QWidget, "fields")
    qtbot.waitUntil(
        lambda: fields.minimumSizeHint().width() <= area.viewport().width(), timeout=20_000
    )


def test_names_stand_above_fields_where_there_is_little_room(
    form: Form, player: Player, qtbot: QtBot
) -> None:
    """Ours."""
    player.show(EVERYTHING)
    row, line = player.row("/number"), player.find(QLineEdit, "field:/number")
    qtbot.waitUntil(lambda: line.mapTo(row, line.rect().topLeft()).x() > 20, timeout=20_000)

    form.resize(200, 700)

    qtbot.waitUntil(lambda: line.mapTo(row, line.rect().topLeft()).x() == 0, timeout=20_000)


def test_a_thousand_fields_are_made_a_few_at_a_time(form: Form) -> None:
    """Ours: the window gets its turn in between."""
    properties: JsonObject = {
        f"p{at}": {"type": "string", "description": "words"} for at in range(1000)
    }
    started = time.process_time()

    form.set_schema({"type": "object", "properties": properties})

    assert time.process_time() - started < 0.5
    assert len(form.findChildren(Row)) <= 40


def test_ten_thousand_choices_open_at_once(form: Form, player: Player) -> None:
    """Ours."""
    started = time.process_time()
    player.show({"properties": {"e": {"enum": [f"v{at}" for at in range(10_000)]}}})

    player.choose("/e", "v9999")

    assert time.process_time() - started < 2
    assert form.text() == '{"e":"v9999"}'
