"""How a list page divides its width, at every size of window and text. Ours."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QByteArray, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from ui.list_layout import (
    WIDTHS,
    Arrangement,
    ColumnSplitter,
    arrangement_of,
    fitted,
    usual_widths,
)

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


def splitter(qtbot: QtBot, theme: Theme, *, width: int = 1200) -> ColumnSplitter:
    made = ColumnSplitter((180, 340, 320), theme=theme, name="columns")
    qtbot.addWidget(made)
    for _ in range(3):
        made.addWidget(QWidget())
    made.set_usual_widths((240, 432))
    made.resize(width, 300)
    made.show()
    return made


def drag(columns: ColumnSplitter, handle: int, by: int) -> None:
    """Drag a handle with the mouse."""
    grip = columns.handle(handle)
    center = grip.rect().center()
    QTest.mousePress(grip, Qt.MouseButton.LeftButton, pos=center)
    QTest.mouseMove(grip, center + QPoint(by, 0))
    QTest.mouseRelease(grip, Qt.MouseButton.LeftButton, pos=grip.rect().center())


@pytest.mark.parametrize("row", WIDTHS)
def test_each_row_of_the_table_gives_its_widths(row: tuple[int, int, int]) -> None:
    """Ours."""
    assert usual_widths(row[0]) == row[1:]


def test_between_two_rows_the_widths_grow_steadily() -> None:
    """Ours: a window that is dragged larger makes no column jump."""
    found = [usual_widths(window) for window in range(900, 3000, 10)]
    assert found == sorted(found)
    assert found[0] == WIDTHS[0][1:]
    assert found[-1] == WIDTHS[-1][1:]
    steps = [after[1] - before[1] for before, after in pairwise(found)]
    assert max(steps) <= 4


@pytest.mark.parametrize(
    ("window", "page", "columns", "expected"),
    [
        (1360, 1184, 3, Arrangement.COLUMNS),
        (1024, 980, 3, Arrangement.COLUMNS),
        (1024, 839, 3, Arrangement.PICKER),  # a dock takes the width
        (999, 999, 3, Arrangement.PICKER),
        (720, 720, 3, Arrangement.PICKER),  # 1440 at 200%
        (639, 639, 3, Arrangement.SINGLE),
        (639, 639, 2, Arrangement.PICKER),
    ],
)
def test_the_arrangement_follows_the_effective_width(
    window: int, page: int, columns: int, expected: Arrangement
) -> None:
    """Ours."""
    assert arrangement_of(window, page, columns=columns) is expected


def test_columns_keep_their_least_widths_and_fill_the_width() -> None:
    """Ours."""
    assert fitted([240, 432, 0], [180, 340, 320], 1182) == [240, 432, 510]
    assert fitted([240, 900, 0], [180, 340, 320], 1182) == [240, 622, 320]
    assert sum(fitted([600, 700, 0], [180, 340, 320], 850)) == 850


def test_a_dragged_column_keeps_its_share_of_the_width(qtbot: QtBot, theme: Theme) -> None:
    """Ours: at another width of the window, and after a restart."""
    columns = splitter(qtbot, theme)
    assert columns.sizes() == [240, 432, 526]
    drag(columns, 1, 60)
    assert columns.sizes()[0] == pytest.approx(300, abs=3)
    columns.resize(2400, 300)
    assert columns.sizes()[0] == pytest.approx(600, abs=6)

    other = splitter(qtbot, theme, width=2400)
    assert other.restoreState(columns.saveState())
    assert other.sizes() == columns.sizes()
    assert not other.restoreState(QByteArray(b"\x00\x00\x00\xff"))
    assert not other.restoreState(QByteArray(b'{"3": [0.5, "x"]}'))
    assert other.sizes() == columns.sizes()


def test_larger_text_and_back_gives_the_same_widths(
    qtbot: QtBot, theme: Theme, qapp: QApplication
) -> None:
    """Ours."""
    columns = splitter(qtbot, theme, width=2400)
    drag(columns, 2, 35)
    before = columns.sizes()
    for scale in (1.25, 2.0, 1.5, 1.0):
        theme.apply(qapp, "light", scale)
    assert columns.sizes() == before
