"""The centre of the window: what is in front, and what the tabs say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from tests.support.answering import AnsweringServer, tool
from tests.support.wait import wait_until
from tests.ui.counted import Counted
from tests.ui.hands import click, reads, sees

if TYPE_CHECKING:
    from tests.ui.shell.desk import Desk


def tab(desk: Desk, key: str) -> int:
    pages = [maker.info.key for maker in desk.window.workbench.makers]
    return pages.index(key)


async def test_at_first_there_are_two_ways_to_begin(desk: Desk) -> None:
    """Ours; ux: empty states say what to do next."""
    assert "Spyglass" in reads(desk.window, "workbench_empty")
    wanted: list[str] = []
    desk.window.demo_requested.disconnect()
    desk.window.demo_requested.connect(lambda: wanted.append("demo"))

    click(desk.window, "welcome_demo")

    assert wanted == ["demo"]
    assert sees(desk.window, "welcome_add")


async def test_pages_that_are_made_late_keep_their_fonts(desk: Desk) -> None:
    """Ours: headings are bold, JSON is monospaced, in a window that is on the screen and dressed."""
    page = desk.window.workbench.page("client")

    override = page.findChild(QPlainTextEdit, "declare_json")
    assert override is not None
    assert override.font().family() == desk.app.theme.mono().family()
    assert any(label.font().bold() for label in page.findChildren(QLabel))


async def test_a_tab_tells_how_many_there_are(desk: Desk) -> None:
    """Ours."""
    await desk.open()
    tabs = desk.window.workbench.tabs

    await wait_until(lambda: tabs.tabText(tab(desk, "tools")) == "Tools 40")


async def test_the_tab_of_what_is_not_declared_says_so_and_still_opens(desk: Desk) -> None:
    """lifecycle-05-undeclared-lists: the tip names the capability; asking anyway is inside."""
    desk.server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("a")]}}, capabilities={})
    desk.conductor.connect_to(desk.add())
    tabs, at = desk.window.workbench.tabs, tab(desk, "tools")
    await wait_until(lambda: tabs.tabToolTip(at) == "server does not declare tools")
    assert tabs.tabBar().tabTextColor(at) == desk.app.theme.colour("muted")
    assert "tools/list" not in desk.server.methods()

    desk.window.go("tools")
    await wait_until(lambda: sees(desk.window, "tools_empty_action"))
    click(desk.window, "tools_empty_action")

    await wait_until(lambda: tabs.tabText(at) == "Tools 1")
    assert tabs.tabToolTip(at) == ""
    assert not tabs.tabBar().tabTextColor(at).isValid()


async def test_lists_are_read_again_by_a_command(desk: Desk) -> None:
    """Ours; F5."""
    await desk.open()
    before = desk.server.methods().count("tools/list")

    desk.window.actions_["lists"].trigger()

    await wait_until(lambda: desk.server.methods().count("tools/list") == before + 1)


async def test_a_page_that_says_nothing_new_does_not_paint_the_one_in_front(desk: Desk) -> None:
    """Ours: every word of a tab lays out and paints its whole page; changes come thirty times a second."""
    await desk.open()
    workbench = desk.window.workbench
    await wait_until(lambda: workbench.tabs.tabText(tab(desk, "tools")) == "Tools 40")
    behind, paints = workbench.page("logs"), Counted(workbench.current, QEvent.Type.Paint)
    workbench.current.update()
    await wait_until(lambda: paints.count)
    before = paints.count

    for _ in range(5):
        behind.changed.emit()
    workbench.current.update()
    await wait_until(lambda: paints.count > before)

    assert paints.count == before + 1
