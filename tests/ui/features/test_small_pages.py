"""A list page in a small window, or with large text: the list is a line that opens it, and at last one panel is visible. Ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from tests.support.answering import tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import click_row, listed, listing, rows, title
from tests.ui.qt_actions import click, find, has_focus, press, sees

if TYPE_CHECKING:
    from ui.features.tools.page import ToolsPage


async def test_in_a_small_window_the_list_is_a_line_that_opens_it(tools_page: ToolsPage) -> None:
    """Ours: with the keyboard and the mouse; the selection is the same."""
    server = listing(*(tool(name) for name in ("alpha", "beta", "gamma")))
    async with shown(tools_page, server):
        await listed(tools_page, 3)
        click_row(tools_page, 0)
        tools_page.resize(900, 420)
        await wait_until(lambda: sees(tools_page, "tool_picker"))
        assert not sees(tools_page, "tool_view")
        assert tools_page.content.picker.box.currentText().startswith("alpha")

        click(tools_page, "tool_next")
        assert title(tools_page) == "beta"
        press(tools_page.content.picker.box, Qt.Key.Key_Down)
        assert title(tools_page) == "gamma"
        assert not tools_page.content.picker.next_button.isEnabled()

        press(tools_page.content.picker.box, Qt.Key.Key_Space)
        assert sees(tools_page, "tool_view")
        assert has_focus(tools_page.list.filter.line)
        click_row(tools_page, 0)
        assert title(tools_page) == "alpha"
        assert not sees(tools_page, "tool_view")

        tools_page.resize(1160, 420)
        await wait_until(lambda: sees(tools_page, "tool_view"))
        assert not sees(tools_page, "tool_picker")
        assert rows(tools_page) == ["alpha", "beta", "gamma"]


async def test_a_very_small_page_shows_one_panel_and_the_result_after_a_call(
    tools_page: ToolsPage,
) -> None:
    """Ours: of another tool, the arguments again."""
    typed = tool(
        "alpha", inputSchema={"type": "object", "properties": {"text": {"type": "string"}}}
    )
    async with shown(tools_page, listing(typed, tool("beta"))) as (_, session):
        await listed(tools_page, 2)
        click_row(tools_page, 0)
        tools_page.resize(600, 420)
        await wait_until(lambda: sees(tools_page, "tools_panes"))
        assert sees(tools_page, "call_panel")
        assert not sees(tools_page, "call_result")

        click(tools_page, "call_button")
        await wait_until(lambda: sees(tools_page, "call_result"))
        assert not sees(tools_page, "call_panel")
        click(tools_page, "tools_panes_arguments")
        assert sees(tools_page, "call_panel")

        click(tools_page, "tools_panes_result")
        tools_page.resize(1160, 420)
        field = find(tools_page, QLineEdit, "field:/text")
        field.setFocus()
        press(field, Qt.Key.Key_A)
        tools_page.resize(600, 420)  # also on the way to another size of text
        assert has_focus(field)
        await wait_until(lambda: field.visibleRegion().boundingRect() == field.rect())

        tools_page.resize(1160, 420)
        press(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        await wait_until(lambda: len(session.tools.history.operations) == 2)
        for user in (field, find(tools_page, QWidget, "call_button")):
            user.setFocus()
            tools_page.resize(600, 420)
            assert sees(tools_page, "call_result")
            assert not sees(tools_page, "call_panel")
            tools_page.resize(1160, 420)

        field.setFocus()
        press(field, Qt.Key.Key_A)
        tools_page.resize(600, 420)
        assert sees(tools_page, "call_panel")
        click(tools_page, "tools_panes_result")
        click(tools_page, "tool_next")
        assert title(tools_page) == "beta"
        assert sees(tools_page, "call_panel")


async def test_esc_and_enter_close_the_opened_list(tools_page: ToolsPage) -> None:
    """Ours: Enter selects, and sends nothing."""
    server = listing(tool("alpha"), tool("beta"))
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 2)
        tools_page.resize(900, 420)
        assert tools_page.focus_filter()
        await wait_until(lambda: sees(tools_page, "tool_view"))
        press(tools_page.list.filter.line, Qt.Key.Key_Escape)
        assert not sees(tools_page, "tool_view")

        assert tools_page.focus_filter()
        press(tools_page.list.filter.line, Qt.Key.Key_Down)
        press(tools_page.list.view, Qt.Key.Key_Down)
        press(tools_page.list.view, Qt.Key.Key_Return)
        assert not sees(tools_page, "tool_view")
        assert title(tools_page) == "beta"
        assert not session.tools.history.operations
        assert find(tools_page, QWidget, "tool_picker").isVisible()


async def test_the_line_says_how_many_match_while_the_filter_is_typed(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    server = listing(*(tool(name) for name in ("alpha", "alphabet", "gamma")))
    async with shown(tools_page, server):
        await listed(tools_page, 3)
        click_row(tools_page, 2)
        tools_page.resize(900, 420)
        assert tools_page.focus_filter()
        position = find(tools_page, QLabel, "tool_position")
        assert position.text() == "3 of 3"
        tools_page.list.filter.line.setText("alpha")
        await wait_until(lambda: position.text() == "2")
        tools_page.list.filter.line.setText("gamma")
        await wait_until(lambda: position.text() == "1 of 1")
