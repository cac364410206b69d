"""What a task gave, however many blocks that are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.views.call_result import CallToolResultView
from tests.support.wait import wait_until
from tests.ui.qt_actions import reads
from ui.features.tasks.outcome_content import OutcomeContent
from ui.render import BlockWidget

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme


async def test_hundreds_of_blocks_of_a_task_are_drawn_bit_by_bit(
    qtbot: QtBot, theme: Theme
) -> None:
    """Ours: the window stays awake; the next result is there at once."""
    content: list[Json] = [{"type": "text", "text": f"number {n}"} for n in range(130)]
    shown = OutcomeContent(theme=theme)
    qtbot.addWidget(shown)
    shown.show()

    shown.show_result(CallToolResultView({"content": content}))
    assert len(shown.findChildren(BlockWidget)) < 100
    await wait_until(lambda: len(shown.findChildren(BlockWidget)) == 100)
    assert "30 more blocks in Raw." in reads(shown)

    shown.show_result(CallToolResultView({"content": content[:1]}))
    assert "number 0" in reads(shown)
    await wait_until(lambda: len(shown.findChildren(BlockWidget)) == 1)
