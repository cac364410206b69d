"""Rows that are exported, files of other tools that are imported, and bug reports; ours."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog

from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.recordings import open_whole, write_recording
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees
from ui.export.dialog import ExportDialog

if TYPE_CHECKING:
    from tests.ui.shell.shell_fixture import ShellFixture

FOREIGN = Path(__file__).parents[2] / "engine" / "imports" / "files"
HEADER = b"POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer abcdefgh"


@pytest.fixture
async def dialog(shell: ShellFixture) -> ExportDialog:
    """The dialog over a session with a secret in a header."""
    session = await shell.open()
    session.session.transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(HEADER)])
    return await opened(shell, "export")


async def opened(shell: ShellFixture, command: str) -> ExportDialog:
    """The dialog, with its preview, that a command opens."""
    shell.window.parts.traffic.model.feed.pull()
    shell.window.commands.actions.refresh()
    shell.window.commands.actions[command].trigger()
    dialog = find(shell.window, ExportDialog, "export_dialog")
    await wait_until(lambda: bool(dialog.state.text()))
    return dialog


async def test_the_preview_is_what_is_written_and_secrets_are_masked_and_counted(
    dialog: ExportDialog, shell: ShellFixture, tmp_path: Path
) -> None:
    """C-SEC-17."""
    dialog.target.choose("jsonl")
    dialog.target.chosen.emit("jsonl")
    await wait_until(lambda: '"kind":"http"' in dialog.preview.text())
    count = shell.session.session.transcript.count
    preview, path = dialog.preview.text(), tmp_path / "x"
    assert "1 secret masked (1 in headers)" in dialog.masked.text()
    assert "abcdefgh" not in preview

    dialog.write_to(str(path))
    await wait_until(lambda: path.with_suffix(".jsonl").exists())

    assert path.with_suffix(".jsonl").read_text().rstrip("\n") == preview
    assert len(preview.splitlines()) == count
    status = shell.window.parts.status
    await wait_until(lambda: "1 secret masked" in reads(status))


async def test_secrets_are_included_only_after_a_confirmation(dialog: ExportDialog) -> None:
    """C-SEC-17: the box is not checked before."""
    dialog.target.choose("raw")
    dialog.target.chosen.emit("raw")
    dialog.secrets.click()
    assert not dialog.secrets.isChecked()
    assert sees(dialog, "export_confirm")
    click(dialog, "export_mask")
    assert not sees(dialog, "export_confirm")
    assert not dialog.secrets.isChecked()

    dialog.secrets.click()
    click(dialog, "export_include")

    await wait_until(lambda: "Bearer abcdefgh" in dialog.preview.text())
    assert dialog.secrets.isChecked()
    assert "included" in dialog.masked.text()


async def test_the_filtered_or_selected_rows_alone_become_a_recording(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: a part is cut out."""
    await shell.open()
    traffic = shell.window.parts.traffic
    traffic.set_filter("kind:request")
    await wait_until(lambda: 0 < len(traffic.model.visible_frames) < traffic.model.timeline.count)
    requests = len(traffic.model.visible_frames)
    dialog = await opened(shell, "export")
    assert dialog.rows.current() == "visible"
    path = tmp_path / "part.spyglass"

    dialog.write_to(str(path))
    await wait_until(path.exists)

    recording = await open_whole(path)
    transcript = recording.transcript
    assert {transcript.row(number).kind.name for number in range(1, requests + 1)} == {"REQUEST"}
    assert transcript.count == requests
    await recording.aclose()


async def test_frames_that_folded_into_a_row_are_exported_with_it(shell: ShellFixture) -> None:
    """Ours: a row that stands for several frames leaves none out, and hides none."""
    transcript = (await shell.open()).session.transcript
    for _ in range(5):
        transcript.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(b"warming")])
    traffic = shell.window.parts.traffic
    traffic.filtering.show_http(True)
    dialog = await opened(shell, "export")
    assert traffic.model.visible_frames.folded_count
    assert not sees(dialog, "export_rows_visible")
    gone: list[bool] = []
    dialog.destroyed.connect(lambda: gone.append(True))
    dialog.reject()
    await wait_until(lambda: bool(gone))

    traffic.set_filter("warming kind:std*")
    await wait_until(lambda: len(traffic.model.visible_frames) == 1)
    dialog = await opened(shell, "export")

    assert dialog.rows.current() == "visible"
    await wait_until(lambda: dialog.state.text().startswith("5 frames"))


