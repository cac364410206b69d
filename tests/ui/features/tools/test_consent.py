"""Tools are called by the user and by nobody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QProgressBar, QWidget

from tests.support.answering import silence, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import call, click_tool, listed, listing, outcome, start
from tests.ui.qt_actions import find

if TYPE_CHECKING:
    from ui.features.tools.page import ToolsPage


async def test_a_tool_is_called_when_the_person_says_so_and_at_no_other_time(
    tools_page: ToolsPage,
) -> None:
    """C-SEC-01, C-TOOL-01, C-TOOL-05, C-TOOL-17: what it does and what it is given is seen before."""
    server = listing(tool("a", description="Deletes everything."), tool("b"))
    async with shown(tools_page, server) as (page, session):
        await listed(page, 2)
        click_tool(page, "b")
        click_tool(page, "a")
        page.call_panel.set_arguments('{"path":"/"}')
        await session.tools.refresh()
        server.notify("notifications/tools/list_changed")
        await wait_until(lambda: server.methods().count("tools/list") == 3)
        assert set(server.methods()) == {"tools/list"}
        assert find(page, QWidget, "tool_excerpt").accessibleName() == "Deletes everything."
        assert page.call_panel.form.text() == '{"path":"/"}'

        await call(page, session)
        assert server.methods().count("tools/call") == 1
        params = next(m["params"] for m in server.received if m.get("method") == "tools/call")
        assert isinstance(params, dict)
        assert params["arguments"] == {"path": "/"}


async def test_progress_is_drawn_at_the_pace_of_the_screen(tools_page: ToolsPage) -> None:
    """C-PRG-04: a server may send as fast as it likes."""
    server = listing(tool("a"))
    server.answers["tools/call"] = silence
    async with shown(tools_page, server) as (page, session):
        await listed(page, 1)
        click_tool(page, "a")
        made = await start(page, session)
        await wait_until(lambda: outcome(page) == "running")
        drawn: list[int] = []
        find(page.result_panel.status.progress, QProgressBar, "").valueChanged.connect(drawn.append)
        meta = server.received[-1]["params"]
        assert isinstance(meta, dict)
        assert isinstance(meta["_meta"], dict)
        token = meta["_meta"]["progressToken"]
        for done in range(1, 2001):
            server.notify(
                "notifications/progress",
                {"progressToken": token, "progress": done, "total": 2000},
            )
        await wait_until(lambda: made.progress_count == 2000)
        await wait_until(lambda: drawn and drawn[-1] == 1000)

        assert len(drawn) < 20
        made.cancel()
        await made.wait()
