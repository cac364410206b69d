"""Single fields: what can be typed, and the ways to absent, null and empty; ours where nothing else is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

from inspector.schema.json_edit import exact
from ui.widgets.form.layout import WrappedLabel

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.widgets.form.player import Player
    from ui.widgets.form import Form


def one(schema: Json, *, required: bool = False) -> JsonObject:
    """A schema of one field, called x."""
    return {"properties": {"x": schema}, "required": ["x"] if required else []}


@pytest.mark.parametrize(
    "text",
    ["0", "-0", "1.50", "1e3", "1E+30", "9007199254740993", "-12.000", "1" * 400, "1e999999"],
)
def test_a_number_leaves_as_it_was_typed(text: str, form: Form, player: Player) -> None:
    """args-09-bigint-exact."""
    player.show(one({"type": "number"}))

    player.enter("/x", text)

    assert form.text() == f'{{"x":{text}}}'
    assert form.problems() == []


def test_the_description_of_a_field_is_formatted_and_nothing_in_it_acts(
    form: Form, player: Player
) -> None:
    """Ours: links say where they lead, and HTML stays literal."""
    player.show(one({"type": "string", "description": "**Best for:** <b>x</b> [a](https://x.y)"}))

    label = player.row("/x").findChild(WrappedLabel, "hint")
    assert label is not None
    html = QLabel.text(label)
    assert "<strong>Best for:</strong> &lt;b&gt;x&lt;/b&gt;" in html
    assert "[a](https://x.y)" in html
    assert "<a " not in html
    assert label.textInteractionFlags() == Qt.TextInteractionFlag.NoTextInteraction


@pytest.mark.parametrize("text", ["abc", "1.", ".5", "+1", "01", "0x10", "1e", "--1", "NaN", "1,5"])
def test_what_is_no_number_is_kept_told_and_sent_as_text(
    text: str, form: Form, player: Player
) -> None:
    """args-08-float-for-integer: it can be sent anyway, and is sent as it is seen."""
    player.show(one({"type": "integer"}))

    player.enter("/x", text)
    player.validate()

    assert form.text() == f'{{"x":"{text}"}}'
    assert player.words("/x", "problem") == "must be an integer"
    assert player.find(QLineEdit, "field:/x").text() == text


def test_a_text_in_a_number_that_was_pasted_is_not_mistaken_for_a_number(
    form: Form, player: Player
) -> None:
    """Ours: "10" is not 10."""
    player.show(one({"type": "integer"}))

    form.set_text('{"x":"10"}')

    assert player.find(QPlainTextEdit, "json:/x").toPlainText() == '"10"'
    assert form.text() == '{"x":"10"}'


def test_a_value_that_a_field_cannot_show_is_edited_as_json_until_it_can(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(one({"type": "boolean"}))
    form.set_text('{"x":[1.50]}')
    assert player.find(QPlainTextEdit, "json:/x").toPlainText() == "[1.50]"

    player.write_json("/x", "true")
    player.act("/x", "form")

    assert not player.has("json:/x")
    assert form.text() == '{"x":true}'


def test_absent_null_and_empty_are_three_things(form: Form, player: Player) -> None:
    """args-02-no-null-for-non-nullable."""
    player.show(one({"type": "string"}))
    line = player.find(QLineEdit, "field:/x")
    seen = [(form.text(), line.placeholderText())]

    for act in ("empty", "null", "unset"):
        player.act("/x", act)
        seen.append((form.text(), line.placeholderText()))

    assert seen == [
        ("{}", "unset"),
        ('{"x":""}', "empty string"),
        ('{"x":null}', "null"),
        ("{}", "unset"),
    ]


def test_a_required_field_says_so_and_can_be_left_out_all_the_same(
    form: Form, player: Player
) -> None:
    """Ours: how a server answers to a missing argument is worth knowing."""
    player.show(one({"type": "string"}, required=True))
    assert player.find(QLineEdit, "field:/x").placeholderText() == "required"
    player.enter("/x", "y")

    player.act("/x", "unset")
    player.press("callAnyway")

    assert player.sent == "{}"


def test_a_field_that_was_never_touched_is_not_complained_about_until_asked(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(one({"type": "string"}, required=True))
    assert player.words("/x") == ""

    form.show_problems()

    assert player.words("/x", "problem") == "is required"


def test_a_default_can_be_put_back(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one({"type": "integer", "default": 30}))
    assert form.text() == '{"x":30}'
    player.act("/x", "unset")
    assert player.find(QLineEdit, "field:/x").placeholderText() == "unset (default 30)"

    player.act("/x", "default")

    assert form.text() == '{"x":30}'


def test_a_text_with_lines_gets_a_box_of_lines(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one({"type": "string"}))

    form.set_text('{"x":"one\\ntwo"}')

    box = player.find(QPlainTextEdit, "field:/x")
    assert box.toPlainText() == "one\ntwo"
    QTest.keyClicks(box, "0")
    assert form.text() == '{"x":"0one\\ntwo"}'


def test_pasting_lines_into_a_line_keeps_them(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one({"type": "string"}))
    QGuiApplication.clipboard().setText("one\ntwo\n")

    player.find(QLineEdit, "field:/x").paste()

    assert form.text() in ('{"x":"one\\ntwo\\n"}', '{"x":"one\\ntwo"}')
    assert player.find(QPlainTextEdit, "field:/x").toPlainText().startswith("one\ntwo")


@pytest.mark.parametrize(
    "text", ['"a\\u0000b"', '"a\\r\\nb"', '"\\ud800"', '"\\u2028"', '"\\u00a0x\\t\\n"', '"x  y "']
)
def test_a_text_that_no_box_could_give_back_is_edited_as_json(
    text: str, form: Form, player: Player
) -> None:
    """Ours: nothing is changed by looking at it."""
    player.show(one({"type": "string"}))
    form.set_text(f'{{"x":{text},"y":0}}')

    player.write_json("/y", "1")

    assert form.text().startswith('{"x":')
    found = form.text()[5 : -len(',"y":1}')]
    assert exact(_read(found)) == exact(_read(text))


def _read(text: str) -> Json:
    from inspector.wire.json_codec import read

    return read(text.encode()).value


def test_no_break_spaces_typed_around_are_kept(form: Form, player: Player) -> None:
    """Ours: Qt's own plain text would make them blanks."""
    player.show(one({"type": "string"}))
    form.set_text('{"x":"a\u00a0b\\nc"}')

    QTest.keyClicks(player.find(QPlainTextEdit, "field:/x"), "0")

    assert form.text() == '{"x":"0a\u00a0b\\nc"}'


