"""Spyglass itself comes to its end, in order or not; ours."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio.subprocess import PIPE
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from inspector.transcript.transcript import Transcript
from inspector.wire.message import MessageKind
from tests.e2e import work
from tests.e2e.marked import marked, new_mark
from tests.e2e.peers import DEMO, Act
from tests.e2e.user import User, dispose
from tests.e2e.waits import patience, until
from tests.support.peers import SERVERS
from ui.app import App, AppPaths

if TYPE_CHECKING:
    from asyncio.subprocess import Process
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from PySide6.QtWidgets import QApplication

pytestmark = pytest.mark.timeout(180, method="thread")

CLEAN = {"PYTHONWARNINGS": "error", "PYTHONFAULTHANDLER": "1"}
HARMLESS = "This plugin does not support"
"""Qt says so of what a screen that is none cannot do."""

FRAMES = 3000
"""How far the flood must have been recorded before the plug is pulled."""

FRAME_BYTES = 150
"""About what one of its messages takes in the file."""


@asynccontextmanager
async def spyglass_in_a_flood(folder: Path) -> AsyncGenerator[Process]:
    """`spyglass --demo`, where the demo server is one that floods without end; both have the folder in their command lines."""
    list_flooding_server(folder)
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "ui", "--demo", "--folder", str(folder)),
        env={**os.environ, **CLEAN},
        stdout=PIPE,
        stderr=PIPE,
    )
    try:
        await until(lambda: recorded_bytes(folder) > FRAMES * FRAME_BYTES, "the flood", 20)
        yield program
    finally:
        if program.returncode is None:
            program.kill()
        await program.communicate()


def list_flooding_server(folder: Path) -> None:
    """Have it in the list of servers, under the name of the demo server."""
    folder.mkdir()
    args = [str(SERVERS / "flooding_server.py"), str(folder)]
    entry = {"Demo server": {"command": sys.executable, "args": args}}
    (folder / "servers.json").write_text(json.dumps({"mcpServers": entry}))


def recorded_bytes(folder: Path) -> int:
    """What the files of the record take by now."""
    size = 0
    for path in (folder / "records").glob("*.spyglass*"):
        with contextlib.suppress(FileNotFoundError):  # a journal of SQLite's, gone by now
            size += path.stat().st_size
    return size


def record_in(folder: Path) -> Path:
    [path] = (folder / "records").glob("*.spyglass")
    return path


async def test_a_record_survives_the_killing_of_spyglass_in_a_flood(tmp_path: Path) -> None:
    """Ours: what was written is whole and in order, and the server ends by itself when its pipes close."""
    mark = new_mark()
    folder = tmp_path / mark
    async with spyglass_in_a_flood(folder) as program:
        program.send_signal(signal.SIGKILL)
        await program.communicate()
        await until(lambda: not marked(mark), "the end of the server")

    transcript = await Transcript.open(record_in(folder))
    try:
        kinds = [MessageKind(kind) for kind in transcript.columns.kind]
        drops = [number for number, kind in enumerate(kinds, 1) if kind is MessageKind.NOTIFICATION]
        told = [raw for raw in transcript.raws(1, transcript.count + 1) if b"drop " in raw]
        probe, greeting = (
            [MessageKind.REQUEST, MessageKind.ERROR],
            [MessageKind.REQUEST, MessageKind.RESPONSE],
        )
        assert [kind for kind in kinds if kind is not MessageKind.NOTE][:4] == probe + greeting
        assert MessageKind.MALFORMED not in kinds
        assert len(drops) - 1 == len(told) > 1000
        assert [int(json.loads(raw)["params"]["data"].split()[1]) for raw in told] == list(
            range(len(told))
        )
        assert transcript.metadata["title"] == "Demo server"
    finally:
        await transcript.aclose()
    await is_printed(record_in(folder), len(told))


async def is_printed(path: Path, drops: int) -> None:
    """Look at it with the program that has no window."""
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "inspector", "transcript", str(path)),
        env={**os.environ, **CLEAN},
        stdout=PIPE,
        stderr=PIPE,
    )
    async with asyncio.timeout(patience(15)):
        out, err = await program.communicate()

    assert program.returncode == 0, err.decode()
    assert out.decode().count("notifications/message") == drops
    assert "started process" in out.decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_spyglass_in_order_in_the_middle_of_a_flood(
    tmp_path: Path, number: signal.Signals
) -> None:
    """Ours: exit code 0, nothing on stderr, no process, and the record tells the end."""
    mark = new_mark()
    folder = tmp_path / mark
    async with spyglass_in_a_flood(folder) as program:
        program.send_signal(number)
        async with asyncio.timeout(patience()):
            out, err = await program.communicate()

        said = [line for line in err.decode().splitlines() if not line.startswith(HARMLESS)]
        assert (program.returncode, out.decode(), said) == (0, "", [])
        assert marked(mark) == []

    transcript = await Transcript.open(record_in(folder))
    try:
        last = transcript.raw(transcript.count)
        assert transcript.row(transcript.count).kind is MessageKind.NOTE
        assert b"disconnected" in last
    finally:
        await transcript.aclose()


async def test_closing_the_window_ends_calls_sessions_and_processes(
    qapp: QApplication, tmp_path: Path
) -> None:
    """Ours: with a call in progress in one session and another session beside it."""
    mark = new_mark()
    app = App(qapp, AppPaths(tmp_path, tmp_path / "records"))
    running = asyncio.ensure_future(app.run(asyncio.Event()))
    user = User(app)
    await until(app.window.isVisible, "the window")
    for _ in range(2):
        await work.connect(user, " ".join([*DEMO.argv_alone(), "--exit-words", mark]))
    made = await work.start_call(user, Act("Wait", {"/seconds": "3600"}))
    assert len(marked(mark)) == 2

    app.window.close()

    async with asyncio.timeout(patience()):
        assert await running == 0
    assert marked(mark) == []
    assert made.state in {"cancelled", "no response"}
    assert not app.window.isVisible()
    assert app.reporter.problems == ()
    dispose(app)
