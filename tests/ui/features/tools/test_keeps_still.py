"""Nothing moves but the result itself when a call is made, waits, and ends, however large the result is. Ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QWidget

from inspector.errors import PeerError
from tests.support.answering import silence, tool
from tests.support.opened import open_again, shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import call, click_tool, listed, listing, start
from tests.ui.qt_actions import cells, click, find, reads, sees, select_row

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import Answer, AnsweringServer
    from ui.features.tools.page import ToolsPage

STILL = (
    "tools_filter",
    "tool_view",
    "tool_heading",
    "argument_views",
    "call_button",
    "limits_button",
    "call_outcome",
    "call_history_previous",
    "call_history_next",
    "call_history_again",
    "call_history_view",
)
"""Widgets that the pointer may be over while a call is made."""

OUTPUT: JsonObject = {"type": "object", "properties": {"celsius": {"type": "number"}}}


def places(page: ToolsPage) -> dict[str, QRect]:
    """Where these widgets are on the page; of the outcome only the corner, for its height may grow."""
    found = {name: find(page, QWidget, name) for name in STILL}
    corners = {name: part.mapTo(page, QPoint(0, 0)) for name, part in found.items()}
    sizes = {
        name: QSize() if name == "call_outcome" else part.size() for name, part in found.items()
    }
    return {name: QRect(corners[name], sizes[name]) for name in STILL}


def text(length: int) -> Answer:
    content: list[Json] = [{"type": "text", "text": "word " * length}]
    return lambda _params: {"content": list(content)}


def refuse(_params: JsonObject) -> Json:
    raise PeerError(-32602, "no such shelf", {"shelf": 3})


async def test_results_of_every_size_move_nothing_around_them(tools_page: ToolsPage) -> None:
    """Ours: not even the buttons beside the outcome, nor the list of calls below the result."""
    server = listing(tool("alpha"), tool("beta"))
    async with shown(tools_page, server) as (page, session):
        page.resize(1160, 560)
        await listed(page, 2)
        click_tool(page, "alpha")
        await call(page, session)
        before = places(page)
        for answer in (text(1), text(3000), refuse, text(10)):
            server.answers["tools/call"] = answer
            await call(page, session)
            assert places(page) == before

        server.answers["tools/call"] = silence
        made = await start(page, session)
        await wait_until(lambda: sees(page, "call_progress"))
        assert places(page) == before
        made.cancel()
        await wait_until(lambda: made.is_finished)
        await wait_until(lambda: not sees(page, "call_progress"))
        assert places(page) == before


def announcing(text_of_calls: str) -> AnsweringServer:
    server = listing(tool("weather", outputSchema=OUTPUT), tool("plain"))
    server.answers["tools/call"] = lambda _: {
        "content": [{"type": "text", "text": text_of_calls}],
        "structuredContent": {"celsius": 3},
    }
    return server


async def test_before_a_call_the_output_schema_is_shown_with_the_calls_of_earlier_runs(
    tools_page: ToolsPage,
) -> None:
    """Ours: only a tool with neither has an empty panel."""
    async with shown(tools_page, announcing("before")) as (page, first):
        page.resize(1160, 560)
        await listed(page, 2)
        click_tool(page, "plain")
        assert sees(page, "call_result_empty")
        click_tool(page, "weather")
        assert "celsius" in reads(page, "output_schema")
        assert not sees(page, "call_history")
        page.call_panel.set_arguments('{"city": "Lisbon", "days": 2}')
        await call(page, first)
        assert not sees(page, "output_schema")

        second = await open_again(first, announcing("after"))
        page.set_session(second)
        click_tool(page, "plain")
        click_tool(page, "weather")
        assert "celsius" in reads(page, "output_schema")
        (row,) = cells(page.result_panel.history.view)
        assert row[:3] == ["1", "city: Lisbon, days: 2", "OK"]
        assert row[4] == "run 1"
        select_row(page.result_panel.history.view, 0)
        await wait_until(lambda: "before" in reads(page, "call_answer"))
        page.set_session(None)
        await second.aclose()


async def test_the_buttons_beside_the_outcome_step_through_the_calls(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    numbers = iter(range(1, 9))
    server = listing(tool("alpha"))
    server.answers["tools/call"] = lambda _: {
        "content": [{"type": "text", "text": f"result {next(numbers)}"}]
    }
    async with shown(tools_page, server) as (page, session):
        page.resize(1160, 560)
        await listed(page, 1)
        click_tool(page, "alpha")
        for _ in range(3):
            await call(page, session)
        assert reads(page, "call_history_position") == "3 of 3"
        assert reads(page, "call_history_compare_previous") == "Compare 2 → 3"
        click(page, "call_history_previous")
        await wait_until(lambda: "result 2" in reads(page, "call_content"))
        assert page.result_panel.history.view.currentIndex().row() == 1
        click(page, "call_history_previous")
        assert not find(page, QWidget, "call_history_previous").isEnabled()
        assert not find(page, QWidget, "call_history_compare").isEnabled()
        click(page, "call_history_next")
        assert reads(page, "call_history_position") == "2 of 3"
