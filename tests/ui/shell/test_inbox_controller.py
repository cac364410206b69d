"""What servers wait for, in the whole window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.wait import wait_until
from tests.ui.hands import click, reads, sees
from tests.ui.lags import Lags
from ui.features.elicitation.dialog import FormDialog
from ui.inbox.panel import MAX_CARDS

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from tests.ui.shell.desk import Desk

PARAMS: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "How far?"}}],
    "maxTokens": 5,
}
MAX_MS = 1000
"""Of work between two turns of the loop."""


def ask(desk: Desk, id_: int) -> None:
    desk.server.send(
        {"jsonrpc": "2.0", "id": id_, "method": "sampling/createMessage", "params": PARAMS}
    )


async def test_a_request_of_the_server_moves_nothing_and_is_opened_from_the_header(
    desk: Desk,
) -> None:
    """Ours; ux: nothing that arrives moves the layout, and it takes no focus."""
    await desk.open()
    window, dock = desk.window, desk.window.docks["inbox"]
    await wait_until(lambda: window.workbench.width() > 0)
    room, before = window.workbench.geometry(), desk.app.window.focusWidget()
    places = [window.header.button(key).pos() for key in ("reconnect", "disconnect", "palette")]
    ask(desk, 7)
    await wait_until(lambda: sees(window, "header_requests"))

    assert not dock.isVisible()
    assert desk.app.window.focusWidget() is before
    assert window.workbench.geometry() == room
    assert places == [
        window.header.button(key).pos() for key in ("reconnect", "disconnect", "palette")
    ]
    assert "1 request" in reads(window, "header_requests")
    click(window, "header_requests")
    sheet = desk.window.waiting.desk.sheets[0]
    click(sheet, "sheet_frame")
    click(sheet, "sampling_reject")
    await wait_until(lambda: not sees(window, "header_requests"))
    await wait_until(lambda: desk.window.waiting.desk.sheets == ())
    assert desk.server.received[-1]["error"] == {
        "code": -1,
        "message": "User rejected sampling request",
    }


async def test_several_requests_are_opened_as_a_list_that_stays_until_it_is_closed(
    desk: Desk,
) -> None:
    """Ours: it goes only when the user closes it, and says when nothing is left."""
    await desk.open()
    window, dock = desk.window, desk.window.docks["inbox"]
    for number in (7, 8):
        ask(desk, number)
    await wait_until(lambda: "2 requests" in reads(window, "header_requests"))

    click(window, "header_requests")
    await wait_until(lambda: len(window.waiting.panel.cards) == 2)
    assert dock.isVisible()
    assert not sees(dock, "inbox_empty")
    for each in desk.app.workspace.inbox.waiting:
        desk.session.sampling.reject(each)

    await wait_until(lambda: sees(dock, "inbox_empty"))
    assert dock.isVisible()
    await wait_until(lambda: not sees(window, "header_requests"))


async def test_two_hundred_questions_at_once_leave_the_window_responsive(desk: Desk) -> None:
    """Ours."""
    await desk.open()
    desk.window.docks["inbox"].show()
    lags = Lags()
    with lags.measured():
        for number in range(200):
            ask(desk, number)
        await wait_until(lambda: len(desk.app.workspace.inbox.waiting) == 200)
        await wait_until(lambda: len(desk.window.waiting.panel.cards) == MAX_CARDS)
        for each in desk.app.workspace.inbox.waiting:
            desk.session.sampling.reject(each)
        await wait_until(lambda: not desk.window.waiting.panel.cards)

    assert 0 < lags.longest_ms < MAX_MS


async def test_a_session_that_ends_leaves_its_questions_to_be_seen(desk: Desk) -> None:
    """Ours; elicit-04."""
    await desk.open()
    ask(desk, 7)
    await wait_until(lambda: bool(desk.app.workspace.inbox.waiting))
    desk.window.waiting.review_next()
    desk.conductor.disconnect_from(desk.session.profile)
    await wait_until(lambda: desk.window.waiting.desk.sheets == ())

    dock = desk.window.docks["inbox"]
    dock.show()
    assert "the connection ended" in reads(dock, "card_words")
    click(dock, "card_dismiss")
    await wait_until(lambda: sees(dock, "inbox_empty"))


async def test_the_focus_goes_to_the_next_request_and_then_back_to_the_page(desk: Desk) -> None:
    """Ours: else the next Space undocks a panel."""
    await desk.open()
    window = desk.window
    window.go("tools")
    await wait_until(lambda: desk.tools.list.model.rowCount() == 40)
    desk.tools.choose(0)
    call = desk.tools.call_panel.call_button
    await wait_until(call.isEnabled)
    call.setFocus()
    for number in (7, 8):
        ask(desk, number)
    window.docks["inbox"].show()
    await wait_until(lambda: len(window.waiting.panel.cards) == 2)
    first, second = window.waiting.panel.cards
    first.review.setFocus()

    desk.session.sampling.reject(first.ask)
    await wait_until(lambda: window.focusWidget() is second.review)
    desk.session.sampling.reject(second.ask)

    await wait_until(lambda: window.focusWidget() is call)


async def test_responses_that_were_not_sent_are_told_of_before_the_end(desk: Desk) -> None:
    """Ours: nothing that was written is lost without a word."""
    await desk.open()
    desk.server.send(
        {
            "jsonrpc": "2.0",
            "id": 7,
            "method": "elicitation/create",
            "params": {
                "message": "?",
                "requestedSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
            },
        }
    )
    await wait_until(lambda: bool(desk.app.workspace.inbox.waiting))
    desk.window.waiting.review_next()
    (sheet,) = desk.window.waiting.desk.sheets
    assert isinstance(sheet, FormDialog)
    sheet.form.set_text('{"a":"x"}')
    ends: list[bool] = []
    desk.window.close_requested.disconnect()
    desk.window.close_requested.connect(lambda: ends.append(True))

    desk.window.close()
    assert ends == []
    assert "not sent" in reads(desk.window, "workbench_notice")
    click(desk.window, "quit_anyway")

    assert ends == [True]
    sheet.reject()


async def test_a_dock_with_nothing_in_it_does_not_come_back_with_an_arrangement(desk: Desk) -> None:
    """Ours: hidden while empty, whatever was saved."""
    await desk.open()
    window, dock = desk.window, desk.window.docks["inbox"]
    dock.show()
    window.layout_state.save()
    dock.hide()

    window.layout_state.restore_parts()
    assert not dock.isVisible()
    dock.show()
    window.layout_state.reset()

    assert not dock.isVisible()
