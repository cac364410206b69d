"""Beside a call stands what waits for the user because of it, and what else came while it ran."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QAbstractItemView, QWidget

from inspector.wire.frame import Channel
from inspector.wire.line_splitter import RawChunk
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import call, click_tool, listed, start
from tests.ui.qt_actions import cells, click, find, reads, requested_frames, sees
from ui.navigator import navigator_of
from ui.widgets.heading_parts import Excerpt

if TYPE_CHECKING:
    from inspector.inbox import InboxItem
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.tools.page import ToolsPage

SAMPLING: JsonObject = {
    "jsonrpc": "2.0",
    "id": "s",
    "method": "sampling/createMessage",
    "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}],
        "maxTokens": 5,
    },
}


def serving() -> AnsweringServer:
    return AnsweringServer(
        {"tools/list": lambda _: {"tools": [tool("a"), tool("b")]}, "tools/call": silence}
    )


def calls(server: AnsweringServer) -> list[JsonObject]:
    return [message for message in server.received if message.get("method") == "tools/call"]


async def test_a_call_that_waits_for_the_person_says_so_and_leads_there(
    tools_page: ToolsPage,
) -> None:
    """Ours: until it has its response, or is over."""
    server = serving()
    async with shown(tools_page, server) as (page, session):
        session.session.client_capabilities = {"sampling": {}}
        await listed(page, 2)
        click_tool(page, "a")
        await start(page, session)
        await wait_until(lambda: calls(server))
        assert not sees(page, "call_review")
        server.send(SAMPLING)
        await wait_until(lambda: "Waiting for you" in reads(page, "call_outcome"))
        assert re.search(r"\b0:0\d\b", reads(page, "call_outcome_time"))
        question = find(page, Excerpt, "call_question")
        assert question.isVisible()
        assert question.accessibleName() == "Sampling: hi"

        wanted: list[InboxItem] = []
        navigator_of(page).review_requested.connect(wanted.append)
        click(page, "call_review")
        assert wanted == list(session.inbox.pending)

        click_tool(page, "b")
        assert not sees(page, "call_review")
        click_tool(page, "a")
        assert sees(page, "call_review")
        session.inbox.answer(session.inbox.pending[0], {"role": "assistant"})
        await wait_until(lambda: not sees(page, "call_review"))


async def test_a_question_moves_no_button_and_each_call_that_waits_says_so_in_the_history(
    tools_page: ToolsPage,
) -> None:
    """Ours: an earlier call is cancelled below its outcome, and the history does not depend on which call is shown."""
    server = serving()
    async with shown(tools_page, server) as (page, session):
        session.session.client_capabilities = {"sampling": {}}
        page.resize(1100, 800)
        await listed(page, 2)
        click_tool(page, "a")
        await start(page, session)
        await start(page, session)
        await wait_until(lambda: len(calls(server)) == 2)
        click(page, "call_history_previous")
        await wait_until(lambda: sees(page, "call_progress_cancel"))
        cancel = find(page, QWidget, "call_progress_cancel")
        before = cancel.mapTo(page, QPoint(0, 0))

        server.send(SAMPLING)
        question, progress = (
            find(page, QWidget, name) for name in ("call_question", "call_progress")
        )
        await wait_until(lambda: question.y() > progress.geometry().bottom())
        assert cancel.mapTo(page, QPoint(0, 0)) == before
        history = find(page, QAbstractItemView, "call_history_view")
        rows = cells(history)
        click(page, "call_history_next")
        await wait_until(lambda: "Waiting for you" in reads(page, "call_outcome"))
        assert cells(history) == rows
        assert [row[2] for row in rows] == ["Waiting for you"] * 2
        session.inbox.answer(session.inbox.pending[0], {"role": "assistant"})
        await wait_until(lambda: "Waiting for you" not in reads(page, "call_outcome"))
        assert [row[2] for row in cells(history)] == ["Running"] * 2


async def test_a_request_that_came_before_the_call_is_not_its_own(tools_page: ToolsPage) -> None:
    """Ours."""
    server = serving()
    async with shown(tools_page, server) as (page, session):
        session.session.client_capabilities = {"sampling": {}}
        await listed(page, 2)
        click_tool(page, "a")
        server.send(SAMPLING)
        await wait_until(lambda: session.inbox.pending)
        made = await start(page, session)
        await wait_until(lambda: made.request_frame)

        assert not sees(page, "call_review")


async def test_lines_that_are_no_messages_are_told_beside_the_result(tools_page: ToolsPage) -> None:
    """Ours: those that came between the request and its response, and the way to them."""
    server = serving()
    async with shown(tools_page, server) as (page, session):
        await listed(page, 2)
        click_tool(page, "a")
        server.send(b"before")
        made = await start(page, session)
        await wait_until(lambda: calls(server))
        server.send(b"Processing...")
        server.send(b"done")
        await wait_until(lambda: "2 not JSON-RPC" in reads(page, "call_meanwhile"))
        empty: Json = {"content": []}
        server.reply(calls(server)[0], empty)
        await wait_until(lambda: made.is_finished)
        server.send(b"after")
        await wait_until(lambda: session.session.transcript.count > made.response_frame)
        await wait_until(lambda: "2 not JSON-RPC" in reads(page, "call_meanwhile"))

        frames = requested_frames(navigator_of(page))
        click(page, "call_show_meanwhile")
        assert [session.session.transcript.raw(frame) for frame in frames] == [b"Processing..."]


async def test_lines_on_stderr_are_told_beside_the_result(tools_page: ToolsPage) -> None:
    """Ours: with the way to the first of them, where nothing else came."""
    server = serving()
    async with shown(tools_page, server) as (page, session):
        await listed(page, 2)
        click_tool(page, "a")
        await start(page, session)
        await wait_until(lambda: calls(server))
        lines = [RawChunk(b"reading"), RawChunk(b"writing")]
        session.session.peer.received(Channel.STDERR, lines)
        await wait_until(lambda: "Meanwhile: 2 lines on stderr" in reads(page, "call_meanwhile"))

        frames = requested_frames(navigator_of(page))
        click(page, "call_show_meanwhile")
        assert [session.session.transcript.raw(frame) for frame in frames] == [b"reading"]


async def test_a_call_beside_which_nothing_came_says_nothing(tools_page: ToolsPage) -> None:
    """Ours."""
    server = serving()
    server.answers["tools/call"] = lambda _: {"content": []}
    async with shown(tools_page, server) as (page, session):
        await listed(page, 2)
        click_tool(page, "a")
        await call(page, session)

        assert not sees(page, "call_beside")
