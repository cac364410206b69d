"""The line at the top, in every state of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QWidget,
)

from inspector.errors import PeerError
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.answering import silence
from tests.support.wait import wait_until
from tests.ui.qt_actions import (
    MOUSE_DOUBLE,
    MOUSE_PRESS,
    MOUSE_RELEASE,
    click,
    find,
    reads,
    sees,
    send_mouse,
)
from ui.shell.header import Header
from ui.widgets.delegates import SECONDARY_ROLE
from ui.widgets.labels import ShorteningLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.shell.shell_fixture import ShellFixture


def name(shell: ShellFixture) -> str:
    return reads(shell.window, "header_name")


def state(shell: ShellFixture) -> str:
    return reads(shell.window, "header_state")


def light(shell: ShellFixture) -> str:
    return find(shell.window, QLabel, "header_light").accessibleName()


def buttons(shell: ShellFixture) -> list[str]:
    names = ("connect", "reconnect", "disconnect")
    found = {key: find(shell.window, QAbstractButton, f"{key}_button") for key in names}
    return [key for key, button in found.items() if button.isVisible() and button.isEnabled()]


async def test_at_first_it_says_what_to_do(shell: ShellFixture) -> None:
    """Ours."""
    assert name(shell) == "No server selected"
    assert "Ctrl+N" in state(shell)
    assert buttons(shell) == []
    assert light(shell) == "not connected"


async def test_a_selected_server_that_is_off_can_be_connected_to(shell: ShellFixture) -> None:
    """Ours."""
    profile = shell.add("files")
    shell.window.parts.servers.select(profile)
    await wait_until(lambda: name(shell) == "files")
    assert state(shell) == "Not connected"
    assert buttons(shell) == ["connect"]
    assert "Not connected" in reads(shell.window, "workbench_off")

    click(shell.window, "connect_button")

    await wait_until(lambda: shell.is_ready(profile))
    await wait_until(lambda: buttons(shell) == ["reconnect", "disconnect"])


async def test_connecting_shows_the_time_that_has_passed_and_can_be_cancelled(
    shell: ShellFixture,
) -> None:
    """Ours; ux: a running clock, and a way to stop it in the place of *Reconnect*."""
    shell.server.answers["initialize"] = silence
    shell.controller.connect_to(shell.add())
    await wait_until(lambda: state(shell).startswith("Connecting… · "))
    before = state(shell)

    await wait_until(lambda: state(shell) != before)
    assert sees(shell.window, "connection_steps")
    assert buttons(shell) == ["reconnect", "disconnect"]
    assert reads(shell.window, "reconnect_button") == "Cancel"

    click(shell.window, "reconnect_button")

    await wait_until(lambda: not shell.controller.is_live)
    await wait_until(lambda: reads(shell.window, "reconnect_button") == "Start")


async def test_a_double_click_on_start_does_not_cancel(shell: ShellFixture) -> None:
    """Ours: by its second half the same button says *Cancel*."""
    shell.server.answers["initialize"] = silence
    shell.controller.connect_to(shell.add())
    await wait_until(lambda: reads(shell.window, "reconnect_button") == "Cancel")
    click(shell.window, "reconnect_button")
    await wait_until(lambda: reads(shell.window, "reconnect_button") == "Start")
    button = find(shell.window, QPushButton, "reconnect_button")
    at_ms, place = 9_000_000, button.rect().center()
    send_mouse(button, place, MOUSE_PRESS, at_ms=at_ms)
    send_mouse(button, place, MOUSE_RELEASE, at_ms=at_ms + 1)
    await wait_until(lambda: reads(shell.window, "reconnect_button") == "Cancel")

    send_mouse(button, place, MOUSE_DOUBLE, at_ms=at_ms + 100)
    send_mouse(button, place, MOUSE_RELEASE, at_ms=at_ms + 101)

    assert shell.controller.is_live


async def test_a_click_on_cancel_ends_a_session_that_has_just_become_ready(
    shell: ShellFixture,
) -> None:
    """Ours: the button does what it says, also where the label is behind the state; it starts nothing again."""
    await shell.open("files")
    await wait_until(lambda: reads(shell.window, "reconnect_button") == "Reconnect")
    find(shell.window, QPushButton, "reconnect_button").setText("Cancel")

    click(shell.window, "reconnect_button")

    await wait_until(lambda: not shell.controller.is_live)


async def test_connected_tells_transport_and_revision(shell: ShellFixture) -> None:
    """Ours; ux: one screenshot tells the server, the revision, and what is in flight."""
    await shell.open("files")

    await wait_until(lambda: state(shell) == "Connected · memory · 2025-11-25 · run 1")
    assert name(shell) == "files"
    assert light(shell) == "connected"


async def test_a_server_that_cannot_be_reached_is_not_called_connected(shell: ShellFixture) -> None:
    """Ours: HTTP keeps no connection that could end."""
    await shell.open("files")
    transcript = shell.controller.transcript
    assert transcript is not None
    transcript.note("unreachable", "it refused the connection", retry_seconds=30)

    await wait_until(lambda: light(shell) == "unreachable")
    assert state(shell).startswith("Unreachable since ")
    assert "next attempt in " in state(shell)
    assert buttons(shell) == ["reconnect", "disconnect"]
    row = shell.window.parts.servers.model.index(0)
    assert str(row.data(SECONDARY_ROLE)).startswith("unreachable since ")
    before = state(shell)
    await wait_until(lambda: state(shell) != before)

    transcript.append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], 1)
    await wait_until(lambda: light(shell) == "connected")


async def test_a_server_that_refuses_is_said_to_have_failed_and_why(shell: ShellFixture) -> None:
    """lifecycle-07-initialize-error."""

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32603, "`key`: no licence")

    shell.server.answers["initialize"] = refuse
    shell.controller.connect_to(shell.add())

    await wait_until(lambda: state(shell).startswith("Failed"))
    assert "“key”: no licence" in state(shell)
    assert "Disconnected" not in state(shell)
    assert buttons(shell) == ["reconnect"]
    assert sees(shell.window, "connection_steps")


async def test_a_server_that_goes_is_said_to_have_gone_and_its_pages_stay(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()

    shell.server.end()

    await wait_until(lambda: state(shell).startswith("Disconnected"))
    assert "the server closed the connection" in state(shell)
    assert sees(shell.window, "workbench_tabs")
    assert buttons(shell) == ["reconnect"]


async def test_disconnecting_is_no_failure(shell: ShellFixture) -> None:
    """Ours."""
    session = await shell.open()

    click(shell.window, "disconnect_button")

    await wait_until(lambda: state(shell).startswith("Disconnected"))
    assert session.session.failure is None or "Failed" not in state(shell)


async def test_long_names_give_way_in_the_middle_and_are_whole_in_the_tip(
    shell: ShellFixture,
) -> None:
    """Ours; ux: long names are elided."""
    long = "server-" * 60
    shell.window.parts.servers.select(shell.add(long))
    await wait_until(lambda: name(shell) == long)

    label = find(shell.window, QLabel, "header_name")
    assert label.width() < shell.window.width()
    assert long in label.toolTip()
    assert find(shell.window, QWidget, "palette_button").isVisible()


async def test_a_program_that_ended_is_started_again(shell: ShellFixture) -> None:
    """C-STD-10: by the user, who sees first that it ended and why."""
    session = await shell.open()
    assert find(shell.window, QPushButton, "reconnect_button").text() == "Reconnect"

    await session.aclose()

    await wait_until(lambda: reads(shell.window, "reconnect_button") == "Restart")
    click(shell.window, "reconnect_button")
    await wait_until(lambda: shell.is_ready(session.profile))
    assert shell.session is not session
    await wait_until(lambda: reads(shell.window, "reconnect_button") == "Reconnect")


async def test_a_new_session_in_the_place_of_one_that_ended_is_told(shell: ShellFixture) -> None:
    """C-HTTP-15: made by itself, and never in silence."""
    session = await shell.open()
    session.session.renewed.fire()
    await wait_until(lambda: "started a new one" in reads(shell.window, "status_message"))


def header(shell: ShellFixture) -> Header:
    return find(shell.window, Header, "header")


async def test_another_server_is_shown_from_the_menu_beside_the_name(shell: ShellFixture) -> None:
    """Ours; by keyboard and by a command, too: the list of servers may be hidden."""
    await shell.open("one")
    shell.add("two & <b>more</b>")
    menu = find(shell.window, QMenu, "server_menu")
    shell.window.commands.actions["switch_server"].trigger()
    assert menu.isVisible()
    entries = {action.text().partition("\t")[0]: action for action in menu.actions()}
    assert entries["one"].isChecked()
    assert not entries["two && <b>more</b>"].isChecked()
    assert entries["one"].text().endswith("\tconnected")
    menu.close()

    entries["two && <b>more</b>"].trigger()

    await wait_until(lambda: name(shell) == "two & <b>more</b>")
    button = find(shell.window, QToolButton, "header_servers")
    assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert "Ctrl+Shift+S" in button.toolTip()


async def test_states_and_labels_move_nothing_in_the_header(shell: ShellFixture) -> None:
    """Ours: *Reconnect* becomes *Restart*, and what cannot be done is disabled where it was."""
    session = await shell.open()
    names = ("reconnect_button", "disconnect_button", "palette_button", "header_state")
    parts = [find(shell.window, QWidget, each) for each in names]
    before = [part.geometry() for part in parts]
    assert header(shell).height() == 40

    await session.aclose()
    await wait_until(lambda: reads(shell.window, "reconnect_button") == "Restart")

    assert [part.geometry() for part in parts] == before
    assert not find(shell.window, QToolButton, "disconnect_button").isEnabled()


async def test_a_narrow_window_has_an_icon_for_the_palette_and_a_short_state(
    shell: ShellFixture,
) -> None:
    """Ours: the width counts in relation to the size of the text."""
    await shell.open()
    button = find(shell.window, QPushButton, "palette_button")
    assert (button.width(), button.height()) == (200, 26)

    shell.window.layout_state.set_theme("light", 2.0)

    await wait_until(lambda: button.width() == button.height() == 52)
    assert header(shell).height() == 80
    label = find(shell.window, QLabel, "header_state")
    long = "Connected · memory · 2025-11-25 · run 1"
    await wait_until(lambda: label.accessibleName() == long)
    assert state(shell) in {long, "Connected · run 1"}
    shell.window.layout_state.set_theme("light", 1.0)
    await wait_until(lambda: (button.width(), button.height()) == (200, 26))
    await wait_until(lambda: state(shell) == long)


async def test_a_very_narrow_window_counts_requests_without_a_noun(shell: ShellFixture) -> None:
    """Ours: so the name of the server is whole beside them."""
    await shell.open()
    badge = shell.window.parts.inbox.badge
    whole = badge.sizeHint().width()

    shell.window.layout_state.set_theme("light", 2.0)
    shell.window.resize(1024, 640)

    await wait_until(lambda: badge.sizeHint().width() < 2 * whole * 3 / 4)
    shell.window.layout_state.set_theme("light", 1.0)
    await wait_until(lambda: badge.sizeHint().width() == whole)


async def test_name_and_state_are_on_one_baseline_at_every_size(shell: ShellFixture) -> None:
    """Ours: also after the text was larger."""
    await shell.open()
    for scale in (1.0, 1.5, 2.0, 1.0):
        shell.window.layout_state.set_theme("light", scale)
        labels = [find(shell.window, QLabel, each) for each in ("header_name", "header_state")]
        await wait_until(lambda labels=labels: are_even(shell, labels))


def are_even(shell: ShellFixture, labels: Sequence[QLabel]) -> bool:
    """Whether labels are on one baseline, in the middle of the header's height."""
    baselines = {
        label.y() + label.contentsMargins().top() + label.fontMetrics().ascent() for label in labels
    }
    top = labels[0].mapTo(header(shell), QPoint(0, 0)).y()
    off = abs(top + labels[0].height() / 2 - header(shell).height() / 2)
    return len(baselines) == 1 and off <= 1


