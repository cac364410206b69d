"""The tabs of the pages: nothing moves, nothing is cut, and what does not fit is in a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu

from tests.ui.qt_actions import find
from ui.shell.page_tabs import PageTabs, TabSpec, TabState, short_badge

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

SPECS = (
    TabSpec("Overview", "server", widest=""),
    TabSpec("Tools", "server", widest="99"),
    TabSpec("Resources", "server", widest="99"),
    TabSpec("Prompts", "server", widest="99"),
    TabSpec("Roots", "client", widest="99"),
    TabSpec("Authorization", "client", widest=""),
    TabSpec("Raw", "client", widest=""),
)
WIDE, NARROW = 1100, 420
"""Pixels: enough for all tabs, and for some."""


@pytest.fixture
def tabs(qtbot: QtBot, theme: Theme) -> PageTabs:
    tabs = PageTabs(theme=theme, name="tabs")
    qtbot.addWidget(tabs)
    for spec in SPECS:
        tabs.add(QLineEdit(), spec)
    tabs.resize(WIDE, 300)
    tabs.show()
    return tabs


def rects(tabs: PageTabs) -> list[QRect]:
    return [tabs.bar.tabRect(at) for at in range(tabs.count())]


def counts(*counts: str) -> list[TabState]:
    return [TabState(count) for count in counts]


def outside(tabs: PageTabs) -> list[str]:
    """Titles of the tabs that are not in the menu."""
    return [spec.title for at, spec in enumerate(SPECS) if tabs.bar.isTabVisible(at)]


def in_menu(tabs: PageTabs) -> list[str]:
    menu = find(tabs, QMenu, "workbench_more_menu")
    menu.aboutToShow.emit()
    return [action.text() for action in menu.actions()]


def test_selecting_a_tab_moves_none(tabs: PageTabs) -> None:
    """Ours: the current one is semibold, for which there is space in each."""
    before = rects(tabs)

    for at in range(tabs.count()):
        tabs.setCurrentIndex(at)
        assert rects(tabs) == before


def test_a_count_moves_no_tab(tabs: PageTabs) -> None:
    """Ours: also when it becomes smaller again, or goes."""
    before = rects(tabs)
    tabs.set_states(counts("", "9", "6", "0", "2", "", ""))
    assert rects(tabs) == before

    tabs.set_states(counts("", "1,204", "82", "0", "2", "", ""))
    wide = rects(tabs)
    assert wide[2].left() > before[2].left()
    tabs.set_states(counts("", "7", "", "", "", "", ""))

    assert rects(tabs) == wide


def test_title_and_count_are_never_cut(
    tabs: PageTabs, theme: Theme, qapp: QApplication, qtbot: QtBot
) -> None:
    """Ours; WCAG 2.2, 1.4.4: at 200 % too."""
    tabs.set_states(counts("", "1,204", "36", "6", "2", "", ""))
    for scale in (1.0, 2.0):
        theme.apply(qapp, "light", scale)
        tabs.resize(round(WIDE * scale), 300)
        qtbot.waitUntil(lambda: tabs.bar.width() == tabs.width())
        metrics = QFontMetrics(theme.font(bold=True))
        for at in range(tabs.count()):
            text = metrics.horizontalAdvance(SPECS[at].title)
            assert tabs.bar.tabRect(at).width() >= text + theme.px(20)
        assert tabs.bar.height() == theme.px(32)
        assert outside(tabs) == [spec.title for spec in SPECS]


def test_tabs_that_do_not_fit_are_in_a_menu_but_never_the_current_one(
    tabs: PageTabs, qtbot: QtBot
) -> None:
    """Ours: whole titles only."""
    assert not tabs.more.isVisible()
    tabs.set_states(counts("", "82", "36", "6", "2", "", ""))

    tabs.resize(NARROW, 300)

    qtbot.waitUntil(tabs.more.isVisible)
    assert outside(tabs) == ["Overview", "Tools", "Resources"]
    assert in_menu(tabs) == ["Prompts 6", "Roots 2", "Authorization", "Raw"]
    assert tabs.more.geometry().right() < tabs.width()
    assert tabs.more.geometry().left() > tabs.bar.tabRect(2).right()
    tabs.setCurrentIndex(6)
    assert outside(tabs) == ["Overview", "Tools", "Raw"]
    assert tabs.bar.tabRect(6).right() < tabs.more.geometry().left()
    tabs.resize(WIDE, 300)
    qtbot.waitUntil(lambda: not tabs.more.isVisible())
    assert outside(tabs) == [spec.title for spec in SPECS]


def test_a_page_in_the_menu_is_opened_from_there_and_by_arrow_keys(
    tabs: PageTabs, qtbot: QtBot
) -> None:
    """Ours: keyboard first."""
    tabs.resize(NARROW, 300)
    qtbot.waitUntil(tabs.more.isVisible)
    assert "Roots" in in_menu(tabs)
    room = tabs.more.size()
    tabs.set_state(5, TabState("3", tone="error"))  # the last tab
    assert tabs.more.accessibleName() == "More pages, 3 problems"
    assert tabs.more.size() == room
    menu = find(tabs, QMenu, "workbench_more_menu")
    next(action for action in menu.actions() if action.text() == "Roots").trigger()
    assert tabs.currentIndex() == 4
    assert "Roots" in outside(tabs)

    tabs.setCurrentIndex(0)
    passed = [0]
    for _ in range(len(SPECS) - 1):
        QTest.keyClick(tabs.bar, Qt.Key.Key_Right)
        passed.append(tabs.currentIndex())

    assert passed == list(range(len(SPECS)))


def test_groups_are_apart(tabs: PageTabs) -> None:
    """Ours: the features of the server, then the side of the client."""
    at = [spec.group for spec in SPECS].index("client")
    bar = tabs.bar.grab().toImage()
    tabs.setCurrentIndex(0)
    lines = {
        start: any(
            bar.pixelColor(x, bar.height() // 2).name() != bar.pixelColor(0, 0).name()
            for x in range(tabs.bar.tabRect(start).left() + 1, tabs.bar.tabRect(start).left() + 12)
        )
        for start in (at - 1, at)
    }
    assert lines == {at - 1: False, at: True}


def test_a_tab_is_spoken_with_its_count_and_what_waits(tabs: PageTabs) -> None:
    """Ours; WCAG 2.2, 4.1.2."""
    waiting = TabState("82", pending="1 request waiting for you")
    missing = TabState("", missing="server does not declare prompts")
    tabs.set_states([TabState(), waiting, TabState("36"), missing, *counts("", "", "")])

    bar = QAccessible.queryAccessibleInterface(tabs.bar)
    assert bar is not None
    names = [bar.child(at).text(QAccessible.Text.Name) for at in range(4)]
    assert names == [
        "Overview",
        "Tools 82, 1 request waiting for you",
        "Resources 36",
        "Prompts, server does not declare prompts",
    ]
    assert tabs.tabToolTip(3) == "server does not declare prompts"
    assert tabs.isTabEnabled(3)
    assert tabs.bar.tone(3) == "quiet"  # not the color of what cannot be used


def test_what_waits_on_a_page_is_a_dot_that_moves_nothing(tabs: PageTabs, theme: Theme) -> None:
    """Ours: also where the page is in the menu."""
    tabs.set_states(counts("", "82", "36", "6", "2", "", ""))
    before = rects(tabs)

    def dots() -> int:
        image, color = tabs.grab().toImage(), theme.color("person").name()
        pixels = ((x, y) for x in range(tabs.width()) for y in range(tabs.bar.height()))
        return sum(image.pixelColor(x, y).name() == color for x, y in pixels)

    assert dots() == 0
    states = counts("", "82", "36", "6", "2", "", "")
    states[4] = TabState("2", pending="1 request waiting for you")
    tabs.set_states(states)
    assert dots() > 20
    assert rects(tabs) == before

    tabs.resize(NARROW, 300)
    assert "Roots" not in outside(tabs)
    assert dots() > 20
    assert tabs.more.accessibleName() == "More pages, 1 request waiting for you"


@pytest.mark.parametrize(
    ("count", "text"),
    [("", ""), ("0", "0"), ("1,204", "1,204"), ("9,999", "9,999"), ("10,000", "10k")],
)
def test_large_counts_are_shown_in_thousands(count: str, text: str) -> None:
    """Ours."""
    assert short_badge(count) == text


def test_a_tab_closes_if_its_cross_is_pressed_and_released(qtbot: QtBot, theme: Theme) -> None:
    """Ours: not if the mouse was pressed elsewhere."""
    tabs = PageTabs(theme=theme, name="tabs")
    qtbot.addWidget(tabs)
    tabs.add(QLineEdit(), SPECS[0])
    tabs.add(QLineEdit(), TabSpec("Compare", "opened", widest="", is_closable=True))
    tabs.set_open(1, is_open=True)
    tabs.resize(WIDE, 300)
    tabs.show()
    closed: list[int] = []
    tabs.bar.close_requested.connect(closed.append)
    cross, left = tabs.bar.cross_rect(1).center(), Qt.MouseButton.LeftButton

    QTest.mousePress(tabs.bar, left, pos=tabs.bar.tabRect(0).center())
    QTest.mouseRelease(tabs.bar, left, pos=cross)
    assert not closed
    QTest.mouseClick(tabs.bar, left, pos=cross)
    assert closed == [1]


def test_more_is_after_the_last_visible_tab_though_another_one_is_not_opened(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: a page that is opened on demand has no tab until then."""
    tabs = PageTabs(theme=theme, name="tabs")
    qtbot.addWidget(tabs)
    for spec in (*SPECS, TabSpec("Compare", "opened", widest="", is_closable=True)):
        tabs.add(QLineEdit(), spec)
    tabs.resize(300, 300)
    tabs.show()
    qtbot.waitUntil(tabs.more.isVisible)

    last = max(at for at in range(tabs.count()) if tabs.bar.isTabVisible(at))
    qtbot.waitUntil(lambda: tabs.more.geometry().left() > tabs.bar.tabRect(last).right())
