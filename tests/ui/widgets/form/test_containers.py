"""Objects, lists and unions; ours where nothing else is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit

from ui.widgets.form.row import Row
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form

NUMBERS: Json = {"properties": {"n": {"type": "array", "items": {"type": "integer"}}}}
INNER: Json = {
    "properties": {"a": {"type": "string"}, "b": {"type": "integer", "default": 7}},
    "required": ["a"],
}
NESTED: Json = {"properties": {"o": INNER, "z": {"type": "string"}}}


def state(player: Player, pointer: str) -> str:
    label = player.row(pointer).findChild(ElidedLabel, "state")
    assert label is not None
    return label.whole_text()


def test_an_optional_object_is_absent_until_something_is_typed_into_it(
    form: Form, player: Player
) -> None:
    """args-01-omit-unset-optionals."""
    player.show(NESTED)
    assert form.text() == "{}"
    assert state(player, "/o") == "object · unset"

    player.enter("/o/a", "x")

    assert form.text() == '{"o":{"a":"x","b":7}}'


def test_an_object_can_be_put_in_and_taken_out_by_its_heading(form: Form, player: Player) -> None:
    """Ours."""
    player.show(NESTED)

    put = next(iter(player.row("/o").findChildren(QAbstractButton, "put")))
    assert put.toolTip() == "Add"
    player.press_in_row("/o", "put")
    assert form.text() == '{"o":{"b":7}}'
    player.press_in_row("/o", "clear")

    assert form.text() == "{}"


def test_keys_are_sent_in_the_order_of_the_schema_however_they_were_typed(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show({"properties": {name: {"type": "string"} for name in "abc"}})

    for name in "cab":
        player.enter(f"/{name}", name)

    assert form.text() == '{"a":"a","b":"b","c":"c"}'


def test_keys_stay_in_the_order_they_were_pasted(form: Form, player: Player) -> None:
    """Ours."""
    player.show({"properties": {name: {"type": "string"} for name in "abc"}})
    form.set_text('{"c":"1","x":null,"a":"2"}')

    player.enter("/b", "3")

    assert form.text() == '{"c":"1","x":null,"a":"2","b":"3"}'


def test_a_closed_block_counts_the_problems_inside(
    form: Form, player: Player, qtbot: QtBot
) -> None:
    """Ours."""
    player.show(NESTED)
    form.set_text('{"o":{"a":1,"b":"x"}}')
    player.validate()
    player.press_in_row("/o", "open")

    qtbot.waitUntil(
        lambda: (
            [
                label.text()
                for label in player.row("/o").findChildren(QLabel, "problem")
                if label.isVisible()
            ]
            == ["2 problems inside"]
        ),
        timeout=20_000,
    )


def test_a_key_is_added_to_a_map_and_taken_away_again(form: Form, player: Player) -> None:
    """schema-26-map-additionalproperties-empty."""
    player.show({"properties": {"m": {"additionalProperties": {"type": "integer"}}}})
    line = player.find(QLineEdit, "new key:/m")

    QTest.keyClicks(line, "a/b")
    QTest.keyClick(line, Qt.Key.Key_Return)
    player.enter("/m/a~1b", "5")
    assert form.text() == '{"m":{"a/b":5}}'
    player.press_in_row("/m/a~1b", "remove")

    assert form.text() == '{"m":{}}'


def test_adding_a_key_that_is_there_only_goes_to_it(form: Form, player: Player) -> None:
    """Ours: nothing is overwritten."""
    player.show({"properties": {"m": {"additionalProperties": True}}})
    form.set_text('{"m":{"k":1.50}}')
    line = player.find(QLineEdit, "new key:/m")

    QTest.keyClicks(line, "k")
    QTest.keyClick(line, Qt.Key.Key_Return)

    assert form.text() == '{"m":{"k":1.50}}'


def test_items_are_added_typed_moved_and_removed(form: Form, player: Player) -> None:
    """Ours."""
    player.show(NUMBERS)
    player.add("/n", 3)
    for at, text in enumerate(("1.0", "2", "3e0")):
        player.enter(f"/n/{at}", text)
    assert form.text() == '{"n":[1.0,2,3e0]}'

    player.act("/n/2", "up")
    assert form.text() == '{"n":[1.0,3e0,2]}'
    player.act("/n/0", "remove")

    assert form.text() == '{"n":[3e0,2]}'
    assert player.find(QLineEdit, "field:/n/0").text() == "3e0"


def test_alt_and_an_arrow_move_the_item_that_has_the_focus(form: Form, player: Player) -> None:
    """Ours."""
    player.show(NUMBERS)
    form.set_text('{"n":[1,2,3]}')
    line = player.find(QLineEdit, "field:/n/2")
    form.activateWindow()
    line.setFocus()

    QTest.keyClick(line, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(line, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    QTest.keyClick(line, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)

    assert form.text() == '{"n":[3,1,2]}'


def test_a_new_item_shows_what_would_be_sent(form: Form, player: Player) -> None:
    """Ours: in a list nothing can be absent."""
    player.show(NUMBERS)

    player.add("/n")

    assert form.text() == '{"n":[null]}'
    assert player.find(QLineEdit, "field:/n/0").placeholderText() == "null"
    player.validate()
    assert player.words("/n/0", "problem") == "must be an integer"


def test_an_empty_list_and_no_list_are_two_things(form: Form, player: Player) -> None:
    """args-13-union-array-or-null-required."""
    player.show(NUMBERS)
    assert state(player, "/n") == "array of integer · unset"

    player.act("/n", "empty")

    assert form.text() == '{"n":[]}'
    assert state(player, "/n") == "array of integer · empty"


def test_a_long_list_is_shown_a_page_at_a_time_and_edited_anywhere(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(NUMBERS)
    form.set_text('{"n":[' + ",".join(map(str, range(1000))) + "]}")
    player.settle()
    assert len(form.findChildren(Row)) < 100

    form.reveal("/n/150")
    player.enter("/n/150", "0")

    assert ",149,0,151," in form.text()


def test_places_of_a_tuple_that_are_skipped_are_null(form: Form, player: Player) -> None:
    """schema-23-draft07-tuple."""
    places: Json = {"type": "array", "prefixItems": [{"type": "number"}, {"type": "string"}]}
    player.show({"properties": {"t": places}})

    player.enter("/t/1", "x")

    assert form.text() == '{"t":[null,"x"]}'


def test_a_union_of_scalars_is_typed_into_at_once(form: Form, player: Player) -> None:
    """schema-41-type-array-nullable."""
    player.show({"properties": {"b": {"type": ["integer", "string"]}}})
    player.enter("/b", "12")
    assert form.text() == '{"b":12}'

    player.choose_arm("/b", "string")
    player.enter("/b", "12")

    assert form.text() == '{"b":"12"}'


def test_a_union_follows_the_value_that_is_pasted(form: Form, player: Player) -> None:
    """args-19-array-or-string-union."""
    arms: list[Json] = [
        {"type": "array", "items": {"type": "string"}},
        {"type": "string"},
        {"type": "null"},
    ]
    player.show({"properties": {"p": {"anyOf": arms}}})
    shown: list[str] = []

    for value in ('["a"]', '"a"', "null"):
        form.set_text(f'{{"p":{value}}}')
        player.settle()
        shown.append(player.find(QComboBox, "variant:/p").currentText())
    form.set_text('{"p":7}')

    assert shown == ["array", "string", "null"]
    assert player.has("json:/p")


def test_fields_that_two_forms_share_are_carried_over(form: Form, player: Player) -> None:
    """schema-01-root-anyof: and only these."""
    player.show(
        {
            "type": "object",
            "properties": {"name": {"type": "string"}},
            "anyOf": [
                {"title": "A", "properties": {"a": {"type": "string"}}},
                {"title": "B", "properties": {"b": {"type": "string"}}},
            ],
        }
    )
    player.enter("/name", "n")
    player.enter("/a", "x")

    player.choose_arm("", "B")

    assert form.text() == '{"name":"n"}'


@pytest.mark.parametrize("levels", [3, 200])
def test_a_deep_schema_ends_in_json_where_it_would_get_too_narrow(
    levels: int, form: Form, player: Player
) -> None:
    """Ours."""
    schema: Json = {"type": "string"}
    text = '"x"'
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}, "required": ["a"]}
        text = f'{{"a":{text}}}'
    player.show(schema)

    form.set_text(text)
    form.reveal("/a" * levels)
    player.settle()

    assert form.text() == text
    assert len(form.findChildren(Row)) <= 12
    assert player.has("field:/a/a/a" if levels == 3 else f"json:{'/a' * 11}")


def test_the_heading_opens_and_closes_by_keyboard(form: Form, player: Player) -> None:
    """Ours."""
    player.show(NESTED)
    chevron = player.row("/o").findChild(QAbstractButton, "open")
    assert chevron is not None
    assert not player.has("row:/o/a")

    QTest.keyClick(chevron, Qt.Key.Key_Space)

    assert player.has("row:/o/a")
