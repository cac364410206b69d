"""Addresses that a server names are shown, and nobody goes there unasked: a real server at them hears nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.answering import tool
from tests.support.asked import asker
from tests.support.http_stub import HttpStub
from tests.support.opened import shown
from tests.support.sheets import Table
from tests.ui.features.tools.user import click_tool, listed, listing
from tests.ui.qt_actions import reads

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.features.tools.page import ToolsPage
    from ui.theme import Theme


async def test_icons_of_a_server_are_not_fetched(tools_page: ToolsPage) -> None:
    """C-ICO-04, C-ICO-05, C-ICO-06: of no origin, by no redirect, with no credentials."""
    async with HttpStub() as stub:
        icons: list[Json] = [{"src": f"{stub.url}/{number}.png"} for number in range(3)]
        async with shown(tools_page, listing(tool("a", icons=icons))) as (page, session):
            await listed(page, 1)
            click_tool(page, "a")
            await session.session.request("ping")
            page.grab()

        assert stub.asked == []


async def test_a_page_to_visit_is_not_looked_at_before(qtbot: QtBot, theme: Theme) -> None:
    """C-ELI-15: neither it nor anything about it."""
    async with HttpStub() as stub, asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        visit = {"mode": "url", "message": "m", "url": stub.url, "elicitationId": "e"}
        asking.ask(1, "elicitation/create", {**visit})
        sheet = table.visit(await asking.waits())
        assert reads(sheet, "visit_host") == "127.0.0.1"
        sheet.grab()
        sheet.agree_button.click()
        await asking.answer_to(1)
        await table.is_cleared()

        assert stub.asked == []
