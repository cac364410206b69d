"""What is said of a tool while its list changes, and of what the server declares for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QCheckBox, QLineEdit

from inspector.features.tools import LIST_CHANGED
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import badges, click_tool, listed, listing, oddities, tip, title
from tests.ui.qt_actions import find, reads, sees

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.tools.page import ToolsPage

SCHEMA: JsonObject = {"type": "object", "properties": {"text": {"type": "string"}}}


async def test_a_tool_that_is_listed_no_longer_stays_with_what_was_typed(
    tools_page: ToolsPage,
) -> None:
    """Ours: and it is as before when it comes back."""
    both: list[Json] = [tool("draft", inputSchema=SCHEMA), tool("other")]
    tools = [*both]
    server = AnsweringServer(
        {"tools/list": lambda _: {"tools": [*tools]}},
        capabilities={"tools": {"listChanged": True}},
    )
    async with shown(tools_page, server) as (page, _session):
        click_tool(page, "draft")
        field = next(line for line in page.call_panel.form.findChildren(QLineEdit))
        field.insert("typed")
        del tools[0]
        server.notify(LIST_CHANGED)
        await listed(page, 1)

        assert title(page) == "draft"
        assert "no longer lists" in oddities(page)
        assert '"typed"' in page.call_panel.form.text()
        tools[:] = both
        server.notify(LIST_CHANGED)
        await listed(page, 2)
        assert "no longer lists" not in oddities(page)
        assert '"typed"' in page.call_panel.form.text()
        click_tool(page, "other")
        assert title(page) == "other"


@pytest.mark.parametrize(
    ("hints", "expected"),
    [
        ({"readOnlyHint": True, "idempotentHint": True}, ["idempotent", "read-only"]),
        ({"readOnlyHint": True, "destructiveHint": True}, ["destructive", "read-only"]),
        ({"idempotentHint": False, "openWorldHint": True}, ["open world"]),
        ({}, []),
    ],
)
async def test_every_hint_that_is_declared_is_in_the_tool_tip_and_has_a_badge_above_the_form(
    tools_page: ToolsPage, hints: JsonObject, expected: list[str]
) -> None:
    """Ours."""
    async with shown(tools_page, listing(tool("a", annotations=hints))) as (page, _session):
        assert badges(page, 0) == [text for text in expected if text == "destructive"]
        click_tool(page, "a")
        for text in expected:
            assert text in tip(page, 0)
            assert text in reads(page, "tool_badges")
        if hints.get("idempotentHint") is False:
            assert "not idempotent" in reads(page, "tool_badges")


@pytest.mark.parametrize(
    ("declared", "support", "seen", "enabled"),
    [
        (False, "forbidden", False, False),
        (False, "optional", True, True),
        (True, "forbidden", True, False),
        (True, "optional", True, True),
    ],
)
async def test_a_task_is_offered_where_one_is_possible(
    tools_page: ToolsPage, *, declared: bool, support: str, seen: bool, enabled: bool
) -> None:
    """Ours."""
    server = AnsweringServer(
        {"tools/list": lambda _: {"tools": [tool("a", execution={"taskSupport": support})]}},
        capabilities={
            "tools": {},
            **({"tasks": {"requests": {"tools": {"call": {}}}}} if declared else {}),
        },
    )
    async with shown(tools_page, server) as (page, _session):
        click_tool(page, "a")
        assert sees(page, "as_task") is seen
        assert find(page, QCheckBox, "as_task").isEnabled() is enabled


async def test_the_tab_of_a_declared_list_without_items_says_none(tools_page: ToolsPage) -> None:
    """Ours: nothing and zero are two things."""
    async with shown(tools_page, listing()) as (page, session):
        await wait_until(lambda: session.tools.state == "read")
        assert page.badge() == "0"
    async with shown(tools_page, AnsweringServer(capabilities={})) as (page, _session):
        assert page.badge() == ""
