"""What a form tells apart and says where; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel

from ui.widgets.form.layout import WrappedLabel

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form

TEXT: JsonObject = {"type": "string"}


def entries(box: QComboBox) -> list[str]:
    return [box.itemText(at) for at in range(box.count())]


def label(form: Form, name: str) -> str:
    found = form.findChild(QLabel, name)
    assert found is not None
    return "" if found.isHidden() else found.text()


def test_values_that_read_the_same_are_shown_as_json(form: Form, player: Player) -> None:
    """Ours: and what is alone stays as it is."""
    values: list[Json] = [7, "7", None, "null", "x", "a", "a ", "unset"]
    player.show({"properties": {"v": {"enum": values}}, "required": ["v"]})

    shown = entries(player.find(QComboBox, "field:/v"))
    player.choose("/v", '"7"')

    assert shown == ["7", '"7"', "null", '"null"', "x", '"a"', '"a "', '"unset"']
    assert form.text() == '{"v":"7"}'
    assert player.find(QComboBox, "field:/v").currentText() == '"7"'


def test_titles_that_are_the_same_are_told_apart_by_their_values(
    form: Form, player: Player
) -> None:
    """Ours."""
    arms: list[Json] = [{"const": 1, "title": "One"}, {"const": "1", "title": "One"}]
    player.show({"properties": {"v": {"oneOf": arms}}, "required": ["v"]})

    assert entries(player.find(QComboBox, "field:/v")) == ["One (1)", 'One ("1")']


def test_boxes_to_tick_that_read_the_same_are_shown_as_json(form: Form, player: Player) -> None:
    """Ours."""
    items: Json = {"enum": [True, "true"]}
    player.show({"properties": {"v": {"type": "array", "items": items, "uniqueItems": True}}})

    assert [box.text() for box in form.findChildren(QCheckBox)] == ["true", '"true"']


def test_examples_that_read_the_same_are_shown_as_json(player: Player) -> None:
    """Ours."""
    player.show({"properties": {"v": {"type": ["string", "integer"], "examples": [7, "7", "x"]}}})

    assert 'e.g. 7, "7", x' in player.words("/v", "hint")


@pytest.mark.parametrize(
    ("arm", "wanted"),
    [
        ({"$ref": "#/$defs/target"}, "target"),
        ({"type": "object", "properties": {"p": TEXT}, "required": ["p"]}, "object with p"),
        ({"oneOf": [{"title": "Page"}, {"type": "integer"}]}, "Page or integer"),
        ({"title": "Told", "oneOf": [TEXT, {"type": "integer"}]}, "Told"),
        ({"type": "object"}, "object"),
        ({"anyOf": [{"anyOf": [{"type": "number"}]}, {"type": "array"}]}, "number or array"),
        ({"$ref": "#/$defs/a~1b"}, "a/b"),
        ({**TEXT, "format": "date"}, "string (date)"),
        ({**TEXT, "maxLength": 3}, "string (at most 3 characters)"),
    ],
)
def test_an_alternative_is_called_by_what_is_known_of_it(
    arm: Json, wanted: str, player: Player
) -> None:
    """Ours: a union within a union is not just anything."""
    target: Json = {"oneOf": [{"type": "object", "properties": {"page": TEXT}}, TEXT]}
    player.show(
        {
            "properties": {"v": {"anyOf": [arm, {"type": "null"}, TEXT]}},
            "$defs": {"target": target, "a/b": {"type": "object", "properties": {}}},
        }
    )

    assert wanted in entries(player.find(QComboBox, "variant:/v"))


@pytest.mark.parametrize(
    ("arms", "wanted"),
    [
        (
            [{"type": "array", "items": TEXT}, {"type": "array", "items": {"type": "integer"}}],
            ["array of string", "array of integer"],
        ),
        (
            [{"title": "F", "properties": {"a": TEXT}}, {"title": "F", "properties": {"b": TEXT}}],
            ["F (a)", "F (b)"],
        ),
        (
            [{"title": "F (2)"}, {**TEXT, "title": "F"}, {"type": "integer", "title": "F"}],
            ["F (2)", "F", "F (3)"],
        ),
        (
            [
                {**TEXT, "format": "date", "minLength": 3},
                {**TEXT, "format": "date", "maxLength": 2},
                {**TEXT, "format": "email"},
            ],
            ["string (at least 3 characters)", "string (at most 2 characters)", "string (email)"],
        ),
    ],
)
def test_alternatives_of_one_label_are_told_apart_by_what_differs(
    arms: list[Json], wanted: list[str], player: Player
) -> None:
    """Ours."""
    player.show({"properties": {"v": {"oneOf": arms}}, "required": ["v"]})

    assert entries(player.find(QComboBox, "variant:/v")) == wanted


def test_what_is_said_of_the_selected_alternative_is_shown(form: Form, player: Player) -> None:
    """Ours: its description, and limits that the others do not have."""
    date: Json = {**TEXT, "description": "An ISO date", "minLength": 10}
    code: Json = {**TEXT, "title": "code", "pattern": "^__a__$"}
    long: Json = {"type": "boolean", "description": "word " * 200}
    arms: list[Json] = [date, {"type": "integer", "minimum": 5}, code, long]
    player.show({"properties": {"v": {"anyOf": arms}}})

    assert label(form, "variant hint") == "An ISO date · at least 10 characters"
    player.choose_arm("/v", "integer")
    assert label(form, "variant hint") == "at least 5"
    player.choose_arm("/v", "code")
    hint = form.findChild(WrappedLabel, "variant hint")
    assert hint is not None
    assert QLabel.text(hint) == "matches ^__a__$"
    for _ in range(2):
        player.choose_arm("/v", "boolean")
        assert hint.text().endswith("word … more")
        QTest.mouseClick(hint, Qt.MouseButton.LeftButton)
        assert not hint.text().endswith("more")
        player.choose_arm("/v", "integer")


def test_a_union_that_is_an_alternative_of_itself_ends_as_json(form: Form, player: Player) -> None:
    """Ours."""
    endless: Json = {"anyOf": [{"anyOf": [{"$ref": "#/$defs/x"}, TEXT]}, {"type": "array"}]}
    player.show({"properties": {"v": {"$ref": "#/$defs/x"}}, "$defs": {"x": endless}})

    form.set_text('{"v":"text"}')
    player.settle()

    assert form.text() == '{"v":"text"}'


def test_a_key_that_is_there_twice_is_told_below_the_json_too(form: Form, player: Player) -> None:
    """Ours."""
    player.show({"properties": {"city": TEXT}})

    player.write_all('{"city":"Oslo","city":"Bergen"}')
    player.validate()

    assert "city" in label(form, "json notes")
    assert form.text() == '{"city":"Oslo","city":"Bergen"}'


def test_an_emptied_json_view_stands_for_an_empty_object(form: Form, player: Player) -> None:
    """Ours: and can be sent."""
    player.show({"properties": {"city": TEXT}})
    player.write_all('{"city":"Oslo"}')

    player.write_all("")

    assert form.can_send()
    assert form.text() == "{}"
    assert label(form, "json error") == ""
    form.show_json(False)
    assert player.has("field:/city")


def test_a_pattern_that_cannot_be_read_is_told_at_its_field(form: Form, player: Player) -> None:
    """Ours: it is no fault of the whole schema, and blocks nothing."""
    player.show({"properties": {"code": {**TEXT, "pattern": "("}, "ok": {**TEXT, "pattern": "^a"}}})
    player.enter("/code", "x")
    player.validate()

    assert "not validated" in player.words("/code", "hint")
    assert "matches ^a" in player.words("/ok", "hint")
    assert label(form, "schema notes") == ""
    assert form.problems() == []


@pytest.mark.parametrize(
    ("schema", "where"),
    [
        ({"patternProperties": {"(": TEXT}, "additionalProperties": False}, "/v"),
        ({"propertyNames": {"pattern": "["}}, "/v"),
        ({"anyOf": [{**TEXT, "pattern": "*"}, {"type": "object"}]}, ""),
        ({"not": {"properties": {"k": {"pattern": "("}}}}, "notes"),
    ],
)
def test_a_pattern_anywhere_that_cannot_be_read_is_told_and_blames_nobody(
    schema: JsonObject, where: str, form: Form, player: Player
) -> None:
    """Ours: no verdict hangs on it, also where it would select a schema or is negated."""
    player.show({"properties": {"v": {"type": "object", **schema} if where else schema}})
    form.set_text('{"v":{"k":"x"}}' if where else '{"v":"x"}')
    player.validate()

    told = label(form, "schema notes") if where == "notes" else player.words("/v")
    assert "not validated" in (told or label(form, "variant hint"))
    assert form.problems() == []


def test_in_an_unknown_dialect_inside_nothing_is_judged(form: Form, player: Player) -> None:
    """Ours: what stands around it is."""
    inner: Json = {"$id": "urn:i", "$schema": "urn:x", **TEXT, "minLength": 3}
    player.show({"properties": {"a": inner, "b": {**TEXT, "minLength": 3}}})
    form.set_text('{"a":"x","b":"x"}')
    player.validate()

    assert [problem.pointer for problem in form.problems()] == ["/b"]
    assert "urn:x" in label(form, "schema notes")


def test_by_an_unknown_dialect_nothing_is_judged(form: Form, player: Player) -> None:
    """C-SCH-03: the fields are there all the same."""
    player.show({"$schema": "urn:x", "properties": {"code": TEXT}, "required": ["code"]})
    player.validate()

    assert player.has("field:/code")
    assert form.problems() == []
    assert "not validated" in label(form, "schema notes")


@pytest.mark.parametrize(
    "rule",
    [
        {"additionalProperties": False},
        {"unevaluatedProperties": False},
        {"propertyNames": False},
        {"maxProperties": 0},
        {"const": {}},
    ],
)
def test_where_nothing_may_be_filled_in_only_that_is_said(
    rule: JsonObject, form: Form, player: Player
) -> None:
    """Ours."""
    player.show({"type": "object", "properties": {}, **rule})
    player.validate()

    assert "Nothing to fill in" in label(form, "lead")
    assert label(form, "schema notes") == ""
