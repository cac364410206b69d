"""What is added to a list or a map is as natural to fill in as a declared field; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QWidget

from ui.tab_order import stops

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form

TEXT: JsonObject = {"type": "string"}
WHOLE: JsonObject = {"type": "integer"}
PAIR: JsonObject = {"properties": {"left": TEXT, "right": TEXT}, "type": "object"}
CAT: JsonObject = {
    "title": "Cat",
    "type": "object",
    "properties": {"meow": TEXT},
    "required": ["meow"],
}
DOG: JsonObject = {
    "title": "Dog",
    "type": "object",
    "properties": {"bark": WHOLE},
    "required": ["bark"],
}


def focused() -> str:
    widget = QApplication.focusWidget()
    return "" if widget is None else widget.objectName()


def type_on(text: str) -> None:
    """Type wherever the focus is."""
    widget = QApplication.focusWidget()
    assert widget is not None
    QTest.keyClicks(widget, text)


def list_of(items: Json) -> Json:
    return {"type": "object", "properties": {"n": {"type": "array", "items": items}}}


def add_key(player: Player, pointer: str, name: str) -> None:
    line = player.find(QLineEdit, f"new key:{pointer}")
    QTest.keyClicks(line, name)
    QTest.keyClick(line, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("items", "begun"),
    [
        ({"anyOf": [TEXT, WHOLE]}, '""'),
        ({"type": ["integer", "string"]}, "null"),
        ({"oneOf": [CAT, DOG]}, "{}"),
        ({"anyOf": [{"oneOf": [CAT, DOG]}, TEXT]}, "{}"),
        ({"anyOf": [WHOLE, TEXT, {"type": "null"}]}, "null"),
    ],
)
def test_a_new_item_that_is_a_union_begins_with_its_first_alternative(
    items: Json, begun: str, form: Form, player: Player
) -> None:
    """Ours."""
    player.show(list_of(items))

    player.add("/n")

    assert form.text() == f'{{"n":[{begun}]}}'
    assert player.find(QComboBox, "variant:/n/0").currentIndex() >= 0
    assert not player.has("json:/n/0")


def test_alternatives_of_items_are_chosen_and_filled_in(form: Form, player: Player) -> None:
    """Ours: those that are references too."""
    pets: JsonObject = {"oneOf": [{"$ref": "#/$defs/cat"}, {"$ref": "#/$defs/dog"}]}
    player.show(
        {
            "type": "object",
            "properties": {"pets": {"type": "array", "items": pets}},
            "$defs": {"cat": CAT, "dog": DOG},
        }
    )
    player.add("/pets", 2)

    player.enter("/pets/0/meow", "loud")
    player.choose_arm("/pets/1", "Dog")
    player.enter("/pets/1/bark", "3")

    assert form.text() == '{"pets":[{"meow":"loud"},{"bark":3}]}'


def test_an_alternative_without_a_start_stays_chosen_until_it_is_typed_into(
    form: Form, player: Player
) -> None:
    """Ours: null stands there meanwhile, which is an alternative of its own."""
    player.show(list_of({"anyOf": [TEXT, WHOLE, {"type": "null"}]}))
    player.add("/n")

    player.choose_arm("/n/0", "integer")
    assert player.find(QComboBox, "variant:/n/0").currentText() == "integer"
    player.enter("/n/0", "5")

    assert form.text() == '{"n":[5]}'


@pytest.mark.parametrize("keyword", ["additionalProperties", "unevaluatedProperties"])
def test_values_of_a_map_can_be_unions(keyword: str, form: Form, player: Player) -> None:
    """Ours."""
    values: Json = {"type": "object", keyword: {"anyOf": [TEXT, WHOLE]}}
    player.show({"properties": {"m": values}})
    add_key(player, "/m", "k")

    player.choose_arm("/m/k", "integer")
    player.enter("/m/k", "5")

    assert form.text() == '{"m":{"k":5}}'


def test_an_erased_value_of_a_map_does_not_take_its_key_away(form: Form, player: Player) -> None:
    """Ours: the key was added, and only *Remove* takes it away."""
    player.show({"properties": {"m": {"type": "object", "additionalProperties": TEXT}}})
    add_key(player, "/m", "k")
    player.enter("/m/k", "x")

    player.erase("/m/k")

    assert form.text() == '{"m":{"k":""}}'
    assert player.has("field:/m/k")


def test_items_of_items_and_places_of_a_tuple_can_be_unions(form: Form, player: Player) -> None:
    """Ours."""
    union: Json = {"oneOf": [CAT, DOG]}
    player.show(
        {
            "properties": {
                "deep": {"type": "array", "items": {"type": "array", "items": union}},
                "pair": {"type": "array", "prefixItems": [union, PAIR, TEXT]},
            }
        }
    )
    player.add("/deep")
    player.add("/deep/0")
    player.enter("/pair/2", "x")

    player.enter("/deep/0/0/meow", "a")
    player.choose_arm("/pair/0", "Dog")
    player.enter("/pair/1/left", "b")

    assert form.text() == '{"deep":[[{"meow":"a"}]],"pair":[{},{"left":"b"},"x"]}'


def test_typing_after_adding_an_object_goes_into_its_first_field(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(list_of(PAIR))

    player.add("/n", 2)
    type_on("x y")

    assert form.text() == '{"n":[{},{"left":"x y"}]}'


def test_typing_after_adding_a_key_replaces_the_null_that_stands_there(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show({"properties": {"m": {"type": "object"}}})

    add_key(player, "/m", "k")
    type_on('{"a":1}')

    assert form.text() == '{"m":{"k":{"a":1}}}'


def test_typing_after_adding_a_key_to_a_map_of_objects_replaces_what_stands_there(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show({"properties": {"m": {"additionalProperties": {"type": "object"}}}})

    add_key(player, "/m", "k")
    assert focused() == "new key:/m/k"
    type_on("other")

    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    assert field.text() == "other"


def test_typing_after_putting_an_object_in_goes_into_its_first_field(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show({"properties": {"o": PAIR}})

    player.press_in_row("/o", "put")
    type_on("x")

    assert form.text() == '{"o":{"left":"x"}}'


def test_adding_an_item_that_is_any_json_lets_it_be_typed_at_once(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(list_of(True))

    player.add("/n")
    type_on("[1,2]")

    assert form.text() == '{"n":[[1,2]]}'


def test_tab_passes_the_arrow_of_an_open_block_and_stops_at_that_of_a_closed_one(
    form: Form, player: Player
) -> None:
    """Ours: a space typed at the arrow would hide what is about to be filled in; the menu collapses it."""
    player.show({"properties": {"o": PAIR}, "required": ["o"]})
    row = player.row("/o")
    arrow = row.findChild(QAbstractButton, "open")
    assert arrow is not None
    open_stops = list(stops(form))
    assert open_stops

    player.act("/o", "fold")

    assert row.is_open is False
    assert arrow not in open_stops
    assert arrow in list(stops(form))


def test_a_value_that_is_erased_as_json_is_said_to_be_null(form: Form, player: Player) -> None:
    """Ours: an item is never absent."""
    player.show(list_of(True))
    player.add("/n")

    player.write_json("/n/0", "")

    box = player.find(QWidget, "json:/n/0")
    assert form.text() == '{"n":[null]}'
    assert "null" in box.accessibleDescription()
