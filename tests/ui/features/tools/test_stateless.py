"""Calling tools where every request speaks for itself: headers, rounds, `_meta`, and complaints about what was sent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QPushButton, QSpinBox, QToolButton

from inspector.session import multi_round_trip
from inspector.wire import json_codec
from inspector.wire.message import or_null
from tests.support.http_stub import answer
from tests.support.modern import (
    always,
    asks,
    complete,
    form,
    meta_of,
    modern,
    opened_http,
    proper,
    said,
)
from tests.support.wait import wait_until
from tests.ui.features.tools.user import badges, call, click_tool, listed, outcome, problem, tip
from tests.ui.qt_actions import click, find, reads, sees
from ui.widgets.comparison_table import ComparisonTable
from ui.widgets.key_values import KeyValues

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.http_stub import Asked, Reply
    from ui.features.tools.page import ToolsPage

ZONED: JsonObject = {
    "type": "object",
    "properties": {
        "zone": {"type": "string", "x-mcp-header": "Zone", "default": "eu"},
        "share": {"type": "integer", "x-mcp-header": "Share"},
    },
}
BROKEN: JsonObject = {
    "type": "object",
    "properties": {"zone": {"type": "string", "x-mcp-header": "no header"}},
}
TOOLS: list[Json] = [
    {"name": "route", "inputSchema": ZONED},
    {"name": "broken", "inputSchema": BROKEN},
]
TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def routing(asked: Asked) -> Reply:
    if asked.rpc == "tools/list":
        return answer({"result": complete(tools=TOOLS, ttlMs=60_000, cacheScope="private")})
    return proper(asked)


def headers(page: ToolsPage) -> dict[str, str]:
    """The headers that are announced."""
    return {fact.name: fact.value for fact in find(page, KeyValues, "call_header_facts").facts()}


def sent(session: OpenSession) -> JsonObject:
    """The latest call as it left."""
    made = session.tools.history.operations[-1]
    value = json_codec.read(session.session.transcript.raw(made.request_frame)).value
    assert isinstance(value, dict)
    return value


async def test_an_excluded_tool_stays_in_the_list_with_its_reason_and_can_be_called_anyway(
    tools_page: ToolsPage,
) -> None:
    """C-HTTP-26; modern-02-xheader-invalid-tools: nothing that a server listed is hidden."""
    async with opened_http(otherwise=routing) as session:
        tools_page.set_session(session)
        await listed(tools_page, 2)
        assert badges(tools_page, 0) == []
        assert badges(tools_page, 1)[-1] == "excluded"
        assert "not a valid header name" in tip(tools_page, 1)

        click_tool(tools_page, "broken")

        assert find(tools_page, QPushButton, "call_button").text() == "Call anyway"
        assert problem(tools_page).startswith("Excluded: `x-mcp-header` is 'no header'")
        made = await call(tools_page, session)
        assert made.error is None
        assert outcome(tools_page) == "ok"
        tools_page.set_session(None)


async def test_the_headers_of_a_call_are_shown_before_it_is_sent(tools_page: ToolsPage) -> None:
    """C-HTTP-21, C-HTTP-28, C-HTTP-30; modern-01-xheader-mirror."""
    async with opened_http(otherwise=routing) as session:
        tools_page.set_session(session)
        await listed(tools_page, 2)
        click_tool(tools_page, "route")
        assert sees(tools_page, "call_header_facts")
        assert headers(tools_page)["Mcp-Name"] == "route"
        assert headers(tools_page)["Mcp-Param-Zone"] == "eu"

        tools_page.call_panel.set_arguments('{"zone": "Köln", "share": 1.5}')

        await wait_until(lambda: headers(tools_page)["Mcp-Param-Zone"] == "=?base64?S8O2bG4=?=")
        assert "Mcp-Param-Share" not in headers(tools_page)
        assert "`share` not sent in header" in reads(tools_page, "call_header_troubles")
        tools_page.set_session(None)


async def test_nothing_is_said_of_headers_where_there_are_none(tools_page: ToolsPage) -> None:
    """Ours; over stdio annotations are ignored and exclude nothing."""
    tools = complete(tools=TOOLS, ttlMs=0, cacheScope="private")
    async with modern({"tools/list": lambda _: tools}) as (_, session):
        tools_page.set_session(session)
        await listed(tools_page, 2)
        click_tool(tools_page, "broken")
        assert not sees(tools_page, "call_headers")
        assert "excluded" not in badges(tools_page, 1)
        tools_page.set_session(None)


async def test_members_of_meta_set_for_a_call_win(tools_page: ToolsPage) -> None:
    """C-MET-08; ours: what is set by hand is sent, and said beside the button."""
    tools = complete(tools=TOOLS, ttlMs=0, cacheScope="private")
    async with modern(always({"tools/list": tools, "tools/call": said()})) as (_, session):
        tools_page.set_session(session)
        await listed(tools_page, 2)
        click_tool(tools_page, "route")
        click(tools_page, "limits_button")
        text = find(tools_page, QPlainTextEdit, "call_meta_text")
        text.setPlainText("[1]")
        click(tools_page, "call_button")
        assert "_meta must be a JSON object" in problem(tools_page)
        assert session.tools.history.operations == []

        own = "io.modelcontextprotocol/protocolVersion"
        text.setPlainText(f'{{"traceparent": "{TRACE}", "{own}": "1999-01-01"}}')
        assert problem(tools_page) == "with 2 _meta members overridden"
        await call(tools_page, session)

        meta = meta_of(sent(session))
        assert (meta["traceparent"], meta[own]) == (TRACE, "1999-01-01")
        assert "io.modelcontextprotocol/clientCapabilities" in meta
        tools_page.set_session(None)


async def test_a_call_says_how_often_it_was_asked_and_whom_it_waits_for(
    tools_page: ToolsPage,
) -> None:
    """C-MRTR-01, C-MRTR-09: rounds are one call, and their limit can be changed."""
    tools = complete(tools=[{"name": "greet", "inputSchema": {}}], ttlMs=0, cacheScope="private")

    def greet(params: JsonObject) -> Json:
        return said("Hello") if "inputResponses" in params else asks("s", who=form("Who?"))

    async with modern({"tools/list": lambda _: tools, "tools/call": greet}) as (_, session):
        tools_page.set_session(session)
        await listed(tools_page, 1)
        click_tool(tools_page, "greet")
        click(tools_page, "limits_button")
        find(tools_page, QSpinBox, "most_rounds").setValue(5)
        click(tools_page, "call_button")
        await wait_until(lambda: session.inbox.pending)
        await wait_until(lambda: outcome(tools_page).startswith("Waiting for you"))

        action: Json = {"action": "accept", "content": {"n": "me"}}
        session.inbox.answer(session.inbox.pending[0], action)

        await wait_until(
            lambda: outcome(tools_page).startswith("ok · input requested once; server ")
        )
        assert "client " in outcome(tools_page)
        tools_page.set_session(None)


async def test_a_call_that_is_tried_again_by_itself_waits_for_nobody(
    tools_page: ToolsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-MRTR-02: it says when it is tried again, how often that happens, and has *Cancel*."""
    monkeypatch.setattr(multi_round_trip, "FIRST_PAUSE_SECONDS", 8.0)
    tools = complete(tools=[{"name": "busy", "inputSchema": {}}], ttlMs=0, cacheScope="private")
    answers: dict[str, Callable[[JsonObject], Json]] = {
        "tools/list": lambda _: tools,
        "tools/call": lambda _: asks("s"),
    }
    async with modern(answers) as (_, session):
        tools_page.set_session(session)
        await listed(tools_page, 1)
        click_tool(tools_page, "busy")
        click(tools_page, "call_button")
        again = re.compile(r"retrying in \d s \(1 of \d\)")
        await wait_until(lambda: again.fullmatch(outcome(tools_page)))
        assert session.inbox.items == ()

        click(tools_page, "cancel_button")
        await wait_until(lambda: outcome(tools_page) == "cancelled by you")
        tools_page.set_session(None)


