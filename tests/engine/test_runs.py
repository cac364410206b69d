"""The runs of one server stay together and can be read."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.runs import NOTE, Runs
from inspector.workspace import MAX_RECORDINGS, RECORDING_SUFFIX, Workspace
from tests.support.answering import AnsweringServer, tool
from tests.support.opened import make_session, open_again, opened

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.open_session import OpenSession

MISSING = Profile(name="missing", command="no-such-cmd-xyz")
LEAVING = Profile(name="leaving", command=sys.executable, args=("-c", "raise SystemExit(7)"))


def a_server(text: str = "fine") -> AnsweringServer:
    """A server with one tool, which says `text`."""
    server = AnsweringServer({"tools/list": lambda _: {"tools": [tool("say")]}})
    server.answers["tools/call"] = lambda _: {"content": [{"type": "text", "text": text}]}
    return server


async def test_an_earlier_run_stays_readable_and_the_next_says_why_it_began() -> None:
    """Ours."""
    async with opened(a_server("old")) as first:
        call = first.tools.call(first.tools.items[0], "{}")
        await call.wait()
        second = await open_again(first, a_server("new"))
        again = second.tools.call(second.tools.items[0], "{}")
        await again.wait()

        assert [each.session.run.number for each in second.all_runs] == [1, 2]
        assert first.all_runs == (first,)
        assert second.session.run.reason == "reconnected"
        made = [
            call
            for run in second.all_runs
            for call in run.tools.history.of(lambda call: call.tool.id_label == "say")
        ]
        assert [b"old" in call.response for call in made] == [True, False]
        assert [call.run.number for call in made] == [1, 2]
        assert made[0].transcript is first.session.transcript
        await second.aclose()


async def test_a_run_that_failed_is_the_reason_of_the_next(tmp_path: Path) -> None:
    """Ours: a command that is missing, and a process that ends at once."""
    workspace = Workspace(tmp_path)
    for profile, word in ((MISSING, "no-such-cmd-xyz"), (LEAVING, "7")):
        first = workspace.open(profile)
        with pytest.raises(InspectorError):
            await first.connect()
        await workspace.end(first)
        second = workspace.open(profile)

        assert second.session.run.number == 2
        assert word in second.session.run.reason
        note = second.session.transcript.message(1).value
        assert isinstance(note, dict)
        assert (note["event"], note["run"]) == (NOTE, 2)
        assert workspace.session_of(profile) is second
        assert second.all_runs == (first, second)
    await workspace.aclose()


async def test_a_run_that_the_server_ended_says_so() -> None:
    """Ours."""
    server = a_server()
    async with opened(server) as first:
        server.end()
        second = await open_again(first, a_server())
        assert "run 1 ended" in second.session.run.reason
        await second.aclose()


@pytest.mark.parametrize(("most", "max_bytes"), [(2, 1 << 30), (10, 2_500)])
async def test_runs_beyond_the_budget_are_dropped_and_counted(most: int, max_bytes: int) -> None:
    """Ours: a number of runs, and bytes in memory."""
    runs: Runs[OpenSession] = Runs(max_runs=most, max_bytes=max_bytes)
    for _ in range(5):
        session = make_session(a_server())
        session.session.run = runs.next()
        session.session.transcript.note("filler", "x" * 1000)
        runs.add(session)
        await session.aclose()

    assert [each.session.run.number for each in runs.earlier] == [4, 5]
    assert runs.dropped == 3


async def test_a_recording_of_a_kept_run_is_not_pruned(tmp_path: Path) -> None:
    """C-SEC-18."""
    workspace = Workspace(tmp_path)
    first = workspace.open(MISSING)
    path = first.session.transcript.path
    assert path is not None
    await workspace.end(first)
    for number in range(MAX_RECORDINGS + 5):
        (tmp_path / f"99990101-{number:06}{RECORDING_SUFFIX}").touch()
    workspace.open(MISSING)

    assert path.exists()
    assert len(workspace.recent_recordings()) <= MAX_RECORDINGS
    await workspace.aclose()


async def test_a_recorded_run_is_read_from_its_file_once_it_is_an_earlier_one(
    tmp_path: Path,
) -> None:
    """Ours: many runs must fit into memory."""
    workspace = Workspace(tmp_path)
    first = workspace.open(MISSING)
    transcript = first.session.transcript
    for at in range(40):
        transcript.note("filler", f"{at:02}" + "x" * 100_000)
    before = transcript.recent.held_bytes
    await workspace.end(first)

    assert transcript.recent.held_bytes < before / 3
    assert transcript.raw(1).count(b"x") >= 100_000
    await workspace.aclose()
