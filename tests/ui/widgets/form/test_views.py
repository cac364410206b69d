"""The form and the JSON view are two views of one value; ours where nothing else is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QPlainTextEdit

from inspector.wire.json_codec import read, write
from tests.support.form_cases import schema_of

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from tests.ui.widgets.form.player import Player
    from ui.theme import Theme
    from ui.widgets.form import Form

SCHEMA: Json = {
    "type": "object",
    "properties": {"a": {"type": "string"}, "n": {"type": "integer"}},
    "required": ["a"],
}


def test_switching_and_switching_back_changes_nothing(form: Form, player: Player) -> None:
    """args-14-raw-and-form-in-step."""
    player.show(SCHEMA)
    form.set_text('{"n":1.50,"extra":{"y":1,"x":[2.0]},"a":"é"}')
    before = form.text()

    for on in (True, False, True, False):
        form.show_json(on)

    assert form.text() == before


def test_the_json_view_shows_the_value_indented(form: Form, player: Player) -> None:
    """Ours."""
    player.show(SCHEMA)
    player.enter("/n", "1e3")

    form.show_json(True)

    assert player.find(QPlainTextEdit, "json text").toPlainText() == '{\n  "n": 1e3\n}'


def test_what_is_typed_in_the_json_view_is_in_the_form(form: Form, player: Player) -> None:
    """args-14-raw-and-form-in-step."""
    player.show(SCHEMA)

    player.write_all('{"a":"x","n":4}')
    form.show_json(False)

    assert player.find(QLineEdit, "field:/a").text() == "x"
    assert player.find(QLineEdit, "field:/n").text() == "4"


def test_a_text_that_is_no_json_stays_and_the_form_says_why_it_is_not_there(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(SCHEMA)
    player.write_all('{"a": "x",,}')

    form.show_json(False)

    why = form.findChild(QLabel, "unavailable")
    assert why is not None
    assert "not JSON" in why.text()
    assert form.text() == '{"a": "x",,}'
    assert not form.can_send()
    assert [problem.pointer for problem in form.problems()] == [""]
    player.find(QAbstractButton, "back to json").click()
    assert form.is_json()
    assert player.find(QPlainTextEdit, "json text").toPlainText() == '{"a": "x",,}'


def test_names_that_repeat_keep_the_text_out_of_the_form_but_can_be_sent(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(SCHEMA)

    form.set_text('{"a":"1","a":"2"}')

    assert form.can_send()
    assert form.text() == '{"a":"1","a":"2"}'
    assert form.problems() == []


def test_the_json_view_says_where_the_text_is_wrong(form: Form, player: Player) -> None:
    """Ours."""
    player.show(SCHEMA)

    player.write_all('{"a":}')
    trouble = form.findChild(QLabel, "json error")

    assert trouble is not None
    assert "at character 6" in trouble.text()


def test_a_text_that_is_set_while_the_json_view_is_in_front_is_shown(
    form: Form, player: Player
) -> None:
    """Ours."""
    player.show(SCHEMA)
    form.show_json(True)

    form.set_text('{"a":"new"}')

    assert "new" in player.find(QPlainTextEdit, "json text").toPlainText()


@pytest.mark.parametrize("text", ["[]", "7", '"x"', "null", "true"])
def test_a_value_that_is_no_object_is_edited_as_json(text: str, form: Form, player: Player) -> None:
    """Ours."""
    player.show(SCHEMA)

    form.set_text(text)

    assert form.text() == text
    assert player.has("json:")
    assert form.problems() != []


def test_another_schema_begins_anew(form: Form, player: Player) -> None:
    """Ours."""
    player.show(SCHEMA)
    player.enter("/a", "x")

    player.show(schema_of("args-01"))

    assert form.text() == '{"wait":30}'
    assert not player.has("field:/a")


def test_every_change_is_told_once(form: Form, player: Player) -> None:
    """Ours."""
    player.show(SCHEMA)
    seen: list[str] = []
    form.changed.connect(lambda: seen.append(form.text()))

    QTest.keyClicks(player.find(QLineEdit, "field:/a"), "xy")
    form.set_text("{}")
    form.reset()

    assert seen == ['{"a":"x"}', '{"a":"xy"}', "{}", "{}"]


def test_ctrl_enter_submits_from_anywhere(form: Form, player: Player, qtbot: QtBot) -> None:
    """Ours."""
    player.show(SCHEMA)
    form.activateWindow()
    ctrl = Qt.KeyboardModifier.ControlModifier

    for box in (player.find(QLineEdit, "field:/a"), None):
        if box is None:
            form.show_json(True)
            box = player.find(QPlainTextEdit, "json text")
        box.setFocus()
        with qtbot.waitSignal(form.submitted, timeout=20_000):
            QTest.keyClick(box, Qt.Key.Key_Return, ctrl)

    assert form.text() == "{}"


def test_problems_are_told_a_moment_after_the_last_key(
    form: Form, player: Player, qtbot: QtBot
) -> None:
    """Ours."""
    player.show(SCHEMA)

    player.enter("/n", "1.5")

    qtbot.waitUntil(lambda: player.words("/n", "problem") == "must be an integer", timeout=20_000)


def test_the_first_problem_in_the_order_of_the_form_gets_the_focus(
    form: Form, player: Player
) -> None:
    """Ours."""
    form.activateWindow()
    player.show(
        {
            "properties": {
                "o": {"properties": {"i": {"type": "string"}}, "required": ["i"]},
                "a": {"type": "string"},
            },
            "required": ["a", "o"],
        }
    )

    form.show_problems()

    assert [problem.pointer for problem in form.problems()] == ["/o/i", "/a"]
    assert form.focusWidget() is player.find(QLineEdit, "field:/o/i")


def test_a_change_of_scale_keeps_the_value(
    form: Form, player: Player, theme: Theme, qtbot: QtBot
) -> None:
    """Ours."""
    from PySide6.QtWidgets import QApplication

    player.show(SCHEMA)
    player.enter("/a", "x")
    app = QApplication.instance()
    assert isinstance(app, QApplication)

    theme.apply(app, "dark", 2.0)

    player.settle()
    assert form.text() == '{"a":"x"}'
    assert player.find(QLineEdit, "field:/a").text() == "x"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=5)
    | st.from_regex(r"-?(0|[1-9][0-9]{0,3})\.[0-9]{1,4}(e[+-][0-9])?", fullmatch=True).map(
        lambda text: read(text.encode()).value
    ),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["root", "label", "kids", "x"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(JSON)
def test_any_value_goes_through_the_form_unchanged(form: Form, player: Player, value: Json) -> None:
    """Ours."""
    player.show(schema_of("schema-09"))
    text = write(value)

    form.set_text(text)
    player.settle()
    form.show_json(True)
    form.show_json(False)
    form.problems()

    assert form.text() == text


def test_json_is_laid_out_and_changes_in_white_space_only(form: Form, player: Player) -> None:
    """Ours: numbers and keys that are there twice stay, the caret stays at its token, and it can be undone."""
    player.show(SCHEMA)
    typed = '{"a":"x y","n":1.50, "n":[]}'
    player.write_all(typed)
    before, button = form.text(), player.find(QAbstractButton, "format json")
    box = player.find(QPlainTextEdit, "json text")
    cursor = box.textCursor()
    cursor.setPosition(typed.index("1.50"))
    box.setTextCursor(cursor)

    button.click()

    laid_out = '{\n  "a": "x y",\n  "n": 1.50,\n  "n": []\n}'
    assert box.toPlainText() == laid_out
    assert laid_out[: box.textCursor().position()].split()[-1] == '"n":'
    assert form.text() == before
    assert not button.isEnabled()
    box.undo()
    assert box.toPlainText() == typed


@pytest.mark.parametrize("text", ['{"a":', "", "{}"])
def test_what_is_no_json_or_laid_out_already_cannot_be(player: Player, text: str) -> None:
    """Ours."""
    player.show(SCHEMA)

    player.write_all(text)

    assert not player.find(QAbstractButton, "format json").isEnabled()
