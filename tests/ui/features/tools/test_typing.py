"""Typing into the form of a tool while its server announces other lists; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from tests.support.answering import AnsweringServer
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import click_tool, listed
from tests.ui.qt_actions import find

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from ui.features.tools.page import ToolsPage


def changing_tool(version: int) -> JsonObject:
    """A tool of which every version has another description and, every second time, one more field."""
    properties: JsonObject = {"text": {"type": "string"}}
    if version % 2:
        properties["more"] = {"type": "integer"}
    return {
        "name": "draft",
        "description": f"version {version}",
        "inputSchema": {"type": "object", "properties": properties},
    }


async def test_not_a_letter_is_lost_while_the_open_tool_changes(tools_page: ToolsPage) -> None:
    """Ours: the list is announced again between any two letters."""
    versions = [changing_tool(0)]
    server = AnsweringServer({"tools/list": lambda _: {"tools": [versions[-1]]}})

    def is_current() -> bool:
        tool = tools_page.call_panel.tool
        return tool is not None and tool.raw == versions[-1]

    async with shown(tools_page, server):
        await listed(tools_page, 1)
        click_tool(tools_page, "draft")
        find(tools_page, QLineEdit, "field:/text").setFocus()

        for letter in "letters":
            versions.append(changing_tool(len(versions)))
            server.notify("notifications/tools/list_changed")
            await wait_until(is_current)
            focused = QApplication.focusWidget()
            assert focused is not None
            QTest.keyClicks(focused, letter)

        assert tools_page.call_panel.form.text() == '{"text":"letters"}'
