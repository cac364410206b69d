"""The server hears of a root when it was committed, and not while it is being written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton

from inspector.features.roots import Root
from tests.support.asked import Asker, asker
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, press, sees
from ui.features.roots.page import RootsPage

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

CHANGED = "notifications/roots/list_changed"


class Editing:
    """The page over a session, and a user who types."""

    def __init__(self, page: RootsPage, asking: Asker) -> None:
        self.page = page
        self.asking = asking

    @property
    def roots(self) -> tuple[Root, ...]:
        return self.asking.opened.roots.list.items

    @property
    def editor(self) -> QLineEdit:
        return find(self.page, QLineEdit, "root_address_editor")

    def write(self, text: str) -> None:
        self.editor.selectAll()
        QTest.keyClicks(self.editor, text)

    async def enter(self, text: str, key: Qt.Key = Qt.Key.Key_Return) -> None:
        self.write(text)
        press(self.editor, key)
        await wait_until(lambda: not self.page.table.is_editing)

    async def announced(self) -> int:
        """How many announcements left, once everything that is due was sent."""
        await self.asking.opened.ping.once()
        return self.asking.server.methods().count(CHANGED)

    def state(self, row: int) -> str:
        item = self.page.table.item(row, 2)
        return item.text() if item is not None else ""


@pytest.fixture
async def editing(qapp: QApplication, theme: Theme) -> AsyncGenerator[Editing]:
    page = RootsPage(theme=theme)  # not of qtbot, which deletes it before the session is over
    page.resize(900, 400)
    page.show()
    page.activateWindow()
    await wait_until(page.isActiveWindow)
    async with asker() as asking:
        page.set_session(asking.opened)
        yield Editing(page, asking)
        page.set_session(None)
    page.deleteLater()


async def test_an_empty_row_is_told_to_nobody_and_goes_with_escape(editing: Editing) -> None:
    """The user consents before a root is exposed (C-ROOT-06, C-ROOT-09)."""
    click(editing.page, "root_type")
    assert editing.editor.text() == ""
    editing.write("/srv")

    press(editing.editor, Qt.Key.Key_Escape)

    await wait_until(lambda: not editing.page.table.rowCount())
    assert editing.roots == ()
    assert await editing.announced() == 0


async def test_an_address_that_was_entered_joins_the_list_and_is_announced_once(
    editing: Editing,
) -> None:
    """C-ROOT-04: the list changed, so the server is notified."""
    click(editing.page, "root_type")

    await editing.enter("file:///srv/data")

    assert editing.roots == (Root("file:///srv/data"),)
    assert await editing.announced() == 1


async def test_an_address_and_its_name_are_one_edit(editing: Editing) -> None:
    """Ours: one announcement for one edit of a row."""
    click(editing.page, "root_type")
    editing.write("file:///srv/data")
    press(editing.editor, Qt.Key.Key_Tab)
    await wait_until(lambda: editing.page.findChild(QLineEdit, "root_name_editor"))
    assert await editing.announced() == 0
    name = find(editing.page, QLineEdit, "root_name_editor")
    QTest.keyClicks(name, "data")
    press(name, Qt.Key.Key_Return)
    await wait_until(lambda: not editing.page.table.is_editing)

    assert editing.roots == (Root("file:///srv/data", "data"),)
    assert await editing.announced() == 1


@pytest.mark.parametrize("text", ["", "   "])
async def test_a_row_without_an_address_goes(editing: Editing, text: str) -> None:
    """Ours."""
    click(editing.page, "root_type")

    await editing.enter(text)

    assert editing.page.table.rowCount() == 0
    assert await editing.announced() == 0


async def test_what_was_left_by_a_click_waits_to_be_sent(editing: Editing) -> None:
    """Half an address is not a decision (C-ROOT-09)."""
    click(editing.page, "root_type")
    editing.write("file:///ho")

    editing.page.add_button.setFocus(Qt.FocusReason.MouseFocusReason)

    await wait_until(lambda: not editing.page.table.is_editing)
    assert editing.roots == ()
    assert "not sent" in editing.state(0)
    click(editing.page, "root_use")
    assert editing.roots == (Root("file:///ho"),)


async def test_another_window_in_front_closes_no_editor(editing: Editing, qtbot: QtBot) -> None:
    """Ours: the path may be copied there."""
    click(editing.page, "root_type")
    editing.write("file:///s")
    other = QLineEdit()
    qtbot.addWidget(other)
    other.show()
    other.activateWindow()
    other.setFocus()

    await wait_until(lambda: QApplication.focusWidget() is other)

    assert editing.page.table.is_editing
    assert editing.roots == ()


@pytest.mark.parametrize(
    ("text", "meant"),
    [("/srv/data", "file:///srv/data"), ("file://R&D/my data", "file://R&D/my%20data")],
)
async def test_a_slip_is_mended_when_the_user_agrees(
    editing: Editing, text: str, meant: str
) -> None:
    """Root URIs are `file://` URIs (C-ROOT-03)."""
    click(editing.page, "root_type")
    await editing.enter(text)
    assert editing.roots == ()
    assert await editing.announced() == 0

    use = find(editing.page, QPushButton, "root_use")
    assert use.text() == f"Use {meant}".replace("&", "&&")
    assert use.accessibleName() == f"Use {meant}"
    click(editing.page, "root_use")

    assert editing.roots == (Root(meant),)
    assert await editing.announced() == 1
    assert not sees(editing.page, "root_draft")


async def test_a_wrong_address_can_be_sent_as_it_is(editing: Editing) -> None:
    """Ours: a test of how the server takes it."""
    click(editing.page, "root_type")
    await editing.enter("http://x.test/")
    assert not sees(editing.page, "root_use")

    click(editing.page, "root_as_is")

    assert editing.roots == (Root("http://x.test/"),)


async def test_a_root_stays_as_it_was_while_its_new_address_waits_for_a_decision(
    editing: Editing,
) -> None:
    """C-ROOT-03, C-ROOT-09."""
    editing.page.add_folder("/srv")
    editing.page.table.edit_address(0)
    await editing.enter("/srv/data")
    assert [root.uri for root in editing.roots] == ["file:///srv"]

    click(editing.page, "root_discard")

    assert [root.uri for root in editing.roots] == ["file:///srv"]
    assert editing.state(0) != "not sent"
    assert await editing.announced() == 1


async def test_a_draft_stays_while_other_rows_move(editing: Editing) -> None:
    """Ours: nothing that was written is lost."""
    click(editing.page, "root_type")
    await editing.enter("/srv/data")
    editing.page.add_folder("/one")
    editing.page.add_folder("/two")
    editing.page.table.choose(1)
    click(editing.page, "root_up")

    assert [root.uri for root in editing.roots] == ["file:///two", "file:///one"]
    click(editing.page, "root_use")
    assert [root.uri for root in editing.roots][-1] == "file:///srv/data"


async def test_the_color_of_a_state_follows_the_theme(
    editing: Editing, qapp: QApplication, theme: Theme
) -> None:
    """Ours: dark green on dark could not be read."""
    click(editing.page, "root_type")
    await editing.enter("file:///srv/data")

    for mode in ("dark", "light"):
        theme.apply(qapp, mode)
        item = editing.page.table.item(0, 2)
        assert item is not None
        assert item.foreground().color() in (theme.color("ok"), theme.color("warning"))
