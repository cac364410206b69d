"""Where the details of a frame are, by the size of the window, and when they are open; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.ui.qt_actions import click
from tests.ui.traffic.hands import button, press
from ui.traffic.detail_split import MAX_SHARE, MIN_SHARE, Arrangement, detail_width

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel


def click_row(panel: TrafficPanel, row: int) -> None:
    position = panel.table.visualRect(panel.model.index(row, 0)).center()
    QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=position)


@pytest.mark.parametrize(
    ("width", "arrangement"),
    [
        (990, Arrangement.INSTEAD),
        (1024, Arrangement.BELOW),
        (1290, Arrangement.BESIDE),
        (1920, Arrangement.BESIDE),
    ],
)
def test_the_size_of_the_window_decides_where_the_details_are(
    panel: TrafficPanel, width: int, arrangement: Arrangement
) -> None:
    """Ours."""
    panel.resize(width, 400)
    assert not panel.split.is_open

    click_row(panel, 1)

    assert panel.split.arrangement is arrangement
    assert panel.detail.isVisible()
    assert panel.table.isVisible() is (arrangement is not Arrangement.INSTEAD)
    details, rows = panel.split.sizes()[1], panel.split.sizes()[0]
    if arrangement is Arrangement.BESIDE:
        assert abs(details - detail_width(width)) <= 2
    elif arrangement is Arrangement.BELOW:
        assert abs(details - rows) <= 2


def test_the_width_of_the_details_grows_with_the_window() -> None:
    """Ours."""
    widths = [detail_width(width) for width in (1280, 1360, 1400, 1440, 1920, 2560, 4000)]
    assert widths == [360, 384, 392, 400, 520, 640, 640]


def test_large_text_counts_as_a_small_window(
    qapp: QApplication, panel: TrafficPanel, theme: Theme
) -> None:
    """Ours: and the sizes are the same again afterwards."""
    panel.resize(1440, 400)
    click_row(panel, 1)
    before = panel.split.sizes()

    theme.apply(qapp, "light", 2.0)
    assert panel.split.arrangement is Arrangement.INSTEAD
    assert panel.table.isVisible()  # what grows does not take the rows away
    theme.apply(qapp, "light", 1.0)

    assert panel.split.sizes() == before


def test_from_details_instead_of_rows_a_button_leads_back(panel: TrafficPanel) -> None:
    """Ours: the next click on a row opens them again, walking through rows with the keyboard does not."""
    panel.resize(900, 400)
    click_row(panel, 1)
    assert not panel.table.isVisible()

    click(panel, "traffic_back")
    assert panel.table.isVisible()
    assert panel.table.hasFocus() or panel.focusWidget() is panel.table
    press(panel.table, Qt.Key.Key_Down)
    assert panel.table.isVisible()
    click_row(panel, 2)

    assert panel.detail.isVisible()
    assert panel.detail.number() == 3


def test_the_command_opens_and_closes_the_details(panel: TrafficPanel) -> None:
    """Ours: closed while nothing is selected, whatever the button was."""
    panel.resize(1400, 400)
    assert button(panel, "detail").isChecked()
    assert not panel.split.is_open

    button(panel, "detail").click()
    click_row(panel, 1)
    assert not panel.split.is_open
    button(panel, "detail").click()

    assert panel.split.is_open


def test_a_share_that_the_user_dragged_holds_and_comes_back(panel: TrafficPanel) -> None:
    """Ours: as a share, in windows of other sizes, too."""
    panel.resize(1400, 400)
    click_row(panel, 1)
    panel.split.moveSplitter(900, 1)
    share = panel.split.sizes()[1] / sum(panel.split.sizes())
    saved = panel.save_state()
    panel.resize(1800, 400)
    assert abs(panel.split.sizes()[1] / sum(panel.split.sizes()) - share) < 0.01

    panel.split.moveSplitter(1300, 1)
    assert panel.restore_state(saved)
    panel.resize(1400, 400)

    assert abs(panel.split.sizes()[1] / sum(panel.split.sizes()) - share) < 0.01


def test_details_beside_rows_leave_both_enough_however_far_the_handle_is_moved(
    panel: TrafficPanel,
) -> None:
    """Ours: between a quarter and not quite half of the width."""
    panel.resize(1440, 400)
    click_row(panel, 1)
    widths = list[float]()
    for position in (10, 1430):
        panel.split.moveSplitter(position, 1)
        rows, details = panel.split.sizes()
        widths.append(details / (rows + details))

    assert widths == pytest.approx([MAX_SHARE, MIN_SHARE], abs=0.01)
