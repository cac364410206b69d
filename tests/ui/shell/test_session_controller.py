"""Beginning and ending sessions, and which of them is shown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from inspector.session.session import SessionState
from tests.support.answering import silence
from tests.support.wait import wait_until
from tests.ui.hands import find, reads, sees
from tests.ui.shell.desk import many_tools
from ui.shell.file_commands import recording_label

if TYPE_CHECKING:
    from tests.ui.shell.desk import Desk


async def test_several_servers_are_connected_and_one_is_shown(desk: Desk) -> None:
    """Ours; ux: the workbench and the traffic show the selected one."""
    first = await desk.open("one")
    desk.server = many_tools()
    second = await desk.open("two")

    assert {s.session.state for s in (first, second)} == {SessionState.READY}
    assert desk.window.traffic.model.transcript is second.session.transcript

    desk.window.servers.select(first.profile)

    await wait_until(lambda: desk.conductor.session is first)
    assert desk.window.traffic.model.transcript is first.session.transcript
    assert reads(desk.window, "header_name") == "one"


async def test_connecting_again_takes_the_place_of_the_session_before(desk: Desk) -> None:
    """Ours."""
    first = await desk.open()
    before = first.session.transcript

    desk.window.actions_["reconnect"].trigger()

    await wait_until(lambda: desk.conductor.session is not first)
    await wait_until(lambda: desk.is_ready(first.profile))
    assert first.session.state is SessionState.CLOSED
    assert desk.app.workspace.sessions == [desk.session]
    assert desk.session.session.transcript is not before


async def test_what_a_session_that_failed_left_is_in_sight_after_a_restart(desk: Desk) -> None:
    """Ours: nobody should have to look for it."""
    first = await desk.open()
    frames = first.session.transcript.count
    desk.server.end()
    await wait_until(lambda: first.session.failure is not None)
    desk.window.actions_["reconnect"].trigger()
    await wait_until(lambda: desk.conductor.session is not first)
    await wait_until(lambda: desk.is_ready(first.profile))

    timeline = desk.window.traffic.model.timeline
    assert timeline.transcripts == (first.session.transcript, desk.session.session.transcript)
    assert timeline.base >= frames
    assert "run 1 ended" in desk.window.traffic.model.divider(
        desk.window.traffic.model.shown.row_near(timeline.base + 1)
    )


async def test_earlier_sessions_are_listed_by_server_time_and_extent(desk: Desk) -> None:
    """Ours: not by the names of their files."""
    first = await desk.open("my & server")
    frames = first.session.transcript.count
    desk.window.actions_["reconnect"].trigger()
    await wait_until(lambda: desk.conductor.session is not first)
    await wait_until(lambda: desk.is_ready(first.profile))
    menu = find(desk.window, QMenu, "menu_earlier")
    menu.aboutToShow.emit()

    await wait_until(lambda: menu.actions()[0].text().startswith("my && server · 20"))
    text = menu.actions()[0].text()
    assert f" · {frames} frame" in text or f" · {frames + 1} frame" in text
    assert recording_label(Path(__file__)).endswith("unreadable")


async def test_two_wishes_to_connect_make_one_session(desk: Desk) -> None:
    """Ours: a double-click and Enter."""
    profile = desk.add()
    desk.conductor.connect_to(profile)
    desk.conductor.connect_to(profile)

    await wait_until(lambda: desk.is_ready(profile))

    assert len(desk.app.workspace.sessions) == 1


async def test_a_revision_can_be_insisted_on(desk: Desk) -> None:
    """C-LC-03: the steps offer another revision."""
    profile = desk.add()

    desk.conductor.connect_to(profile, revision="2024-11-05")

    await wait_until(lambda: desk.conductor.session is not None)
    assert desk.session.profile.revision == "2024-11-05"
    await wait_until(lambda: desk.server.received)
    params = desk.server.received[0]["params"]
    assert isinstance(params, dict)
    assert params["protocolVersion"] == "2024-11-05"
    await wait_until(lambda: desk.session.session.state is not SessionState.CONNECTING)


async def test_a_connection_that_is_being_made_can_be_given_up(desk: Desk) -> None:
    """Ours; ux: long work shows progress and a way to stop it."""
    desk.server.answers["initialize"] = silence
    desk.conductor.connect_to(desk.add())
    await wait_until(lambda: sees(desk.window, "connection_steps"))

    desk.window.workbench.steps.cancel_requested.emit()

    await wait_until(lambda: not desk.conductor.is_live)
    over = ("disconnected", "failed")
    await wait_until(lambda: reads(desk.window, "header_state").startswith(over))


async def test_disconnecting_leaves_the_traffic(desk: Desk) -> None:
    """Ours."""
    session = await desk.open()
    count = session.session.transcript.count

    desk.window.actions_["disconnect"].trigger()

    await wait_until(lambda: session.session.state is SessionState.CLOSED)
    assert desk.window.traffic.model.transcript is session.session.transcript
    assert session.session.transcript.count >= count


async def test_an_earlier_session_is_read_and_a_live_one_is_a_click_away(desk: Desk) -> None:
    """Ours; ux: the same rows, read only."""
    first = await desk.open("files")
    path = first.session.transcript.path
    assert path is not None
    count = first.session.transcript.count
    await desk.app.workspace.close(first)
    assert path in desk.app.workspace.recent_recordings()

    desk.conductor.open_record(path)

    await wait_until(lambda: desk.conductor.record is not None)
    await wait_until(lambda: reads(desk.window, "header_name") == "files")
    assert "recording, read-only" in reads(desk.window, "header_state")
    assert sees(desk.window, "workbench_record")
    assert desk.window.traffic.model.transcript is desk.conductor.transcript
    record = desk.conductor.record
    assert record is not None
    await wait_until(lambda: record.transcript.count >= count)

    desk.window.servers.selected.emit(first.profile)
    assert desk.conductor.record is None
    assert sees(desk.window, "workbench_off")


async def test_a_record_that_cannot_be_read_says_why(desk: Desk, tmp_path: Path) -> None:
    """Ours; no dialog stands in the way."""
    path = tmp_path / "no.spyglass"
    path.write_bytes(b"no record")

    desk.conductor.open_record(path)

    await wait_until(lambda: reads(desk.window, "status_message"))
    assert "no.spyglass" in reads(desk.window, "status_message")
    assert desk.conductor.record is None


async def test_connecting_does_not_take_the_focus_from_where_someone_works(desk: Desk) -> None:
    """Ours; nothing jumps."""
    first = await desk.open()
    desk.window.traffic.focus_filter()
    line = desk.window.traffic.bar.filter.line
    assert desk.window.focusWidget() is line

    desk.conductor.reconnect()
    await wait_until(lambda: desk.conductor.session is not first)
    await wait_until(lambda: desk.is_ready(first.profile))

    assert desk.window.focusWidget() is line
