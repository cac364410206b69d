"""The place of a page in its tab; ours throughout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QTabWidget, QVBoxLayout, QWidget

from tests.support.wait import wait_until
from tests.ui.counted import Counted
from ui.shell.page_container import PageContainer

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


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
