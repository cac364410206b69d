"""Files of other tools as recordings, each with time and direction; those of MCPHawk and mcp-debugger were written by these."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import pytest

from inspector.errors import StorageError
from inspector.imports.conversion import Conversion
from inspector.imports.databases import opened
from inspector.imports.importers import IMPORTERS
from inspector.transcript.exchange import Status
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.message import MessageKind
from tests.engine.imports.imported import AT, FILES, RECEIVED, SENT, imported, unpacked
from tests.support.recordings import run_sql
from tests.support.wait import patience

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from inspector.wire.json_codec import JsonObject

TALK = [
    (SENT, Channel.STDIN, "initialize"),
    (RECEIVED, Channel.STDOUT, "initialize"),
    (SENT, Channel.STDIN, "notifications/initialized"),
    (SENT, Channel.STDIN, "tools/list"),
    (RECEIVED, Channel.STDOUT, "tools/list"),
    (SENT, Channel.STDIN, "tools/call"),
    (RECEIVED, Channel.STDOUT, "tools/call"),
    (SENT, Channel.STDIN, "tools/call"),
    (RECEIVED, Channel.STDOUT, "tools/call"),
]
"""What the tools of which there are databases recorded."""


@pytest.mark.parametrize("name", ["mcphawk.db", "mcp-debugger.db", "mcp-debugger.json"])
async def test_what_another_tool_recorded_is_a_recording(name: str, tmp_path: Path) -> None:
    """Ours: every response with its request, in order."""
    path = FILES / name if name.endswith("json") else unpacked(name, tmp_path)
    sessions = await (await Conversion.open(path)).sessions()

    found = await imported(path, tmp_path, sessions[0].key if sessions else "")

    assert sorted(found.rows) == sorted(TALK)
    requests = [n for n in range(1, 10) if found.transcript.columns.request[n - 1] == n]
    statuses = [found.transcript.status(number) for number in requests]
    assert statuses == [Status.OK, Status.OK, Status.OK, Status.ERROR]
    assert found.transcript.columns.wall_s[0] > AT
    assert not found.report.skipped


async def test_a_session_of_a_database_is_chosen(tmp_path: Path) -> None:
    """Ours: nothing of the others is in the recording."""
    path = unpacked("mcp-debugger.db", tmp_path)

    sessions = await (await Conversion.open(path)).sessions()
    found = await imported(path, tmp_path, sessions[1].key)

    assert [each.title for each in sessions] == ["tiny", "tiny-again"]
    assert len(found.rows) == len(TALK)


async def test_a_line_of_mcpsnoop_that_is_no_text_is_skipped(tmp_path: Path) -> None:
    """Ours: the others are read."""
    path = tmp_path / "broken.jsonl"
    lines = (FILES / "mcpsnoop.jsonl").read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b'{"\xa2": 1}\n', *lines[2:]]))
    found = await imported(path, tmp_path)
    assert len(found.rows) == 5
    assert found.report.skipped_text


async def test_a_session_of_mcpsnoop_keeps_spelling_lines_and_command(tmp_path: Path) -> None:
    """Ours: what is no JSON too."""
    found = await imported(FILES / "mcpsnoop.jsonl", tmp_path)

    assert found.rows == [
        (Direction.NOTE, Channel.NOTE, ""),
        (SENT, Channel.STDIN, "tools/call"),
        (RECEIVED, Channel.STDERR, ""),
        (RECEIVED, Channel.STDOUT, ""),
        (RECEIVED, Channel.STDOUT, "tools/call"),
    ]
    assert found.seconds == [0.0, 0.077, 0.127, 0.177, 0.277]
    assert b'"n":1.50' in found.transcript.raw(2)
    assert found.transcript.raw(4) == b"hello, not JSON"
    assert b'"args":["tiny.py"]' in found.transcript.raw(1)
    assert found.report.skipped == 1
    assert "line 6" in found.report.sentences[0]


async def test_a_log_of_claude_desktop_has_messages_lines_and_notes(tmp_path: Path) -> None:
    """Ours: both orders of level and name; metadata in several lines; a message that was cut."""
    found = await imported(FILES / "claude-desktop.log", tmp_path, "tiny")
    kinds = [found.transcript.row(number).kind for number in range(1, found.transcript.count + 1)]

    assert kinds == [
        *(MessageKind.NOTE, MessageKind.NOTE, MessageKind.REQUEST, MessageKind.STDERR),
        *(MessageKind.RESPONSE, MessageKind.REQUEST, MessageKind.MALFORMED, MessageKind.NOTE),
    ]
    assert found.transcript.status(3) is Status.OK
    assert found.transcript.status(6) is Status.NO_RESPONSE
    assert found.transcript.frame(7).flaw == FrameDefect.TRUNCATED
    assert found.transcript.raw(4) == b"warming up"
    assert found.seconds[2:5] == [0.057, 0.057, 0.157]


async def test_lines_of_a_log_that_only_look_like_metadata_are_kept(tmp_path: Path) -> None:
    """Ours: what is left out is counted, and the beginning too."""
    path = tmp_path / "mcp-server-x.log"
    stamp = "2026-02-10T13:52:40.662Z [x] [info]"
    lines = [
        *("before any time", f"{stamp} retrying {{", "  attempt: 1", "}"),
        *(f"{stamp} closed {{ metadata: {{", "  stack: 1", "a warning", "} }", "after it"),
    ]
    path.write_text("\n".join(lines))

    found = await imported(path, tmp_path)
    transcript = found.transcript
    stderr = [
        transcript.raw(number)
        for number in range(1, transcript.count + 1)
        if transcript.row(number).channel is Channel.STDERR
    ]

    assert stderr == [b"  attempt: 1", b"}", b"a warning", b"after it"]
    assert found.report.skipped == 3
    assert b"closed" in transcript.raw(4)


async def test_a_log_with_a_line_of_spaces_is_read_at_once(tmp_path: Path) -> None:
    """Ours: the time grows with the size of the line, not with its square."""
    path = tmp_path / "mcp.log"
    path.write_text(f"2026-02-10T13:52:40.662Z [x] [info] a{' ' * 150_000}b }}")

    async with asyncio.timeout(patience()):
        found = await imported(path, tmp_path)

    assert found.transcript.count == 1


def har_entry(start: str, wait_ms: float, number: int) -> JsonObject:
    """A request and its response."""
    return {
        "startedDateTime": f"2026-08-01T10:00:{start}Z",
        "request": {"method": "GET", "url": f"https://x.example/{number}"},
        "response": {"status": 200 + number},
        "timings": {"wait": wait_ms},
    }


def inspector_entry(start: str, took_ms: float, number: int) -> JsonObject:
    """The same, in a network export of the Inspector."""
    return {
        "timestamp": f"2026-08-01T10:00:{start}Z",
        "url": f"https://x.example/{number}",
        "method": "GET",
        "requestHeaders": {},
        "responseStatus": 200 + number,
        "duration": took_ms,
    }


@pytest.mark.parametrize("entry", [har_entry, inspector_entry])
async def test_requests_that_overlap_are_in_the_order_of_time(
    entry: Callable[[str, float, int], JsonObject], tmp_path: Path
) -> None:
    """Ours: with each response at its time, behind its request, and of its exchange."""
    entries = [entry("00", 5000, 1), entry("01", 1000, 2), entry("02", 0, 3)]
    text = json.dumps(entries)
    path = tmp_path / "x.json"
    path.write_text(f'{{"log":{{"entries":{text}}}}}' if entry is har_entry else text)

    found = await imported(path, tmp_path)

    assert found.seconds == [0, 0, 1, 2, 2, 2, 5]
    words = [found.transcript.raw(number).split()[1] for number in range(2, 8)]
    assert words == [b"/1", b"/2", b"202", b"/3", b"203", b"201"]
    assert list(found.transcript.columns.stream) == [0, 0, 0, 3, 0, 5, 2]


SECRET = "abcdefgh12345"


@pytest.mark.parametrize("name", ["x.har", "mcp.log"])
async def test_no_secret_of_a_file_is_in_its_recording(name: str, tmp_path: Path) -> None:
    """C-SEC-17: markers take their places, wherever they occur later, and the report has their number."""
    entry = {
        "startedDateTime": "2026-08-01T10:00:00Z",
        "request": {
            "url": f"https://x.example/mcp?token={SECRET}9",
            "headers": [{"name": "Authorization", "value": f"Bearer {SECRET}"}],
        },
        "response": {"status": 200, "content": {"text": f"you are {SECRET}"}},
    }
    note = f"2026-02-10T13:52:40.662Z [x] [info] using https://x.example/?token={SECRET}\n"
    content = {
        "x.har": json.dumps({"log": {"creator": {}, "entries": [entry]}}),
        "mcp.log": f"{note}{SECRET} again",
    }
    path = tmp_path / name
    path.write_text(content[name])

    found = await imported(path, tmp_path)

    assert SECRET.encode() not in (tmp_path / "imported.spyglass").read_bytes()
    frames = [found.transcript.frame(each) for each in range(1, found.transcript.count + 1)]
    redacted = [each for each in frames if each.flaw & FrameDefect.REDACTED]
    assert [b"[redacted:" in each.raw for each in redacted] == [True] * len(redacted)
    assert len(redacted) >= 2
    assert any(f"{len(redacted)} frames" in each for each in found.report.sentences)


def mcphawk_database(path: Path, *messages: tuple[int, str, bytes]) -> None:
    """A database with one exchange whose request is the last message."""
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript("""
            CREATE TABLE sessions(id TEXT, name TEXT, server_name TEXT, transport TEXT,
              started_at REAL, chain_root_id TEXT);
            CREATE TABLE messages(id INTEGER PRIMARY KEY, session_id TEXT, exchange_id INTEGER,
              ts REAL, direction TEXT, body TEXT);
            CREATE TABLE exchanges(id INTEGER PRIMARY KEY, request_msg_id INTEGER);
            INSERT INTO sessions VALUES('s', 'x', 'x', 'stdio', 1785578400, 's');
        """)
        rows = [
            (number, "s", 1, AT + number, side, body.decode()) for number, side, body in messages
        ]
        database.executemany("INSERT INTO messages VALUES(?,?,?,?,?,?)", rows)
        database.execute("INSERT INTO exchanges VALUES(1, ?)", (messages[-1][0],))


async def test_every_frame_that_was_stored_before_its_request_is_kept(tmp_path: Path) -> None:
    """Ours: two of one exchange too, behind the request and in their order."""
    path = tmp_path / "mcphawk.db"
    bodies = (b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","id":1,"result":{"b":1}}')
    call = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    mcphawk_database(path, (1, "s2c", bodies[0]), (2, "s2c", bodies[1]), (3, "c2s", call))

    found = await imported(path, tmp_path, "1")

    assert [found.transcript.raw(number) for number in (1, 2, 3)] == [call, *bodies]


@pytest.mark.parametrize("name", sorted(each.name for each in FILES.iterdir()))
async def test_a_truncated_file_is_read_as_far_as_it_goes(name: str, tmp_path: Path) -> None:
    """Ours: or refused with a reason; never an error of another kind."""
    whole = unpacked(name.removesuffix(".gz"), tmp_path) if name.endswith(".gz") else FILES / name
    content = whole.read_bytes()
    for share in (0.97, 0.6, 0.3, 0.02):
        path = tmp_path / f"cut-{share}"
        path.write_bytes(content[: int(len(content) * share)])
        with suppress(StorageError):
            conversion = await Conversion.open(path)
            sessions = await conversion.sessions()
            await conversion.run(tmp_path / "x.spyglass", sessions[0].key if sessions else "")
            assert conversion.report.frames


HOSTILE = {
    "deep.har": b'{"log":{"entries":[' + b"[" * 200_000,
    "types.har": b'{"log":{"creator":{},"entries":[1,"x",null,{"startedDateTime":5},{"startedDateTime":"2026-08-01T10:00:00Z","request":{"method":"a b","url":"http://[","headers":[{"name":"x","value":"a\\r\\nb: c"}]}}]}}',
    "numbers.jsonl": b'{"number":1e400,"time":1,"monotonic":1,"direction":"in","channel":"x"}\n'
    b'{"number":-5,"time":1e308,"monotonic":0,"direction":"in","channel":"stdout","stream":999999999999,"dropped":-1,"raw":"\\ud800"}\n'
    b'{"number":1,"time":1,"monotonic":1,"direction":"in","channel":"stdout","base64":"***"}\n'
    b'{"number":1,"time":1,"monotonic":1,"direction":"up","channel":"stdout","raw":""}\n',
    "binary.json": bytes(range(256)) * 50,
    "empty.json": b"",
    "array.json": b'[{"timestamp":1,"message":[]},{"timestamp":null,"message":{}},[[[],'
    b'{"timestamp":1e300,"message":{"method":5}}',
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_file_is_bounded_and_refused_or_skipped(name: str, tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / name
    path.write_bytes(HOSTILE[name])

    with suppress(StorageError):
        found = await imported(path, tmp_path)
        assert found.report.skipped or found.report.failure
    assert not (tmp_path / "imported.spyglass.part").exists()


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("CREATE VIRTUAL TABLE messages USING fts5(id, body)", "not an ordinary table"),
        ("CREATE VIEW messages AS SELECT 1 AS id, '' AS body", "not a table"),
        ("CREATE TABLE messages(id, body AS ('computed'))", "computed"),
        ("CREATE TABLE messages(id)", "no column body"),
    ],
)
def test_a_database_with_tables_that_run_code_is_refused(
    sql: str, reason: str, tmp_path: Path
) -> None:
    """Ours: rows are read as they are stored."""
    path = tmp_path / "x.db"
    run_sql(path, sql)

    with pytest.raises(StorageError, match=reason), opened(path, {"messages": ("id", "body")}):
        pass


def test_keys_of_importers_differ() -> None:
    """Ours."""
    assert len({each.key for each in IMPORTERS}) == len(IMPORTERS)
