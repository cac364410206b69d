"""What came of a call, in every way in which one can end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QProgressBar, QTableView, QToolButton

from inspector.errors import PeerError
from inspector.session.operation import OperationState
from tests.support.answering import AnsweringServer, silence, tool
from tests.support.opened import shown
from tests.support.wait import wait_until
from tests.ui.features.tools.user import (
    call,
    click_row,
    click_tool,
    listed,
    listing,
    outcome,
    start,
    view,
)
from tests.ui.qt_actions import (
    cells,
    click,
    find,
    reads,
    requested_comparisons,
    requested_frames,
    sees,
    select_row,
)
from ui.navigator import navigator_of

if TYPE_CHECKING:
    from inspector.open_session import OpenSession
    from inspector.wire.json_codec import Json, JsonObject
    from ui.features.tools.page import ToolsPage


def refuse(_params: JsonObject) -> Json:
    raise PeerError(-32602, "Unknown tool: x", {"hint": ["y"]})


def say(text: str, **more: Json) -> Json:
    return {"content": [{"type": "text", "text": text}], **more}


async def choose_first(page: ToolsPage) -> None:
    await wait_until(lambda: page.list.model.rowCount() > 0)
    click_row(page, 0)


async def called(page: ToolsPage, session: OpenSession, arguments: str = "{}") -> None:
    page.call_panel.set_arguments(arguments)
    await call(page, session)


async def goes_on(page: ToolsPage) -> None:
    """Wait until the call is said to run, and its time moves."""
    await wait_until(lambda: outcome(page) == "running")
    before = reads(page, "call_outcome")
    await wait_until(lambda: reads(page, "call_outcome") != before)


async def test_before_the_first_call_the_panel_says_what_would_be_here(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    async with shown(tools_page, listing(tool("a"))):
        await choose_first(tools_page)

        assert "No result yet" in reads(tools_page, "call_result_empty")


async def test_a_result_says_how_it_went_and_how_long_it_took(tools_page: ToolsPage) -> None:
    """Ours."""
    server = listing(tool("a"))
    server.answers["tools/call"] = lambda _: say("seven", _meta={"k": 1})
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)

        await call(tools_page, session)

        assert outcome(tools_page) == "ok"
        assert " ms" in reads(tools_page, "call_outcome")
        await wait_until(lambda: "seven" in reads(tools_page, "call_content"))
        assert "Result has _meta (see JSON)." in reads(tools_page, "call_content")
        assert "_meta {k: 1}" in await view(tools_page, "json")
        assert '"text":"seven"' in (await view(tools_page, "raw")).replace(" ", "")


async def test_a_tool_that_failed_and_a_server_that_refused_are_two_things(
    tools_page: ToolsPage,
) -> None:
    """result-26-error-forms; C-TOOL-11 and C-TOOL-12."""
    server = listing(tool("a"))
    server.answers["tools/call"] = lambda _: say("seat taken", isError=True)
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        made = await call(tools_page, session)

        assert made.state is OperationState.TOOL_ERROR
        assert outcome(tools_page).startswith("tool error")
        await wait_until(lambda: "seat taken" in reads(tools_page, "call_content"))
        assert not sees(tools_page, "call_error")

        server.answers["tools/call"] = refuse
        made = await call(tools_page, session)

        assert made.state is OperationState.ERROR
        assert outcome(tools_page).startswith("JSON-RPC error")
        said = reads(tools_page, "call_error")
        assert "-32602" in said
        assert "Unknown tool: x" in said
        assert '"hint"' in reads(tools_page, "call_error")
        assert not sees(tools_page, "call_answer_views_content")
        assert sees(tools_page, "call_answer_views_json")
        assert find(tools_page, QToolButton, "call_answer_views_json").isChecked()


async def test_a_tool_chosen_anew_as_its_answer_comes_shows_the_answer(
    tools_page: ToolsPage,
) -> None:
    """Ours: the answer is drawn a turn after it came, and no turn between them may lose it."""
    server = listing(tool("a"))
    server.answers["tools/call"] = silence
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        made = await start(tools_page, session)
        await goes_on(tools_page)
        made.changed.subscribe(lambda: tools_page.result_panel.show_history(made))

        server.reply(server.received[-1], say("timed out"))

        await wait_until(lambda: made.is_finished)
        assert "timed out" in await view(tools_page, "raw")


async def test_the_frame_of_an_error_is_one_click_away(tools_page: ToolsPage) -> None:
    """Ours."""
    server = listing(tool("a"))
    server.answers["tools/call"] = refuse
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        made = await call(tools_page, session)
        wanted = requested_frames(navigator_of(tools_page))

        click(tools_page, "show_frame")
        click(tools_page, "call_outcome_request")
        click(tools_page, "call_outcome_response")

        assert wanted == [made.response_frame, made.request_frame, made.response_frame]


async def test_a_running_call_shows_its_time_its_progress_and_a_way_to_stop_it(
    tools_page: ToolsPage,
) -> None:
    """C-TOOL-03, C-PRG-03, C-CAN-06: a bar with the server's message."""
    server = listing(tool("a"))
    server.answers["tools/call"] = silence
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        made = await start(tools_page, session)
        await goes_on(tools_page)
        assert "waiting for response" in reads(tools_page, "call_progress")

        meta = server.received[-1]["params"]
        assert isinstance(meta, dict)
        assert isinstance(meta["_meta"], dict)
        token = meta["_meta"]["progressToken"]
        server.notify(
            "notifications/progress", {"progressToken": token, "progress": "2", "total": "4"}
        )
        await wait_until(lambda: "'2' of '4'" in reads(tools_page, "call_progress"))
        server.notify(
            "notifications/progress",
            {"progressToken": token, "progress": 3, "total": 4, "message": "<b>third</b>"},
        )
        await wait_until(lambda: made.progress_count == 2)
        await wait_until(lambda: "3 of 4 · <b>third</b>" in reads(tools_page, "call_progress"))
        bar = find(tools_page.result_panel.status.progress, QProgressBar, "")
        assert (bar.value(), bar.maximum()) == (750, 1000)

        assert not sees(tools_page, "call_progress_cancel")  # one for one call
        click(tools_page, "cancel_button")
        await wait_until(lambda: outcome(tools_page) == "cancelled by you")
        assert not sees(tools_page, "call_progress")


