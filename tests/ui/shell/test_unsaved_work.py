"""Recordings that cannot be made: why, and where else they can go; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QPushButton

from tests.support.recordings import open_whole
from tests.support.wait import wait_until
from tests.ui.qt_actions import click, find, reads, sees

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.open_session import OpenSession
    from tests.ui.shell.shell_fixture import ShellFixture


async def open_unrecorded(shell: ShellFixture, tmp_path: Path) -> OpenSession:
    """Connect while a file is where the folder of recordings should be."""
    (tmp_path / "file").touch()
    shell.app.workspace.records = tmp_path / "file"
    return await shell.open()


def choose(shell: ShellFixture, path: Path) -> None:
    """Pick `path` in the dialog that is open."""
    dialog = find(shell.window, QFileDialog, "save_recording_dialog")
    dialog.fileSelected.emit(str(path))
    dialog.reject()


async def test_why_a_session_is_not_recorded_is_told_with_a_way_to_save_it(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: in the notice above the page, and in the status bar for as long as it holds."""
    session = await open_unrecorded(shell, tmp_path)
    failure = session.session.transcript.failure
    assert failure is not None
    notice, status = shell.window.parts.workbench.notice, shell.window.parts.status
    await wait_until(lambda: failure.reason in notice.text())
    assert "not recorded" in reads(status, "status_capture")
    shell.window.parts.status.resize(200, 28)
    assert find(status, QPushButton, "status_capture").isVisible()

    click(shell.window, "save_recording")
    choose(shell, tmp_path / "elsewhere.spyglass")
    await wait_until(lambda: (tmp_path / "elsewhere.spyglass").exists())

    opened = await open_whole(tmp_path / "elsewhere.spyglass")
    assert opened.transcript.count >= session.session.transcript.count - 1
    await opened.aclose()
    click(status, "status_capture")
    choose(shell, tmp_path / "file" / "nowhere")
    await wait_until(lambda: "nowhere" in notice.text())


async def test_quitting_with_a_session_in_memory_only_offers_to_save_it_first(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: once; who closes the window again has decided."""
    quits: list[bool] = []
    await open_unrecorded(shell, tmp_path)
    shell.window.close_requested.disconnect()  # the program would end
    shell.window.close_requested.connect(lambda: quits.append(True))

    shell.window.close()
    assert not quits
    assert "server" in shell.window.parts.workbench.notice.text()
    await wait_until(lambda: sees(shell.window, "save_before_quitting"))
    click(shell.window, "save_before_quitting")
    choose(shell, tmp_path / "copy.spyglass")
    await wait_until(lambda: not shell.window.commands.file.unsaved.unsaved())
    shell.window.close()
    assert quits


async def test_what_is_shown_is_saved_as_a_copy_by_a_command(
    shell: ShellFixture, tmp_path: Path
) -> None:
    """Ours: recorded sessions too."""
    await shell.open()

    shell.window.commands.actions["save"].trigger()
    choose(shell, tmp_path / "copy.spyglass")

    await wait_until(lambda: (tmp_path / "copy.spyglass").exists())
    assert not shell.window.commands.file.unsaved.unsaved()
