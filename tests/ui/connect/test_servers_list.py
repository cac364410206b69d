"""How servers are listed: two lines each, or a rail of dots where the window is narrow."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QLabel, QListView, QWidget

from inspector.config.profile import Profile
from inspector.errors import ConnectFailed
from inspector.inbox import InboxItem
from tests.support.wait import wait_until
from tests.ui.connect.ending import everything_ends
from tests.ui.qt_actions import click, find, reads, sees
from ui.connect.servers_delegate import initials
from ui.connect.servers_panel import ServersPanel

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication
    from pytestqt.qtbot import QtBot

    from inspector.config.server_list import ServerList
    from inspector.workspace import Workspace
    from ui.connect.servers_model import ServerRow
    from ui.theme import Theme

MISSING = Profile(name="orders-api", command="no-such-cmd-xyz")
WEB = Profile(name="Demo server", transport="http", url="https://x.example/mcp")

RAIL, ROW = 44, 38


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    window.resize(900, 600)
    qtbot.addWidget(window)
    return window


@pytest.fixture
async def panel(
    window: QWidget, server_list: ServerList, workspace: Workspace, theme: Theme
) -> ServersPanel:
    panel = ServersPanel(server_list=server_list, workspace=workspace, theme=theme)
    row = QHBoxLayout(window)
    row.addWidget(panel)
    row.addWidget(QWidget(), 1)
    window.show()
    return panel


def row_of(panel: ServersPanel, at: int) -> ServerRow:
    row = panel.model.row(panel.model.index(at))
    assert row is not None
    return row


def spoken(panel: ServersPanel, at: int) -> str:
    return str(panel.model.index(at).data(Qt.ItemDataRole.AccessibleTextRole))


@pytest.mark.parametrize("scale", [1.0, 2.0])
async def test_a_server_has_two_lines_at_any_text_size(
    panel: ServersPanel, server_list: ServerList, theme: Theme, qapp: QApplication, scale: float
) -> None:
    """Ours."""
    server_list.add(MISSING, WEB)
    theme.apply(qapp, "light", scale)
    view = find(panel, QListView, "servers_list")

    heights = [view.visualRect(panel.model.index(at)).height() for at in range(2)]

    assert heights == [ROW * scale, ROW * scale]
    theme.apply(qapp, "light", 1.0)


async def test_the_second_line_says_what_is_wrong_in_its_color(
    panel: ServersPanel, server_list: ServerList, workspace: Workspace
) -> None:
    """Ours: why it failed, and not that it did."""
    server_list.add(MISSING, WEB)
    assert (row_of(panel, 1).text, row_of(panel, 1).tone) == ("not connected", "muted")
    assert not row_of(panel, 1).is_filled
    opened = workspace.open(MISSING)
    assert row_of(panel, 0).tone == "pending"

    with pytest.raises(ConnectFailed):
        await opened.connect()

    row = row_of(panel, 0)
    assert row.text.startswith("“no-such-cmd-xyz” is not on PATH")
    assert (row.tone, row.dot, row.is_filled) == ("error", "error", True)
    assert "failed: `no-such-cmd-xyz` is not on PATH" in spoken(panel, 0)
    await everything_ends(workspace)


async def test_a_server_whose_request_waits_for_the_user_is_marked(
    panel: ServersPanel, server_list: ServerList, workspace: Workspace
) -> None:
    """Ours: and no other server is."""
    server_list.add(MISSING, WEB)
    workspace.open(MISSING)
    origin = workspace.open(WEB).session
    item = InboxItem("roots", origin, None, WEB.name, 1, 0.0, "roots/list", None)
    submitted = asyncio.ensure_future(workspace.inbox.submit(item))

    await wait_until(lambda: row_of(panel, 1).pending == 1)

    assert "1 request waiting for you" in spoken(panel, 1)
    assert row_of(panel, 0).pending == 0
    assert "waiting" not in spoken(panel, 0)
    submitted.cancel()
    await everything_ends(workspace)


async def test_without_servers_there_is_one_line(panel: ServersPanel) -> None:
    """Ours: what to do next stands in the middle of the window."""
    none = find(panel, QLabel, "no_servers")
    buttons = [each for each in panel.findChildren(QAbstractButton) if each.isVisible()]

    assert sees(panel, "no_servers")
    assert none.heightForWidth(panel.width()) <= 2 * none.fontMetrics().height()
    assert [button.objectName() for button in buttons] == ["add_server"]


async def test_the_rail_is_narrow_and_every_row_is_named(
    panel: ServersPanel, server_list: ServerList
) -> None:
    """Ours; WCAG 2.2, 4.1.2: two letters are no name."""
    server_list.add(MISSING, WEB)
    panel.set_compact(True)

    await wait_until(lambda: panel.width() == RAIL)
    tips = [panel.model.index(at).data(Qt.ItemDataRole.ToolTipRole) for at in range(2)]
    assert "orders-api" in tips[0]
    assert "Demo server" in tips[1]
    assert spoken(panel, 1).startswith("Demo server")
    assert sees(panel, "add_server")
    assert find(panel, QAbstractButton, "add_server").geometry().right() < RAIL

    panel.set_compact(False)

    await wait_until(lambda: panel.width() > RAIL)


async def test_a_question_in_the_rail_lies_beside_it_whole(
    panel: ServersPanel, server_list: ServerList
) -> None:
    """Ours: the rail has no room for it."""
    server_list.add(MISSING, WEB)
    panel.select(MISSING)
    panel.set_compact(True)
    await wait_until(lambda: panel.width() == RAIL)

    panel.act("remove")

    window = panel.window()
    notice = find(window, QWidget, "servers_notice")
    assert sees(window, "confirm_remove")
    assert "Remove" in reads(notice)
    assert window.rect().contains(notice.geometry())
    rail = QRect(panel.mapTo(window, QPoint()), panel.size())
    assert not rail.intersects(notice.geometry())
    click(window, "confirm_remove")
    assert [profile.name for profile in server_list.profiles] == ["Demo server"]

    panel.set_compact(False)

    assert panel.isAncestorOf(notice)
    assert sees(panel, "undo_remove")


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        ("Demo server", "DS"),
        ("Demo server 2", "D2"),
        ("orders-api-12", "O12"),
        ("orders-api", "OA"),
        ("git", "Gi"),
        ("x", "X"),
        ("a_b", "AB"),
        ("日本", "日本"),
        ("---", "–"),
        ("", "–"),
    ],
)
def test_two_letters_stand_for_a_name(name: str, letters: str) -> None:
    """Ours."""
    assert initials(name) == letters
