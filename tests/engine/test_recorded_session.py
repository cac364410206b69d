"""What the pages show of a recording: lists, calls with their results, and logs, without a server; ours."""

from __future__ import annotations

import asyncio
import sys
from itertools import count
from typing import TYPE_CHECKING

import pytest

from inspector import background_tasks
from inspector.config.profile import Profile
from inspector.errors import ConnectionLost, PeerError
from inspector.recorded_session import open_recorded
from inspector.session.operation import OperationState
from inspector.session.session_state import SessionState
from inspector.spec.uri_template import UriTemplate
from inspector.transcript.recording_file import write_copy
from inspector.transcript.transcript import RECORDING_CACHE_BYTES, Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.workspace import Workspace
from tests.support.recordings import open_whole, run_sql, write_recording
from tests.support.records import Written, request, result

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.wire.json_codec import Json


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
    prompt = next(each for each in opened.prompts.items if each.id_label == "greet")
    await opened.prompts.get(prompt, {"name": "Ada"}).wait()
    listed = opened.resources.items[0].id_label
    template = opened.resources.templates.items[0].id_label
    for uri in (listed, UriTemplate(template).expand({"city": "oslo"}), "typed:uri"):
        await opened.reads.read(uri, source="").wait()
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
    [got] = opened.prompts.history.operations
    assert (got.prompt.id_label, got.arguments) == ("greet", {"name": "Ada"})
    assert got.result is not None
    reads = opened.reads.history.operations
    assert [read.source for read in reads] == [
        opened.resources.items[0].id_label,
        opened.resources.templates.items[0].id_label,
        "",
    ]
    assert reads[0].result is not None
    assert reads[2].state is OperationState.ERROR
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


PAGE_BYTES = 8192
"""Of the file of a recording."""
PAD = "x" * (PAGE_BYTES - 1000)
"""Makes a frame nearly fill a page, so that a damaged page costs one frame."""


def line(live: Written, size: int) -> None:
    """A line on stderr."""
    live.transcript.append(Direction.RECEIVED, Channel.STDERR, [RawChunk(b"x" * size)])


async def record_with_marks(path: Path) -> None:
    """Two pages of tools, the second asked for in a frame that holds `lost-list`, and three calls, one of them of `lost-call`."""
    live = Written(Transcript.create(path))
    info: Json = {"name": "server", "version": "1", "title": PAD}
    hello: Json = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
    live.sent(request(0, "initialize", {**hello, "clientInfo": info}))
    live.received(result(0, {**hello, "serverInfo": info}))
    tool: Json = {"name": "add", "inputSchema": {"type": "object"}, "description": PAD}
    live.sent(request(1, "tools/list", {"_meta": {"pad": PAD}}))
    live.received(result(1, {"tools": [tool], "nextCursor": "lost-list"}))
    live.sent(request(2, "tools/list", {"cursor": "lost-list", "_meta": {"pad": PAD}}))
    live.received(result(2, {"tools": [tool]}))
    for id_, name in enumerate(("one", "lost-call", "two"), 3):
        live.sent(request(id_, "tools/call", {"name": name, "arguments": {"pad": PAD}}))
        live.received(result(id_, {"content": [{"type": "text", "text": PAD}]}))
    for _ in range(2):  # what is in memory of a recording are its latest frames
        line(live, RECORDING_CACHE_BYTES)
    await live.transcript.aclose()
    run_sql(path, "PRAGMA journal_mode=DELETE")


def damage(path: Path, *marks: bytes) -> None:
    """Erase the pages of the file in which these texts are last."""
    content = bytearray(path.read_bytes())
    for mark in marks:
        start = content.rindex(mark) // PAGE_BYTES * PAGE_BYTES
        content[start : start + PAGE_BYTES] = bytes(PAGE_BYTES)
    path.write_bytes(content)


async def test_what_cannot_be_read_of_a_recording_is_missing_alone(tmp_path: Path) -> None:
    """Ours: the file broke after it had been read."""
    path = tmp_path / "x.spyglass"
    await record_with_marks(path)
    recording = await open_whole(path)
    damage(path, b'"cursor":"lost-list"', b'"name":"lost-call"')

    opened = await open_recorded(recording)

    assert opened is not None
    assert [tool.id_label for tool in opened.tools.items] == ["add"]
    assert opened.tools.failure is not None
    assert [call.tool.id_label for call in opened.tools.history.operations] == ["one", "two"]
    await opened.aclose()
    await recording.aclose()


async def test_a_list_of_many_pages_lets_the_loop_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: between two of its requests, and between two pages, when a slice of time is used up."""
    path, pages = tmp_path / "x.spyglass", 30
    live = Written(Transcript.create(path))
    hello: Json = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
    live.sent(request(0, "initialize", hello))
    live.received(result(0, {**hello, "serverInfo": {"name": "server", "version": "1"}}))
    for page in range(1, pages + 1):
        live.sent(request(page, "tools/list", {"cursor": f"{page}"} if page > 1 else {}))
        live.received(result(page, {"tools": [], "nextCursor": f"{page + 1}"}))
    await live.transcript.aclose()
    recording = await open_whole(path)
    monkeypatch.setattr(background_tasks, "perf_counter", count().__next__)
    turns = 0

    async def tick() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    ticking = asyncio.create_task(tick())
    opened = await open_recorded(recording)
    ticking.cancel()

    assert opened is not None
    assert opened.tools.pages_read == pages
    assert turns >= 2 * pages
    await opened.aclose()
    await recording.aclose()
