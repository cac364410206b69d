"""The size of a window in relation to its text, and the arrangement that follows; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QWidget

from ui.widgets.effective_size import EffectiveSize, WindowMode, effective_size_of

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


@pytest.mark.parametrize(
    ("width", "scale", "mode"),
    [
        (1280, 1.0, WindowMode.FULL),
        (1024, 1.0, WindowMode.COMPACT),
        (1280, 1.25, WindowMode.COMPACT),
        (999, 1.0, WindowMode.NARROW),
        (1440, 2.0, WindowMode.NARROW),
        (1270, 2.0, WindowMode.SINGLE_PANE),
    ],
)
def test_larger_text_arranges_a_window_as_a_narrower_one(
    qtbot: QtBot, qapp: QApplication, theme: Theme, width: int, scale: float, mode: WindowMode
) -> None:
    """Ours."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(width, 700)
    size = EffectiveSize(window, theme)
    theme.apply(qapp, "light", scale)

    assert size.mode is mode
    assert (size.width, size.height) == (width / scale, 700 / scale)


def test_a_change_of_the_arrangement_is_announced_once(qtbot: QtBot, theme: Theme) -> None:
    """Ours: not each change of size."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1200, 700)
    window.show()
    size, modes = EffectiveSize(window, theme), list[WindowMode]()
    size.mode_changed.connect(lambda: modes.append(size.mode))

    for width in (1300, 1100, 1050, 1000, 900):
        window.resize(width, 700)

    qtbot.waitUntil(lambda: modes == [WindowMode.COMPACT, WindowMode.NARROW])


def test_all_parts_of_a_window_share_one_effective_size(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    window = QWidget()
    qtbot.addWidget(window)
    inner = QWidget(QWidget(window))

    assert effective_size_of(inner, theme) is effective_size_of(window, theme)
