"""When the rows of the traffic follow the newest frame, and when they stay; ours throughout (ux "Traffic")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.support.wait import wait_until
from tests.ui.traffic.hands import at_bottom, button, numbers, press

if TYPE_CHECKING:
    from tests.support.talk import Talk
    from ui.traffic.panel import TrafficPanel


async def test_the_view_sticks_to_the_newest_row(panel: TrafficPanel, talk: Talk) -> None:
    """Ours."""
    talk.flood(500)
    await wait_until(lambda: len(numbers(panel)) == 505)

    assert panel.table.following
    assert at_bottom(panel)

    table, before = panel.table, panel.table.height()
    panel.resize(panel.width(), panel.height() - 100)
    await wait_until(lambda: table.height() < before)
    assert at_bottom(panel)


async def test_scrolling_up_ends_following_and_end_resumes_it(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours."""
    talk.flood(500)
    await wait_until(lambda: len(numbers(panel)) == 505)
    scroll = panel.table.verticalScrollBar()

    scroll.triggerAction(scroll.SliderAction.SliderPageStepSub)
    place = scroll.value()
    talk.flood(500)
    await wait_until(lambda: len(numbers(panel)) == 1005)
    assert not panel.table.following
    assert not button(panel, "follow").isChecked()
    assert scroll.value() == place

    press(panel.table, Qt.Key.Key_End)
    assert panel.table.following
    assert at_bottom(panel)
    assert panel.table.current_number() == 1005


async def test_dragging_the_scroll_bar_to_the_end_resumes_following(
    panel: TrafficPanel, talk: Talk
) -> None:
    """Ours."""
    talk.flood(500)
    await wait_until(lambda: len(numbers(panel)) == 505)
    scroll = panel.table.verticalScrollBar()

    scroll.setSliderDown(True)
    scroll.setSliderPosition(scroll.maximum() - 1)
    assert not panel.table.following
    scroll.setSliderPosition(scroll.maximum())
    scroll.setSliderDown(False)
    assert panel.table.following
    assert button(panel, "follow").isChecked()

    talk.flood(500)
    await wait_until(lambda: len(numbers(panel)) == 1005)
    assert at_bottom(panel)


async def test_choosing_an_older_row_keeps_it_in_place(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: nothing moves under the pointer."""
    talk.flood(100)
    await wait_until(lambda: len(numbers(panel)) == 105)
    row = panel.table.whole_rows()[0] + 1
    place = panel.table.visualRect(panel.model.index(row, 0)).center()

    QTest.mouseClick(panel.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    before = panel.table.visualRect(panel.model.index(row, 0)).top()
    talk.flood(100)
    await wait_until(lambda: len(numbers(panel)) == 205)

    assert panel.table.current_number() == row + 1
    assert panel.table.visualRect(panel.model.index(row, 0)).top() == before