def test_a_choice_sends_the_value_with_its_own_type(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one({"enum": [1, "1", True, None, 1.5, {"a": [1]}]}))
    box = player.find(QComboBox, "field:/x")

    sent: list[str] = []
    for at in range(1, box.count()):
        box.setCurrentIndex(at)
        box.activated.emit(at)
        sent.append(form.text())

    assert sent == [
        f'{{"x":{value}}}' for value in ("1", '"1"', "true", "null", "1.5", '{"a":[1]}')
    ]


def test_the_wheel_over_a_choice_changes_nothing(form: Form, player: Player) -> None:
    """Ours: it belongs to the page that is being scrolled."""
    from PySide6.QtCore import QPoint, QPointF
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    player.show(one({"enum": ["a", "b"], "default": "a"}))
    box = player.find(QComboBox, "field:/x")
    middle = QPointF(box.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(box.mapToGlobal(box.rect().center())),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )

    QApplication.sendEvent(box, event)

    assert form.text() == '{"x":"a"}'


def test_arrow_keys_choose_among_buttons(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one({"type": "boolean"}))
    buttons = player.find(QWidget, "field:/x").findChildren(QAbstractButton)
    buttons[0].setFocus()

    QTest.keyClick(buttons[0], Qt.Key.Key_Right)
    assert form.text() == '{"x":true}'
    QTest.keyClick(buttons[1], Qt.Key.Key_Left)

    assert form.text() == "{}"


def test_a_constant_that_is_optional_can_be_there_or_not(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one({"const": "mail"}))
    assert form.text() == "{}"

    player.choose("/x", "mail")

    assert form.text() == '{"x":"mail"}'


def test_unticking_the_last_box_of_an_optional_list_leaves_it_out(
    form: Form, player: Player
) -> None:
    """Ours."""
    schema: Json = {"type": "array", "items": {"enum": ["a", "b"]}}
    player.show({"properties": {"x": schema, "must": schema}, "required": ["must"]})

    for name in ("x", "must"):
        player.find(QAbstractButton, f"pick:/{name}/1").click()
        player.find(QAbstractButton, f"pick:/{name}/0").click()
    assert form.text() == '{"x":["a","b"],"must":["a","b"]}'
    for name in ("x", "must"):
        player.find(QAbstractButton, f"pick:/{name}/1").click()
        player.find(QAbstractButton, f"pick:/{name}/0").click()

    assert form.text() == '{"must":[]}'


def test_json_in_place_that_is_not_json_yet_is_kept_and_told(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one(True))

    player.write_json("/x", '{"a": ')
    player.validate()

    assert not form.can_send()
    assert "not JSON" in player.words("/x", "problem")
    assert form.text() == '{"x":{"a": }'
    player.write_json("/x", '{"a": 1.0}')
    assert form.text() == '{"x":{"a":1.0}}'
    assert form.problems() == []


def test_emptying_json_in_place_leaves_the_field_out(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one(True))
    player.write_json("/x", "1")

    player.write_json("/x", "")

    assert form.text() == "{}"


def test_names_that_repeat_in_json_in_place_are_kept(form: Form, player: Player) -> None:
    """Ours."""
    player.show(one(True))

    player.write_json("/x", '{"a":1,"a":2}')

    assert form.text() == '{"x":{"a":1,"a":2}}'
    assert form.can_send()


def test_a_very_large_text_is_put_into_an_editor_only_when_asked(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(one({"type": "string"}))
    form.set_text('{"x":"' + "y" * 300_000 + '"}')
    opening = player.find(QAbstractButton, "large:/x")

    opening.click()

    assert len(player.find(QPlainTextEdit, "field:/x").toPlainText()) == 300_000
