"""A recording in the window: checked as a live session is, read with progress, and a place one can leave again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QPushButton, QToolButton

from inspector.transcript.recording_file import write_copy
from tests.support.recordings import run_sql, write_recording
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from ui.widgets.empty_state import EmptyState

if TYPE_CHECKING:
    from pathlib import Path

    from tests.ui.shell.shell_fixture import ShellFixture


def click_server(shell: ShellFixture, name: str) -> None:
    """A click on the row of a server."""
    view = find(shell.window.parts.servers, QListView, "servers_list")
    profile = next(each for each in shell.app.server_list.profiles if each.name == name)
    index = shell.window.parts.servers.model.index(
        shell.window.parts.servers.model.row_of(profile.id)
    )
    place = view.visualRect(index).center()
    keys = Qt.KeyboardModifier.NoModifier
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, keys, place)


async def test_an_opened_recording_has_the_findings_that_a_live_session_has(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: the same steps, whichever way a transcript comes."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    bad = '{"jsonrpc":"2.0","id":0,"result":{},"error":{"code":1,"message":"both"}}'
    run_sql(path, f"UPDATE frame SET raw = CAST('{bad}' AS BLOB) WHERE number = 3")

    shell.controller.open_record(path)

    await wait_until(lambda: shell.controller.record is not None)
    assert shell.controller.record is not None
    transcript = shell.controller.record.transcript
    sweep = shell.controller.record.sweep
    await wait_until(lambda: transcript.count == 7 and not sweep.pending)
    assert transcript.findings(3)
    await wait_until(lambda: reads(shell.window, "status_problems").startswith("1 error"))


async def test_any_click_on_a_server_leads_back_from_a_recording(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: also on the server that was selected when the recording was opened."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    session = await shell.open("one")
    shell.controller.open_record(path)
    await wait_until(lambda: shell.controller.record is not None)
    assert shell.window.parts.servers.current() is None

    click_server(shell, "one")

    assert shell.controller.session is session
    assert shell.controller.record is None
    assert not sees(shell.window, "workbench_record")

    shell.controller.open_record(path)
    await wait_until(lambda: sees(shell.window, "recording_back"))
    assert "one" in reads(shell.window, "recording_back")
    click(shell.window, "recording_back")
    assert shell.controller.session is session
    assert shell.window.parts.servers.current() == session.profile


async def test_a_recording_that_cannot_be_opened_says_why_in_the_centre(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: with the way on; what is shown beside it stays."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    run_sql(path, "PRAGMA user_version=99; ALTER TABLE frame RENAME COLUMN raw TO content")

    shell.controller.open_record(path)
    await wait_until(lambda: sees(shell.window, "workbench_record"))
    state = shell.window.parts.workbench.recording.accessible_text()
    assert "newer Spyglass (format 99)" in state
    assert "Update" in state
    assert sees(shell.window, "recording_open")

    session = await shell.open("one")
    shell.controller.open_record(path)
    await wait_until(lambda: sees(shell.window, "open_another"))
    assert shell.controller.session is session
    assert not sees(shell.window, "workbench_record")


async def test_what_was_skipped_of_a_recording_stands_in_the_centre(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    run_sql(path, "DELETE FROM frame WHERE number = 4; PRAGMA user_version=99")

    shell.controller.open_record(path)

    page = shell.window.parts.workbench.recording
    await wait_until(lambda: "Frame 4 is missing" in page.accessible_text())
    assert "format 99" in page.accessible_text()


async def test_the_reading_of_a_long_recording_shows_progress_and_can_be_stopped(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours; ux: long work shows progress and a way to stop it."""
    path = tmp_path / "x.spyglass"
    await write_recording(path, calls=20_000)

    shell.controller.open_record(path)
    await wait_until(lambda: sees(shell.window, "recording_stop"))
    click(shell.window, "recording_stop")

    record = shell.controller.record
    assert record is not None
    await wait_until(lambda: not record.is_loading)
    assert 0 <= record.transcript.count < 40_001
    await wait_until(lambda: not sees(shell.window, "recording_stop"))
    assert "stopped" in shell.window.parts.workbench.recording.accessible_text()


async def test_an_opened_recording_shows_tools_results_and_logs_without_a_server(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: nothing can be called; the line above leads back."""
    session = await shell.open("one")
    call = session.tools.call(session.tools.items[7], '{"a":1}')
    await call.wait()
    path = tmp_path / "x.spyglass"
    await write_copy(session.session.transcript, path)

    shell.controller.open_record(path)
    await wait_until(lambda: sees(shell.window, "recording_bar"))

    assert "one" in reads(shell.window, "recording_bar_text")
    shell.window.go("tools")
    page = shell.tools
    recorded = page.session
    assert recorded is not None
    assert recorded is not session
    assert [tool.id_label for tool in recorded.tools.items] == [f"tool_{at:02}" for at in range(40)]
    (made,) = recorded.tools.history.operations
    assert made.result is not None
    assert not page.can_submit()
    assert shell.controller.record is not None
    count = shell.controller.record.transcript.count
    for key in ("overview", "resources", "prompts", "tasks", "logs", "client", "roots", "raw"):
        shell.window.go(key)
    assert shell.controller.record.transcript.count == count

    click(shell.window, "recording_bar_back")
    assert shell.controller.session is session
    await wait_until(lambda: page.session is session)
    assert not sees(shell.window, "recording_bar")


async def test_the_empty_panels_of_a_recording_offer_no_request(shell: ShellFixture) -> None:
    """Ours: nothing can be sent, so nothing invites to."""
    session = await shell.open("one")
    shell.make_pages()
    live = {name: empty_text(shell, name) for name in EMPTY_PANELS}
    path = session.session.transcript.path
    assert path is not None
    shell.controller.disconnect_from(session.profile)

    shell.controller.open_record(path)
    await wait_until(lambda: shell.controller.recorded is not None)

    shell.window.go("tools")
    await wait_until(lambda: "recorded" in empty_text(shell, "call_empty"))
    for name in EMPTY_PANELS:
        assert empty_text(shell, name) != live[name]
        assert "Call the tool" not in empty_text(shell, name)
    assert reads(shell.window, "recording_bar_text") == "Recording of one: nothing can be sent."
    refresh = find(shell.window, QToolButton, "tools_refresh")
    assert not refresh.isEnabled()
    QApplication.sendEvent(refresh, QHelpEvent(QEvent.Type.ToolTip, QPoint(), QPoint()))
    assert "recording, read-only" in refresh.toolTip()
    shell.tools.choose(0)
    await wait_until(lambda: reads(shell.window, "call_problem") == "recording, read-only")
    assert not find(shell.window, QPushButton, "call_button").isEnabled()
    assert not sees(shell.window, "call_keys")
    shell.controller.leave_record()


EMPTY_PANELS = ("call_empty", "call_result_empty")
"""Of the tools: what is sent, and its result."""


def empty_text(shell: ShellFixture, name: str) -> str:
    return find(shell.window, EmptyState, name).accessibleName()
