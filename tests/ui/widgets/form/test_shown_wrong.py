"""What the corpus wants shown of what is wrong, odd, hostile or very much."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QLineEdit, QPlainTextEdit

from tests.support.form_cases import case, schema_of
from ui.widgets.filter_field import FilterField
from ui.widgets.form.row import Row

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form


def entries(player: Player, name: str) -> list[str]:
    box = player.find(QComboBox, name)
    return [box.itemText(at) for at in range(box.count())]


def rows(form: Form) -> list[str]:
    return [row.context.pointer for row in form.findChildren(Row) if not row.isHidden()]


def test_a_schema_that_is_wrong_itself_is_said_to_be(form: Form, player: Player) -> None:
    """schema-33-draft4-boolean-exclusive."""
    player.show(schema_of("schema-33"))

    player.enter("/days", "60")
    player.validate()

    notes = form.findChild(QLabel, "schema notes")
    assert notes is not None
    assert "/properties/days/exclusiveMinimum" in notes.text()
    assert [note.pointer for note in form.schema_notes()] == ["/properties/days/exclusiveMinimum"]
    assert form.problems() == []


def test_what_a_schema_only_refers_to_is_said_not_to_be_judged(form: Form, player: Player) -> None:
    """schema-39-external-ref; C-SCH-06: above the fields, and beside each that is not judged."""
    player.show(schema_of("schema-39"))
    player.validate()

    notes = form.findChild(QLabel, "schema notes")
    assert notes is not None
    places = "/properties/pet/$ref, /properties/meta/$ref"
    assert notes.text() == f"External $refs are not validated: {places}"
    assert "external $ref not loaded" in player.words("/pet", "notes")
    assert form.problems() == []


def test_a_format_that_does_not_fit_is_told_beside_the_field(form: Form, player: Player) -> None:
    """schema-34-unknown-formats."""
    player.show(schema_of("schema-34"))

    player.enter("/c", "not-a-uuid")
    player.validate()

    assert player.words("/c", "remark") == "is not a valid uuid"
    assert form.problems() == []
    assert "format uint64" in player.words("/a", "hint")


def test_every_one_of_very_many_fields_can_be_filtered_for(
    form: Form, player: Player, qtbot: QtBot
) -> None:
    """schema-37-240-properties."""
    properties: JsonObject = {f"p{at:03d}": {"type": "string"} for at in range(240)}
    player.show({"type": "object", "properties": properties})
    assert not player.has("row:/p239")

    player.find(FilterField, "filter").set_text("239")

    qtbot.waitUntil(lambda: rows(form) == ["/p239"], timeout=20_000)
    player.enter("/p239", "x")
    assert form.text() == '{"p239":"x"}'


def test_what_is_not_shown_yet_is_shown_on_demand(form: Form, player: Player) -> None:
    """schema-37-240-properties."""
    properties: JsonObject = {f"p{at:03d}": {"type": "string"} for at in range(240)}
    player.show({"type": "object", "properties": properties})

    form.reveal("/p239")

    assert player.has("field:/p239")
    more = form.findChild(QAbstractButton, "more")
    assert more is not None
    assert more.isHidden()


def test_an_external_reference_is_said_not_to_be_loaded(form: Form, player: Player) -> None:
    """schema-39-external-ref."""
    player.show(schema_of("schema-39"))

    assert "external $ref not loaded" in player.words("/pet", "notes")
    assert "external $ref not loaded" in player.words("/meta", "notes")
    assert player.has("json:/pet")


def test_what_a_schema_forbids_is_said_to_be_not_allowed(form: Form, player: Player) -> None:
    """schema-42-boolean-subschemas."""
    player.show(schema_of("schema-42"))

    assert "allows no value" in player.words("/never", "notes")
    assert player.has("json:/any")


def test_all_of_shows_each_field_once_with_all_its_limits(form: Form, player: Player) -> None:
    """schema-43-allof-merge."""
    player.show(schema_of("schema-43"))
    assert rows(form) == ["/id", "/n"]
    assert player.words("/id", "hint") == "2–4 characters"

    player.enter("/id", "abcdef")
    player.validate()

    assert player.words("/id", "problem") == "must have at most 4 characters"


def test_a_default_of_the_wrong_type_is_told_and_ticks_nothing(form: Form, player: Player) -> None:
    """schema-45-default-of-wrong-type."""
    player.show(schema_of("schema-45"))

    for name in "nbleo":
        assert "is invalid" in player.words(f"/{name}", "notes")
    pressed = [
        button.text()
        for button in player.row("/b").findChildren(QAbstractButton)
        if button.isChecked()
    ]
    assert pressed == ["unset"]


def test_a_hostile_pattern_does_not_hold_up_the_keys(form: Form, player: Player) -> None:
    """schema-47-regex-redos."""
    player.show(schema_of("schema-47"))
    started = time.process_time()

    player.enter("/s", "a" * 40 + "!")
    player.validate()

    assert time.process_time() - started < 41 * 0.2
    assert "does not match the pattern" in player.words("/s", "problem")


def test_type_limits_examples_and_description_are_shown_as_plain_text(
    form: Form, player: Player
) -> None:
    """schema-48-description-shown."""
    player.show(schema_of("schema-48"))

    assert player.words("/n", "hint") == "even *digit* · 1–9 · multiple of 2"
    assert player.words("/s", "hint") == "2–5 characters · e.g. ab, abc"
    assert player.words("/z", "hint") == "deprecated · read-only"
    labels = form.findChildren(QLabel)
    formats = {label.textFormat() for label in labels if label.text()}
    assert formats <= {Qt.TextFormat.PlainText, Qt.TextFormat.AutoText}
    assert all(
        label.textFormat() is Qt.TextFormat.PlainText for label in labels if "digit" in label.text()
    )


def test_a_fraction_for_an_integer_is_told_and_can_be_sent_anyway(
    form: Form, player: Player
) -> None:
    """args-08-float-for-integer."""
    player.show(schema_of("args-08"))
    player.enter("/ms", "0.5")
    player.validate()
    assert player.words("/ms", "problem") == "must be an integer"

    player.press("call")
    assert player.sent is None
    player.press("callAnyway")

    assert player.sent == '{"ms":0.5}'


def test_a_union_put_to_null_stays_null(form: Form, player: Player) -> None:
    """args-11-union-switch-clears."""
    player.show(schema_of("args-11"))

    player.choose_arm("/conf", "None")

    assert form.text() == '{"conf":null}'
    assert player.find(QComboBox, "variant:/conf").currentText() == "None"


def test_a_form_of_a_union_remembers_what_it_held(form: Form, player: Player) -> None:
    """args-11-union-switch-clears."""
    player.show(schema_of("args-11"))
    player.enter("/conf/c", "two")

    player.choose_arm("/conf", "None")
    player.choose_arm("/conf", "Basic")

    assert form.text() == '{"conf":{"t":"basic","c":"two"}}'


def test_an_undeclared_key_is_listed_as_such(form: Form, player: Player) -> None:
    """args-14-raw-and-form-in-step."""
    player.show(schema_of("args-14"))

    player.write_all('{"a":"2","n":3,"extra":true}')
    form.show_json(False)

    assert player.words("/extra", "hint") == "not in the schema"
    player.press_in_row("/extra", "remove")
    assert form.text() == '{"a":"2","n":3}'


def test_a_key_that_is_not_allowed_is_told_and_kept(form: Form, player: Player) -> None:
    """args-17-additional-keys-false."""
    player.show(schema_of("args-17"))
    form.set_text('{"a":"1","b":2}')

    player.validate()

    assert player.words("/b", "problem") == "is not allowed by the schema"
    assert form.text() == '{"a":"1","b":2}'


def test_choices_of_an_elicitation_show_titles_and_defaults(form: Form, player: Player) -> None:
    """elicit-01-enum-five-forms."""
    asked = cast("JsonObject", cast("JsonObject", case("elicit-01")["input"])["elicit"])
    player.show(asked["requestedSchema"])

    assert player.find(QComboBox, "field:/b").currentText() == "Green"
    assert entries(player, "field:/c")[1:] == ["Ex", "Why"]
    ticked = [player.find(QAbstractButton, f"pick:/e/{at}") for at in (0, 1)]
    assert [(box.text(), box.isChecked()) for box in ticked] == [("Pee", True), ("Queue", True)]
    assert player.words("/d", "hint") == "1–2 items"


def test_a_required_boolean_is_unset_until_it_is_chosen(form: Form, player: Player) -> None:
    """elicit-02-boolean-widget."""
    asked = cast("JsonObject", cast("JsonObject", case("elicit-02")["input"])["elicit"])
    player.show(asked["requestedSchema"])

    pressed = {
        pointer: [
            button.objectName()
            for button in player.row(pointer).findChildren(QAbstractButton)
            if button.isChecked()
        ]
        for pointer in ("/ok", "/opt", "/must")
    }

    assert pressed == {"/ok": ["true"], "/opt": ["unset"], "/must": []}
    assert not player.row("/must").findChildren(QLineEdit)


def test_what_no_form_should_ask_for_can_still_be_answered(form: Form, player: Player) -> None:
    """elicit-07-unsupported-schema."""
    asked = cast("JsonObject", cast("JsonObject", case("elicit-07")["input"])["elicit"])
    player.show(asked["requestedSchema"])

    player.enter("/o/x", "y")
    player.write_json("/r", "[1]")

    assert form.text() == '{"o":{"x":"y"},"r":[1]}'
    assert "cannot be resolved" in player.words("/r", "notes")


def test_invisible_characters_in_names_and_descriptions_are_made_visible(
    form: Form, player: Player
) -> None:
    """text-01-bidi-and-invisible."""
    properties: JsonObject = {
        "a\u200b": {"type": "string", "title": "\u202egpj.exe", "description": "\u2066x"},
        "a": {"type": "string"},
    }
    player.show({"type": "object", "properties": properties})

    shown = " ".join(label.text() for label in form.findChildren(QLabel))

    assert rows(form) == ["/a\u200b", "/a"]
    assert not set(shown) & set("\u200b\u202e\u2066")
    assert {"⟨U+200B⟩", "⟨U+202E⟩", "⟨U+2066⟩"} <= {
        f"⟨{part.partition('⟩')[0]}⟩" for part in shown.split("⟨")
    }


def test_markup_in_a_schema_is_shown_as_text(form: Form, player: Player) -> None:
    """schema-48-description-shown."""
    markup = "<b>bold</b>"
    one: JsonObject = {"title": markup, "description": markup, "enum": [markup], "default": 1}
    player.show({"type": "object", "properties": {markup: one, "o": {"title": markup}}})

    labels = [label for label in form.findChildren(QLabel) if "<b>" in label.text()]

    assert labels
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    tips = [label.toolTip() for label in form.findChildren(QLabel)]
    assert not any("<b>" in tip for tip in tips)


def test_the_preview_of_the_arguments_is_one_step_away(form: Form, player: Player) -> None:
    """args-04-type-then-erase."""
    player.show(schema_of("args-04"))
    player.enter("/after", "x")
    player.erase("/after")

    form.show_json(True)

    assert player.find(QPlainTextEdit, "json text").toPlainText() == form.text() == "{}"
