"""A call that failed says whose doing it was: the server's, the user's, or nobody's."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from inspector.config.profile import Profile
from inspector.errors import ConnectFailed, RequestAborted
from inspector.workspace import Workspace
from tests.support.answering import tool
from tests.support.http_session import at
from tests.support.http_stub import HttpStub, answer, reply
from tests.support.modern import always, asks, complete, modern, opened_at, proper
from tests.support.wait import wait_until
from tests.ui.features.tools.user import call, click_row, click_tool, listed, outcome, start
from tests.ui.qt_actions import click, find, reads
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from ui.features.tools.page import ToolsPage

SAMPLING: JsonObject = {
    "method": "sampling/createMessage",
    "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": "Hi"}}],
        "maxTokens": 5,
    },
}


async def test_a_request_that_the_person_rejected_is_given_up_by_this_side(
    tools_page: ToolsPage,
) -> None:
    """C-MRTR-08: the server did not refuse anything."""
    tools = complete(tools=[tool("ask")], ttlMs=0, cacheScope="private")
    answers = always({"tools/list": tools, "tools/call": asks(k=SAMPLING)})
    async with modern(answers) as (_, session):
        tools_page.set_session(session)
        await listed(tools_page, 1)
        click_row(tools_page, 0)
        made = await start(tools_page, session)
        await wait_until(lambda: len(session.inbox.pending) == 1)

        session.sampling.reject(session.inbox.pending[0])
        await wait_until(lambda: outcome(tools_page).startswith("cancelled by Spyglass"))

        assert isinstance(made.error, RequestAborted)
        assert "JSON-RPC error" not in outcome(tools_page)
        await wait_until(
            lambda: "sampling/createMessage rejected" in reads(tools_page, "call_error")
        )
        tools_page.set_session(None)


async def test_a_call_that_reached_nobody_says_that_there_is_no_connection(
    tools_page: ToolsPage,
) -> None:
    """Ours: nobody listens any more."""
    async with HttpStub(otherwise=proper) as stub:
        session_at = opened_at(stub)
        session = await session_at.__aenter__()
        tools_page.set_session(session)
        await listed(tools_page, 1)
        click_row(tools_page, 0)
    made = await call(tools_page, session)

    assert isinstance(made.error, ConnectFailed)
    assert outcome(tools_page) == "connection failed"
    tools_page.set_session(None)
    await session_at.__aexit__(None, None, None)


async def test_a_server_that_crashed_in_a_call_has_its_last_words_and_a_restart(
    tools_page: ToolsPage,
) -> None:
    """Ours: where the call failed, not only where connecting does."""
    workspace = Workspace(None)
    profile = Profile(name="demo", command=sys.executable, args=("-m", "inspector.demo"))
    session = workspace.open(profile)
    try:
        await session.connect()
        tools_page.set_session(session)
        await wait_until(lambda: tools_page.list.model.rowCount() > 0)
        click_tool(tools_page, "Fault: crash")
        tools_page.call_panel.set_arguments('{"code": 3, "words": "IndentationError: line 7"}')
        await call(tools_page, session)

        assert outcome(tools_page) == "no response: server process exited"
        said = reads(tools_page, "call_error")
        assert "exited with code 3" in said
        assert "Output on stderr" in said
        assert "before it responded to tools/call: demo: IndentationError: line 7" in said
        wanted: list[bool] = []
        navigator_of(tools_page).reconnect_requested.connect(lambda: wanted.append(True))
        assert find(tools_page, QPushButton, "error_offer").text() == "Restart"
        click(tools_page, "error_offer")
        assert wanted == [True]
    finally:
        tools_page.set_session(None)
        await workspace.aclose()


async def test_a_call_lost_with_its_session_is_sent_again_by_a_button(
    tools_page: ToolsPage,
) -> None:
    """C-HTTP-15: never by itself, because it may not be meant to run twice."""
    tools = answer({"result": {"tools": [tool("a")]}})
    rules = {"POST tools/list": tools, "POST tools/call": [reply(404), None]}
    workspace = Workspace(None)
    async with HttpStub(rules) as stub:
        session = workspace.open(at(stub.url))
        try:
            await session.connect()
            tools_page.set_session(session)
            await listed(tools_page, 1)
            click_row(tools_page, 0)
            await call(tools_page, session)
            assert find(tools_page, QPushButton, "error_offer").text() == "Send again"
            assert len(stub.said("POST tools/call")) == 1

            click(tools_page, "error_offer")
            await wait_until(lambda: len(stub.said("POST tools/call")) == 2)
        finally:
            tools_page.set_session(None)
            await workspace.aclose()
