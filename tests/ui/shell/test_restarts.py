"""Servers that start again when their files change; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QCheckBox

from inspector.config.profile import Profile
from inspector.wire.message import MessageKind
from tests.support.wait import wait_until
from ui.shell.session_controller import Restarts

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.open_session import OpenSession
    from inspector.transcript.transcript import Transcript
    from tests.ui.shell.shell_fixture import ShellFixture


def events(transcript: Transcript) -> list[str]:
    """The events of the notes in a record."""
    numbers = range(1, transcript.count + 1)
    notes = [
        transcript.message(n).value for n in numbers if transcript.row(n).kind is MessageKind.NOTE
    ]
    return [str(note["event"]) for note in notes if isinstance(note, dict)]


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "project" / "server.py"
    path.parent.mkdir()
    path.write_text("before")
    return path


async def opened(shell: ShellFixture, script: Path, *, restarts: bool = True) -> OpenSession:
    """The session of a server with that script, whose files are watched if it `restarts`."""
    watcher = shell.window.findChild(Restarts)
    assert isinstance(watcher, Restarts)
    watcher.poll_seconds = 0.02
    profile = Profile(name="s", command="python", args=(str(script),), restart_on_change=restarts)
    shell.app.server_list.add(profile)
    shell.controller.connect_to(profile)
    await wait_until(lambda: shell.is_ready(profile))
    return shell.session


def edit(script: Path, text: str) -> None:
    script.write_text(text)


async def restarted(shell: ShellFixture, script: Path, text: str) -> None:
    """Edit the script of the server that runs, and wait until it runs again."""
    before = shell.session
    await wait_until(lambda: "watching" in events(before.session.transcript))
    edit(script, text)
    await wait_until(lambda: shell.session is not before)
    await wait_until(lambda: shell.is_ready(before.profile))
    assert "files-changed" in events(before.session.transcript)


async def test_a_server_whose_script_is_edited_starts_again(
    shell: ShellFixture, script: Path
) -> None:
    """The run before says why, and the next one is watched as well."""
    await opened(shell, script)
    await restarted(shell, script, "after")
    await restarted(shell, script, "and once more")
    assert shell.session.session.run.number == 3


async def test_a_server_that_ended_by_itself_starts_again_when_it_is_mended(
    shell: ShellFixture, script: Path
) -> None:
    """A slip in the script ends it at once."""
    first = await opened(shell, script)
    shell.server.end()
    await wait_until(lambda: bool(first.session.closed_reason))
    await restarted(shell, script, "mended")


async def test_a_server_is_left_alone_that_was_disconnected_or_is_not_to_restart(
    shell: ShellFixture, script: Path
) -> None:
    session = await opened(shell, script)
    await wait_until(lambda: "watching" in events(session.session.transcript))
    await session.aclose()
    plain = await opened(shell, script, restarts=False)
    other = await opened(shell, script)
    await wait_until(lambda: "watching" in events(other.session.transcript))
    edit(script, "after")
    await wait_until(lambda: shell.session is not other)
    await wait_until(lambda: shell.is_ready(other.profile))

    assert "watching" not in events(plain.session.transcript)
    assert len(shell.app.workspace.sessions) == 3
    assert shell.app.workspace.session_of(session.profile) is session


async def test_where_there_is_nothing_to_watch_that_is_told(
    shell: ShellFixture, tmp_path: Path
) -> None:
    session = await opened(shell, tmp_path / "no-such-script")
    await wait_until(lambda: "not-watching" in events(session.session.transcript))


async def test_the_choice_is_made_in_the_editor_of_the_server(
    shell: ShellFixture, script: Path
) -> None:
    """It takes effect at once, on a session that runs already."""
    session = await opened(shell, script, restarts=False)
    editor = shell.window.parts.servers.edit(session.profile)
    box = editor.findChild(QCheckBox, "restart_on_change")
    assert isinstance(box, QCheckBox)
    box.setChecked(True)
    assert editor.chosen() == (replace(session.profile, restart_on_change=True),)
    shell.app.server_list.replace(editor.chosen()[0])
    editor.discard()
    await wait_until(lambda: "watching" in events(session.session.transcript))