async def test_a_click_in_the_header_leaves_the_focus_on_the_page(shell: ShellFixture) -> None:
    """Ours: the next Space does not press a button of the header."""
    await shell.open()
    shell.window.go("tools")
    focused = shell.window.focusWidget()
    assert shell.window.parts.workbench.isAncestorOf(focused)

    click(shell.window, "reconnect_button")

    assert shell.window.focusWidget() is focused


async def test_the_page_that_appears_after_connecting_has_the_focus(shell: ShellFixture) -> None:
    """Ours: in its filter or first field, and never on a button of the header."""
    shell.window.parts.servers.select(shell.add("files"))
    shell.window.parts.workbench.show_page("tools")
    await wait_until(lambda: sees(shell.window, "workbench_off_action"))
    shell.window.parts.workbench.focus_front()
    click(shell.window, "workbench_off_action")
    await wait_until(lambda: sees(shell.window, "tool_view"))

    page = shell.window.parts.workbench.current
    await wait_until(lambda: page.isAncestorOf(shell.window.focusWidget()))
    assert isinstance(shell.window.focusWidget(), QLineEdit)


async def test_an_opened_recording_has_its_revision_in_the_header(
    shell: ShellFixture,
) -> None:
    """Ours; ux: one screenshot tells which revision it is."""
    session = await shell.open()
    await session.aclose()
    path = session.session.transcript.path
    assert path is not None

    shell.controller.open_record(path)

    await wait_until(lambda: state(shell).startswith("Recording, read-only · 2025-11-25 · "))


async def test_the_revision_is_the_last_that_gives_way(shell: ShellFixture) -> None:
    """Ours: the run, the transport and the state go before it."""
    await shell.open()
    label = find(shell.window, ShorteningLabel, "header_state")
    texts = [
        "Connected · memory · 2025-11-25 · run 1",
        "Connected · 2025-11-25 · run 1",
        "Connected · 2025-11-25",
        "2025-11-25",
        "",
    ]
    await wait_until(lambda: state(shell) == texts[0])
    for text, longer in zip(texts[1:], texts, strict=False):
        label.resize(label.fontMetrics().horizontalAdvance(longer) - 1, label.height())
        assert state(shell) == text
        assert label.accessibleName() == texts[0]
