"""Rejecting one of several requests of a round, whose other responses may have been given already."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from inspector.clock import SystemClock
from inspector.spec.views.tool import ToolView
from tests.support.answering import tool
from tests.support.modern import asks, form, modern
from tests.support.sheets import Table
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, reads, sees
from ui.inbox.panel import InboxPanel

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from pytestqt.qtbot import QtBot

    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

SAMPLE: JsonObject = {
    "method": "sampling/createMessage",
    "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "How far?"}}],
        "maxTokens": 5,
    },
}


@asynccontextmanager
async def one_round() -> AsyncGenerator[tuple[OpenSession, ToolCall]]:
    """A call whose result asks for a form and two model answers."""
    wanted = asks(form=form(), first=SAMPLE, second=SAMPLE)
    async with modern({"tools/call": lambda _: wanted}) as (_, opened):
        call = opened.tools.call(ToolView(tool("t")), "{}")
        await wait_until(lambda: len(opened.inbox.pending) == 3)
        yield opened, call


async def test_a_rejection_that_drops_responses_says_so_and_asks_again(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: of a round all responses are sent, or none."""
    async with one_round() as (opened, call):
        table = Table(opened.inbox, theme)
        qtbot.addWidget(table.window)
        first, second, third = opened.inbox.pending
        sheet = table.sampling(third)
        assert sheet.reject_button.text() == "Reject"

        opened.elicitation.accept(first, "{}")
        opened.sampling.answer(second, "{}")
        await wait_until(lambda: sheet.reject_button.text() == "Reject…")
        sheet.reject_button.click()

        assert not call.is_finished
        assert "2 responses already given" in reads(sheet, "sheet_banner")
        sheet.reject_button.click()
        await call.wait()
        await table.is_cleared()


async def test_rejecting_all_says_what_it_drops(qtbot: QtBot, theme: Theme) -> None:
    """Ours: declining a form drops nothing."""
    async with one_round() as (opened, _):
        panel = InboxPanel(inbox=opened.inbox, clock=SystemClock(), theme=theme)
        qtbot.addWidget(panel)
        panel.show()
        form_, model, other = opened.inbox.pending
        opened.sampling.answer(model, "{}")
        await wait_until(lambda: sees(panel, "inbox_reject") and other.given_beside() == 1)
        click(panel, "inbox_reject")

        assert reads(panel, "inbox_pending").count("1 response already given") == 1
        opened.elicitation.decline(form_)
        await wait_until(lambda: not sees(panel, "inbox_reject_sure"))
