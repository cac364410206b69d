"""The bar above the rows: of one height, in one order, and nothing in it moves a row; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel, QToolButton

from tests.support.wait import wait_until
from tests.ui.qt_actions import find
from tests.ui.traffic.hands import numbers
from ui.traffic.notices import row_counts

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tests.support.talk import Talk
    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel


@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0])
async def test_the_bar_and_its_line_are_34_pixels_high_and_its_controls_large_enough(
    qapp: QApplication, panel: TrafficPanel, theme: Theme, scale: float
) -> None:
    """Ours; WCAG 2.2, 2.5.8."""
    theme.apply(qapp, "light", scale)

    await wait_until(lambda: abs(panel.bar.height() + 1 - theme.px(34)) <= 1)
    buttons = [part for part in panel.bar.findChildren(QToolButton) if part.isVisible()]
    sizes = [(part.width(), part.height()) for part in buttons if part.parent() is panel.bar]
    assert len(sizes) == 5
    assert min(min(size) for size in sizes) >= theme.px(24)


async def test_clear_is_the_last_before_the_menu_and_the_filter_takes_the_rest(
    panel: TrafficPanel,
) -> None:
    """Ours."""
    bar = panel.bar
    await wait_until(lambda: bar.state.width() == bar.state.sizeHint().width())
    order = [bar.filter, bar.state, bar.pause, bar.follow, bar.detail, bar.clear, bar.menu]
    assert [part.x() for part in order] == sorted(part.x() for part in order)

    before = [part.width() for part in order]
    panel.resize(panel.width() + 200, 300)
    await wait_until(lambda: bar.filter.width() > before[0])
    after = [part.width() for part in order]

    assert [b - a for a, b in zip(before, after, strict=True)] == [200, 0, 0, 0, 0, 0, 0]


def test_wrong_syntax_moves_no_row(panel: TrafficPanel) -> None:
    """Ours: the explanation covers what is below the field."""
    before = panel.table.geometry(), panel.bar.geometry()

    panel.set_filter("kind:reqest")

    assert panel.bar.filter.problem()
    problem = find(panel, QLabel, "traffic_filter_problem")
    assert problem.isVisible()
    assert problem.mapTo(panel, problem.rect().topLeft()).y() >= panel.bar.filter.line.height()
    assert (panel.table.geometry(), panel.bar.geometry()) == before
    panel.set_filter("")
    assert not problem.isVisible()


def test_nothing_in_the_bar_moves_while_numbers_change(panel: TrafficPanel, talk: Talk) -> None:
    """Ours: the state keeps the width of its widest text so far."""
    talk.flood(1000)
    panel.model.feed.pull()
    before = panel.bar.filter.width()

    panel.bar.clear.click()
    wide = panel.bar.filter.width()
    panel.bar.state.click()

    assert len(numbers(panel)) == 1005
    assert wide <= before
    assert panel.bar.filter.width() == wide


def test_a_narrow_bar_has_a_shorter_state_and_no_ellipsis(panel: TrafficPanel) -> None:
    """Ours: assistive technology always has all of it. At which widths depends on the font."""
    state = panel.bar.state
    panel.bar.set_state(*row_counts(6, 1, hidden=2), tip="Show 2 stderr lines")

    seen: dict[str, None] = {}
    for width in range(1400, 300, -10):
        panel.resize(width, 300)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)
        seen[state.text()] = None
        assert state.accessibleName() == "1 of 6 rows · 2 hidden"

    texts = ["1 of 6 rows · 2 hidden", "1 of 6 · 2 hidden", "1 of 6 rows", "1 of 6"]
    assert list(seen) == texts
