"""Placeholders of a configuration that was written for another client; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget

from inspector.config.profile import Profile
from tests.support.wait import wait_until

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.connect.editor import ServerEditor

W = TypeVar("W", bound=QWidget)

CONFIG = """{"servers": {"s": {"command": "npx", "args": ["pkg", "${input:org}", "${HOME}"],
    "env": {"GITHUB_TOKEN": "${GITHUB_TOKEN}"}}}}"""


def part(editor: ServerEditor, kind: type[W], name: str) -> W:
    found = editor.findChild(kind, name)
    assert isinstance(found, kind), name
    return found


def test_placeholders_are_filled_from_the_environment_when_the_user_asks_for_it(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """And not before; what is missing is named, and a secret is not shown."""
    editor = open_editor()
    editor.paste(CONFIG)
    assert editor.chosen()[0].env == (("GITHUB_TOKEN", "${GITHUB_TOKEN}"),)
    fill = part(editor, QPushButton, "fill_placeholders")
    assert fill.isVisible()
    assert "hush-1" not in fill.toolTip()

    fill.click()
    (profile,) = editor.chosen()
    assert profile.env == (("GITHUB_TOKEN", "hush-1"),)
    assert profile.args == ("pkg", "${input:org}", "/home/x")
    said = part(editor, QLabel, "notice_text").text()
    assert "Not there: ${input:org}" in said
    assert "hush-1" not in said
    assert "hush-1" not in editor.will_run.text()
    value = editor.form.env.findChildren(QLineEdit, "pair_value")[0]
    assert value.echoMode() is QLineEdit.EchoMode.Password


async def test_what_is_missing_stays_named_and_there_is_nothing_left_to_fill(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor()
    editor.paste(CONFIG)
    fill = part(editor, QPushButton, "fill_placeholders")
    fill.click()
    editor.form.name.setText("s2")
    await wait_until(lambda: not fill.isVisible())
    assert not fill.isVisible()
    assert "${input:org}" in part(editor, QLabel, "caution_placeholder").text()


def test_where_the_environment_has_nothing_nothing_is_offered(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor()
    editor.paste('{"mcpServers": {"s": {"command": "npx", "args": ["${LOST}", "<name>"]}}}')
    assert not part(editor, QPushButton, "fill_placeholders").isVisible()


def test_the_command_is_in_sight_where_nothing_is_to_be_said_about_it(
    open_editor: Callable[..., ServerEditor],
) -> None:
    editor = open_editor(Profile(name="s", command="node", args=("x.js",)))
    editor.grab()  # lays out what is on the screen
    command = editor.findChild(QPlainTextEdit, "full_command")
    assert isinstance(command, QPlainTextEdit)
    assert not editor.will_run.cautions()
    assert command.visibleRegion().boundingRect().height() > command.fontMetrics().height() // 2
