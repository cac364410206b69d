"""The list of tools: what is in it, what is said about it, and how the choice lasts."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from inspector.errors import PeerError
from inspector.session.paginated_list import ListState
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.opened import connect, make_session, shown
from tests.support.wait import wait_until
from tests.ui.features.tools import corpus
from tests.ui.features.tools.user import (
    badges,
    click_row,
    click_tool,
    filter_by,
    listed,
    listing,
    oddities,
    rows,
    tip,
    title,
)
from tests.ui.qt_actions import click, find, has_focus, press, reads, sees

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.tools.page import ToolsPage


def notes(page: ToolsPage) -> str:
    return find(page, QLabel, "tools_notes").text()


def count(page: ToolsPage) -> str:
    return find(page, QLabel, "tools_count").text()


async def test_the_filter_looks_at_name_title_and_description_and_needs_every_word(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    server = listing(
        tool("get_sum", description="Adds two numbers"),
        tool("b", title="Sum of squares"),
        tool("c", description="nothing of the kind"),
    )
    async with shown(tools_page, server):
        await listed(tools_page, 3)

        filter_by(tools_page, "SUM")
        assert rows(tools_page) == ["get_sum", "Sum of squares"]
        assert count(tools_page) == "2 of 3 tools"

        filter_by(tools_page, "sum two")
        assert rows(tools_page) == ["get_sum"]

        filter_by(tools_page, "")
        assert len(rows(tools_page)) == 3
        assert not sees(tools_page, "tools_count")


async def test_the_choice_outlives_a_filter_that_hides_it(tools_page: ToolsPage) -> None:
    """Ours."""
    async with shown(tools_page, listing(tool("a"), tool("b"))):
        await listed(tools_page, 2)
        click_tool(tools_page, "b")

        filter_by(tools_page, "a")
        assert title(tools_page) == "b"
        filter_by(tools_page, "")

        assert tools_page.list.view.currentIndex().row() == 1


async def test_from_the_filter_the_down_key_leads_into_the_list(tools_page: ToolsPage) -> None:
    """Ours."""
    async with shown(tools_page, listing(tool("a"), tool("b"))):
        await listed(tools_page, 2)
        assert tools_page.focus_filter()

        press(tools_page.list.filter.line, Qt.Key.Key_Down)

        assert has_focus(tools_page.list.view)
        assert title(tools_page) == "a"


async def test_tools_with_the_same_name_stay_apart_each_with_its_own_form(
    tools_page: ToolsPage,
) -> None:
    """list-06-duplicate-names."""
    async with shown(tools_page, listing(*corpus.tools("list-06"))):
        await listed(tools_page, 6)
        await wait_until(lambda: "duplicate" in badges(tools_page, 0))

        filter_by(tools_page, "open")
        assert rows(tools_page) == ["First open", "Second open"]
        filter_by(tools_page, "")
        assert len(rows(tools_page)) == 6
        assert all("duplicate" in badges(tools_page, row) for row in range(6))

        click_tool(tools_page, "Second open")
        await wait_until(lambda: sees(tools_page, "field:/b"))
        assert not sees(tools_page, "field:/a")
        assert [index.row() for index in tools_page.list.view.selectedIndexes()] == [4]
        assert "2 tools are named 'open_file'" in oddities(tools_page)

        click_tool(tools_page, "First open")
        await wait_until(lambda: sees(tools_page, "field:/a"))
        assert not sees(tools_page, "field:/b")


async def test_bad_and_missing_names_cost_no_row_and_are_told(tools_page: ToolsPage) -> None:
    """list-08-bad-names."""
    server = listing(*corpus.tools("list-08"))
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 6)

        names = rows(tools_page)
        assert names[0] == "Show every shelf"
        assert names[1] == "(empty name)"
        assert names[2] == "x" * 300
        assert names[3:] == ["(no name)", "(7)", "ok"]
        assert [bool(badges(tools_page, row)) for row in range(6)] == [True] * 5 + [False]
        assert "x" * 300 in tip(tools_page, 2)

        click_row(tools_page, 0)
        assert "name should contain only" in oddities(tools_page)
        click(tools_page, "call_button")
        await wait_until(
            lambda: (
                session.tools.history.operations
                and session.tools.history.operations[-1].is_finished
            )
        )
        sent = server.received[-1]["params"]
        assert isinstance(sent, dict)
        assert sent["name"] == "Show every shelf"


async def test_a_row_has_signs_for_exceptions_only_and_its_tool_tip_has_all_hints(
    tools_page: ToolsPage,
) -> None:
    """Ours: a usual tool has no sign; the one that matters most is the last to go where there is little room."""
    hints: JsonObject = {"destructiveHint": True, "idempotentHint": True, "openWorldHint": True}
    execution: JsonObject = {"taskSupport": "required"}
    server = listing(
        {**tool("write"), "annotations": hints, "execution": execution},
        {**tool("read"), "annotations": {"readOnlyHint": True}},
    )
    async with shown(tools_page, server):
        await listed(tools_page, 2)

        assert badges(tools_page, 0) == ["task required", "destructive"]
        assert badges(tools_page, 1) == []
        for text in ("destructive", "idempotent", "open world", "task required"):
            assert text in tip(tools_page, 0)
        assert "read-only" in tip(tools_page, 1)


async def test_the_list_stays_where_it_is_while_it_is_filtered_and_changes(
    tools_page: ToolsPage,
) -> None:
    """Ours: counts, news and notices are below the rows, and the filter has one height."""
    names = [tool(f"tool {at:02}") for at in range(40)]
    server = AnsweringServer({"tools/list": lambda _: {"tools": list(names)}})
    async with shown(tools_page, server) as (page, session):
        await listed(page, 40)
        view, header = page.list.view, page.list.header
        before = (view.geometry().topLeft(), view.width(), header.height())
        assert header.height() == 38

        filter_by(page, "tool 1")
        assert sees(page, "tools_count")
        names.insert(0, tool("tool 100"))
        await session.tools.refresh()
        await wait_until(lambda: sees(page, "tools_news"))
        assert (view.geometry().topLeft(), view.width(), header.height()) == before


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ({}, "`tools` is missing"),
        ("none", "must be an object"),
        ({"tools": None}, "`tools` must be an array, not null"),
        ({"tools": {"a": tool("a")}}, "`tools` must be an array, not an object"),
        ({"tools": [], "ttlMs": -5, "cacheScope": "everyone"}, "0 tools"),
    ],
)
async def test_a_list_of_another_shape_is_empty_with_a_note(
    tools_page: ToolsPage, result: Json, said: str
) -> None:
    """list-09-result-shapes: nothing waits for ever, and what was wrong is said."""
    server = AnsweringServer({"tools/list": lambda _: result})
    async with shown(tools_page, server) as (_, session):
        await wait_until(lambda: said in notes(tools_page) + count(tools_page))

        assert session.tools.state is ListState.READ
        assert "reading" not in count(tools_page)
        assert (count(tools_page) == "no usable result") is (said != "0 tools")


async def test_pages_without_end_stop_at_a_budget_and_go_on_when_asked(
    tools_page: ToolsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """list-11-endless-distinct-pages; C-PAG-05: what there is so far, and a way to go on."""
    monkeypatch.setattr("inspector.session.paginator.Paginator.next_pages.__defaults__", (3,))

    def page(params: JsonObject) -> Json:
        number = int(str(params.get("cursor", "n0"))[1:])
        return {
            "tools": [tool(f"t{number * 10 + at}") for at in range(10)],
            "nextCursor": f"n{number + 1}",
        }

    server = AnsweringServer({"tools/list": page})
    async with shown(tools_page, server):
        await listed(tools_page, 30)
        await wait_until(lambda: sees(tools_page, "tools_more"))
        assert "stopped after 3 pages" in notes(tools_page)
        assert count(tools_page) == "30 tools"
        click_row(tools_page, 7)

        click(tools_page, "tools_more")

        await listed(tools_page, 60)
        assert title(tools_page) == "t7"
        assert server.methods() == ["tools/list"] * 6


async def test_while_a_list_is_read_that_is_said(tools_page: ToolsPage) -> None:
    """Ours; no list without end looks like one that is whole."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("a")], "nextCursor": "2"}})
    session = make_session(server)
    tools_page.set_session(session)
    server.answers["tools/list"] = lambda params: (
        silence(params) if "cursor" in params else {"tools": [tool("a")], "nextCursor": "2"}
    )
    task = asyncio.ensure_future(connect(session))
    await listed(tools_page, 1)

    await wait_until(lambda: count(tools_page) == "Loading… 1 (page 1)")

    server.reply(server.received[-1], {"tools": [tool("b")]})
    await task
    await wait_until(lambda: rows(tools_page) == ["a", "b"])
    await wait_until(lambda: not sees(tools_page, "tools_count"))
    tools_page.set_session(None)
    await session.aclose()


