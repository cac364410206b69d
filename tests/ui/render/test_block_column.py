"""The blocks of a result, however many there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.spec.views.call_result import CallToolResultView
from tests.support.wait import wait_until
from tests.ui.qt_actions import reads
from ui.render import BlockWidget
from ui.render.block_column import BlockColumn, add_blocks

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from inspector.wire.json_codec import Json
    from ui.theme import Theme


async def test_hundreds_of_blocks_are_rendered_bit_by_bit(qtbot: QtBot, theme: Theme) -> None:
    """Ours: the window stays awake; the next result is there at once."""
    content: list[Json] = [{"type": "text", "text": f"number {n}"} for n in range(130)]
    shown = BlockColumn(add_blocks(theme), theme=theme, name="task", label="Task result")
    qtbot.addWidget(shown)
    shown.show()

    many = CallToolResultView({"content": content})
    shown.show_result(many, many.content)
    assert len(shown.findChildren(BlockWidget)) < 100
    await wait_until(lambda: len(shown.findChildren(BlockWidget)) == 100)
    assert "30 more blocks in Raw." in reads(shown)

    one = CallToolResultView({"content": content[:1]})
    shown.show_result(one, one.content)
    assert "number 0" in reads(shown)
    await wait_until(lambda: len(shown.findChildren(BlockWidget)) == 1)
