"""What the editor does with the servers of a pasted text; ours, after "Connecting" in the description of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from inspector.config.profile import Profile

if TYPE_CHECKING:
    from collections.abc import Callable

    from ui.connect.editor import ServerEditor


@pytest.mark.parametrize("text", ['{"c": {"comand": "node"}}', "", " \n"])
def test_servers_of_a_text_leave_with_it(
    text: str, open_editor: Callable[..., ServerEditor]
) -> None:
    """Ours: *Save and connect* never takes what the text in sight does not name."""
    editor = open_editor()
    editor.paste('{"a": {"command": "node"}, "b": {"command": "npx"}}')
    assert len(editor.chosen()) == 2

    editor.paste(text)

    assert editor.chosen() == ()
    button = editor.findChild(QPushButton, "save_and_connect")
    assert isinstance(button, QPushButton)
    assert not button.isEnabled()


def test_what_was_changed_after_a_paste_stays_when_the_text_is_not_understood(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """Ours: input is never lost, and fields of an earlier text say so."""
    editor = open_editor()
    editor.paste("node server.js")
    editor.form.name.setText("mine")

    editor.paste('{"c": {"comand": "node"}}')

    assert [profile.name for profile in editor.chosen()] == ["mine"]
    notice = editor.findChild(QWidget, "editor_notice")
    assert isinstance(notice, QWidget)
    assert not notice.isHidden()


def test_a_placeholder_typed_into_a_field_is_warned_of(
    open_editor: Callable[..., ServerEditor],
) -> None:
    """Ours: as in a pasted text."""
    editor = open_editor(
        Profile(
            transport="http", url="https://x.example", headers=(("Authorization", "Bearer $TOKEN"),)
        )
    )
    texts = [label.text() for label in editor.will_run.findChildren(QLabel)]
    assert any("$TOKEN" in text for text in texts)
