"""Everything that is open at once, with real processes."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from inspector.config.profile import Profile
from inspector.errors import ConnectFailed
from inspector.session.negotiation import HANDSHAKE
from inspector.session.paginated_list import ListState
from inspector.session.session_state import SessionState
from inspector.session.steps import StepState
from inspector.transcript.transcript import Transcript
from inspector.workspace import MAX_RECORDINGS, RECORDING_SUFFIX, Workspace, is_closed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

ROOT = Path(__file__).parents[2]
DEMO = Profile(
    name="demo",
    command=sys.executable,
    args=("-m", "inspector.demo"),
    cwd=str(ROOT),
)
MISSING = Profile(name="../a b/\u2603", command="no-such-cmd-xyz")


@pytest.fixture
async def workspace(tmp_path: Path) -> AsyncIterator[Workspace]:
    made = Workspace(tmp_path / "records")
    yield made
    await made.aclose()


async def test_connecting_reads_the_lists_and_tells_each_step(workspace: Workspace) -> None:
    """C-LC-10, C-SEC-01: what the server declared is read, nothing else."""
    opened = workspace.open(replace(DEMO, revision=HANDSHAKE))
    await opened.connect()

    assert opened.session.state is SessionState.READY
    assert opened.tools.state is ListState.READ
    assert len(opened.tools.items) > 20
    assert [step.state for step in opened.session.steps] == [StepState.DONE] * 3
    assert f"{len(opened.tools.items)} tools" in opened.session.steps[-1].status_text
    transcript = opened.session.transcript
    sent = {transcript.row(n).method for n in range(1, transcript.count + 1)} - {""}
    lists = {"tools/list", "resources/list", "resources/templates/list", "prompts/list"}
    assert sent == {"initialize", "notifications/initialized"} | lists


async def test_two_sessions_run_side_by_side_and_end_together(workspace: Workspace) -> None:
    """C-SEC-03."""
    first, second = workspace.open(DEMO), workspace.open(DEMO)
    await asyncio.gather(first.connect(), second.connect())

    assert workspace.sessions == [first, second]
    assert workspace.session_of(DEMO) is second
    await workspace.aclose()
    assert [is_closed(opened.session) for opened in (first, second)] == [True, True]


async def test_what_was_recorded_can_be_opened_later(workspace: Workspace) -> None:
    """Ours."""
    opened = workspace.open(DEMO)
    await opened.connect()
    path = opened.session.transcript.path
    assert path is not None
    assert workspace.recent_recordings() == []
    await workspace.close(opened)

    assert workspace.sessions == []
    assert workspace.recent_recordings() == [path]
    record = await Transcript.open(path)
    assert record.count == opened.session.transcript.count
    assert record.metadata["title"] == "demo"


async def test_a_server_that_cannot_be_started_fails_in_words_and_may_be_closed(
    workspace: Workspace,
) -> None:
    """stdio-17."""
    opened = workspace.open(MISSING)
    with pytest.raises(ConnectFailed):
        await opened.connect()

    assert opened.session.state is SessionState.FAILED
    step = opened.session.steps[-1]
    assert step.state is StepState.FAILED
    assert "no-such-cmd-xyz" in step.status_text
    assert step.hint
    await workspace.close(opened)


async def test_the_name_of_a_server_cannot_lead_out_of_the_folder_of_records(
    workspace: Workspace,
) -> None:
    """text-04-names-as-paths."""
    opened = [workspace.open(MISSING) for _ in range(2)]

    paths = [each.session.transcript.path for each in opened]
    assert len(set(paths)) == 2
    assert all(path is not None and path.parent == workspace.records for path in paths)


async def test_without_a_folder_sessions_are_recorded_in_memory() -> None:
    """Ours."""
    workspace = Workspace(None)
    opened = workspace.open(DEMO)
    await opened.connect()

    assert opened.session.transcript.path is None
    assert workspace.recent_recordings() == []
    await workspace.aclose()


async def test_a_folder_that_cannot_be_written_does_not_keep_anybody_from_connecting(
    tmp_path: Path,
) -> None:
    """Ours."""
    (tmp_path / "file").touch()
    workspace = Workspace(tmp_path / "file")
    opened = workspace.open(DEMO)
    await opened.connect()

    transcript = opened.session.transcript
    assert transcript.path is None
    assert transcript.failure is not None
    assert b"not-recorded" in transcript.raw(1)
    assert transcript.failure.reason.encode() in transcript.raw(1)
    await workspace.aclose()


async def test_only_the_latest_records_are_kept(workspace: Workspace, tmp_path: Path) -> None:
    """C-SEC-18."""
    folder = tmp_path / "records"
    folder.mkdir()
    old = [
        folder / f"20200101-{number:06}{RECORDING_SUFFIX}" for number in range(MAX_RECORDINGS + 5)
    ]
    for path in old:
        path.touch()
        path.with_name(f"{path.name}-wal").touch()
    workspace.open(MISSING)

    assert len(list(folder.glob(f"*{RECORDING_SUFFIX}"))) == MAX_RECORDINGS
    assert not old[0].exists()
    assert not old[0].with_name(f"{old[0].name}-wal").exists()
    assert old[-1].exists()


async def test_observers_are_told_when_a_session_comes_changes_and_goes(
    workspace: Workspace,
) -> None:
    """Ours."""
    told: list[int] = []
    workspace.changed.subscribe(lambda: told.append(len(workspace.sessions)))
    opened = workspace.open(DEMO)
    await opened.connect()
    await workspace.close(opened)

    assert told[0] == 1
    assert told[-1] == 0
