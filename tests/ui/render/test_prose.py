"""Which texts are set in the font that is read, and which keep characters of one width. Ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from ui.render.auto_height import PROSE_PIXELS, AutoHeightText
from ui.render.text import is_prose

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.mark.parametrize(
    ("text", "mime", "expected"),
    [
        ("The sum is 7.", "", True),
        ("First sentence.  Second after two spaces.", "text/plain", True),
        ("# Title\n\n- one item\n- another item", "text/markdown", True),
        ("3f2a9c", "", False),  # a value to copy
        ('{"a": 1}', "", False),
        ("name    size\nreadme  12", "", False),
        ("def f():\n    return 1", "", False),
        ("a\tb c", "", False),
        ("two words", "text/x-python", False),
        ("", "", False),
    ],
)
def test_a_text_is_prose_if_nothing_in_it_is_aligned(text: str, mime: str, expected: bool) -> None:
    """Ours."""
    assert is_prose(text, mime) is expected


def test_sentences_keep_a_width_that_can_be_read(qtbot: QtBot, theme: Theme) -> None:
    """Ours: in a wide window the rest stays empty; wire data takes all of it."""
    for mono in (False, True):
        around = QWidget()
        qtbot.addWidget(around)
        view = AutoHeightText(theme=theme, mono=mono)
        view.setParent(around)
        view.set_text("word " * 400)
        view.resize(2000, 300)
        around.show()
        width = 2000 if mono else PROSE_PIXELS
        qtbot.waitUntil(lambda view=view, width=width: view.edit.width() == width)
        view.resize(500, 300)
        qtbot.waitUntil(lambda view=view: view.edit.width() == 500)