async def test_reading_the_list_again_keeps_the_choice_and_the_rows_until_it_is_whole(
    tools_page: ToolsPage,
) -> None:
    """Ours; nothing jumps while data arrives."""
    pages: dict[str, Json] = {"": [tool("a"), tool("b")], "2": [tool("c"), tool("d")]}

    def page(params: JsonObject) -> Json:
        cursor = str(params.get("cursor", ""))
        return {"tools": pages[cursor], **({} if cursor else {"nextCursor": "2"})}

    server = AnsweringServer({"tools/list": page})
    seen: list[int] = []
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 4)
        click_tool(tools_page, "c")
        tools_page.list.model.modelReset.connect(lambda: seen.append(len(rows(tools_page))))
        pages[""] = [tool("new"), tool("a"), tool("b")]
        before = len(server.received)

        click(tools_page, "tools_refresh")
        await wait_until(lambda: len(server.received) == before + 2)
        await listed(tools_page, 5)

        assert rows(tools_page) == ["new", "a", "b", "c", "d"]
        assert all(length >= 4 for length in seen)
        assert title(tools_page) == "c"
        assert tools_page.list.view.currentIndex().row() == 3
        assert session.tools.state is ListState.READ


async def test_tools_of_one_name_keep_their_place_over_a_refresh(tools_page: ToolsPage) -> None:
    """list-06-duplicate-names: the second stays the second, and the last where there are fewer."""
    twins = [tool("same", title=title) for title in ("First", "Second", "Third")]
    listed_tools: list[Json] = [tool("a"), *twins]
    server = AnsweringServer({"tools/list": lambda _: {"tools": list(listed_tools)}})
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 4)
        click_tool(tools_page, "Second")

        listed_tools.insert(0, tool("new"))
        await session.tools.refresh()
        await listed(tools_page, 5)
        assert title(tools_page) == "Second"
        assert tools_page.list.view.currentIndex().row() == 3

        listed_tools[2:] = twins[:1]
        await session.tools.refresh()
        await listed(tools_page, 3)
        assert title(tools_page) == "First"


