"""Filling in and calling: what leaves, and what is said before it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDoubleSpinBox,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from inspector.session.operation import OperationState
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import (
    call,
    click_tool,
    listed,
    listing,
    outcome,
    problem,
    start,
)
from tests.ui.qt_actions import click, find, has_focus, press, sees
from ui.features.tools.call_panel import MAX_PROBLEMS
from ui.navigator import navigator_of
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.tools.page import ToolsPage

SUM: JsonObject = {
    "type": "object",
    "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
    "required": ["a", "b"],
}


def summing() -> AnsweringServer:
    return listing(tool("get_sum", inputSchema=SUM), tool("other"))


def button(page: ToolsPage) -> str:
    return find(page, QPushButton, "call_button").text()


def sent_raw(page: ToolsPage) -> bytes:
    """The last request as it was written."""
    assert page.session is not None
    made = page.session.tools.history.operations[-1]
    return page.session.session.transcript.raw(made.request_frame)


async def test_arguments_leave_as_they_were_typed_but_for_white_space(
    tools_page: ToolsPage,
) -> None:
    """C-STD-03; args-09-bigint-exact: numbers keep their spelling, null and empty stay."""
    async with shown(tools_page, summing()) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "other")
        typed = '{ "n": 36028797018963971,\n "f": 1.10, "e": 1E400, "x": null, "t": "" }'
        tools_page.call_panel.set_arguments(typed)

        await call(tools_page, session)

        expected = b'"arguments":{"n":36028797018963971,"f":1.10,"e":1E400,"x":null,"t":""}'
        assert expected in sent_raw(tools_page)


async def test_problems_are_counted_and_keep_nobody_from_calling(tools_page: ToolsPage) -> None:
    """Ours; testing how a server answers bad input is a normal day's work."""
    async with shown(tools_page, summing()) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        assert button(tools_page) == "Call anyway"
        assert problem(tools_page) == "2 problems"

        tools_page.call_panel.set_arguments('{"a":"three"}')
        await call(tools_page, session)

        assert b'"arguments":{"a":"three"}' in sent_raw(tools_page)
        tools_page.call_panel.set_arguments('{"a":3,"b":4}')
        assert button(tools_page) == "Call"
        assert problem(tools_page) == ""


@pytest.mark.parametrize(("count", "more"), [(MAX_PROBLEMS, ""), (MAX_PROBLEMS + 1, "and 1 more")])
async def test_of_many_problems_the_first_are_told_and_the_rest_counted(
    tools_page: ToolsPage, count: int, more: str
) -> None:
    """Ours."""
    names: list[Json] = [f"key_{number}" for number in range(count)]
    schema: JsonObject = {"type": "object", "required": names}
    async with shown(tools_page, listing({"name": "many", "inputSchema": schema})):
        await listed(tools_page, 1)
        click_tool(tools_page, "many")
        tools_page.call_panel.set_arguments("{}")

        assert problem(tools_page) == f"{count} problems"
        lines = find(tools_page, ElidedLabel, "call_problem").toolTip().splitlines()
        assert len(lines) == MAX_PROBLEMS + bool(more)
        assert more in lines[-1]
        assert ("more" in lines[-1]) is bool(more)


