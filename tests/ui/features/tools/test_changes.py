"""A list that was read again says what differs, keeps its rows in place, and can be ordered by what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session import paginated_list
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import badges, click_tool, listed, rows
from tests.ui.qt_actions import click, reads, sees

if TYPE_CHECKING:
    import pytest

    from inspector.wire.json_codec import Json
    from ui.features.tools.page import ToolsPage


def serving(tools: list[Json]) -> AnsweringServer:
    return AnsweringServer(
        {"tools/list": lambda _: {"tools": list(tools)}},
        capabilities={"tools": {"listChanged": True}},
    )


async def test_a_changed_list_marks_what_is_new_and_changed_and_names_what_is_gone(
    tools_page: ToolsPage,
) -> None:
    """Ours: after a notification, and until it is read again."""
    tools: list[Json] = [tool("a"), tool("b"), tool("c")]
    server = serving(tools)
    async with shown(tools_page, server) as (page, _session):
        await listed(page, 3)
        assert not sees(page, "tools_news")
        tools[:] = [tool("n"), tool("a", description="other"), tool("c")]
        server.notify("notifications/tools/list_changed")
        await wait_until(lambda: sees(page, "tools_news"))

        assert reads(page, "tools_news") == "1 new, 1 changed, removed: b"
        assert [badges(page, row)[:1] for row in range(3)] == [["new"], ["changed"], []]

        click(page, "tools_refresh")
        await wait_until(lambda: not sees(page, "tools_news"))
        assert badges(page, 0) == []


async def test_marks_go_after_a_while(
    tools_page: ToolsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours."""
    monkeypatch.setattr(paginated_list, "CHANGES_SECONDS", 0.01)
    tools: list[Json] = [tool("a")]
    async with shown(tools_page, serving(tools)) as (page, session):
        await listed(page, 1)
        tools.append(tool("b"))
        await session.tools.refresh()
        await listed(page, 2)
        await wait_until(lambda: not session.tools.changes.text)
        await wait_until(lambda: badges(page, 1) == [])


async def test_rows_keep_their_place_when_others_come_above_them(tools_page: ToolsPage) -> None:
    """Ours: nothing moves under the pointer."""
    tools: list[Json] = [tool(f"tool {at:02}") for at in range(60)]
    async with shown(tools_page, serving(tools)) as (page, session):
        page.resize(900, 400)
        await listed(page, 60)
        click_tool(page, "tool 30")
        bar = page.list.view.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        top = page.list.view.indexAt(page.list.view.rect().topLeft()).data()
        tools[:0] = [tool(f"new {at}") for at in range(7)]
        await session.tools.refresh()
        await listed(page, 67)

        assert page.list.view.indexAt(page.list.view.rect().topLeft()).data() == top
        assert page.list.view.currentIndex().data() == "tool 30"


async def test_definitions_can_be_ordered_by_their_size(tools_page: ToolsPage) -> None:
    """Ours: the order of the server comes back, and what is chosen stays so."""
    tools: list[Json] = [
        tool("s"),
        tool("l", description="x" * 900),
        tool("m", description="x" * 90),
    ]
    async with shown(tools_page, serving(tools)) as (page, session):
        await listed(page, 3)
        click_tool(page, "m")
        click(page, "tools_by_size")

        assert rows(page) == ["l", "m", "s"]
        assert all(badges(page, row)[-1].endswith("B") for row in range(3))
        assert "of definitions" in reads(page, "tools_count")
        assert page.list.view.currentIndex().data() == "m"
        sizes = [each.definition_bytes for each in session.tools.items]
        assert sizes[1] > 900 > sizes[2] > 90 > 0

        click(page, "tools_by_size")
        assert rows(page) == ["s", "l", "m"]
        assert page.list.view.currentIndex().data() == "m"


async def test_nothing_is_to_be_chosen_where_nothing_is_listed(tools_page: ToolsPage) -> None:
    """Ours."""
    tools: list[Json] = []
    async with shown(tools_page, serving(tools)) as (page, session):
        page.complete()
        await wait_until(lambda: "No tools" in reads(page, "call_empty"))
        tools.append(tool("a"))
        await session.tools.refresh()
        await wait_until(lambda: "No tool selected" in reads(page, "call_empty"))
