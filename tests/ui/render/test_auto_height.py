"""Views in a column are as high as what is in them, and begin at its beginning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QAbstractScrollArea, QScrollArea, QVBoxLayout, QWidget

from tests.support.wait import wait_until
from ui.render import BlockWidget, render, render_resource
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from ui.theme import Theme

LINES = "\n".join(f"- line {at}: " + "words that wrap " * 12 for at in range(5))
TEXTS = {
    "markdown": f"# Heading\n\n{LINES}",
    "table": "# Heading\n\n| a | b |\n|---|---|\n" + f"| {'x' * 200} | y |\n" * 5,
    "code": f"# Heading\n\n```\n{'x' * 400}\n```\n\n{LINES}",
    "plain": LINES.replace("- ", ""),
    "one line": "words that wrap " * 90,
}


def text_area(block: BlockWidget) -> QAbstractScrollArea:
    view = block.widget(block.current_view())
    area = getattr(view, "edit", view)
    assert isinstance(area, QAbstractScrollArea)
    return area


def in_a_column(qtbot: QtBot, text: str, theme: Theme) -> tuple[QScrollArea, QAbstractScrollArea]:
    """A block with `text` in a scrolling column, as on the overview: the column and the text."""
    scroll = QScrollArea()
    qtbot.addWidget(scroll)
    scroll.setWidgetResizable(True)
    inner = QWidget()
    column = QVBoxLayout(inner)
    block = render({"type": "text", "text": text}, theme=theme, parent=inner)
    if "markdown" in block.views():
        block.show_view("markdown")
    column.addWidget(block)
    column.addStretch(1)
    scroll.setWidget(inner)
    scroll.resize(900, 600)
    scroll.show()
    return scroll, text_area(block)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
async def test_a_text_that_is_wrapped_late_has_the_height_of_its_lines(
    text: str, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: no line is cut off, and nothing scrolls that has room."""
    column, area = in_a_column(qtbot, text, theme)

    await wait_until(lambda: area.verticalScrollBar().maximum() == 0)
    assert area.verticalScrollBar().value() == 0
    assert column.isVisible()


async def test_a_long_text_opens_at_its_first_line(qtbot: QtBot, theme: Theme) -> None:
    """Ours: what scrolls by itself begins at the beginning."""
    column, area = in_a_column(qtbot, "# Heading\n\n" + LINES * 12, theme)

    await wait_until(lambda: area.verticalScrollBar().maximum() > 0)
    assert area.verticalScrollBar().value() == 0
    assert column.isVisible()


@pytest.mark.parametrize("place", [0, 2])
async def test_an_address_that_has_no_room_in_the_head_gets_a_row(
    place: int, qtbot: QtBot, theme: Theme
) -> None:
    """Ours: of several contents in a narrow panel, each says where it is from."""
    holder = QWidget()
    qtbot.addWidget(holder)
    column = QVBoxLayout(holder)
    blocks = [
        render_resource({"uri": f"file:///srv/reports/{at}.md", "text": "# x"}, theme=theme)
        for at in range(3)
    ]
    for block in blocks:
        column.addWidget(block)
    holder.show()
    address = next(
        label
        for label in blocks[place].findChildren(ElidedLabel)
        if label.whole_text().startswith("file:")
    )
    for width in (900, 390, 900):
        holder.resize(width, 600)
        await wait_until(lambda width=width: holder.width() == width and not address.is_elided())
