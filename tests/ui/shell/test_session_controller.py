"""Beginning and ending sessions, and which of them is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from inspector.session.session_state import SessionState
from tests.support.answering import silence
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from tests.ui.shell.shell_fixture import many_tools
from ui.shell.file_commands import recording_label

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture


async def test_several_servers_are_connected_and_one_is_shown(shell: ShellFixture) -> None:
    """Ours; ux: the workbench and the traffic show the selected one."""
    first = await shell.open("one")
    shell.server = many_tools()
    second = await shell.open("two")

    assert {s.session.state for s in (first, second)} == {SessionState.READY}
    assert shell.window.parts.traffic.model.transcript is second.session.transcript

    shell.window.parts.servers.select(first.profile)

    await wait_until(lambda: shell.controller.session is first)
    assert shell.window.parts.traffic.model.transcript is first.session.transcript
    assert reads(shell.window, "header_name") == "one"


async def test_connecting_again_takes_the_place_of_the_session_before(shell: ShellFixture) -> None:
    """Ours."""
    first = await shell.open()
    before = first.session.transcript

    shell.window.commands.actions["reconnect"].trigger()

    await wait_until(lambda: shell.controller.session is not first)
    await wait_until(lambda: shell.is_ready(first.profile))
    assert first.session.state is SessionState.CLOSED
    assert shell.app.workspace.sessions == [shell.session]
    assert shell.session.session.transcript is not before


async def test_what_a_session_that_failed_left_is_in_sight_after_a_restart(
    shell: ShellFixture,
) -> None:
    """Ours: nobody should have to look for it."""
    first = await shell.open()
    frames = first.session.transcript.count
    shell.server.end()
    await wait_until(lambda: first.session.failure is not None)
    shell.window.commands.actions["reconnect"].trigger()
    await wait_until(lambda: shell.controller.session is not first)
    await wait_until(lambda: shell.is_ready(first.profile))

    timeline = shell.window.parts.traffic.model.timeline
    assert timeline.transcripts == (first.session.transcript, shell.session.session.transcript)
    assert timeline.base >= frames
    assert "run 1 ended" in shell.window.parts.traffic.model.divider(
        shell.window.parts.traffic.model.visible_frames.row_near(timeline.base + 1)
    )


async def test_earlier_sessions_are_listed_by_server_time_and_extent(shell: ShellFixture) -> None:
    """Ours: not by the names of their files."""
    first = await shell.open("my & server")
    frames = first.session.transcript.count
    shell.window.commands.actions["reconnect"].trigger()
    await wait_until(lambda: shell.controller.session is not first)
    await wait_until(lambda: shell.is_ready(first.profile))
    menu = find(shell.window, QMenu, "menu_earlier")
    menu.aboutToShow.emit()

    await wait_until(lambda: menu.actions()[0].text().startswith("my && server · 20"))
    text = menu.actions()[0].text()
    assert f" · {frames} frame" in text or f" · {frames + 1} frame" in text
    assert recording_label(Path(__file__)).endswith("unreadable")


async def test_two_wishes_to_connect_make_one_session(shell: ShellFixture) -> None:
    """Ours: a double-click and Enter."""
    profile = shell.add()
    shell.controller.connect_to(profile)
    shell.controller.connect_to(profile)

    await wait_until(lambda: shell.is_ready(profile))

    assert len(shell.app.workspace.sessions) == 1


async def test_a_revision_can_be_insisted_on(shell: ShellFixture) -> None:
    """C-LC-03: the steps offer another revision."""
    profile = shell.add()

    shell.controller.connect_to(profile, revision="2024-11-05")

    await wait_until(lambda: shell.controller.session is not None)
    assert shell.session.profile.revision == "2024-11-05"
    await wait_until(lambda: shell.server.received)
    params = shell.server.received[0]["params"]
    assert isinstance(params, dict)
    assert params["protocolVersion"] == "2024-11-05"
    await wait_until(lambda: shell.session.session.state is not SessionState.CONNECTING)


async def test_a_connection_that_is_being_made_can_be_given_up(shell: ShellFixture) -> None:
    """Ours; ux: long work shows progress and a way to stop it."""
    shell.server.answers["initialize"] = silence
    shell.controller.connect_to(shell.add())
    await wait_until(lambda: sees(shell.window, "connection_steps"))

    click(shell.window, "reconnect_button")

    await wait_until(lambda: not shell.controller.is_live)
    over = ("Disconnected", "Failed")
    await wait_until(lambda: reads(shell.window, "header_state").startswith(over))


async def test_disconnecting_leaves_the_traffic(shell: ShellFixture) -> None:
    """Ours."""
    session = await shell.open()
    count = session.session.transcript.count

    shell.window.commands.actions["disconnect"].trigger()

    await wait_until(lambda: session.session.state is SessionState.CLOSED)
    assert shell.window.parts.traffic.model.transcript is session.session.transcript
    assert session.session.transcript.count >= count


async def test_an_earlier_session_is_read_and_a_live_one_is_a_click_away(
    shell: ShellFixture,
) -> None:
    """Ours; ux: the same rows, read only."""
    first = await shell.open("files")
    path = first.session.transcript.path
    assert path is not None
    count = first.session.transcript.count
    await shell.app.workspace.close(first)
    assert path in shell.app.workspace.recent_recordings()

    shell.controller.open_record(path)

    await wait_until(lambda: shell.controller.record is not None)
    await wait_until(lambda: reads(shell.window, "header_name") == "files")
    assert "Recording, read-only" in reads(shell.window, "header_state")
    assert sees(shell.window, "workbench_record")
    assert shell.window.parts.traffic.model.transcript is shell.controller.transcript
    record = shell.controller.record
    assert record is not None
    await wait_until(lambda: record.transcript.count >= count)

    shell.window.parts.servers.selected.emit(first.profile)
    assert shell.controller.record is None
    assert sees(shell.window, "workbench_off")


async def test_a_record_that_cannot_be_read_says_why(shell: ShellFixture, tmp_path: Path) -> None:
    """Ours; no dialog stands in the way."""
    path = tmp_path / "no.spyglass"
    path.write_bytes(b"no record")

    shell.controller.open_record(path)

    await wait_until(lambda: reads(shell.window, "status_message"))
    assert "no.spyglass" in reads(shell.window, "status_message")
    assert shell.controller.record is None


async def test_connecting_does_not_take_the_focus_from_where_someone_works(
    shell: ShellFixture,
) -> None:
    """Ours; nothing jumps."""
    first = await shell.open()
    shell.window.parts.traffic.focus_filter()
    line = shell.window.parts.traffic.bar.filter.line
    assert shell.window.focusWidget() is line

    shell.controller.reconnect()
    await wait_until(lambda: shell.controller.session is not first)
    await wait_until(lambda: shell.is_ready(first.profile))

    assert shell.window.focusWidget() is line
