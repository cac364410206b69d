"""The roots page, over the real engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QScrollArea

from inspector.features.roots import Root
from tests.support.asked import asker, client_side
from tests.support.modern import rounds_asker
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads
from ui.features.roots.page import RootsPage

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

CHANGED = "notifications/roots/list_changed"


def on_screen(qtbot: QtBot, theme: Theme) -> RootsPage:
    page = RootsPage(theme=theme)
    qtbot.addWidget(page)
    page.resize(900, 400)
    page.show()
    return page


async def test_folders_are_added_ordered_and_removed_and_the_server_is_told(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    """C-ROOT-04, C-ROOT-10."""
    page = on_screen(qtbot, theme)
    async with asker() as asking:
        page.set_session(asking.opened)
        roots = asking.opened.roots.list
        assert page.badge() == "0"
        page.add_folder(str(tmp_path))
        page.add_folder("/")
        assert [root.uri for root in roots.items] == [f"file://{tmp_path}", "file:///"]
        assert page.badge() == "2"
        click(page, "root_up")
        assert [root.uri for root in roots.items] == ["file:///", f"file://{tmp_path}"]
        assert page.table.row_chosen() == 0
        click(page, "root_remove")
        assert [root.uri for root in roots.items] == [f"file://{tmp_path}"]

        await wait_until(lambda: CHANGED in asking.server.methods())
        assert "sent to the server" in reads(page, "roots_status")
        page.set_session(None)


async def test_addresses_are_edited_in_place_and_what_is_wrong_is_told(
    qtbot: QtBot, theme: Theme
) -> None:
    """C-ROOT-03, C-ROOT-07, C-ROOT-11."""
    page = on_screen(qtbot, theme)
    async with asker() as asking:
        page.set_session(asking.opened)
        asking.opened.roots.list.set(
            [Root("file:///no/such/place"), Root("http://x.test"), Root("file:///")]
        )
        await wait_until(lambda: page.table.rowCount() == 3)

        def state(row: int) -> str:
            item = page.table.item(row, 2)
            return item.text() if item is not None else ""

        await wait_until(lambda: state(0) == "not found")
        assert state(1) == "`uri` must start with file://"
        assert state(2) == "✔ OK"
        item = page.table.item(1, 0)
        assert item is not None
        item.setText("file:///")
        assert asking.opened.roots.list.items[1] == Root("file:///")
        await wait_until(lambda: state(2) == "duplicate root URI")
        page.set_session(None)


async def test_undeclared_roots_are_told_on_the_page(qtbot: QtBot, theme: Theme) -> None:
    """C-LC-14."""
    page = on_screen(qtbot, theme)
    async with asker(declares={}) as asking:
        page.set_session(asking.opened)

        assert "not declared" in page.missing()
        assert "not declared" in reads(page, "roots_status")
        page.set_session(None)


async def test_where_the_revision_has_no_announcement_that_is_the_reason(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours; C-ROOT-04 holds only where there is a message for it."""
    page = on_screen(qtbot, theme)
    async with rounds_asker() as asking:
        page.set_session(asking.opened)

        assert page.missing() == ""
        assert "no list-changed notification" in reads(page, "roots_status")
        page.set_session(None)


async def test_a_folder_is_chosen_in_a_dialog_that_blocks_nothing(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    """Ours."""
    page = on_screen(qtbot, theme)
    async with asker() as asking:
        page.set_session(asking.opened)
        click(page, "root_add")
        dialog = page.findChild(QFileDialog, "root_folder")
        assert isinstance(dialog, QFileDialog)
        dialog.fileSelected.emit(str(tmp_path))
        dialog.reject()

        assert asking.opened.roots.list.items[0].uri == f"file://{tmp_path}"
        page.set_session(None)


async def test_folders_can_be_chosen_before_the_first_connection(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    """C-ROOT-10."""
    page = on_screen(qtbot, theme)
    client = client_side()
    assert RootsPage.info.works_offline
    assert not page.add_button.isEnabled()
    page.set_client(client)
    page.add_folder(str(tmp_path))

    assert [root.uri for root in client.roots.items] == [f"file://{tmp_path}"]
    assert "Not connected" in reads(page, "roots_status")
    page.set_client(None)
    assert page.badge() == ""


async def test_a_page_that_is_too_low_scrolls(qtbot: QtBot, theme: Theme) -> None:
    """Ours: no text is cut with large letters in a small window."""
    roots_page = on_screen(qtbot, theme)
    roots_page.resize(theme.px(400), theme.px(90))
    scroll = find(roots_page, QScrollArea, "roots_scroll")

    await wait_until(lambda: scroll.verticalScrollBar().maximum() > 0)
    inner = scroll.widget()
    assert inner is not None
    assert inner.height() >= inner.minimumSizeHint().height()