async def test_what_a_server_complains_about_stands_beside_what_was_sent(
    tools_page: ToolsPage,
) -> None:
    """C-HTTP-34, L-MOD-04: the error tells what it is about, so that both sides can be compared."""

    def refusing(asked: Asked) -> Reply:
        if asked.rpc != "tools/call":
            return routing(asked)
        data: JsonObject = {"requiredCapabilities": {"sampling": {"context": {}}, "roots": {}}}
        error: JsonObject = {"code": -32021, "message": "more", "data": data}
        return answer({"error": error}, status=400)

    async with opened_http(otherwise=refusing) as session:
        tools_page.set_session(session)
        await listed(tools_page, 2)
        click_tool(tools_page, "route")
        made = await call(tools_page, session)
        assert made.error is not None
        rows = find(tools_page, ComparisonTable, "beside").rows()
        assert [(row.subject, row.ours, row.fits) for row in rows] == [
            ("Capability sampling.context", "not declared", False),
            ("Capability roots", "declared", True),
        ]
        assert or_null(session.session.transcript.message(made.response_frame).error)

        click(tools_page, "error_offer")
        assert session.client.capabilities.switches.sampling_context
        confirmed = reads(tools_page, "call_error")
        session.session.changed.fire()
        tools_page.result_panel.refresh()
        assert reads(tools_page, "call_error") == confirmed
        assert not sees(tools_page, "error_offer")
        tools_page.set_session(None)


async def test_the_list_says_how_old_it_is_and_how_long_the_server_says_it_is_valid(
    tools_page: ToolsPage,
) -> None:
    """Ours; server/utilities/caching: the time is told, and nothing is ever kept in silence."""
    async with opened_http(otherwise=routing) as session:
        tools_page.set_session(session)
        await listed(tools_page, 2)
        refresh = find(tools_page, QToolButton, "tools_refresh")
        assert "valid for 1 min 0 s, private" in refresh.accessibleDescription()
        QApplication.sendEvent(refresh, QHelpEvent(QEvent.Type.ToolTip, QPoint(1, 1), QPoint(1, 1)))
        assert "valid for 1 min 0 s, private" in refresh.toolTip()
        tools_page.set_session(None)
