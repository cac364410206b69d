"""The hairline between two parts is easy to grab, and moves with the pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from ui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

LEAST = 7
"""Pixels at 100% in which a hairline is grabbed."""


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("orientation", list(Qt.Orientation))
def test_the_hairline_is_grabbed_from_around_it_and_moves_with_the_pointer(
    qtbot: QtBot, qapp: QApplication, theme: Theme, orientation: Qt.Orientation, scale: float
) -> None:
    """Ours: the parts stay where they are when it is only pressed, and one pixel divides them."""
    theme.apply(qapp, "light", scale)
    splitter = Splitter(orientation, theme=theme)
    qtbot.addWidget(splitter)
    for _ in range(2):
        splitter.addWidget(QWidget())
    splitter.resize(601, 601)
    splitter.setSizes([300, 300])
    splitter.show()
    handle = splitter.handle(1)
    is_beside = orientation is Qt.Orientation.Horizontal
    across = handle.width() if is_beside else handle.height()

    assert splitter.sizes() == [300, 300]
    assert across >= theme.px(LEAST)
    for grip in (QPoint(1, 1), QPoint(handle.width() - 1, handle.height() - 1)):
        before = splitter.sizes()[0]
        at = splitter.mapFromGlobal(handle.mapToGlobal(grip))
        QTest.mousePress(handle, Qt.MouseButton.LeftButton, pos=grip)
        for by in (0, 20):
            target = at + (QPoint(by, 0) if is_beside else QPoint(0, by))
            QTest.mouseMove(handle, handle.mapFromGlobal(splitter.mapToGlobal(target)))
            assert splitter.sizes()[0] == before + by
        QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, pos=grip)
