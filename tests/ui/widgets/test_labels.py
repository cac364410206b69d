"""Labels show text as it is, and a tone shows whether it was set before or after the label was; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from ui.widgets.labels import plain_label, set_background, set_tone

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def test_a_plain_label_never_takes_its_text_for_html() -> None:
    """Ours."""
    label = plain_label("<b>x</b>", name="x", wrap=True)

    assert label.textFormat() is Qt.TextFormat.PlainText
    assert (label.text(), label.objectName()) == ("<b>x</b>", "x")


def test_a_long_word_does_not_widen_a_label_that_wraps(qtbot: QtBot) -> None:
    """Ours: a word of a server must not make the window wider."""
    box = QWidget()
    qtbot.addWidget(box)
    column = QVBoxLayout(box)
    column.addWidget(plain_label("w" * 3000, wrap=True))

    assert box.minimumSizeHint().width() < 100


def test_a_tone_is_drawn_before_and_after_a_label_is_shown(theme: Theme, qtbot: QtBot) -> None:
    """Ours: Qt looks at the property only while it polishes the label."""
    box = QFrame()
    qtbot.addWidget(box)
    label = plain_label("x", tone="error", parent=box)
    box.show()
    before = label.palette().color(QPalette.ColorRole.WindowText)

    set_tone(label, "ok")
    set_background(box, "warning")

    after = label.palette().color(QPalette.ColorRole.WindowText)
    assert (before, after) == (theme.colour("error"), theme.colour("ok"))
    drawn = box.grab().toImage().pixelColor(box.width() - 2, box.height() // 2)
    assert drawn == theme.colour("warning_ground")
