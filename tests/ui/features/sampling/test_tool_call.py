"""A tool call as the answer to a sampling request."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

from tests.support.asked import asker
from tests.support.modern import rounds_asker
from tests.support.sheets import Table

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.asked import Asker
    from ui.theme import Theme

METHOD = "sampling/createMessage"
Asks: TypeAlias = "Callable[..., AbstractAsyncContextManager[Asker]]"
ERAS = pytest.mark.parametrize("asks", [asker, rounds_asker], ids=["request", "result"])
CASES = Path(__file__).with_name("cases")


@ERAS
async def test_a_tool_call_that_lacks_an_argument_is_sent_only_when_asked_again(
    qtbot: QtBot, theme: Theme, asks: Asks
) -> None:
    """Ours: as every other form."""
    schema: JsonObject = {
        "type": "object",
        "properties": {"city": {"type": "string"}},
        "required": ["city"],
    }
    async with asks() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        message: JsonObject = {"role": "user", "content": {"type": "text", "text": "?"}}
        tools: list[Json] = [{"name": "w", "inputSchema": schema}]
        asking.ask(1, METHOD, {"messages": [message], "maxTokens": 9, "tools": tools})
        sheet = table.sampling(await asking.waits())
        sheet.answer.fields.kinds.choose("tool_use")
        sheet.answer.fields.kinds.chosen.emit("tool_use")

        sheet.send_button.click()
        assert sheet.send_button.text() == "Send anyway"
        assert "city" in sheet.send_button.toolTip()
        assert not asking.answers(1)
        sheet.send_button.click()
        await asking.answer_to(1)

        assert b'"input":{}' in asking.server.raws[-1]
        await table.is_cleared()
