"""The line at the top, in every state of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from inspector.errors import PeerError
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.answering import silence
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from ui.widgets.delegates import SECONDARY_ROLE

if TYPE_CHECKING:
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
    return [key for key in names if sees(shell.window, f"{key}_button")]


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
    assert state(shell) == "not connected"
    assert buttons(shell) == ["connect"]
    assert "Not connected" in reads(shell.window, "workbench_off")

    click(shell.window, "connect_button")

    await wait_until(lambda: shell.is_ready(profile))
    await wait_until(lambda: buttons(shell) == ["reconnect", "disconnect"])


async def test_connecting_shows_the_time_that_has_passed(shell: ShellFixture) -> None:
    """Ours; ux: a running clock."""
    shell.server.answers["initialize"] = silence
    shell.controller.connect_to(shell.add())
    await wait_until(lambda: state(shell).startswith("connecting… · "))
    before = state(shell)

    await wait_until(lambda: state(shell) != before)
    assert sees(shell.window, "connection_steps")
    assert buttons(shell) == ["reconnect", "disconnect"]


async def test_connected_tells_transport_and_revision(shell: ShellFixture) -> None:
    """Ours; ux: one screenshot tells the server, the revision, and what is in flight."""
    await shell.open("files")

    await wait_until(lambda: state(shell) == "connected · memory · 2025-11-25")
    assert name(shell) == "files"
    assert light(shell) == "connected"


async def test_a_server_that_cannot_be_reached_is_not_called_connected(shell: ShellFixture) -> None:
    """Ours: HTTP keeps no connection that could end."""
    await shell.open("files")
    transcript = shell.controller.transcript
    assert transcript is not None
    transcript.note("unreachable", "it refused the connection", retry_seconds=30)

    await wait_until(lambda: light(shell) == "unreachable")
    assert state(shell).startswith("unreachable since ")
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
        raise PeerError(-32603, "no licence")

    shell.server.answers["initialize"] = refuse
    shell.controller.connect_to(shell.add())

    await wait_until(lambda: state(shell).startswith("failed"))
    assert "no licence" in state(shell)
    assert "disconnected" not in state(shell)
    assert buttons(shell) == ["reconnect"]
    assert sees(shell.window, "connection_steps")


async def test_a_server_that_goes_is_said_to_have_gone_and_its_pages_stay(
    shell: ShellFixture,
) -> None:
    """Ours."""
    await shell.open()

    shell.server.end()

    await wait_until(lambda: state(shell).startswith("disconnected"))
    assert "the server closed the connection" in state(shell)
    assert sees(shell.window, "workbench_tabs")
    assert buttons(shell) == ["reconnect"]


async def test_disconnecting_is_no_failure(shell: ShellFixture) -> None:
    """Ours."""
    session = await shell.open()

    click(shell.window, "disconnect_button")

    await wait_until(lambda: state(shell).startswith("disconnected"))
    assert session.session.failure is None or "failed" not in state(shell)


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
