"""A box of long lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.widgets.combo_boxes import ElidedComboBox

if TYPE_CHECKING:
    from PySide6.QtGui import QImage
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_a_long_line_ends_in_an_ellipsis_whatever_follows(qtbot: QtBot, theme: Theme) -> None:
    """Ours: nothing is drawn of what does not fit, and what is chosen stays whole."""
    drawn: list[QImage] = []
    for tail in ("iiii", "WWWW"):
        box = ElidedComboBox(name="box", text="Earlier calls")
        box.setFont(theme.font())
        qtbot.addWidget(box)
        box.addItem("n" * 300 + tail)
        box.resize(160, 24)
        box.show()
        drawn.append(box.grab().toImage())
        assert box.currentText().endswith(tail)

    box = ElidedComboBox(name="box", text="Earlier calls")
    box.setFont(theme.font())
    qtbot.addWidget(box)
    box.addItem("n" * 12)
    box.resize(160, 24)
    box.show()

    assert drawn[0] == drawn[1]
    assert box.grab().toImage() != drawn[0]
    assert box.sizeHint().width() < 300
