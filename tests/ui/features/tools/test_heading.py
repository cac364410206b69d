"""What a tool says of itself, shown without believing or obeying any of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QLineEdit, QScrollArea, QWidget

from tests.support.answering import tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools import corpus
from tests.ui.features.tools.user import click_row, listed, listing, oddities, rows, tip, title
from tests.ui.hostile import troubles
from tests.ui.qt_actions import click, find, reads, sees
from ui.features.tools.call_panel import UNTRUSTED
from ui.widgets.badge import Badge
from ui.widgets.heading import MAX_CHARACTERS, MAX_LINES

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.tools.page import ToolsPage


def badges(page: ToolsPage) -> list[str]:
    return [badge.text for badge in page.call_panel.heading.badges]


async def show(page: ToolsPage, row: int = 0) -> None:
    await wait_until(lambda: page.list.model.rowCount() > row)
    click_row(page, row)


@pytest.mark.parametrize(
    ("annotations", "said"),
    [
        ({}, []),
        ({"readOnlyHint": True, "destructiveHint": True}, ["destructive", "read-only"]),
        (
            {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": True},
            ["not read-only", "not destructive", "idempotent"],
        ),
        ({"destructiveHint": True, "openWorldHint": False}, ["destructive", "not open world"]),
        ({"destructiveHint": "yes"}, []),
    ],
)
async def test_hints_are_shown_where_the_server_states_them_and_never_as_defaults(
    tools_page: ToolsPage, annotations: JsonObject, said: list[str]
) -> None:
    """C-TOOL-09; ours: a default is nothing that the server said."""
    async with shown(tools_page, listing(tool("a", annotations=annotations))):
        await show(tools_page)

        assert badges(tools_page) == said


async def test_a_hint_says_that_it_is_not_to_be_trusted(tools_page: ToolsPage) -> None:
    """C-TOOL-09."""
    async with shown(tools_page, listing(tool("a", annotations={"readOnlyHint": True}))):
        await show(tools_page)

        (badge,) = find(tools_page, QWidget, "tool_badges").findChildren(Badge)
        assert UNTRUSTED in badge.toolTip()


async def test_a_heading_has_three_badges_at_most_and_the_rest_in_a_tool_tip(
    tools_page: ToolsPage,
) -> None:
    """Ours: exceptions come first, and the fields below stay where they are."""
    annotations: JsonObject = {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": True,
    }
    execution: JsonObject = {"taskSupport": "optional"}
    listed_tool = tool("a", annotations=annotations, execution=execution)
    async with shown(tools_page, listing(listed_tool)):
        await show(tools_page)

        row = find(tools_page, QWidget, "tool_badges")
        visible = [badge.text() for badge in row.findChildren(Badge) if badge.isVisible()]
        assert len(visible) == 3
        assert visible[0] == "destructive"
        more = find(tools_page, QLabel, "tool_badges_more")
        assert more.text() == "+2"
        rest = [text for text in badges(tools_page) if text not in visible]
        assert all(text in more.toolTip() and text in more.accessibleName() for text in rest)


async def test_title_and_name_are_on_one_baseline_and_the_first_field_is_near_the_top(
    tools_page: ToolsPage,
) -> None:
    """Ours: two lines of description and a row of badges leave the first field within 150 pixels."""
    described = tool(
        "weather",
        title="Weather",
        description="Returns invented weather data, " * 4,
        annotations={"readOnlyHint": True},
        inputSchema={"type": "object", "properties": {"city": {"type": "string"}}},
    )
    async with shown(tools_page, listing(described)):
        await show(tools_page)
        await wait_until(lambda: sees(tools_page, "field:/city"))
        title_label = find(tools_page, QLabel, "tool_title")
        name = find(tools_page, QLabel, "tool_name")
        baselines = {
            label.mapTo(tools_page, QPoint(0, label.fontMetrics().ascent())).y()
            for label in (title_label, name)
        }
        assert len(baselines) == 1
        field = tools_page.call_panel.form.findChild(QLineEdit)
        assert isinstance(field, QLineEdit)
        assert field.mapTo(tools_page, QPoint(0, 0)).y() <= 150


async def test_markup_in_names_and_descriptions_is_text(tools_page: ToolsPage) -> None:
    """result-27-markup-in-text: literal by default, nothing loaded, no live link."""
    (hostile,) = corpus.result("result-27").tools
    assert isinstance(hostile, dict)
    async with shown(tools_page, listing(hostile)):
        await show(tools_page)

        assert title(tools_page) == "<b>bold</b>"
        label = find(tools_page, QLabel, "tool_description")
        assert label.text() == hostile["description"]
        heading = find(tools_page, QWidget, "tool_heading")
        assert troubles(heading) == []
        assert "&lt;img src=x" in QLabel.text(label)
        assert "&lt;b&gt;bold&lt;/b&gt;" in tip(tools_page, 0)
        assert "<img" not in tip(tools_page, 0)


async def test_characters_that_hide_or_reorder_are_marked_and_counted(
    tools_page: ToolsPage,
) -> None:
    """text-01-bidi-and-invisible: two fields, and what is copied is what the server sent."""
    server = listing(*corpus.tools("text-01"))
    async with shown(tools_page, server) as (_, session):
        await show(tools_page)

        assert "\u202e" not in reads(tools_page, "tool_description")
        assert "⟨U+202E⟩" in reads(tools_page, "tool_title") or (
            "⟨U+202E⟩" in find(tools_page, QLabel, "tool_title").text()
        )
        assert "invisible or reordering character: U+202E" in oddities(tools_page)
        assert "⟨U+202E⟩" in tip(tools_page, 0)
        await wait_until(lambda: sees(tools_page, "field:/a"))
        assert sees(tools_page, "field:/a\u200b")

        click(tools_page, "tool_copy")
        assert QGuiApplication.clipboard().text() == session.tools.items[0].name == "safe"


async def test_other_directions_and_joined_letters_stay_whole(tools_page: ToolsPage) -> None:
    """text-02-rtl-and-emoji: isolated titles, whole families, and long words that widen nothing."""
    server = listing(*corpus.tools("text-02"))
    async with shown(tools_page, server):
        width = tools_page.call_panel.width()
        await show(tools_page)

        drawn = find(tools_page, QLabel, "tool_title").text()
        assert drawn == "\u2068مرحبا 123 abc\u2069"
        text = find(tools_page, QLabel, "tool_description").text()
        assert "👨‍👩‍👧‍👦" in text
        assert "\U000e007f" in text
        assert oddities(tools_page) == "" or "invisible" not in oddities(tools_page)
        assert tools_page.call_panel.width() == width


async def test_a_long_description_scrolls_and_leaves_the_form_where_it_is(
    tools_page: ToolsPage,
) -> None:
    """Ours; many servers describe a tool over pages."""
    many = tool("a", description="word " * 5000)
    async with shown(tools_page, listing(many)):
        await show(tools_page)

        y = find(tools_page, QWidget, "argument_views").mapTo(tools_page, QPoint(0, 0)).y()
        assert y < 120
        click(tools_page, "tool_more")
        text = find(tools_page, QLabel, "tool_description").text()
        cut = 25_000 - MAX_CHARACTERS
        assert text.endswith(f"… ({cut:,} more characters; see Schema)")
        area = find(tools_page, QScrollArea, "tool_text")
        line = area.fontMetrics().lineSpacing()
        await wait_until(lambda: line < area.height() <= MAX_LINES * line + 2)
        assert area.focusPolicy() is Qt.FocusPolicy.StrongFocus
        assert tools_page.call_panel.form.height() >= 60


async def test_icons_of_any_shape_cost_no_tool_and_are_fetched_from_nowhere(
    tools_page: ToolsPage,
) -> None:
    """text-06-icons: nine rows, and notes about what is wrong."""
    icons: list[Json] = corpus.tools("text-06")
    async with shown(tools_page, listing(*icons)):
        await listed(tools_page, 9)

        assert rows(tools_page) == [f"i{number}" for number in range(9)]
        click_row(tools_page, 3)
        assert "icon `src` must be an https: or data: URI" in oddities(tools_page)
