"""Folders come and go while they are on offer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from tests.support.asked import asker
from tests.support.wait import wait_until
from ui.features.roots.page import RootsPage

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme


async def test_a_folder_that_goes_is_told_and_so_is_its_return(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    """C-ROOT-08, C-ROOT-11: it stays on the list, for that is the user's."""
    folder = tmp_path / "work"
    folder.mkdir()
    page = RootsPage(theme=theme)
    qtbot.addWidget(page)
    page.show()
    async with asker() as asking:
        page.set_session(asking.opened)
        for timer in page.findChildren(QTimer):
            timer.setInterval(20)
        page.add_folder(str(folder))

        def state() -> str:
            item = page.table.item(0, 2)
            return item.text() if item is not None else ""

        await wait_until(lambda: state() == "✔ OK")
        folder.rmdir()
        await wait_until(lambda: state() == "not found")
        assert len(asking.opened.roots.list.items) == 1
        folder.mkdir()
        await wait_until(lambda: state() == "✔ OK")
        page.set_session(None)
