"""Recordings whose rows, tables and bytes were changed at random: they open as far as they go, or are refused in words."""

from __future__ import annotations

import asyncio
import io
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from inspector.checks.opened_recording import OpenedRecording
from inspector.cli.command_line import read
from inspector.cli.console import Console
from inspector.cli.runner import run as run_command
from inspector.errors import StorageError
from inspector.spec import validation
from inspector.transcript.http_exchange import http_exchange
from inspector.transcript.recording_reader import summarize
from inspector.transcript.transcript import Transcript
from inspector.wire import sse
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.records import Written, notification, progress, request, result, with_token

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from tests.fuzz.case import Case

COLUMNS = ("number", "at", "wall", "direction", "channel", "stream", "flaw", "dropped", "raw")

VALUES = (
    *(
        "NULL",
        "0",
        "1",
        "-1",
        "2",
        "3",
        "4",
        "7",
        "8",
        "99",
        "4096",
        "9000",
        "4294967296",
        "9000000000",
    ),
    *(
        "9223372036854775807",
        "-9223372036854775808",
        "1e300",
        "-1e300",
        "9e999",
        "0.5",
        "'noon'",
        "''",
    ),
    *(
        "x''",
        "x'00'",
        "x'ff'",
        "CAST(x'ff' AS TEXT)",
        "x'7b7d'",
        "randomblob(40)",
        "zeroblob(100000)",
    ),
    *("number + 1", "number - 1", "-number", "number * 3", "CAST(raw AS TEXT)"),
)

NOTES = (
    '{"event":"closed","words":5}',
    '{"event":"timed-out","request":9223372036854775807}',
    '{"event":"cancelled","request":true}',
    '{"event":"input-given","request":2,"retry":2}',
    '{"event":"input-given","request":1e9,"retry":-1}',
    '{"event":"unreachable","retry_seconds":1e999,"words":{}}',
    '{"event":"unreachable","retry_seconds":123456789012345678901234567890}',
    '{"event":["x"],"args":[1,"--token",null]}',
    '{"event":"started","args":["--token","abcdefgh"],"pid":"x"}',
    "[1,2,3]",
    "nonsense",
)

STRUCTURE = (
    "CREATE VIEW extra AS SELECT * FROM frame",
    "CREATE TRIGGER extra AFTER INSERT ON fact BEGIN SELECT 1; END",
    "CREATE INDEX extra ON frame(length(raw), stream)",
    "DROP TABLE fact",
    "ALTER TABLE frame ADD COLUMN more TEXT DEFAULT 'x'",
    "ALTER TABLE frame DROP COLUMN stream",
    "PRAGMA user_version=7",
    "PRAGMA application_id=1",
    "INSERT OR REPLACE INTO fact VALUES('started', 'now'), ('title', randomblob(100000)), (zeroblob(9), 5)",
    "ALTER TABLE frame RENAME TO kept; CREATE TABLE frame AS SELECT * FROM kept ORDER BY raw",
    "ALTER TABLE frame RENAME TO kept; CREATE VIEW frame AS SELECT * FROM kept, kept AS k",
    "INSERT INTO frame SELECT number + 20000, at, wall, direction, channel, stream, flaw, dropped, raw FROM frame",
)


_ = (
    validation.validate,
    sse.read_block,
)  # loading them takes a second, which is no fault of the recordings


async def run(case: Case) -> None:
    """Change a recording, then read it in every way there is."""
    path = case.folder / "x.spyglass"
    await _write(path)
    for _ in range(case.random.randint(1, 4)):
        with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as connection:
            connection.executescript(_sql(case.random))
    if case.random.random() < 0.4:
        _damage(path, case.random)
    with suppress(StorageError):
        recording = await OpenedRecording.open(path)
        await recording.load()
        await recording.sweep.finish(5)
        await asyncio.to_thread(_look, recording.transcript)
        await recording.aclose()
    await asyncio.to_thread(
        _read_elsewhere, path, case.random.choice(([], ["--json"], ["--secrets"]))
    )


def _read_elsewhere(path: Path, form: list[str]) -> None:
    """In the list of recordings, and on the command line, where no window waits for a turn of the loop."""
    with suppress(StorageError):
        summarize(path)
    console = Console(io.StringIO(), io.StringIO())
    asyncio.run(run_command(read([*form, "transcript", str(path)]), console))


def _look(transcript: Transcript) -> None:
    for number in range(1, min(transcript.count, 300) + 1):
        transcript.frame(number)
        transcript.findings(number)
        if (exchange := transcript.exchange(number)) is not None:
            transcript.members(exchange.request)
            transcript.took_seconds(exchange.request)
        http_exchange(transcript, number)
    transcript.raws(1, transcript.count + 1)


async def _write(path: Path) -> None:
    live = Written(Transcript.create(path, facts={"title": "t", "started": "1700000000"}))
    live.transcript.note("started", "started process 1", pid=1, args=["--api-key=abcdefgh"])
    for number in range(6):
        live.sent(request(number, "tools/call", with_token(number)))
        live.received(progress(number))
        live.stderr("a line")
        live.received(result(number))
    live.received(b"not json")
    live.received([request(1), result(2)])
    live.received(notification("notifications/message", {"level": "info", "data": 1}))
    opener = live.sent(request(9, "tools/list"))
    head = b"POST /mcp?token=abcdefgh HTTP/1.1\r\nAuthorization: Bearer abcdefgh"
    live.transcript.append(Direction.SENT, Channel.HTTP, [RawChunk(head)], opener)
    live.transcript.append(Direction.RECEIVED, Channel.HTTP, [RawChunk(b"HTTP/1.1 200 OK")], opener)
    live.transcript.append(Direction.RECEIVED, Channel.SSE, [RawChunk(b"data: {}\n")], opener)
    await live.transcript.aclose()


def _sql(random: Random) -> str:
    if random.random() < 0.25:
        return random.choice(STRUCTURE)
    where = f"number {random.choice(['=', '=', '=', '<', '>'])} {random.randint(1, 34)}"
    if random.random() < 0.15:
        return f"DELETE FROM frame WHERE {where}"
    if random.random() < 0.2:
        note = random.choice(NOTES).replace("'", "''")
        set_note = f"direction = 2, channel = 3, raw = CAST('{note}' AS BLOB)"
        return f"UPDATE frame SET {set_note} WHERE {where}"
    return f"UPDATE OR IGNORE frame SET {random.choice(COLUMNS)} = {random.choice(VALUES)} WHERE {where}"


def _damage(path: Path, random: Random) -> None:
    """Change bytes, cut the file, lengthen it, or put a log beside it."""
    data = bytearray(path.read_bytes())
    kind = random.randrange(4)
    if kind == 0:
        for _ in range(random.choice([1, 10, 200])):
            data[random.randrange(len(data))] = random.randrange(256)
    elif kind == 1:
        del data[random.randrange(len(data)) :]
    elif kind == 2:
        data += random.randbytes(random.randint(1, 20_000))
    else:
        path.with_name(f"{path.name}-wal").write_bytes(
            random.randbytes(random.choice([0, 32, 9000]))
        )
    path.write_bytes(data)
