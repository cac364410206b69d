"""Rules about several keys of an object: told above its fields, and blamed on none of them; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit

from ui.widgets.form.kinds import KINDS
from ui.widgets.form.reader import Reader
from ui.widgets.form.schema import FieldKind

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form

TEXT: JsonObject = {"type": "string"}
EITHER: JsonObject = {"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}
ONE: JsonObject = {"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}


def an_object(**more: Json) -> JsonObject:
    return {"type": "object", "properties": {"c": TEXT, "a": TEXT, "b": TEXT}, **more}


def label(form: Form, name: str) -> str:
    found = form.findChild(QLabel, name)
    assert found is not None
    return "" if found.isHidden() else found.text()


def test_a_rule_stands_above_the_fields_met_or_not(form: Form, player: Player) -> None:
    """Ours."""
    player.show(an_object(**EITHER))

    assert label(form, "rules:") == "At least one of: a, b"
    player.enter("/b", "x")
    assert label(form, "rules:") == "At least one of: a, b"


def test_a_broken_rule_is_blamed_on_no_single_field(form: Form, player: Player) -> None:
    """Ours: it is told once a field of the rule was touched, or when problems are asked for."""
    player.show(an_object(**EITHER))
    player.enter("/c", "x")
    assert [(each.pointer, each.keys) for each in form.problems()] == [("", ("a", "b"))]
    form.show_json(True)
    form.show_json(False)
    assert label(form, "root problems") == ""

    player.validate()

    assert "at least one of: a, b" in label(form, "root problems")
    assert player.words("/a", "problem") == player.words("/b", "problem") == ""
    assert QApplication.focusWidget() is player.find(QLineEdit, "field:/a")
    player.enter("/b", "x")
    player.validate()
    assert label(form, "root problems") == ""


def test_two_keys_of_which_one_is_allowed_are_named(form: Form, player: Player) -> None:
    """Ours: at once, for no further key would cure it."""
    player.show(an_object(**ONE))
    player.enter("/a", "x")
    player.enter("/b", "x")

    (problem,) = form.problems()

    assert (problem.pointer, problem.missing, problem.keys) == ("", False, ("a", "b"))
    assert "exactly one of: a, b" in problem.text


@pytest.mark.parametrize("around", ["properties", "items"])
def test_rules_of_inner_objects_stand_in_them(form: Form, player: Player, around: str) -> None:
    """Ours: of items that are a union, too."""
    inner = an_object(allOf=[EITHER, {"not": {"required": ["b", "c"]}}])
    if around == "properties":
        player.show({"properties": {"in": inner}, "required": ["in"]})
        pointer = "/in"
    else:
        player.show({"properties": {"in": {"type": "array", "items": {"oneOf": [TEXT, inner]}}}})
        form.set_text('{"in":[{"c":"x"}]}')
        pointer = "/in/0"
    player.validate()

    assert label(form, f"rules:{pointer}") == "At least one of: a, b\nAt most one of: b, c"
    assert "at least one of: a, b" in player.words(pointer, "problem")
    assert label(form, "root problems") == ""


def test_a_rule_of_a_chosen_alternative_stands_above_its_fields(form: Form, player: Player) -> None:
    """Ours: a union beside a rule is still a union, whichever comes first."""
    union: JsonObject = {
        "oneOf": [
            {"title": "Cat", "properties": {"meow": TEXT}},
            {"title": "Dog", "properties": {"bark": TEXT}},
        ]
    }
    player.show(an_object(allOf=[EITHER, union]))

    player.choose_arm("", "Dog")

    assert player.has("field:/bark")
    assert label(form, "rules:") == "At least one of: a, b"


def test_keys_that_only_a_rule_names_have_fields(form: Form, player: Player) -> None:
    """Ours: but not those that it excludes."""
    rules: list[Json] = [EITHER, {"not": {"required": ["x"]}}]
    player.show({"type": "object", "allOf": rules, "additionalProperties": TEXT})

    player.enter("/b", "7")

    assert form.text() == '{"b":"7"}'
    assert not player.has("row:/x")
    assert label(form, "rules:") == "At least one of: a, b\nNo x"


def test_an_object_that_is_known_by_its_rules_alone_has_fields() -> None:
    """Ours."""
    assert Reader(EITHER, KINDS).root.kind is FieldKind.OBJECT


def test_two_unions_of_one_object_are_both_chosen_from(form: Form, player: Player) -> None:
    """Ours: neither is lost."""
    first: JsonObject = {"oneOf": [{"title": "A", "properties": {"x": TEXT}}, {"title": "B"}]}
    second: JsonObject = {
        "oneOf": [{"title": "C", "properties": {"y": TEXT}}, {"title": "D", "minProperties": 1}]
    }
    player.show({"type": "object", "properties": {"v": {"allOf": [first, second]}}})
    player.choose_arm("/v", "A")
    inner = form.findChildren(QComboBox, "variant:/v")[-1]
    assert [inner.itemText(at) for at in range(inner.count())][-2:] == ["C", "D"]
    inner.setCurrentIndex(inner.findText("C"))
    inner.activated.emit(inner.currentIndex())

    assert player.has("field:/v/x")
    assert player.has("field:/v/y")


def test_limits_of_the_whole_object_are_told(form: Form, player: Player) -> None:
    """Ours: no row stands for it that could."""
    player.show(an_object(minProperties=2))

    assert label(form, "rules:") == "At least 2 keys"
    assert label(form, "root problems") == ""


def test_alternatives_that_fit_at_once_are_named(form: Form, player: Player) -> None:
    """Ours."""
    document: JsonObject = {
        "$defs": {"cat": {"properties": {"a": TEXT}}},
        **an_object(oneOf=[{"$ref": "#/$defs/cat"}, {"title": "Dog"}, {"required": ["c"]}]),
    }
    player.show(document)
    form.set_text("{}")

    (problem,) = form.problems()

    assert problem.text.endswith(": cat, Dog")