async def test_a_list_that_changed_is_read_again_by_itself(tools_page: ToolsPage) -> None:
    """Ours: the notification of the server."""
    names = ["a"]
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool(n) for n in names]}})
    async with shown(tools_page, server):
        await listed(tools_page, 1)
        names.append("b")

        server.notify("notifications/tools/list_changed")

        await wait_until(lambda: rows(tools_page) == ["a", "b"])


async def test_a_list_that_cannot_be_read_says_why_and_is_asked_for_again(
    tools_page: ToolsPage,
) -> None:
    """Ours."""

    def fail(_params: JsonObject) -> Json:
        raise PeerError(-32603, "the shelf is locked")

    server = AnsweringServer({"tools/list": fail})
    async with shown(tools_page, server):
        await wait_until(lambda: "the shelf is locked" in reads(tools_page, "tools_error"))
        server.answers["tools/list"] = lambda _: {"tools": [tool("a")]}

        click(tools_page, "tools_refresh")

        await listed(tools_page, 1)
        assert not sees(tools_page, "tools_error")


async def test_a_server_without_tools_is_not_asked_until_a_person_wants_it(
    tools_page: ToolsPage,
) -> None:
    """lifecycle-05-undeclared-lists: not offered, with a way to ask all the same."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("a")]}}, capabilities={})
    async with shown(tools_page, server):
        assert tools_page.missing() == "server does not declare tools"
        assert "Not supported by this server" in reads(tools_page, "tools_empty")
        assert server.methods() == []

        click(tools_page, "tools_empty_action")

        await listed(tools_page, 1)
        assert server.methods() == ["tools/list"]
        assert tools_page.missing() == ""
        assert tools_page.badge() == "1"


async def test_an_empty_list_that_was_requested_anyway_is_shown(tools_page: ToolsPage) -> None:
    """Ours: else the click that sends the request seems to do nothing."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": []}}, capabilities={})
    async with shown(tools_page, server) as (page, session):
        click(page, "tools_empty_action")

        await wait_until(lambda: session.tools.is_empty and sees(page, "tools_filter"))
        assert not sees(page, "tools_empty")


async def test_without_a_session_the_page_says_what_would_be_here(tools_page: ToolsPage) -> None:
    """Ours."""
    assert "Connect to a server" in reads(tools_page, "tools_empty")
    assert not find(tools_page, QWidget, "tools_empty_action").isVisible()


async def test_after_connecting_again_the_same_tool_is_in_front_with_what_was_typed(
    tools_page: ToolsPage,
) -> None:
    """Ours; a server that is being worked on is restarted all day."""
    schema: JsonObject = {"type": "object", "properties": {"q": {"type": "string"}}}
    first = listing(tool("a"), tool("b", inputSchema=schema))
    async with shown(tools_page, first):
        await listed(tools_page, 2)
        click_tool(tools_page, "b")
        tools_page.call_panel.set_arguments('{"q":"typed"}')

    async with shown(tools_page, listing(tool("b", inputSchema=schema))):
        await listed(tools_page, 1)

        await wait_until(lambda: title(tools_page) == "b")
        assert tools_page.call_panel.form.text() == '{"q":"typed"}'
