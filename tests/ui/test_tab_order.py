"""Tab through widgets in visual order. Ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton, QWidget

from ui.tab_order import stops

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_widget_that_a_layout_has_no_room_for_is_passed_once(qtbot: QtBot) -> None:
    """Ours: Qt gives it a negative height, in a folded dock for instance."""
    window = QWidget()
    qtbot.addWidget(window)
    squeezed, beside = QPushButton(window), QPushButton(window)
    squeezed.setGeometry(0, 4, 20, -7)
    beside.setGeometry(40, 4, 20, 20)
    window.show()

    assert list(stops(window)) == [squeezed, beside]
