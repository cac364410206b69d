"""A call that is refused until a page was visited: the page in the place of a bare error."""

from __future__ import annotations

import asyncio
import sys
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton, QWidget

from inspector.config.profile import Profile
from inspector.errors import PeerError
from inspector.features.elicitation import COMPLETE
from inspector.workspace import Workspace
from tests.support.answering import tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import call, click_row, listed, listing
from tests.ui.hostile import NASTY, troubles
from tests.ui.qt_actions import click, find, reads, sees
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import AnsweringServer
    from ui.features.tools.page import ToolsPage

PAGE: JsonObject = {
    "mode": "url",
    "elicitationId": "e-1",
    "url": "https://example.com/confirm?x=1",
    "message": "Please <b>confirm</b>.",
}


def refusing(*pages: Json) -> AnsweringServer:
    """A server whose only tool wants these pages visited."""
    server = listing(tool("a"))

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32042, "Not yet", {"elicitations": list(pages)})

    server.answers["tools/call"] = refuse
    return server


async def test_the_page_is_shown_whole_and_opened_only_by_the_person(tools_page: ToolsPage) -> None:
    """C-ELI-28, C-ELI-20."""
    wanted: list[str] = []
    navigator_of(tools_page).link_requested.connect(wanted.append)
    async with shown(tools_page, refusing(PAGE)) as (page, session):
        await listed(page, 1)
        click_row(page, 0)
        await call(page, session)

        assert reads(page, "visit_host") == "example.com"
        assert "https://example.com/confirm?x=1" in reads(page, "visit_address")
        assert reads(page, "visit_message") == "Please <b>confirm</b>."
        assert reads(page, "visits_said") == "error -32042: Not yet"
        assert not sees(page, "call_error")
        assert (wanted, reads(page, "visit_state")) == ([], "not opened")
        assert len(session.tools.history.operations) == 1
        click(page, "visit_open")
        assert wanted == ["https://example.com/confirm?x=1"]
        assert "retry" in reads(page, "visit_state")


async def test_when_the_server_says_it_is_done_it_can_be_called_again(
    tools_page: ToolsPage,
) -> None:
    """C-ELI-22, C-ELI-23: the user sends it again, nothing does so by itself."""
    server = refusing(PAGE)
    async with shown(tools_page, server) as (page, session):
        await listed(page, 1)
        click_row(page, 0)
        await call(page, session)
        server.notify(COMPLETE, {"elicitationId": "e-1"})
        await wait_until(lambda: reads(page, "visit_state") == "completed (confirmed by server)")
        assert server.methods().count("tools/call") == 1
        frame = session.session.transcript.count
        assert session.session.transcript.findings(frame) == ()

        server.answers["tools/call"] = lambda _: {"content": [{"type": "text", "text": "now"}]}
        click(page, "visits_again")
        await wait_until(lambda: "now" in reads(page, "call_answer"))
        assert not sees(page, "visits")


async def test_several_pages_and_hostile_ones_are_shown_as_words(tools_page: ToolsPage) -> None:
    """C-ELI-20; text-01-bidi-and-invisible."""
    nasty: JsonObject = {"url": f"javascript:{NASTY}", "message": NASTY, "elicitationId": 5}
    pages = [PAGE, nasty, *({**PAGE, "url": f"https://x{at}.example/"} for at in range(12))]
    async with shown(tools_page, refusing(*pages)) as (page, session):
        await listed(page, 1)
        click_row(page, 0)
        await call(page, session)
        await asyncio.sleep(0)

        buttons = page.findChildren(QPushButton, "visit_open")
        assert [button.isEnabled() for button in buttons[:3]] == [True, False, True]
        assert len(buttons) == 10
        assert "14 pages" in reads(page, "visits_title")
        assert troubles(page.result_panel) == []


async def test_where_there_is_little_room_nothing_lies_over_anything_else(
    tools_page: ToolsPage,
) -> None:
    """Ours: the address scrolls, the button stays below it."""
    async with shown(tools_page, refusing(PAGE)) as (page, session):
        page.resize(900, 340)
        await listed(page, 1)
        click_row(page, 0)
        await call(page, session)

        panel = find(page, QWidget, "visits")
        names = ("visits_said", "visits_scroll", "visits_again")
        parts = [find(panel, QWidget, name) for name in names]

        def are_apart() -> bool:
            boxes = [part.geometry() for part in parts]
            is_above = all(upper.bottom() < lower.top() for upper, lower in pairwise(boxes))
            return is_above and boxes[-1].bottom() < panel.height()

        await wait_until(are_apart)  # laid out, which may take some turns


async def test_an_error_of_that_code_without_pages_is_an_error(tools_page: ToolsPage) -> None:
    """Ours."""
    async with shown(tools_page, refusing()) as (page, session):
        await listed(page, 1)
        click_row(page, 0)
        await call(page, session)

        assert sees(page, "call_error")
        assert not sees(page, "visits")


async def test_the_demo_server_shows_it(tools_page: ToolsPage) -> None:
    """C-ELI-28, with a real server."""
    workspace = Workspace(None)
    session = workspace.open(
        Profile(name="demo", command=sys.executable, args=("-m", "inspector.demo"))
    )
    try:
        await session.connect()
        tools_page.set_session(session)
        found = next(item for item in session.tools.items if item.name == "fail_as_error")
        made = session.tools.call(found, '{"code":"-32042"}')
        await made.wait()
        tools_page.result_panel.show_history(made)

        assert reads(tools_page, "visit_host") == "example.com"
        assert find(tools_page, QPushButton, "visit_open").isEnabled()
    finally:
        tools_page.set_session(None)
        await workspace.aclose()
