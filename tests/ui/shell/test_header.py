"""The line at the top, in every state of a session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from inspector.errors import PeerError
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.answering import silence
from tests.support.wait import wait_until
from tests.ui.hands import click, find, reads, sees
from ui.widgets.delegates import SECONDARY_ROLE

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json, JsonObject
    from tests.ui.shell.desk import Desk


def name(desk: Desk) -> str:
    return reads(desk.window, "header_name")


def state(desk: Desk) -> str:
    return reads(desk.window, "header_state")


def light(desk: Desk) -> str:
    return find(desk.window, QLabel, "header_light").accessibleName()


def buttons(desk: Desk) -> list[str]:
    names = ("connect", "reconnect", "disconnect")
    return [key for key in names if sees(desk.window, f"{key}_button")]


async def test_at_first_it_says_what_to_do(desk: Desk) -> None:
    """Ours."""
    assert name(desk) == "No server selected"
    assert "Ctrl+N" in state(desk)
    assert buttons(desk) == []
    assert light(desk) == "not connected"


async def test_a_selected_server_that_is_off_can_be_connected_to(desk: Desk) -> None:
    """Ours."""
    profile = desk.add("files")
    desk.window.servers.select(profile)
    await wait_until(lambda: name(desk) == "files")
    assert state(desk) == "not connected"
    assert buttons(desk) == ["connect"]
    assert "Not connected" in reads(desk.window, "workbench_off")

    click(desk.window, "connect_button")

    await wait_until(lambda: desk.is_ready(profile))
    await wait_until(lambda: buttons(desk) == ["reconnect", "disconnect"])


async def test_connecting_shows_the_time_that_has_passed(desk: Desk) -> None:
    """Ours; ux: a running clock."""
    desk.server.answers["initialize"] = silence
    desk.conductor.connect_to(desk.add())
    await wait_until(lambda: state(desk).startswith("connecting… · "))
    before = state(desk)

    await wait_until(lambda: state(desk) != before)
    assert sees(desk.window, "connection_steps")
    assert buttons(desk) == ["reconnect", "disconnect"]


async def test_connected_tells_transport_and_revision(desk: Desk) -> None:
    """Ours; ux: one screenshot tells the server, the revision, and what is in flight."""
    await desk.open("files")

    await wait_until(lambda: state(desk) == "connected · memory · 2025-11-25")
    assert name(desk) == "files"
    assert light(desk) == "connected"


async def test_a_server_that_cannot_be_reached_is_not_called_connected(desk: Desk) -> None:
    """Ours: HTTP keeps no connection that could end."""
    await desk.open("files")
    transcript = desk.conductor.transcript
    assert transcript is not None
    transcript.note("unreachable", "it refused the connection", retry_seconds=30)

    await wait_until(lambda: light(desk) == "unreachable")
    assert state(desk).startswith("unreachable since ")
    assert "next attempt in " in state(desk)
    assert buttons(desk) == ["reconnect", "disconnect"]
    row = desk.window.servers.model.index(0)
    assert str(row.data(SECONDARY_ROLE)).startswith("unreachable since ")
    before = state(desk)
    await wait_until(lambda: state(desk) != before)

    transcript.append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], 1)
    await wait_until(lambda: light(desk) == "connected")


async def test_a_server_that_refuses_is_said_to_have_failed_and_why(desk: Desk) -> None:
    """lifecycle-07-initialize-error."""

    def refuse(_params: JsonObject) -> Json:
        raise PeerError(-32603, "no licence")

    desk.server.answers["initialize"] = refuse
    desk.conductor.connect_to(desk.add())

    await wait_until(lambda: state(desk).startswith("failed"))
    assert "no licence" in state(desk)
    assert "disconnected" not in state(desk)
    assert buttons(desk) == ["reconnect"]
    assert sees(desk.window, "connection_steps")


async def test_a_server_that_goes_is_said_to_have_gone_and_its_pages_stay(desk: Desk) -> None:
    """Ours."""
    await desk.open()

    desk.server.end()

    await wait_until(lambda: state(desk).startswith("disconnected"))
    assert "the server closed the connection" in state(desk)
    assert sees(desk.window, "workbench_tabs")
    assert buttons(desk) == ["reconnect"]


async def test_disconnecting_is_no_failure(desk: Desk) -> None:
    """Ours."""
    session = await desk.open()

    click(desk.window, "disconnect_button")

    await wait_until(lambda: state(desk).startswith("disconnected"))
    assert session.session.failure is None or "failed" not in state(desk)


async def test_long_names_give_way_in_the_middle_and_are_whole_in_the_tip(desk: Desk) -> None:
    """Ours; ux: long names are elided."""
    long = "server-" * 60
    desk.window.servers.select(desk.add(long))
    await wait_until(lambda: name(desk) == long)

    label = find(desk.window, QLabel, "header_name")
    assert label.width() < desk.window.width()
    assert long in label.toolTip()
    assert find(desk.window, QWidget, "palette_button").isVisible()


async def test_a_program_that_ended_is_started_again(desk: Desk) -> None:
    """C-STD-10: by the person, who sees first that it ended and why."""
    session = await desk.open()
    assert find(desk.window, QPushButton, "reconnect_button").text() == "Reconnect"

    await session.aclose()

    await wait_until(lambda: reads(desk.window, "reconnect_button") == "Restart")
    click(desk.window, "reconnect_button")
    await wait_until(lambda: desk.is_ready(session.profile))
    assert desk.session is not session
    await wait_until(lambda: reads(desk.window, "reconnect_button") == "Reconnect")


async def test_a_new_session_in_the_place_of_one_that_ended_is_told(desk: Desk) -> None:
    """C-HTTP-15: made by itself, and never in silence."""
    session = await desk.open()
    session.session.renewed.fire()
    await wait_until(lambda: "started a new one" in reads(desk.window, "status_message"))
