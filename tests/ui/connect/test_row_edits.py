"""The rows of variables and headers beside the other fields of the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QLineEdit, QToolButton

from ui.connect.row_edits import NameValueEdit

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_values_end_where_the_other_fields_do_with_buttons_and_without(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: the buttons are in the field, after the text; none is outside."""
    pairs = NameValueEdit("Variable", theme=theme, name="environment")
    qtbot.addWidget(pairs)
    pairs.resize(500, 200)
    pairs.set_pairs((("API_TOKEN", "x"), ("MODE", "fast")))
    pairs.show()
    values = pairs.findChildren(QLineEdit, "pair_value")
    qtbot.waitUntil(lambda: values[0].width() > 100, timeout=20_000)

    edges = {value.mapTo(pairs, QPoint(value.width(), 0)).x() for value in values}
    assert edges == {pairs.width()}
    counts: list[int] = []
    for value in values:
        buttons = [b for b in value.findChildren(QToolButton) if b.isVisible()]
        counts.append(len(buttons))
        text_ends = value.width() - value.textMargins().right()
        for button in buttons:
            assert QRect(QPoint(), value.size()).contains(button.geometry())
            assert button.x() >= text_ends
    assert counts == [2, 1, 0]
