"""What a user does with the tools page, and what they read there."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from tests.support.answering import AnsweringServer, Silence
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from ui.widgets.delegates import BADGES_ROLE, SIGNS_ROLE, Sign
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.features.tools.corpus import Played
    from ui.features.tools.page import ToolsPage


def listing(*tools: Json, **more: Json) -> AnsweringServer:
    """A server that lists these tools and answers calls with its arguments as text."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": list(tools), **more}})
    server.answers["tools/call"] = lambda _: {"content": [{"type": "text", "text": "fine"}]}
    return server


def playing(played: Played) -> AnsweringServer:
    """The server of a case of the corpus."""
    server = listing(*played.tools)

    def answer(_params: JsonObject) -> Json:
        raw = played.answer(server.received[-1]["id"])
        asyncio.get_running_loop().call_soon(server.send, raw)
        raise Silence

    server.answers["tools/call"] = answer
    return server


def rows(page: ToolsPage) -> list[str]:
    """The names in the list."""
    model = page.list.model
    return [str(model.index(row).data()) for row in range(model.rowCount())]


def badges(page: ToolsPage, row: int) -> list[str]:
    """The badges and signs of a row of the list."""
    index = page.list.model.index(row)
    found = cast("list[tuple[str, str]]", index.data(BADGES_ROLE))
    signs = cast("list[Sign]", index.data(SIGNS_ROLE))
    return [*(text for text, _tone in found), *(sign.text for sign in signs)]


def tip(page: ToolsPage, row: int) -> str:
    """The tool tip of a row of the list."""
    return str(page.list.model.index(row).data(Qt.ItemDataRole.ToolTipRole))


def click_row(page: ToolsPage, row: int) -> None:
    """Choose a tool with the mouse."""
    view = page.list.view
    index = page.list.model.index(row)
    view.scrollTo(index)
    QTest.mouseClick(
        view.viewport(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        view.visualRect(index).center(),
    )


def click_tool(page: ToolsPage, label: str) -> None:
    """Choose a tool with the mouse by what it is called."""
    click_row(page, rows(page).index(label))


def filter_by(page: ToolsPage, text: str) -> None:
    """Type into the filter in place of what is there."""
    line = find(page, QLineEdit, "tools_filter_line")
    line.selectAll()
    QTest.keyClicks(line, text) if text else QTest.keyClick(line, Qt.Key.Key_Delete)


def title(page: ToolsPage) -> str:
    """The tool in the middle."""
    return find(page, ElidedLabel, "tool_title").whole_text()


def outcome(page: ToolsPage) -> str:
    """How the shown call went."""
    return page.result_panel.status.outcome.text()


def problem(page: ToolsPage) -> str:
    """What stands beside the button."""
    return find(page, ElidedLabel, "call_problem").whole_text()


def oddities(page: ToolsPage) -> str:
    """What is odd about the tool in the middle."""
    return find(page, QLabel, "tool_problems").text()


async def listed(page: ToolsPage, count: int) -> None:
    """Wait until that many tools are in the list."""
    await wait_until(lambda: page.list.model.rowCount() == count)


async def start(page: ToolsPage, session: OpenSession) -> ToolCall:
    """Press *Call*; returns when the request has left."""
    before = len(session.tools.history.operations)
    click(page, "call_button")
    await wait_until(lambda: len(session.tools.history.operations) > before)
    call = session.tools.history.operations[-1]
    await wait_until(lambda: call.request_frame or call.is_finished)
    return call


async def call(page: ToolsPage, session: OpenSession) -> ToolCall:
    """Press *Call* and wait until the page says how it went, and shows what came."""
    made = await start(page, session)
    await wait_until(lambda: made.is_finished)
    await wait_until(lambda: not outcome(page).startswith(("running", "sending")))
    await wait_until(lambda: page.result_panel.is_rendered)
    return made


async def view(page: ToolsPage, key: str) -> str:
    """What stands in a view of the result."""
    name = f"call_answer_views_{key}"
    # Those of the result before are deleted a little later.
    await wait_until(lambda: len(page.findChildren(QToolButton, name)) == 1 and sees(page, name))
    click(page, name)
    return reads(page, "call_answer")
