"""No page makes more of what a server says than text: every widget of every page is looked at; ours, and corpus kind `text`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from inspector.inbox import Inbox
from tests.support.asked import asker
from tests.support.opened import shown
from tests.support.sheets import Table
from tests.support.wait import wait_until
from tests.ui.features.conftest import on_screen
from tests.ui.features.prompts import user as prompts_user
from tests.ui.features.tools import user as tools_user
from tests.ui.hostile import NASTY, SHORT, TEXTS, troubles
from tests.ui.hostile_server import FORM, SAMPLING, VISIT, hostile_server, log, refuse
from tests.ui.qt_actions import click, reads, sees
from ui.features.client.page import ClientPage
from ui.features.roots.page import RootsPage

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.inbox import InboxItem
    from inspector.wire.json_codec import JsonObject
    from ui.features.logs.page import LogsPage
    from ui.features.overview.page import OverviewPage
    from ui.features.prompts.page import PromptsPage
    from ui.features.repeat.raw_page import RawPage
    from ui.features.resources.page import ResourcesPage
    from ui.features.tools.page import ToolsPage
    from ui.theme import Theme


async def test_the_overview_shows_words_as_words(overview_page: OverviewPage) -> None:
    """text-01-bidi-and-invisible; result-27-markup-in-text."""
    async with shown(overview_page, hostile_server()) as (page, _):
        await wait_until(lambda: "PWN" in reads(page))
        assert troubles(page) == []


async def test_tools_and_their_results_show_words_as_words(tools_page: ToolsPage) -> None:
    """text-01-bidi-and-invisible; result-27-markup-in-text."""
    async with shown(tools_page, hostile_server()) as (page, session):
        await tools_user.listed(page, 1 + len(TEXTS))
        for row in range(1 + len(TEXTS)):
            tools_user.click_row(page, row)
            await asyncio.sleep(0)
            assert troubles(page) == []
        tools_user.click_row(page, 0)
        await tools_user.call(page, session)
        for key in ("content", "structured", "json", "raw", "problems"):
            await tools_user.view(page, key)
            assert troubles(page) == []


async def test_refusals_show_words_as_words(tools_page: ToolsPage) -> None:
    """Ours: text-01-bidi-and-invisible."""
    server = hostile_server()
    server.answers["tools/call"] = server.answers["tools/list"] = refuse
    server.answers["tools/list"] = lambda _: {"tools": [{"name": SHORT, "inputSchema": {}}]}
    async with shown(tools_page, server) as (page, session):
        await tools_user.listed(page, 1)
        tools_user.click_row(page, 0)
        await tools_user.call(page, session)
        assert troubles(page) == []
        server.answers["tools/list"] = refuse
        await session.tools.refresh()
        await wait_until(lambda: sees(page, "tools_error") or sees(page, "tool_error"))
        assert troubles(page) == []


async def test_resources_show_words_as_words(resources_page: ResourcesPage) -> None:
    """text-01-bidi-and-invisible."""
    async with shown(resources_page, hostile_server()) as (page, session):
        await wait_until(lambda: len(session.resources.items) == 1 + len(TEXTS))
        assert troubles(page) == []
        page.read_uri(NASTY)
        await wait_until(lambda: bool(session.reads.history.operations))
        attempt = session.reads.history.operations[-1]
        await wait_until(lambda: attempt.is_finished)
        await wait_until(lambda: page.result_panel.is_rendered and not page.result_panel.is_running)
        assert troubles(page) == []
        session.session.peer.listener("notifications/resources/updated")
        await session.subscriptions.subscribe(NASTY)
        await wait_until(lambda: sees(page, "subscribe_error"))
        assert troubles(page) == []


async def test_prompts_show_words_as_words(prompts_page: PromptsPage) -> None:
    """C-PRM-04; text-01-bidi-and-invisible."""
    async with shown(prompts_page, hostile_server()) as (page, session):
        await prompts_user.listed(page, 1 + len(TEXTS))
        page.choose(0)
        assert troubles(page) == []
        await prompts_user.get(page, session)
        assert troubles(page) == []


async def test_logs_show_words_as_words(logs_page: LogsPage) -> None:
    """text-01-bidi-and-invisible."""
    server = hostile_server()
    async with shown(logs_page, server) as (page, _):
        log(server)
        await wait_until(lambda: page.model.rowCount() == 2 * len(TEXTS))
        for row in range(page.model.rowCount()):
            page.table.selectRow(row)
            assert troubles(page) == []
        click(page, "log_level_ask")
        await wait_until(lambda: sees(page, "log_level_error"))
        assert troubles(page) == []


async def test_the_remaining_pages_show_words_as_words(
    qtbot: QtBot, theme: Theme, raw_page: RawPage
) -> None:
    """text-01-bidi-and-invisible."""
    client = on_screen(ClientPage(theme=theme), qtbot)
    roots = on_screen(RootsPage(theme=theme), qtbot)
    async with shown(raw_page, hostile_server()) as (page, session):
        page.set_text('{"jsonrpc":"2.0","id":"r","method":"tools/call","params":{}}')
        client.set_session(session)
        roots.set_session(session)
        client.override.setPlainText(NASTY)
        click(page, "raw_send")
        await wait_until(lambda: sees(page, "raw_answer_tree"))
        assert troubles(page) + troubles(client) + troubles(roots) == []
        client.set_session(None)
        roots.set_session(None)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("sampling/createMessage", SAMPLING),
        ("elicitation/create", FORM),
        ("elicitation/create", VISIT),
    ],
)
async def test_sheets_show_words_as_words(
    theme: Theme, qtbot: QtBot, method: str, params: JsonObject
) -> None:
    """elicit-10-hostile-message; text-01-bidi-and-invisible."""
    inbox = Inbox()
    table = Table(inbox, theme)
    qtbot.addWidget(table.window)
    async with asker(inbox=inbox, name=NASTY) as asking:
        asking.ask(1, method, params)
        ask: InboxItem = await asking.waits()
        sheet = table.dialogs.open(ask)
        assert sheet is not None
        await wait_until(lambda: "PWN" in reads(sheet))
        assert troubles(sheet) == []
        sheet.set_banner(NASTY)
        assert troubles(sheet) == []
    await table.is_cleared()
