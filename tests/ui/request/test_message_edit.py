"""The editor of a message, with lines of any length; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QFont

from ui.request.message_edit import LONG_LINE, MessageEdit

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

PLAIN = QFont.StyleStrategy.PreferNoShaping


def test_a_long_line_is_laid_out_without_ligatures(qtbot: QtBot, theme: Theme) -> None:
    """Ours: each key lays it out as a whole; typing alone never looks at the other lines."""
    edit = MessageEdit(theme=theme, name="edit")
    qtbot.addWidget(edit)
    strategies: list[QFont.StyleStrategy] = []
    for text in ("short", "short\n" + "x" * LONG_LINE, "short again"):
        edit.setPlainText(text)
        strategies.append(edit.font().styleStrategy())
        assert edit.message() == text

    assert PLAIN in strategies[1]
    assert PLAIN not in strategies[0]
    assert strategies[2] == strategies[0]
