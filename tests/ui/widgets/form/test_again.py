"""A schema that is set again, changed or not, takes nothing from who is filling the form in; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.theme import Theme
    from ui.widgets.form import Form

TEXT: JsonObject = {"type": "string"}


def schema(**more: Json) -> Json:
    """A schema that can be changed a little."""
    properties: JsonObject = {
        "text": TEXT,
        "body": {"type": "object", "properties": {"inner": TEXT}},
        "map": {"type": "object", "additionalProperties": TEXT},
        "pet": {
            "oneOf": [
                {"title": "Cat", "type": "object", "properties": {"meow": TEXT}},
                {"title": "Tree", "type": "string"},
            ]
        },
        "any": {},
    }
    return {"type": "object", "properties": {**properties, **more}}


def put_in_focus(widget: QWidget) -> None:
    widget.setFocus()
    assert QApplication.focusWidget() is widget


def type_on(text: str) -> None:
    """Type wherever the focus is."""
    widget = QApplication.focusWidget()
    assert widget is not None
    QTest.keyClicks(widget, text)


def test_the_same_schema_keeps_the_widget_that_is_typed_into(form: Form, player: Player) -> None:
    """Ours."""
    player.show(schema())
    line = player.find(QLineEdit, "field:/text")
    put_in_focus(line)
    type_on("ab")

    form.set_schema(schema(), form.text(), again=True)
    type_on("cd")

    assert player.find(QLineEdit, "field:/text") is line
    assert form.text() == '{"text":"abcd"}'


def test_typing_goes_on_at_the_caret_though_the_schema_changes(form: Form, player: Player) -> None:
    """Ours: at every letter."""
    player.show(schema())
    put_in_focus(player.find(QLineEdit, "field:/text"))
    type_on("ad")
    QTest.keyClick(player.find(QLineEdit, "field:/text"), Qt.Key.Key_Left)

    for at, letter in enumerate("bc"):
        form.set_schema(
            schema(another={"type": "string", "title": str(at)}), form.text(), again=True
        )
        type_on(letter)

    assert form.text() == '{"text":"abcd"}'


def test_a_field_that_nothing_was_typed_into_keeps_the_focus(form: Form, player: Player) -> None:
    """Ours: the defaults of the new schema come with it."""
    player.show(schema())
    put_in_focus(player.find(QLineEdit, "field:/text"))

    form.set_schema(schema(n={"type": "integer", "default": 7}), again=True)
    type_on("x")

    assert form.text() == '{"text":"x","n":7}'


def test_a_selection_survives_in_either_direction(form: Form, player: Player) -> None:
    """Ours."""
    player.show(schema())
    form.set_text('{"text":"a😀bcd"}')
    line = player.find(QLineEdit, "field:/text")
    put_in_focus(line)
    line.setSelection(5, -4)

    form.set_schema(schema(more=TEXT), form.text(), again=True)

    line = player.find(QLineEdit, "field:/text")
    assert line.selectedText() == "😀bc"
    assert line.cursorPosition() == 1


def test_json_that_is_not_finished_yet_is_typed_on(form: Form, player: Player) -> None:
    """Ours."""
    player.show(schema())
    put_in_focus(player.find(QPlainTextEdit, "json:/any"))
    type_on('{"a":')

    form.set_schema(schema(more=TEXT), form.text(), again=True)
    type_on("1}")

    assert form.text() == '{"any":{"a":1}}'


def test_the_name_of_a_new_key_is_typed_on(form: Form, player: Player) -> None:
    """Ours: it is no part of the value yet."""
    player.show(schema())
    player.press_in_row("/map", "put")
    type_on("ke")

    form.set_schema(schema(more=TEXT), form.text(), again=True)
    type_on("y")
    line = player.find(QLineEdit, "new key:/map")
    QTest.keyClick(line, Qt.Key.Key_Return)

    assert form.text() == '{"map":{"key":""}}'


def test_what_is_collapsed_opened_or_edited_as_json_stays_so(form: Form, player: Player) -> None:
    """Ours."""
    player.show(schema())
    player.act("/body", "fold")
    player.act("/text", "json")
    player.act("/map", "fold")
    player.act("/map", "fold")

    form.set_schema(schema(more=TEXT), form.text(), again=True)

    assert player.row("/body").is_open is True
    assert player.row("/map").is_open is False
    assert player.has("json:/text")


def test_an_alternative_that_holds_nothing_yet_stays_chosen(form: Form, player: Player) -> None:
    """Ours: and the other remembers what it held."""
    player.show(schema())
    player.choose_arm("/pet", "Cat")
    player.enter("/pet/meow", "loud")
    player.choose_arm("/pet", "Tree")

    form.set_schema(schema(more=TEXT), form.text(), again=True)

    assert player.find(QComboBox, "variant:/pet").currentText() == "Tree"
    player.choose_arm("/pet", "Cat")
    assert form.text() == '{"pet":{"meow":"loud"}}'


def test_the_place_that_was_scrolled_to_stays(form: Form, player: Player, qtbot: QtBot) -> None:
    """Ours."""
    many: JsonObject = {f"f{at}": {**TEXT, "description": "words " * 20} for at in range(30)}
    player.show(schema(**many))
    scroll = form.findChild(QScrollArea)
    assert scroll is not None
    bar = scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 800, timeout=20_000)
    bar.setValue(400)

    form.set_schema(schema(**many, more=TEXT), form.text(), again=True)

    qtbot.waitUntil(lambda: bar.value() == 400, timeout=20_000)


def test_a_text_in_the_json_view_is_left_as_it_is_written(form: Form, player: Player) -> None:
    """Ours: caret, blanks and what is no JSON yet."""
    player.show(schema())
    player.write_all('{ "text" :  "x')
    box = player.find(QPlainTextEdit, "json text")
    put_in_focus(box)

    form.set_schema(schema(more=TEXT), form.text(), again=True)
    type_on('y"}')

    assert box.toPlainText() == '{ "text" :  "xy"}'
    form.show_json(False)
    assert form.text() == '{"text":"xy"}'


def test_another_look_of_the_window_takes_nothing_either(
    form: Form, player: Player, theme: Theme, qapp: QApplication
) -> None:
    """Ours: all widgets are made again then."""
    player.show(schema())
    put_in_focus(player.find(QLineEdit, "field:/text"))
    type_on("a")

    theme.apply(qapp, "dark", 1.2)
    type_on("b")

    assert form.text() == '{"text":"ab"}'


def test_whoever_is_elsewhere_stays_there(form: Form, player: Player, qtbot: QtBot) -> None:
    """Ours: a new form, of plain JSON too, does not ask for the focus."""
    button = QPushButton("elsewhere", form)
    button.show()
    player.show(schema())
    put_in_focus(button)

    form.set_schema({"type": "array"})
    player.settle()

    assert QApplication.focusWidget() is button


def test_another_form_begins_without_what_was_done_in_this_one(form: Form, player: Player) -> None:
    """Ours: fields of one name are not the same."""
    player.show(schema())
    player.act("/map", "fold")
    player.enter("/text", "x")

    player.show({"required": ["text"], "properties": {"text": TEXT}})

    assert form.text() == "{}"
    assert player.words("/text", "problem") == ""