async def test_of_two_running_calls_the_earlier_can_be_cancelled_too(tools_page: ToolsPage) -> None:
    """C-CAN-06: beside its progress, for the button beside Call is about the newest."""
    server = listing(tool("a"))
    server.answers["tools/call"] = silence
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        earlier, newest = await start(tools_page, session), await start(tools_page, session)
        history = find(tools_page, QTableView, "call_history_view")
        await wait_until(lambda: len(cells(history)) == 2)
        assert not sees(tools_page, "call_progress_cancel")

        select_row(history, 1)
        await wait_until(lambda: sees(tools_page, "call_progress_cancel"))
        click(tools_page, "call_progress_cancel")

        await wait_until(lambda: earlier.is_finished)
        assert not newest.is_finished
        click(tools_page, "cancel_button")
        await wait_until(lambda: newest.is_finished)


async def test_an_answer_that_comes_late_is_shown_and_called_late(tools_page: ToolsPage) -> None:
    """C-CAN-04; ours: what came is never dropped."""
    server = listing(tool("a"))
    server.answers["tools/call"] = silence
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        await start(tools_page, session)
        request = server.received[-1]
        click(tools_page, "cancel_button")
        await wait_until(lambda: outcome(tools_page) == "cancelled by you")
        assert not sees(tools_page, "call_answer_views_json")

        server.reply(request, say("too late"))

        await wait_until(lambda: "late response #" in outcome(tools_page))
        assert "too late" in await view(tools_page, "raw")


async def test_a_connection_that_ends_in_a_call_leaves_the_call_lost(
    tools_page: ToolsPage,
) -> None:
    """Ours."""
    server = listing(tool("a"))
    server.answers["tools/call"] = silence
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        made = await start(tools_page, session)

        server.end()

        await wait_until(lambda: outcome(tools_page).startswith("no response"))
        assert made.state is OperationState.NO_RESPONSE
        assert "The server closed the connection" in reads(tools_page, "call_error")


