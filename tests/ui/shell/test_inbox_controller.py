"""What servers wait for, in the whole window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton

from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from tests.ui.stutter import Stutter
from ui.features.elicitation.dialog import FormDialog
from ui.inbox.panel import MAX_CARDS

if TYPE_CHECKING:
    from inspector.wire.json_codec import JsonObject
    from tests.ui.shell.shell_fixture import ShellFixture

PARAMS: JsonObject = {
    "messages": [{"role": "user", "content": {"type": "text", "text": "How far?"}}],
    "maxTokens": 5,
}
MAX_MS = 1000
"""Of work between two turns of the loop."""


def ask(shell: ShellFixture, id_: int) -> None:
    shell.server.send(
        {"jsonrpc": "2.0", "id": id_, "method": "sampling/createMessage", "params": PARAMS}
    )


async def test_a_request_of_the_server_moves_nothing_and_is_opened_from_the_header(
    shell: ShellFixture,
) -> None:
    """Ours; ux: nothing that arrives moves the layout, and it takes no focus."""
    await shell.open()
    window, dock = shell.window, shell.window.docks["inbox"]
    await wait_until(lambda: window.parts.workbench.width() > 0)
    room, before = window.parts.workbench.geometry(), shell.app.window.focusWidget()
    places = [
        find(window, QPushButton, f"{key}_button").pos()
        for key in ("reconnect", "disconnect", "palette")
    ]
    ask(shell, 7)
    await wait_until(lambda: sees(window, "header_requests"))

    assert not dock.isVisible()
    assert shell.app.window.focusWidget() is before
    assert window.parts.workbench.geometry() == room
    assert places == [
        find(window, QPushButton, f"{key}_button").pos()
        for key in ("reconnect", "disconnect", "palette")
    ]
    assert "1 request" in reads(window, "header_requests")
    click(window, "header_requests")
    sheet = shell.window.parts.inbox.dialogs.existing[0]
    click(sheet, "sheet_frame")
    click(sheet, "sampling_reject")
    await wait_until(lambda: not sees(window, "header_requests"))
    await wait_until(lambda: shell.window.parts.inbox.dialogs.existing == ())
    assert shell.server.received[-1]["error"] == {
        "code": -1,
        "message": "User rejected sampling request",
    }


async def test_several_requests_are_opened_as_a_list_that_stays_until_it_is_closed(
    shell: ShellFixture,
) -> None:
    """Ours: it goes only when the user closes it, and says when nothing is left."""
    await shell.open()
    window, dock = shell.window, shell.window.docks["inbox"]
    for number in (7, 8):
        ask(shell, number)
    await wait_until(lambda: "2 requests" in reads(window, "header_requests"))

    click(window, "header_requests")
    await wait_until(lambda: len(window.parts.inbox.panel.cards) == 2)
    assert dock.isVisible()
    assert not sees(dock, "inbox_empty")
    for each in shell.app.workspace.inbox.pending:
        shell.session.sampling.reject(each)

    await wait_until(lambda: sees(dock, "inbox_empty"))
    assert dock.isVisible()
    await wait_until(lambda: not sees(window, "header_requests"))


async def test_two_hundred_questions_at_once_leave_the_window_responsive(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()
    shell.window.docks["inbox"].show()
    stutter = Stutter()
    with stutter.measured():
        for number in range(200):
            ask(shell, number)
        await wait_until(lambda: len(shell.app.workspace.inbox.pending) == 200)
        await wait_until(lambda: len(shell.window.parts.inbox.panel.cards) == MAX_CARDS)
        for each in shell.app.workspace.inbox.pending:
            shell.session.sampling.reject(each)
        await wait_until(lambda: not shell.window.parts.inbox.panel.cards)

    assert 0 < stutter.longest_ms < MAX_MS


async def test_a_session_that_ends_leaves_its_questions_to_be_seen(shell: ShellFixture) -> None:
    """Ours; elicit-04."""
    await shell.open()
    ask(shell, 7)
    await wait_until(lambda: bool(shell.app.workspace.inbox.pending))
    shell.window.parts.inbox.review_next()
    shell.controller.disconnect_from(shell.session.profile)
    await wait_until(lambda: shell.window.parts.inbox.dialogs.existing == ())

    dock = shell.window.docks["inbox"]
    dock.show()
    assert "connection closed" in reads(dock, "card_words")
    click(dock, "card_dismiss")
    await wait_until(lambda: sees(dock, "inbox_empty"))


async def test_the_focus_goes_to_the_next_request_and_then_back_to_the_page(
    shell: ShellFixture,
) -> None:
    """Ours: else the next Space undocks a panel."""
    await shell.open()
    window = shell.window
    window.go("tools")
    await wait_until(lambda: shell.tools.list.model.rowCount() == 40)
    shell.tools.choose(0)
    call = shell.tools.call_panel.call_button
    await wait_until(call.isEnabled)
    call.setFocus()
    for number in (7, 8):
        ask(shell, number)
    window.docks["inbox"].show()
    await wait_until(lambda: len(window.parts.inbox.panel.cards) == 2)
    first, second = window.parts.inbox.panel.cards
    first.review.setFocus()

    shell.session.sampling.reject(first.ask)
    await wait_until(lambda: window.focusWidget() is second.review)
    shell.session.sampling.reject(second.ask)

    await wait_until(lambda: window.focusWidget() is call)


async def test_responses_that_were_not_sent_are_told_of_before_the_end(shell: ShellFixture) -> None:
    """Ours: nothing that was written is lost without a word."""
    await shell.open()
    shell.server.send(
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
    await wait_until(lambda: bool(shell.app.workspace.inbox.pending))
    shell.window.parts.inbox.review_next()
    (sheet,) = shell.window.parts.inbox.dialogs.existing
    assert isinstance(sheet, FormDialog)
    sheet.form.set_text('{"a":"x"}')
    ends: list[bool] = []
    shell.window.close_requested.disconnect()
    shell.window.close_requested.connect(lambda: ends.append(True))

    shell.window.close()
    assert ends == []
    assert "not sent" in reads(shell.window, "workbench_notice")
    click(shell.window, "quit_anyway")

    assert ends == [True]
    sheet.reject()


async def test_a_dock_with_nothing_in_it_does_not_come_back_with_an_arrangement(
    shell: ShellFixture,
) -> None:
    """Ours: hidden while empty, whatever was saved."""
    await shell.open()
    window, dock = shell.window, shell.window.docks["inbox"]
    dock.show()
    window.layout_state.save()
    dock.hide()

    window.layout_state.restore_parts()
    assert not dock.isVisible()
    dock.show()
    window.layout_state.reset()

    assert not dock.isVisible()
