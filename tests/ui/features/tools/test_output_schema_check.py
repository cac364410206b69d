"""Answers that break what the tool's output schema promises, told before anybody looks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton, QLabel, QToolButton, QWidget

from inspector.checks.tool_results import AT_ONCE, MAX_WEIGHT
from inspector.finding import Finding, Severity
from tests.support.answering import tool
from tests.support.opened import opened, shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import call, click_row, listed, listing, outcome, start, view
from tests.ui.qt_actions import find, reads

if TYPE_CHECKING:
    from inspector.features.tools import ToolCall
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from tests.support.answering import AnsweringServer
    from ui.features.tools.page import ToolsPage

WEATHER: JsonObject = {
    "type": "object",
    "properties": {
        "celsius": {"type": "number"},
        "sky": {"type": "string"},
        "days": {"type": "array", "items": {"type": "integer"}},
    },
    "required": ["celsius", "sky"],
}
TEXT: Json = [{"type": "text", "text": "warm"}]


def answering(structured: Json, **more: Json) -> AnsweringServer:
    server = listing(tool("weather", outputSchema=WEATHER))
    server.answers["tools/call"] = lambda _: {
        "content": TEXT,
        "structuredContent": structured,
        **more,
    }
    return server


def rules(session: OpenSession, made: ToolCall) -> list[str]:
    found = session.session.transcript.findings(made.response_frame)
    return [finding.rule for finding in found if finding.rule.startswith("L-TOOL-1")]


def label(page: ToolsPage, key: str) -> str:
    buttons = page.findChildren(QToolButton, f"call_answer_views_{key}")
    return ", ".join(button.text() for button in buttons)


def beside_outcome(page: ToolsPage) -> str:
    return find(page, QAbstractButton, "call_outcome_found").accessibleName()


async def test_an_answer_that_breaks_the_output_schema_is_no_plain_success(
    tools_page: ToolsPage,
) -> None:
    """L-TOOL-19, C-TOOL-10: the line, the tab, the problems and the traffic say so, without a click."""
    async with shown(tools_page, answering({"celsius": "warm"})) as (_, session):
        await listed(tools_page, 1)
        click_row(tools_page, 0)
        made = await call(tools_page, session)

        await wait_until(lambda: outcome(tools_page) == "ok, does not match its output schema")
        await wait_until(
            lambda: len(tools_page.findChildren(QToolButton, "call_answer_views_raw")) == 1
        )
        assert label(tools_page, "structured") == "Structured ⚠ 2"
        await wait_until(lambda: label(tools_page, "problems") == "Problems 2")
        assert rules(session, made) == ["L-TOOL-19", "L-TOOL-19"]
        assert session.session.transcript.counts.problems >= 1
        said = await view(tools_page, "problems")
        assert "at /result/structuredContent/celsius" in said
        assert "at /result/structuredContent/sky" in said

        odd = Finding("odd", Severity.ERROR, "x", "/params/_meta")
        session.session.transcript.add_finding(made.request_frame, odd)
        session.session.transcript.findings_changed.fire()
        await wait_until(lambda: label(tools_page, "problems") == "Problems 3")
        assert beside_outcome(tools_page) == "3 problems"
        assert f"at /params/_meta in request #{made.request_frame}" in reads(tools_page)
        session.client.muted.mute("L-TOOL-19")
        await wait_until(lambda: label(tools_page, "problems") == "Problems 1")
        assert beside_outcome(tools_page) == "1 problem"
        session.client.muted.unmute("L-TOOL-19")


async def test_who_looks_at_the_problems_sees_those_of_the_next_call(tools_page: ToolsPage) -> None:
    """Ours: they are found after the response is shown."""
    async with shown(tools_page, answering({"celsius": "warm"})) as (_, session):
        await listed(tools_page, 1)
        click_row(tools_page, 0)
        await call(tools_page, session)
        await view(tools_page, "problems")

        await call(tools_page, session)

        selected = find(tools_page, QWidget, "call_answer_problems")
        await wait_until(selected.isVisible)
        assert label(tools_page, "problems") == "Problems 2"


async def test_an_answer_that_keeps_the_promise_is_left_alone(tools_page: ToolsPage) -> None:
    """C-TOOL-10."""
    async with shown(tools_page, answering({"celsius": 3.5, "sky": "grey"})) as (_, session):
        await listed(tools_page, 1)
        click_row(tools_page, 0)
        made = await call(tools_page, session)

        await wait_until(lambda: tools_page.result_panel.checks.of(made) is not None)
        assert outcome(tools_page) == "ok"
        assert label(tools_page, "structured") == "Structured"
        await wait_until(lambda: label(tools_page, "problems") == "Notes 1")
        assert rules(session, made) == []
        tools_page.resize(1500, 420)  # below, the labels of the views need the width
        await wait_until(lambda: reads(tools_page, "call_answer_note") == "Schema valid")


async def test_an_error_need_not_keep_it(tools_page: ToolsPage) -> None:
    """C-TOOL-10."""
    async with shown(tools_page, answering({"x": 1}, isError=True)) as (_, session):
        await listed(tools_page, 1)
        click_row(tools_page, 0)
        made = await call(tools_page, session)

        assert outcome(tools_page).endswith("(isError)")
        assert rules(session, made) == []


async def test_large_content_is_judged_beside_everything_else(tools_page: ToolsPage) -> None:
    """Ours: in a thread, and what is shown says so meanwhile."""
    days: list[Json] = [*range(AT_ONCE), "Monday"]
    server = answering({"celsius": 1, "sky": "grey", "days": days})
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 1)
        click_row(tools_page, 0)
        made = await start(tools_page, session)

        await wait_until(lambda: rules(session, made) == ["L-TOOL-19"])
        await wait_until(lambda: outcome(tools_page) == "ok, does not match its output schema")
        await wait_until(lambda: label(tools_page, "problems") == "Problems 1")
        assert f"/days/{AT_ONCE}" in await view(tools_page, "problems")
        assert "must be an integer" in await view(tools_page, "structured")


async def test_too_much_of_it_is_not_judged_and_not_called_valid(tools_page: ToolsPage) -> None:
    """Ours: the validator lets nothing else run."""
    server = answering({"celsius": 1, "sky": "x" * (MAX_WEIGHT + 1)})
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 1)
        click_row(tools_page, 0)
        await call(tools_page, session)

        shown_check = find(tools_page, QLabel, "structured_check")
        await view(tools_page, "structured")
        await wait_until(
            lambda: shown_check.text() == "Output not validated: there is too much of it"
        )
        assert outcome(tools_page) == "ok"


async def test_what_ended_while_another_session_was_looked_at_is_judged_on_return(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    async with opened(answering({"celsius": "warm"})) as session:
        tools_page.set_session(session)
        await listed(tools_page, 1)
        click_row(tools_page, 0)
        made = await start(tools_page, session)
        tools_page.set_session(None)
        await wait_until(lambda: made.is_finished)

        tools_page.set_session(session)

        await wait_until(lambda: rules(session, made) == ["L-TOOL-19", "L-TOOL-19"])
        tools_page.set_session(None)
