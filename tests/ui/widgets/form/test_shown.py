"""What the corpus wants shown, or never to happen, besides what is sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel

from tests.support.form_cases import schema_of
from ui.widgets.form.row import Row

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form


def entries(player: Player, name: str) -> list[str]:
    box = player.find(QComboBox, name)
    return [box.itemText(at) for at in range(box.count())]


def rows(form: Form) -> list[str]:
    return [row.context.pointer for row in form.findChildren(Row) if not row.isHidden()]


def test_a_union_at_the_root_shows_a_chooser_and_the_fields_of_the_chosen_form(
    form: Form, player: Player
) -> None:
    """schema-01-root-anyof."""
    player.show(schema_of("schema-01"))
    assert entries(player, "variant:") == ["By mail", "By phone"]
    player.enter("/box", "x")

    player.choose_arm("", "By phone")

    player.settle()
    assert rows(form) == ["/via", "/number"]
    assert form.text() == '{"via":"phone"}'


def test_a_list_of_objects_has_typed_fields_and_ways_to_add_and_remove(
    form: Form, player: Player
) -> None:
    """schema-03-array-of-objects."""
    player.show(schema_of("schema-03"))

    player.add("/lines", 2)
    player.enter("/lines/1/what", "nut")
    player.press_in_row("/lines/0", "remove")

    assert form.text() == '{"lines":[{"what":"nut"}]}'
    assert player.has("field:/lines/0/qty")
    assert not player.has("json:/lines")


def test_typing_switches_null_off_by_itself(form: Form, player: Player) -> None:
    """schema-05-nullable-string-anyof."""
    player.show(schema_of("schema-05"))
    player.press_in_row("/nick", "set null")
    null = player.find(Row, "row:/nick").findChild(QAbstractButton, "set null")
    assert null is not None
    assert null.isChecked()

    player.enter("/nick", "null")

    assert form.text() == '{"nick":"null"}'
    assert not null.isChecked()


def test_an_optional_choice_has_an_entry_for_not_set_and_one_for_null(
    form: Form, player: Player
) -> None:
    """schema-07-ref-enum-or-null."""
    player.show(schema_of("schema-07"))

    assert entries(player, "field:/role") == [
        "unset (default null)",
        "owner",
        "editor",
        "reader",
        "null",
    ]
    text = [button.text() for button in player.row("/active").findChildren(QAbstractButton)]
    assert [word for word in text if word] == ["unset", "true", "false", "null"]


def test_a_required_choice_has_exactly_its_values(form: Form, player: Player) -> None:
    """schema-13-enum-string."""
    player.show(schema_of("schema-13"))

    assert entries(player, "field:/speed") == ["slow", "normal", "very, very fast"]
    assert player.find(QComboBox, "field:/speed").currentText() == "normal"


def test_a_titled_choice_tells_what_it_sends(form: Form, player: Player) -> None:
    """schema-14-enum-oneof-titles."""
    player.show(schema_of("schema-14"))
    assert entries(player, "field:/hue") == ["Red", "Green", "#00f"]

    player.choose("/hue", "Green")

    assert "#0f0" in player.find(QComboBox, "field:/hue").toolTip()


@pytest.mark.parametrize(
    "schema",
    [None, [], "object", {}, True, {"type": "string"}, {"type": "object"}, schema_of("schema-16")],
)
def test_without_fields_the_value_is_edited_as_json(
    schema: Json, form: Form, player: Player
) -> None:
    """schema-16-only-dialect, schema-17-empty-schema, schema-19-schema-null-and-array, schema-40-schema-in-annotations."""
    player.show(schema)
    lead = form.findChild(QLabel, "lead")
    assert lead is not None
    assert lead.text()

    player.write_json("", '{"path":"a"}')

    assert form.text() == '{"path":"a"}'
    assert form.problems() == []


def test_a_tuple_has_exactly_its_places(form: Form, player: Player) -> None:
    """schema-23-draft07-tuple."""
    player.show(schema_of("schema-23"))

    names = [player.row(f"/pos/{at}").context.name for at in range(3)]

    assert names == ["X", "Y", "Z"]
    assert player.find(QAbstractButton, "add:/pos").isHidden()
    assert not player.has("field:/pos/3")


def test_a_list_of_anything_takes_anything_without_complaint(form: Form, player: Player) -> None:
    """schema-25-array-without-items."""
    player.show(schema_of("schema-25"))

    for pointer in ("/a", "/b", "/c"):
        player.write_json(pointer, '[1,"x",null]')
        assert player.words(pointer) == ""

    assert form.problems() == []


def test_a_pattern_is_a_hint_and_a_mismatch_is_told(form: Form, player: Player) -> None:
    """schema-28-pattern-not-unicode-safe."""
    player.show(schema_of("schema-28"))
    assert "^ftp" in player.words("/url", "hint")

    player.enter("/url", "gopher://a.test")
    player.validate()

    assert "does not match the pattern" in player.words("/url", "problem")


def test_odd_names_are_nine_separate_fields(form: Form, player: Player) -> None:
    """schema-30-odd-property-names."""
    schema = cast("JsonObject", schema_of("schema-30"))
    player.show(schema)

    found = [row.context.path[0] for row in form.findChildren(Row) if len(row.context.path) == 1]

    assert found == list(cast("JsonObject", schema["properties"]))
