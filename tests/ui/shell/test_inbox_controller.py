"""What servers wait for, in the whole window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from tests.support.answering import silence
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, press, reads, sees
from tests.ui.stutter import Stutter
from ui.features.elicitation.dialog import FormDialog
from ui.inbox.cards import MAX_CARDS
from ui.inbox.popover import RequestsPopover

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


FRAME = (
    "header_name",
    "header_state",
    "header_servers",
    "reconnect_button",
    "disconnect_button",
    "palette_button",
    "workbench_tabs",
    "tool_view",
    "call_button",
    "traffic_table",
    "status_pending",
    "status_for_user",
    "status_problems",
)
"""Widgets of every part of the window."""

STEADY = 30
"""Looks at the geometry without a difference, after which everything is laid out."""


def geometry(shell: ShellFixture) -> dict[str, QRect]:
    """Where the parts of the window are, and its tabs."""
    window, tabs = shell.window, shell.window.parts.workbench.tabs
    found = {name: find(window, QWidget, name) for name in FRAME}
    places = {
        name: QRect(part.mapTo(window, QPoint(0, 0)), part.size()) for name, part in found.items()
    }
    places["header_state"].setRight(0)  # it has the width that the badge leaves
    return places | {f"tab {at}": tabs.bar.tabRect(at) for at in range(tabs.count())}


async def settled(shell: ShellFixture) -> dict[str, QRect]:
    """The geometry, once it has been the same for a while."""
    seen = [geometry(shell)]

    def is_settled() -> bool:
        seen.append(geometry(shell))
        return len(seen) > STEADY and all(each == seen[-1] for each in seen[-STEADY:])

    await wait_until(is_settled)
    return seen[-1]


def popover(shell: ShellFixture) -> RequestsPopover:
    """Open the list of requests with a click on the badge."""
    click(shell.window, "header_requests")
    found = QApplication.activePopupWidget()
    assert isinstance(found, RequestsPopover)
    return found


async def selected(shell: ShellFixture) -> QPushButton:
    """A tool is selected, and its form is ready; return the button that calls it."""
    await shell.open()
    shell.window.go("tools")
    await wait_until(lambda: shell.tools.list.model.rowCount() == 40)
    shell.tools.choose(0)
    button = shell.tools.call_panel.call_button
    await wait_until(button.isEnabled)
    await wait_until(lambda: sees(shell.tools, "field:/b"))
    return button


async def test_requests_that_arrive_are_answered_or_withdrawn_move_nothing(
    shell: ShellFixture,
) -> None:
    """Ours; ux: nothing that arrives moves the layout, takes the focus or opens anything."""
    call = await selected(shell)
    call.setFocus()
    window = shell.window
    await wait_until(lambda: find(window, QWidget, "status_pending").isVisible())
    before = await settled(shell)
    for number in (7, 8):
        ask(shell, number)
        await wait_until(lambda n=number: f"{n - 6} request" in reads(window, "header_requests"))
        await wait_until(lambda n=number: reads(window, "status_for_user").startswith(f"{n - 6} "))
        assert geometry(shell) == before
    badge = find(window, QPushButton, "header_requests")
    assert badge.geometry().right() < find(window, QPushButton, "reconnect_button").x()
    width = badge.width()

    shell.session.sampling.reject(shell.app.workspace.inbox.pending[0])
    await wait_until(lambda: "1 request ·" in reads(window, "header_requests"))
    assert badge.width() == width
    assert geometry(shell) == before
    shell.app.workspace.inbox.withdraw(shell.app.workspace.inbox.pending[0], "gone")
    await wait_until(lambda: not sees(window, "header_requests"))

    assert geometry(shell) == before
    assert window.focusWidget() is call
    assert QApplication.activePopupWidget() is None
    assert not window.docks["inbox"].isVisible()
    assert window.parts.inbox.dialogs.existing == ()


async def test_after_a_response_the_focus_is_where_it_was(shell: ShellFixture) -> None:
    """Ours: whether the badge was clicked or reached by keyboard; the next request does not open."""
    call = await selected(shell)
    window = shell.window
    for number in (7, 8):
        ask(shell, number)
    await wait_until(lambda: "2 requests" in reads(window, "header_requests"))
    badge = find(window, QPushButton, "header_requests")
    for is_by_keyboard in (False, True):
        window.activateWindow()
        await wait_until(window.isActiveWindow)
        call.setFocus()
        await wait_until(call.hasFocus)
        if is_by_keyboard:
            badge.setFocus()
            await wait_until(badge.hasFocus)
            press(badge, Qt.Key.Key_Space)
            press(popover_in_front().cards.cards[0].review, Qt.Key.Key_Return)
        else:
            click(popover(shell), "card_review")
        assert window.focusWidget() is call
        (sheet,) = window.parts.inbox.dialogs.existing
        click(sheet, "sampling_reject")
        await wait_until(lambda: not window.parts.inbox.dialogs.existing)
        assert window.focusWidget() is call

    await wait_until(lambda: not sees(window, "header_requests"))
    assert window.focusWidget() is call
    assert shell.server.received[-1]["error"] == {
        "code": -1,
        "message": "User rejected sampling request",
    }


def popover_in_front() -> RequestsPopover:
    found = QApplication.activePopupWidget()
    assert isinstance(found, RequestsPopover)
    return found


async def test_the_badge_gives_the_focus_back_when_it_goes(shell: ShellFixture) -> None:
    """Ours: else Space would press what is beside it."""
    call = await selected(shell)
    window = shell.window
    ask(shell, 7)
    await wait_until(lambda: sees(window, "header_requests"))
    call.setFocus()
    await wait_until(call.hasFocus)
    find(window, QPushButton, "header_requests").setFocus()

    shell.session.sampling.reject(shell.app.workspace.inbox.pending[0])

    await wait_until(lambda: not sees(window, "header_requests"))
    assert window.focusWidget() is call


async def test_the_list_is_over_the_window_and_becomes_a_panel_that_stays(
    shell: ShellFixture,
) -> None:
    """Ours: only the user opens the panel, and it says when nothing is left."""
    await shell.open()
    window, dock = shell.window, shell.window.docks["inbox"]
    for number in (7, 8):
        ask(shell, number)
    await wait_until(lambda: "2 requests" in reads(window, "header_requests"))
    shell.make_pages()
    places = geometry(shell)

    opened = popover(shell)
    assert geometry(shell) == places
    badge = find(window, QPushButton, "header_requests")
    header = find(window, QWidget, "header")
    top = header.mapToGlobal(QPoint(0, header.height())).y() + 6
    right = badge.mapToGlobal(QPoint(badge.width(), 0)).x()
    assert opened.mapToGlobal(QPoint(opened.width(), 0)) == QPoint(right, top)
    click(opened, "popover_panel")
    await wait_until(lambda: len(window.parts.inbox.panel.cards) == 2)
    assert dock.isVisible()
    assert not sees(dock, "inbox_empty")
    for each in shell.app.workspace.inbox.pending:
        shell.session.sampling.reject(each)

    await wait_until(lambda: sees(dock, "inbox_empty"))
    assert dock.isVisible()


async def test_the_tab_whose_call_waits_says_so_and_the_status_bar_opens_the_list(
    shell: ShellFixture,
) -> None:
    """Ours: where the user looks, it is seen what waits for them."""
    call = await selected(shell)
    window, tabs = shell.window, shell.window.parts.workbench.tabs
    shell.server.answers["tools/call"] = silence
    call.click()
    await wait_until(lambda: "tools/call" in shell.server.methods())
    ask(shell, 7)

    await wait_until(lambda: tabs.bar.state(1).pending == "1 request waiting for you")
    assert [tabs.bar.state(at).pending for at in (0, 2, 3)] == ["", "", ""]
    button = find(window, QPushButton, "status_for_user")
    assert button.property("tone") == "person"
    click(window, "status_for_user")
    popover_in_front().close()
    shell.session.sampling.reject(shell.app.workspace.inbox.pending[0])

    await wait_until(lambda: tabs.bar.state(1).pending == "")
    assert button.property("tone") == "muted"


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