async def test_earlier_calls_are_kept_to_go_back_to(tools_page: ToolsPage) -> None:
    """Ours; ux: each tool keeps its past calls of this session."""
    said = iter(("one", "two", "three"))
    server = listing(tool("a"), tool("b"))
    server.answers["tools/call"] = lambda _: say(next(said))
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "a")
        await called(tools_page, session, '{"n":1}')
        history = find(tools_page, QTableView, "call_history_view")
        assert [row[:3] for row in cells(history)] == [["1", "n: 1", "OK"]]
        for number in (2, 3):
            await called(tools_page, session, f'{{"n":{number}}}')
        assert [row[:2] for row in cells(history)] == [["3", "n: 3"], ["2", "n: 2"], ["1", "n: 1"]]

        select_row(history, 2)
        assert reads(tools_page, "call_history_position") == "1 of 3"
        await wait_until(lambda: "one" in reads(tools_page, "call_content"))

        click(tools_page, "call_history_reuse")
        assert tools_page.call_panel.form.text() == '{"n":1}'
        click_tool(tools_page, "b")
        assert "No result yet" in reads(tools_page, "call_result_empty")
        click_tool(tools_page, "a")
        await wait_until(lambda: "three" in reads(tools_page, "call_content"))


async def test_the_call_that_is_looked_at_stays_when_the_list_is_read_again(
    tools_page: ToolsPage,
) -> None:
    """Ours; nothing jumps while data arrives."""
    said = iter(("one", "two"))
    server = listing(tool("a"))
    server.answers["tools/call"] = lambda _: say(next(said))
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        await called(tools_page, session)
        await called(tools_page, session)
        select_row(find(tools_page, QTableView, "call_history_view"), 1)
        await wait_until(lambda: "one" in reads(tools_page, "call_content"))

        await session.tools.refresh()
        await wait_until(lambda: tools_page.call_panel.tool is session.tools.items[0])

        assert tools_page.result_panel.operation is session.tools.history.operations[0]


async def test_a_call_is_made_again_with_the_same_arguments(tools_page: ToolsPage) -> None:
    """Ours."""
    server = listing(tool("a"))
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        await called(tools_page, session, '{"n":1}')
        tools_page.call_panel.set_arguments('{"n":2}')

        click(tools_page, "call_history_again")

        await wait_until(lambda: len(session.tools.history.operations) == 2)
        assert session.tools.history.operations[1].arguments == '{"n":1}'
        assert tools_page.call_panel.form.text() == '{"n":2}'
        await wait_until(lambda: session.tools.history.operations[1].is_finished)


async def test_two_calls_are_compared_on_the_page_for_that(tools_page: ToolsPage) -> None:
    """Ours; the first call has none before it."""
    requested = requested_comparisons(navigator_of(tools_page))
    server = listing(tool("a"))
    server.answers["tools/call"] = lambda _: say("one")
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        await called(tools_page, session, '{"n":1}')
        assert not find(tools_page, QToolButton, "call_history_compare").isEnabled()
        await called(tools_page, session, '{"n":2}')

        click(tools_page, "call_history_compare")

        made = session.tools.history.operations
        assert [each.number for each in requested] == [call.request_frame for call in made]
        assert [each.response for each in requested] == [call.response_frame for call in made]


async def test_calls_of_two_tools_with_one_name_are_kept_apart(tools_page: ToolsPage) -> None:
    """list-06-duplicate-names."""
    server = listing(tool("twin", title="D1"), tool("twin", title="D2"))
    async with shown(tools_page, server) as (_, session):
        await listed(tools_page, 2)
        click_tool(tools_page, "D1")
        await call(tools_page, session)

        click_tool(tools_page, "D2")

        assert tools_page.result_panel.operation is None


async def test_a_view_that_was_chosen_stays_for_the_next_result(tools_page: ToolsPage) -> None:
    """Ours."""
    server = listing(tool("a"))
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        await call(tools_page, session)
        await view(tools_page, "raw")

        await call(tools_page, session)

        assert sees(tools_page, "call_answer_raw")


async def test_a_link_in_a_result_is_asked_for_and_not_opened(tools_page: ToolsPage) -> None:
    """result-07-resource-link: reading is offered, nothing is read by itself."""
    link: Json = {"type": "resource_link", "uri": "demo://doc/1", "name": "Doc"}
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("a")]}})
    server.answers["tools/call"] = lambda _: {"content": [link]}
    async with shown(tools_page, server) as (_, session):
        await choose_first(tools_page)
        await call(tools_page, session)
        await wait_until(lambda: sees(tools_page, "read_resource"))
        sent = len(server.received)
        wanted: list[str] = []
        navigator_of(tools_page).resource_requested.connect(wanted.append)

        click(tools_page, "read_resource")

        assert wanted == ["demo://doc/1"]
        assert len(server.received) == sent
