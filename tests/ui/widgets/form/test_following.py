"""What is required and declared follows the value, and takes nothing from who is typing; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from inspector.wire.json_codec import write
from ui.widgets.filter_field import FilterField
from ui.widgets.form.initial_value import root_value
from ui.widgets.form.kinds import KINDS
from ui.widgets.form.reader import Reader

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form

TEXT: JsonObject = {"type": "string"}
X: JsonObject = {"properties": {"m": {"const": "x"}}, "required": ["m"]}
NEEDS_P: JsonObject = {"required": ["p"]}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def an_object(**more: Json) -> JsonObject:
    return {"type": "object", "properties": {"m": TEXT, "p": TEXT, "q": TEXT}, **more}


def is_required(player: Player, name: str) -> bool:
    return player.row(f"/{name}").context.required


def put_in_focus(player: Player, name: str) -> QLineEdit:
    line = player.find(QLineEdit, f"field:/{name}")
    line.setFocus()
    assert QApplication.focusWidget() is line
    return line


def type_on(text: str) -> None:
    """Type wherever the focus is, letter by letter."""
    for letter in text:
        widget = QApplication.focusWidget()
        assert isinstance(widget, QWidget)
        QTest.keyClicks(widget, letter)


FOLLOWING: list[JsonObject] = [
    {"if": X, "then": NEEDS_P},
    {"if": {"not": X}, "else": NEEDS_P},
    {"allOf": [{"if": X, "then": NEEDS_P}, {"if": {"required": ["q"]}, "then": {}}]},
    {"if": {"required": ["m"]}, "then": {"if": X, "then": NEEDS_P}},
    {"$ref": "#/$defs/c", "$defs": {"c": {"if": X, "then": NEEDS_P}}},
    {"dependentRequired": {"m": ["p"]}},
    {"dependentSchemas": {"m": NEEDS_P}},
    {"$schema": DRAFT_7, "dependencies": {"m": ["p"]}},
    {"$schema": DRAFT_7, "dependencies": {"m": NEEDS_P}},
]


@pytest.mark.parametrize("more", FOLLOWING)
def test_what_becomes_required_is_marked_and_unmarked(
    form: Form, player: Player, more: JsonObject
) -> None:
    """Ours: as soon as the value says so, and the widgets of other fields stay."""
    player.show(an_object(**more))
    line = put_in_focus(player, "m")
    other = player.row("/q")
    assert not is_required(player, "p")

    type_on("x")
    assert is_required(player, "p")
    assert player.row("/q") is other
    assert QApplication.focusWidget() is line

    QTest.keyClick(line, Qt.Key.Key_Backspace)
    QTest.keyClick(line, Qt.Key.Key_Delete)
    player.act("/m", "unset") if "m" in form.text() else None
    assert not is_required(player, "p")


def test_a_field_that_changes_under_the_caret_keeps_what_is_typed(
    form: Form, player: Player
) -> None:
    """Ours: focus, caret, selection and the text."""
    longer: JsonObject = {"properties": {"m": {"minLength": 3}}, "required": ["m"]}
    then: Json = {"properties": {"m": {"pattern": "^a"}}, "required": ["m", "q"]}
    player.show(an_object(**{"if": longer, "then": then}))
    put_in_focus(player, "m")
    type_on("ad")
    QTest.keyClick(player.find(QLineEdit, "field:/m"), Qt.Key.Key_Left)

    type_on("bc")

    assert form.text() == '{"m":"abcd"}'
    line = player.find(QLineEdit, "field:/m")
    assert QApplication.focusWidget() is line
    assert line.cursorPosition() == 3
    assert "matches ^a" in player.words("/m", "hint")
    assert is_required(player, "q")


def test_fields_that_a_condition_brings_come_and_go_and_their_values_stay(
    form: Form, player: Player
) -> None:
    """Ours."""
    brought: JsonObject = {"properties": {"n": {"type": "integer"}, "q": {"maxLength": 2}}}
    player.show(an_object(**{"if": X, "then": brought}))
    assert not player.has("field:/n")

    player.enter("/m", "x")
    player.enter("/n", "7")
    assert "at most 2 characters" in player.words("/q", "hint")
    player.enter("/m", "y")

    assert form.text() == '{"m":"y","n":7}'
    assert "not in the schema" in player.words("/n", "remark", "hint")
    player.enter("/m", "x")
    assert player.words("/n", "remark", "hint") == ""


def test_the_filter_of_the_fields_stays_when_they_change(form: Form, player: Player) -> None:
    """Ours."""
    many: JsonObject = {f"f{at}": TEXT for at in range(20)}
    rule: JsonObject = {"if": X, "then": {"required": ["mp"]}}
    player.show({"type": "object", "properties": {"m": TEXT, "mp": TEXT, **many}, **rule})
    text = player.find(FilterField, "filter")
    text.set_text("m")

    player.enter("/m", "x")

    assert is_required(player, "mp")
    assert text.text() == "m"
    assert form.findChild(QWidget, "row:/f7") is None


def test_a_block_that_is_declared_otherwise_is_as_it_was_left(form: Form, player: Player) -> None:
    """Ours: closed if it was closed, with what unions remember."""
    block: JsonObject = {"type": "object", "properties": {"z": TEXT}}
    then: Json = {"properties": {"o": {"required": ["z"]}}}
    schema = an_object(**{"if": X, "then": then})
    cast("JsonObject", schema["properties"])["o"] = block
    player.show(schema)
    form.set_text('{"o":{"z":"1"}}')
    player.row("/o").set_open(on=False)

    player.enter("/m", "x")

    assert player.row("/o").is_open is False
    player.row("/o").set_open(on=True)
    assert player.row("/o/z").context.required
    player.enter("/m", "y")
    assert not player.row("/o/z").context.required
    assert form.text() == '{"m":"y","o":{"z":"1"}}'


def test_a_rule_that_a_condition_brings_is_told_while_it_holds(form: Form, player: Player) -> None:
    """Ours."""
    rule: JsonObject = {"anyOf": [{"required": ["p"]}, {"required": ["q"]}]}
    player.show(an_object(**{"if": X, "then": rule}))

    def rules() -> str:
        label = form.findChild(QWidget, "rules:")
        assert label is not None
        return "" if label.isHidden() else str(label.property("text"))

    assert rules() == ""
    player.enter("/m", "x")
    assert rules() == "At least one of: p, q"
    player.enter("/m", "y")
    assert rules() == ""


def test_a_form_begins_with_what_its_conditions_bring() -> None:
    """Ours: defaults of fields that are there from the start."""
    schema: Json = {
        "properties": {"m": {"default": "x"}},
        "if": X,
        "then": {
            "properties": {"n": {"default": 1}},
            "dependentSchemas": {"n": {"properties": {"k": {"const": 2}}, "required": ["k"]}},
        },
        "else": {"properties": {"other": {"default": 3}}},
    }

    assert write(root_value(Reader(schema, KINDS))) == '{"m":"x","n":1,"k":2}'


def test_conditions_without_end_end() -> None:
    """Ours."""
    schema: JsonObject = {
        "type": "object",
        "properties": {"m": TEXT},
        "if": {},
        "then": {"$ref": "#"},
    }
    reader = Reader(schema, KINDS)

    assert [each.name for each in reader.properties(reader.current(reader.root, {}))] == ["m"]


def test_the_same_conditions_give_the_same_field() -> None:
    """Ours: so that only rows declared otherwise are made again."""
    reader = Reader(an_object(**{"if": X, "then": NEEDS_P}), KINDS)

    first = reader.current(reader.root, {"m": "x"})

    assert reader.current(reader.root, {"m": "x", "q": 1}) is first
    assert reader.current(reader.root, {"m": "y"}) is reader.root


def test_a_form_of_nothing_but_conditions_has_fields(player: Player) -> None:
    """Ours: it is not edited as JSON."""
    player.show({"type": "object", "if": X, "then": {"properties": {"p": TEXT}}})
    assert player.has("new key:")


def test_a_union_that_a_condition_brings_follows_the_value(form: Form, player: Player) -> None:
    """Ours: where the value decides for one alternative; the widgets of other fields stay."""
    none: Json = {"properties": {"m": {"enum": ["none"]}}}
    some: Json = {"properties": {"m": {"enum": ["x", "y"]}, "age": TEXT}, "required": ["age"]}
    needs: Json = {"m": {"oneOf": [none, some]}}
    player.show(an_object(**{"$schema": DRAFT_7, "dependencies": needs}))
    other = player.row("/q")
    player.enter("/m", "none")
    assert not player.has("field:/age")

    player.enter("/m", "x")

    assert player.row("/age").context.required
    assert player.row("/q") is other
    assert form.text() == '{"m":"x"}'


def test_typing_begins_where_there_is_something_to_type(player: Player) -> None:
    """Ours: not at a constant that says which alternative it is."""
    item: Json = {
        "oneOf": [
            {"properties": {"kind": {"const": kind}, "path": TEXT}, "required": ["kind"]}
            for kind in ("file", "url")
        ]
    }
    player.show({"properties": {"v": {"type": "array", "items": item}}, "required": ["v"]})

    player.add("/v")

    assert QApplication.focusWidget() is player.find(QLineEdit, "field:/v/0/path")
