"""Connecting again takes nothing away from the tools page, and servers do not share what belongs to one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLineEdit

from tests.support.answering import tool
from tests.support.opened import connect as connect_session
from tests.support.opened import make_session, open_again, shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import (
    call,
    click_tool,
    filter_by,
    listed,
    listing,
    rows,
    title,
)
from tests.ui.qt_actions import (
    cells,
    click,
    find,
    has_focus,
    reads,
    requested_comparisons,
    sees,
    select_row,
)
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from tests.support.answering import AnsweringServer
    from ui.features.tools.page import ToolsPage

SCHEMA: JsonObject = {"type": "object", "properties": {"text": {"type": "string"}}}


def saying(text: str) -> AnsweringServer:
    """A server whose tools answer with `text`."""
    server = listing(tool("draft", inputSchema=SCHEMA), tool("other"))
    server.answers["tools/call"] = lambda _: {"content": [{"type": "text", "text": text}]}
    return server


def history(page: ToolsPage) -> str:
    """The position of the call that is shown, and its run."""
    view = page.result_panel.history.view
    run = cells(view)[view.currentIndex().row()][-1]
    return f"{run} · {reads(page, 'call_history_position')}"


async def test_calls_of_earlier_runs_stay_and_are_compared_with_new_ones(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    async with shown(tools_page, saying("before the fix")) as (page, first):
        click_tool(page, "draft")
        await call(page, first)
        assert page.result_panel.history.view.isColumnHidden(4)
        second = await open_again(first, saying("after the fix"))
        page.set_session(second)

        assert title(page) == "draft"
        assert "before the fix" in reads(page, "call_answer")
        made = await call(page, second)
        assert history(page).startswith("run 2 · 2 of 2")
        await wait_until(lambda: "after the fix" in reads(page, "call_answer"))
        requested = requested_comparisons(navigator_of(page))
        click(page, "call_history_compare")
        assert [each.transcript for each in requested] == [
            session.session.transcript for session in (first, second)
        ]
        assert made.run.number == 2
        page.set_session(None)
        await second.aclose()


async def test_typing_goes_on_while_a_server_is_connected_again(tools_page: ToolsPage) -> None:
    """Ours: text, caret and focus stay; the same holds for the call that is shown."""
    async with shown(tools_page, saying("one")) as (page, first):
        click_tool(page, "draft")
        await call(page, first)
        await call(page, first)
        select_row(page.result_panel.history.view, 1)
        field = next(line for line in page.call_panel.form.findChildren(QLineEdit))
        field.setFocus()
        field.insert("half a wo")
        field.setCursorPosition(4)
        second = await open_again(first, saying("two"))
        page.set_session(second)
        await listed(page, 2)

        assert field.isVisible()
        assert has_focus(field)
        assert (field.text(), field.cursorPosition()) == ("half a wo", 4)
        assert history(page).startswith("run 1 · 1 of 2")
        page.set_session(None)
        await second.aclose()


async def test_rows_stay_until_the_next_run_has_listed_its_own(tools_page: ToolsPage) -> None:
    """Ours: an empty list in between would lose the place."""
    async with shown(tools_page, saying("one")) as (page, first):
        click_tool(page, "other")
        next_run = make_session(saying("two"))
        next_run.runs = first.runs
        page.set_session(next_run)
        assert rows(page) == ["draft", "other"]
        assert title(page) == "other"
        await connect_session(next_run)
        await listed(page, 2)
        assert title(page) == "other"
        page.set_session(None)
        await next_run.aclose()


async def test_filter_and_choice_belong_to_one_server(tools_page: ToolsPage) -> None:
    """Ours."""
    async with shown(tools_page, saying("one")) as (page, first):
        click_tool(page, "draft")
        filter_by(page, "dra")
        await listed(page, 1)
        other = make_session(listing(tool("alpha"), tool("beta")), id_="two")
        await connect_session(other)
        page.set_session(other)

        assert rows(page) == ["alpha", "beta"]
        assert find(page, QLineEdit, "tools_filter_line").text() == ""
        page.set_session(first)
        assert rows(page) == ["draft"]
        assert title(page) == "draft"
        page.set_session(None)
        await other.aclose()


async def test_a_filter_that_hides_everything_says_so_and_can_be_cleared(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    async with shown(tools_page, saying("one")) as (page, _session):
        filter_by(page, "nothing like it")
        await listed(page, 0)
        assert "2" in reads(page, "tools_no_matches")
        click(page, "tools_no_matches_action")
        await listed(page, 2)
        assert not sees(page, "tools_no_matches")