async def test_the_problems_are_told_in_the_tip_and_a_click_goes_to_the_first(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    async with shown(tools_page, summing()):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        tools_page.call_panel.set_arguments('{"a":3,"b":"four"}')

        tip = find(tools_page, ElidedLabel, "call_problem").toolTip()
        assert "/b: must be" in tip

        click(tools_page, "call_problem_action")
        focused = tools_page.window().focusWidget()
        assert focused is not None
        assert focused.objectName().endswith(":/b")


async def test_in_the_json_view_the_first_problem_is_named_and_marked(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    async with shown(tools_page, summing()):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        tools_page.call_panel.set_arguments('{"a":"\U0001f600","b":"four"}')
        click(tools_page, "argument_views_json")
        tools_page.call_panel.set_arguments('{"a":3,"b":"four"}')

        click(tools_page, "call_problem_action")

        box = find(tools_page, QPlainTextEdit, "json text")
        assert box.textCursor().selectedText() == '"four"'
        assert has_focus(box)
        assert find(tools_page, QLabel, "json error").text().startswith("/b: must be")


async def test_what_is_no_json_cannot_be_called_with_and_goes_to_raw_as_it_is(
    tools_page: ToolsPage,
) -> None:
    """Ours; it would break the message that it stands in."""
    server = summing()
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        tools_page.call_panel.set_arguments('{"agree": tru')
        wanted: list[str] = []
        navigator_of(tools_page).edit_requested.connect(wanted.append)

        assert not find(tools_page, QPushButton, "call_button").isEnabled()
        assert button(tools_page) == "Call"
        assert problem(tools_page) == "Arguments are not valid JSON"
        assert "not JSON" in find(tools_page, ElidedLabel, "call_problem").toolTip()
        click(tools_page, "call_problem_action")

        assert session.tools.history.operations == []
        (text,) = wanted
        assert '"method":"tools/call"' in text
        assert '"name":"get_sum","arguments":{"agree": tru' in text
        tools_page.call_panel.set_arguments('{"a":3,"b":4}')
        assert problem(tools_page) == ""
        assert find(tools_page, QPushButton, "call_button").isEnabled()


async def test_each_tool_keeps_what_was_typed_for_it(tools_page: ToolsPage) -> None:
    """Ours; Esc, tabs and other tools never lose input."""
    async with shown(tools_page, summing()):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        tools_page.call_panel.set_arguments('{"a":3}')
        click_tool(tools_page, "other")
        assert tools_page.call_panel.form.text() == "{}"
        tools_page.call_panel.set_arguments('{"x":true}')

        click_tool(tools_page, "get_sum")
        assert tools_page.call_panel.form.text() == '{"a":3}'
        click_tool(tools_page, "other")
        assert tools_page.call_panel.form.text() == '{"x":true}'


async def test_a_list_that_is_read_again_leaves_the_form_alone(tools_page: ToolsPage) -> None:
    """Ours: the same tool comes anew and is not filled in anew."""
    async with shown(tools_page, summing()) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        tools_page.call_panel.set_arguments('{"a":3}')
        field = tools_page.call_panel.form.findChild(QWidget, "field:/a")

        await session.tools.refresh()
        await wait_until(lambda: tools_page.call_panel.tool is session.tools.items[0])

        assert tools_page.call_panel.form.text() == '{"a":3}'
        assert tools_page.call_panel.form.findChild(QWidget, "field:/a") is field


async def test_another_schema_for_the_same_tool_gives_another_form_with_the_same_text(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    schemas: list[JsonObject] = [SUM]
    server = AnsweringServer(
        {"tools/list": lambda _: {"tools": [tool("get_sum", inputSchema=schemas[-1])]}}
    )
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 1)
        click_tool(tools_page, "get_sum")
        tools_page.call_panel.set_arguments('{"a":3}')
        schemas.append({**SUM, "properties": {"a": {"type": "integer"}, "c": {"type": "string"}}})

        await session.tools.refresh()

        await wait_until(lambda: sees(tools_page, "field:/c"))
        assert tools_page.call_panel.form.text() == '{"a":3}'


@pytest.mark.parametrize("name", ["field:/a", "tool_view", "argument_views_schema"])
async def test_control_enter_calls_from_anywhere_in_the_panel(
    tools_page: ToolsPage, name: str
) -> None:
    """Ours; and it calls once."""
    async with shown(tools_page, summing()) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        await wait_until(lambda: sees(tools_page, "field:/a"))
        place = find(tools_page, QWidget, name)
        place.setFocus()

        press(place, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)

        inside = tools_page.call_panel.isAncestorOf(place)
        if inside:
            await wait_until(lambda: session.tools.history.operations)
            await wait_until(lambda: session.tools.history.operations[-1].is_finished)
        assert len(session.tools.history.operations) == int(inside)


async def test_a_call_that_takes_too_long_ends_at_the_limit_set_for_it(
    tools_page: ToolsPage,
) -> None:
    """C-TOOL-07; C-CAN-01: the server is told."""
    server = summing()
    server.answers["tools/call"] = silence
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "other")
        assert not sees(tools_page, "limit_idle")
        click(tools_page, "limits_button")
        find(tools_page, QDoubleSpinBox, "limit_idle").setValue(0.1)

        made = await call(tools_page, session)

        assert made.state is OperationState.TIMED_OUT
        assert outcome(tools_page) == "timed out"
        assert server.methods()[-1] == "notifications/cancelled"


async def test_cancel_ends_the_call_of_the_tool_in_front_on_the_wire_too(
    tools_page: ToolsPage,
) -> None:
    """C-CAN-01; ours: calls of other tools go on."""
    server = summing()
    server.answers["tools/call"] = silence
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        first = await start(tools_page, session)
        click_tool(tools_page, "other")
        assert not sees(tools_page, "cancel_button")
        second = await start(tools_page, session)
        click_tool(tools_page, "get_sum")
        assert sees(tools_page, "cancel_button")

        click(tools_page, "cancel_button")

        await wait_until(lambda: outcome(tools_page) == "cancelled by you")
        assert (first.state, second.state) == (OperationState.CANCELLED, OperationState.RUNNING)
        assert not sees(tools_page, "cancel_button")
        assert server.methods()[-1] == "notifications/cancelled"


async def test_without_a_connection_nothing_can_be_called_and_what_was_typed_stays(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    server = summing()
    async with shown(tools_page, server):
        await listed(tools_page, 2)
        click_tool(tools_page, "get_sum")
        tools_page.call_panel.set_arguments('{"a":3,"b":4}')

        server.end()

        await wait_until(lambda: problem(tools_page) == "not connected")
        assert not tools_page.call_panel.call_button.isEnabled()
        assert tools_page.call_panel.form.text() == '{"a":3,"b":4}'


async def test_the_schema_is_there_whole(tools_page: ToolsPage) -> None:
    """Ours; raw is truth."""
    odd: Json = {"name": "odd", "inputSchema": SUM, "vendor/extra": {"k": 1}}
    async with shown(tools_page, listing(odd)):
        await listed(tools_page, 1)
        click_tool(tools_page, "odd")

        click(tools_page, "argument_views_schema")

        assert sees(tools_page, "tool_schema")
        assert not sees(tools_page, "field:/a")
        click(tools_page, "argument_views_form")
        await wait_until(lambda: sees(tools_page, "field:/a"))
