"""What the pages show of a recording: lists, calls with their results, and logs, without a server; ours."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest

from inspector.config.profile import Profile
from inspector.errors import ConnectionLost, PeerError
from inspector.recorded_session import open_recorded
from inspector.session.operation import OperationState
from inspector.session.session import SessionState
from inspector.transcript.recording_file import write_copy
from inspector.workspace import Workspace
from tests.support.recordings import open_whole, write_recording

if TYPE_CHECKING:
    from pathlib import Path


async def record(path: Path, era: str) -> None:
    """A session with the demo server: two calls."""
    workspace = Workspace(None)
    args = ("-m", "inspector.demo", "--era", era)
    opened = workspace.open(Profile(name="demo", command=sys.executable, args=args))
    await opened.connect()
    by_name = {tool.id_label: tool for tool in opened.tools.items}
    for name, arguments in (("add", '{"a":1,"b":2.50}'), ("fail_as_error", None), ("log", None)):
        if name in by_name:
            await opened.tools.call(by_name[name], arguments).wait()
    await write_copy(opened.session.transcript, path)
    await workspace.aclose()


@pytest.mark.parametrize("era", ["stateful", "stateless"])
async def test_a_recording_has_the_lists_and_calls_of_its_session(era: str, tmp_path: Path) -> None:
    """Ours: nothing is written, and nothing can be sent."""
    path = tmp_path / "x.spyglass"
    await record(path, era)
    recording = await open_whole(path)
    count = recording.transcript.count

    opened = await open_recorded(recording)

    assert opened is not None
    assert opened.session.state is SessionState.CLOSED
    assert opened.session.greeting is not None
    assert opened.session.greeting.server.server.name == "spyglass-demo"
    assert len(opened.tools.items) > 20
    assert opened.resources.items
    assert opened.prompts.items
    add, failed = opened.tools.history.operations[:2]
    assert (add.state, add.tool.id_label) == (OperationState.DONE, "add")
    assert add.arguments == '{"a":1,"b":2.50}'
    assert add.result is not None
    assert add.result.structured == {"sum": 3.5}
    assert isinstance(failed.error, PeerError)
    assert failed.took_seconds > 0
    with pytest.raises(ConnectionLost):
        await opened.session.request("ping")
    assert recording.transcript.count == count
    await opened.aclose()
    await recording.aclose()


async def test_a_recording_without_a_handshake_has_no_session(tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    recording = await open_whole(path)

    assert await open_recorded(recording) is None
    await recording.aclose()
