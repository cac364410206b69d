"""The centre of the window: what is in front, and what the tabs say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import (
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from tests.support.answering import AnsweringServer, tool
from tests.support.wait import wait_until
from tests.ui.counted import Counted
from tests.ui.qt_actions import click, find, reads, sees
from ui.widgets.page_container import PageContainer

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from tests.ui.shell.shell_fixture import ShellFixture


def tab(shell: ShellFixture, key: str) -> int:
    pages = [spec.key for spec in shell.window.parts.workbench.specs]
    return pages.index(key)


async def test_at_first_there_are_two_ways_to_begin(shell: ShellFixture) -> None:
    """Ours; ux: empty states say what to do next."""
    assert "Spyglass" in reads(shell.window, "workbench_empty")
    wanted: list[str] = []
    shell.window.demo_requested.disconnect()
    shell.window.demo_requested.connect(lambda: wanted.append("demo"))

    click(shell.window, "welcome_demo")

    assert wanted == ["demo"]
    assert sees(shell.window, "welcome_add")


async def test_pages_that_are_made_late_keep_their_fonts(shell: ShellFixture) -> None:
    """Ours: headings are bold, JSON is monospaced, in a window that is on the screen and dressed."""
    page = shell.window.parts.workbench.page("client")

    override = page.findChild(QPlainTextEdit, "declare_json")
    assert override is not None
    assert override.font().family() == shell.app.theme.mono().family()
    assert any(label.font().bold() for label in page.findChildren(QLabel))


async def test_a_tab_tells_how_many_there_are(shell: ShellFixture) -> None:
    """Ours."""
    await shell.open()
    tabs = shell.window.parts.workbench.tabs
    shell.make_pages()

    await wait_until(lambda: tabs.tabText(tab(shell, "tools")) == "Tools 40")


async def test_the_tab_of_what_is_not_declared_says_so_and_still_opens(shell: ShellFixture) -> None:
    """lifecycle-05-undeclared-lists: the tip names the capability; asking anyway is inside."""
    shell.server = AnsweringServer(
        {"tools/list": lambda _: {"tools": [tool("a")]}}, capabilities={}
    )
    shell.make_pages()
    shell.controller.connect_to(shell.add())
    tabs, at = shell.window.parts.workbench.tabs, tab(shell, "tools")
    await wait_until(lambda: tabs.tabToolTip(at) == "server does not declare tools")
    assert tabs.bar.state(at).missing
    assert "tools/list" not in shell.server.methods()

    shell.window.go("tools")
    await wait_until(lambda: sees(shell.window, "tools_empty_action"))
    click(shell.window, "tools_empty_action")

    await wait_until(lambda: tabs.tabText(at) == "Tools 1")
    assert tabs.tabToolTip(at) == ""
    assert not tabs.bar.state(at).missing


async def test_lists_are_read_again_by_a_command(shell: ShellFixture) -> None:
    """Ours; F5."""
    await shell.open()
    before = shell.server.methods().count("tools/list")

    shell.window.commands.actions["lists"].trigger()

    await wait_until(lambda: shell.server.methods().count("tools/list") == before + 1)


async def test_a_page_that_says_nothing_new_does_not_paint_the_one_in_front(
    shell: ShellFixture,
) -> None:
    """Ours: every word of a tab lays out and paints its whole page; changes come thirty times a second.

    What a machine under load paints late, it paints once: one of ten attempts shows the changes alone.
    """
    await shell.open()
    workbench = shell.window.parts.workbench
    shell.make_pages()
    await wait_until(lambda: workbench.tabs.tabText(tab(shell, "tools")) == "Tools 40")
    behind, paints = workbench.page("logs"), Counted(workbench.current, QEvent.Type.Paint)
    counts: list[int] = []
    for _ in range(10):
        before = paints.count
        for _ in range(5):
            behind.changed.emit()
        workbench.current.update()
        await wait_until(lambda before=before: paints.count > before)
        counts.append(paints.count - before)

    assert min(counts) == 1


async def test_what_a_page_lays_out_again_is_no_matter_of_the_tabs(qtbot: QtBot) -> None:
    """Ours: they would lay out and paint the whole page for it."""
    tabs, room, page, label = QTabWidget(), PageContainer(), QWidget(), QLabel("short")
    qtbot.addWidget(tabs)
    QVBoxLayout(page).addWidget(label)
    tabs.addTab(room, "Page")
    room.set_page(page)
    tabs.resize(400, 300)
    tabs.show()
    inside, outside = (Counted(part, QEvent.Type.LayoutRequest) for part in (page, tabs))
    for height in range(20, 100, 10):  # word of it would need some turns to get out
        if height == 50:
            outside.count = 0  # the tabs were shown meanwhile
        before = inside.count
        label.setMinimumHeight(height)
        await wait_until(lambda before=before: inside.count > before)

    assert outside.count == 0


async def test_a_page_fills_its_room_at_any_size(qtbot: QtBot) -> None:
    """Ours."""
    room, page = PageContainer(), QWidget()
    qtbot.addWidget(room)
    room.resize(300, 200)
    room.set_page(page)
    room.show()
    await wait_until(page.isVisible)
    assert page.geometry() == room.rect()

    room.resize(500, 100)

    await wait_until(lambda: page.width() == 500)
    assert page.geometry() == room.rect()


async def test_the_first_screen_is_one_block_at_two_fifths_of_the_height(
    shell: ShellFixture, qapp: QApplication
) -> None:
    """Ours: of at most 420 pixels, also with large text, and one primary button."""
    welcome = find(shell.window, QWidget, "workbench_empty")
    add = find(welcome, QPushButton, "welcome_add")
    block = add.parentWidget()
    assert block is not None
    for scale in (1.0, 2.0):
        shell.app.theme.apply(qapp, "light", scale)
        limit = min(round(420 * scale), welcome.width())
        await wait_until(lambda limit=limit: block.width() <= limit)
        await wait_until(
            lambda: abs(block.geometry().center().x() - welcome.rect().center().x()) <= 2
        )
        free = welcome.height() - block.height()
        assert abs(block.y() - free * 2 / 5) <= 16 * scale
        assert all(block.rect().contains(part.geometry()) for part in block.findChildren(QLabel))
    assert add.property("primary")
    assert not find(welcome, QPushButton, "welcome_demo").property("primary")


async def test_zero_is_a_count(shell: ShellFixture) -> None:
    """Ours: of what the server declares; what it does not declare has none."""
    await shell.open()
    tabs = shell.window.parts.workbench.tabs
    shell.window.parts.workbench.page("roots")
    await wait_until(lambda: tabs.tabText(tab(shell, "roots")) == "Roots 0")
    shell.window.parts.workbench.page("logs")
    await wait_until(lambda: tabs.bar.state(tab(shell, "logs")).missing != "")
    assert tabs.tabText(tab(shell, "logs")) == "Logs"
