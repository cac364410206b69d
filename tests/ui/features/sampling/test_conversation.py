"""A long conversation that a model is to go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.modern import rounds_asker
from tests.support.sheets import Table
from tests.support.wait import wait_until
from tests.ui.qt_actions import reads
from ui.features.sampling import conversation

if TYPE_CHECKING:
    import pytest
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme


async def test_a_long_conversation_is_drawn_in_order_without_stopping_the_window(
    qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: the beginning is there at once, the rest follows; what is left out is said."""
    monkeypatch.setattr(conversation, "MAX_MESSAGES", 20)
    messages: list[Json] = [
        {"role": f"role {number}", "content": {"type": "text", "text": "q"}}
        for number in range(3000)
    ]
    async with rounds_asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asking.ask(1, "sampling/createMessage", {"messages": messages, "maxTokens": 1})
        sheet = table.sampling(await asking.waits())
        wanted = [f"role {number}" for number in range(2980, 3000)]
        first = reads(sheet, "message_role").split("\n")
        assert first == wanted[: len(first)]
        assert 0 < len(first) < len(wanted)
        assert reads(sheet, "conversation_skipped").startswith("2,980 earlier messages")
        notes = reads(sheet, "sampling_notes").split("\n")
        assert len(notes) == conversation.MAX_NOTES + 1
        assert "2,980 more problems" in notes[-1]

        await wait_until(lambda: reads(sheet, "message_role").split("\n") == wanted)
        sheet.reject_button.click()
        await table.is_cleared()


async def test_a_sheet_may_be_closed_while_its_messages_are_drawn(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours."""
    message: Json = {"role": "user", "content": {"type": "text", "text": "q"}}
    async with rounds_asker() as asking:
        table = Table(asking.inbox, theme)
        qtbot.addWidget(table.window)
        asked: list[Json] = [message] * conversation.MAX_MESSAGES
        asking.ask(1, "sampling/createMessage", {"messages": asked, "maxTokens": 1})
        table.sampling(await asking.waits()).reject_button.click()
        await table.is_cleared()
