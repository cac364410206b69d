"""What a sheet offers fits what it warns of, and its size what it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.asked import asker
from tests.support.sheets import Table
from tests.ui.qt_actions import reads

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import JsonObject
    from ui.theme import Theme

METHOD = "elicitation/create"
VISIT: JsonObject = {"mode": "url", "message": "Please go there", "elicitationId": "e1"}


@pytest.mark.parametrize(
    ("url", "is_warned"),
    [
        ("https://www.bank.example@127.0.0.1:9/pay", True),
        ("https://x.test/?api_key=abcdef", True),
        ("https://x.test/pay", False),
    ],
)
async def test_no_button_invites_to_open_what_is_warned_of(
    qtbot: QtBot, theme: Theme, url: str, is_warned: bool
) -> None:
    """Suspicious URLs are warned of, once, and nothing contradicts it (C-ELI-20)."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, {**VISIT, "url": url})
        sheet = table.visit(await asking.waits())

        assert bool(sheet.accept_button.property("primary")) is not is_warned
        text = reads(sheet)
        warnings = [line for line in text.split("\n") if line.startswith("⚠")]
        assert bool(warnings) is is_warned
        assert len({w.split(" (")[0] for w in warnings}) == len(warnings)
        sheet.decline_button.click()
        await table.is_cleared()


@pytest.mark.parametrize("url", ["data:text/html,hello", "javascript:alert(1)", "file:///etc"])
async def test_what_is_no_web_address_can_be_declined_or_cancelled_only(
    qtbot: QtBot, theme: Theme, url: str
) -> None:
    """Only addresses of the web are opened, so consent to others means nothing (C-ELI-09)."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, METHOD, {**VISIT, "url": url})
        sheet = table.visit(await asking.waits())

        assert not sheet.accept_button.isVisible()
        assert not sheet.agree_button.isVisible()
        assert sheet.decline_button.isEnabled()
        sheet.cancel_button.click()
        await table.is_cleared()


async def test_a_form_of_one_field_opens_lower_than_a_long_one(qtbot: QtBot, theme: Theme) -> None:
    """Ours."""
    async with asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        heights: list[int] = []
        for number, count in ((1, 1), (2, 30)):
            fields: JsonObject = {f"f{at}": {"type": "string"} for at in range(count)}
            schema: JsonObject = {"type": "object", "properties": fields}
            asking.ask(number, METHOD, {"message": "?", "requestedSchema": schema})
            sheet = table.form(await asking.waits())
            heights.append(sheet.height())
            sheet.decline_button.click()
            await table.is_cleared()

        assert heights[0] < heights[1]