async def test_runs_are_written_to_files_of_their_own_and_replace_none(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: the name that was typed gets its ending before it is asked whether to replace that file."""
    first = await shell.open()
    shell.window.commands.actions["reconnect"].trigger()
    await wait_until(lambda: shell.controller.session is not first)
    await wait_until(lambda: shell.is_ready(first.profile))
    mine = tmp_path / "x-run-2.jsonl"
    mine.write_text("mine")
    dialog = await opened(shell, "export")
    dialog.target.choose("jsonl")
    click(dialog, "export_save")
    names = find(dialog, QFileDialog, "export_file_dialog")
    assert names.defaultSuffix() == "jsonl"
    names.reject()

    dialog.write_to(str(tmp_path / "x.jsonl"))
    status = shell.window.parts.status
    await wait_until(lambda: "x.jsonl and 1 more file" in reads(status))

    assert mine.read_text() == "mine"
    assert (tmp_path / "x-run-2-2.jsonl").stat().st_size


async def test_what_was_written_before_a_failure_is_named(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours."""
    first = await shell.open()
    shell.window.commands.actions["reconnect"].trigger()
    await wait_until(lambda: shell.controller.session is not first)
    await wait_until(lambda: shell.is_ready(first.profile))
    dialog = await opened(shell, "export")
    dialog.target.choose("jsonl")
    (tmp_path / "x-run-2.jsonl.part").mkdir()

    dialog.write_to(str(tmp_path / "x.jsonl"))

    await wait_until(lambda: "Written: x.jsonl." in dialog.state.text())
    dialog.reject()


async def test_a_bug_report_has_what_led_to_it_with_a_recording_beside(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: in one action, on the operation under the cursor."""
    session = await shell.open()
    reply = await session.session.request("tools/call", {"name": "tool_07", "arguments": {}})
    traffic = shell.window.parts.traffic
    traffic.model.feed.pull()
    traffic.select_frame(reply.frame)
    await wait_until(lambda: traffic.table.current_number() == reply.frame)
    dialog = await opened(shell, "bug_report")
    await wait_until(lambda: "tool_07" in dialog.preview.text())
    text, path = dialog.preview.text(), tmp_path / "report.md"

    dialog.write_to(str(path))
    await wait_until(lambda: path.with_suffix(".spyglass").exists() and path.exists())

    assert text.startswith("## `tools/call tool_07`: ok")
    assert "| Spyglass |" in text
    assert "initialize" in text or "server/discover" in text
    recording = await open_whole(path.with_suffix(".spyglass"))
    assert recording.transcript.row(recording.transcript.count).method == "tools/call"
    await recording.aclose()


async def test_a_file_that_is_dropped_is_imported_and_opened(shell: ShellFixture) -> None:
    """Ours: with what of it was skipped."""
    drop(shell, FOREIGN / "mcpsnoop.jsonl")

    await wait_until(lambda: shell.controller.record is not None)
    record = shell.controller.record
    assert record is not None
    await wait_until(lambda: record.transcript.count == 5)
    notice = shell.window.parts.workbench.notice
    await wait_until(lambda: "mcpsnoop" in notice.text())
    assert "1 part was skipped" in notice.text()


async def test_a_recording_that_is_dropped_is_opened(shell: ShellFixture, tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)

    drop(shell, path)

    await wait_until(lambda: shell.controller.record is not None)


async def test_one_of_several_sessions_of_a_file_is_chosen(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours."""
    log = tmp_path / "mcp.log"
    line = '2026-08-01T10:00:00.000Z [{}] [info] Message from client: {{"method":"ping","jsonrpc":"2.0","id":1}}\n'
    log.write_text(line.format("one") + 2 * line.format("two"))

    shell.window.commands.file.importing.open(log)
    await wait_until(lambda: sees(shell.window, "import_session_dialog"))
    dialog = find(shell.window, QDialog, "import_session_dialog")
    click(dialog, "import_accept")

    await wait_until(lambda: shell.controller.record is not None)
    record = shell.controller.record
    assert record is not None
    await wait_until(lambda: record.transcript.count == 2)


async def test_a_file_of_an_unknown_format_says_so(shell: ShellFixture, tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "x.pdf"
    path.write_text("%PDF")

    drop(shell, path)

    notice = shell.window.parts.workbench.notice
    await wait_until(lambda: "unknown format" in notice.text())
    assert sees(shell.window, "import_another")


def drop(shell: ShellFixture, path: Path) -> None:
    """Drop a file on the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    action, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    keys = Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(10, 10), action, data, button, keys)
    QApplication.sendEvent(shell.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(shell.window, QDropEvent(QPointF(10, 10), action, data, button, keys))
