"""Frames of a recording that are read many at a time are what they are one by one."""

from __future__ import annotations

import random
import sqlite3
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from inspector.transcript import frame_processor, large_frames
from inspector.transcript.frame_processor import FrameProcessor
from inspector.transcript.index import Columns
from inspector.transcript.plain_messages import PlainMessages
from inspector.transcript.plain_pages import SMALL_BYTES, STEP_ROWS, PlainPage, plain_page
from inspector.transcript.read_only_database import ReadOnlyDatabase, StoredRow
from inspector.transcript.recording_file import FrameBatch
from inspector.transcript.recording_reader import RecordingReader
from inspector.transcript.request_links import RequestLinks
from inspector.wire.frame import Channel, Direction, FrameDefect
from inspector.wire.line_splitter import RawChunk
from tests.support.recordings import open_whole, run_sql, write_recording

if TYPE_CHECKING:
    from pathlib import Path

IDS = (
    *(b"1", b"2", b'"1"', b"0", b"-0", b"-1", b"1.0", b"1e0", b"null", b"true", b"[]", b"01"),
    *(
        b"9007199254740993",
        b"123456789012345678901234567890",
        b'"\\ud800"',
        b'"\xff"',
        b'"\xc3\xa4"',
    ),
)
METHODS = (
    *(
        b'"tools/call"',
        b'"notifications/progress"',
        b'"ping"',
        b'""',
        b"null",
        b"5",
        b'"subscriptions/listen"',
        b'"tools/list"',
    ),
    *(b'"notifications/cancelled"', b'"notifications/message"'),
    b'"notifications/subscriptions/acknowledged"',
)
PARAMS = (
    *(b'{"name":"x","_meta":{"progressToken":1}}', b'{"progressToken":1}'),
    *(b"{}", b"null", b"[]", b'{"name":"x"}', b'{"name":5}', b'{"name":"x","name":"y"}'),
    *(
        b'{"_meta":{"progressToken":1}}',
        b'{"_meta":{"progressToken":"1"},"task":{}}',
        b'{"_meta":5}',
    ),
    *(
        b'{"progressToken":1}',
        b'{"progressToken":1.0}',
        b'{"progressToken":"1"}',
        b'{"progressToken":[]}',
    ),
    *(
        b'{"requestId":1}',
        b'{"requestId":"1"}',
        b'{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}',
    ),
)
RESULTS = (
    b"{}",
    b"null",
    b"[]",
    b'{"isError":true}',
    b'{"isError":1}',
    b'{"isError":true,"isError":false}',
)
ERRORS = (b"null", b"{}", b"false", b'{"code":1,"message":"no"}')


OTHERS = (b"", b" ", b"no", b"[]", b'[{"id":1,"method":"ping"}]', b'{"id":1}{"id":2}')
BLOCKS = (
    *(b": keep-alive\n\n", b"data: {}\n", b"data: {}\r\n\r\n"),
    b'id: 7\ndata: {"id":1,"result":{}}\n\n',
)
HEADS = (
    b"POST /mcp HTTP/1.1\r\nauthorization: Bearer abc\r\n\r\n",
    b"HTTP/1.1 200 OK\r\n\r\n",
    b"x",
)
CHANNELS = (Channel.STDIN, Channel.STDOUT, Channel.BODY, Channel.SSE, Channel.HTTP, Channel.STDERR)
FLAWS = (FrameDefect.NONE, FrameDefect.NONE, FrameDefect.REDACTED)
MEMBERS = {b"id": IDS, b"method": METHODS, b"params": PARAMS, b"result": RESULTS, b"error": ERRORS}
Crossed = tuple[Direction, tuple[Channel, bytes], int, FrameDefect]

CALL = b'{"id":1,"method":"tools/call","params":{"name":"x","_meta":{"progressToken":1}}}'
ANSWERED = [
    (Direction.SENT, (Channel.BODY, CALL), 0, FrameDefect.NONE),
    (Direction.SENT, (Channel.HTTP, b"POST / HTTP/1.1\r\n\r\n"), 1, FrameDefect.NONE),
    (
        Direction.RECEIVED,
        (Channel.SSE, b'data: {"id":1,"result":{"isError":true}}\n\n'),
        2,
        FrameDefect.NONE,
    ),
]


def _message(draw: random.Random) -> bytes:
    """A message; in half of the cases a usual one, so that many belong together."""
    kind = draw.randrange(10)
    if kind == 0:
        return draw.choice(OTHERS)
    if kind < 4:
        names = draw.choices(list(MEMBERS), k=draw.randrange(5))
    else:
        names = [
            *draw.choice(
                ([b"id", b"method", b"params"], [b"id", b"result"], [b"method", b"params"])
            ),
            *draw.choices([b"error", b"result"], k=draw.randrange(5) // 4),
        ]
    values = ((name, MEMBERS[name]) for name in names)
    return b"{%b}" % b",".join(
        b'"%b":%b' % (name, draw.choice(known if draw.randrange(2) else known[:2]))
        for name, known in values
    )


def _frame(draw: random.Random) -> Crossed:
    channel = draw.choice(CHANNELS)
    raw = b"a line" if channel is Channel.STDERR else _message(draw)
    if channel is Channel.SSE:
        raw = draw.choice(BLOCKS) if draw.randrange(4) == 0 else b"data: %b\n\n" % raw
    elif channel is Channel.HTTP:
        raw = draw.choice(HEADS)
    side = draw.choice((Direction.SENT, Direction.RECEIVED))
    return side, (channel, raw), draw.randrange(4), draw.choice(FLAWS)


@pytest.mark.parametrize("seed", range(40))
def test_a_page_derives_what_its_frames_derive_one_by_one(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: whatever ids, tokens, methods and members a recording holds, and whether they were read in advance."""
    draw = random.Random(seed)
    frames = [_frame(draw) for _ in range(200)]
    page = plain_page(_rows(frames), 1)
    assert page is not None
    at_once, one_by_one = FrameProcessor(str), FrameProcessor(str)
    if seed % 2:
        monkeypatch.setattr(large_frames, "LARGE_BYTES", 16)
        monkeypatch.setattr(frame_processor, "LATEST_BYTES", 16)
        monkeypatch.setattr(frame_processor, "KEPT_BYTES", 16)
        large_frames.read_ahead(page)
        assert page.messages

    at_once.process_page(page)
    assert not page.messages
    for number, row in enumerate(_rows(frames), 1):
        direction, channel, at, wall_s, stream, flaw, _dropped, raw = row[2:]
        one_by_one.process(
            FrameBatch(
                *(number, Direction(direction), Channel(channel), at, wall_s, stream),
                [RawChunk(raw, FrameDefect(flaw))],
            )
        )

    assert at_once.columns.all == one_by_one.columns.all
    assert at_once.state() == one_by_one.state()


def test_the_usual_messages_take_the_short_way() -> None:
    """Ours: or a page would be as slow as its frames."""
    page = plain_page(_rows(ANSWERED), 1)
    assert page is not None
    columns = Columns()
    columns.add_page(page)
    plain = PlainMessages(columns, RequestLinks(columns))

    assert plain.take(1, Direction.SENT, page.texts[0])
    assert plain.take(3, Direction.RECEIVED, page.texts[2])
    assert list(columns.request) == [1, 0, 1]


def _rows(
    frames: list[Crossed],
) -> list[tuple[int, int, int, int, float, float, int, int, int, bytes]]:
    rows: list[tuple[int, int, int, int, float, float, int, int, int, bytes]] = []
    for number, (direction, (channel, raw), back, flaw) in enumerate(frames, 1):
        stream = number - back if 0 < back < number else 0
        moment = number * 0.5, 1_700_000_000.0 + number
        rows.append((number, number, direction, channel, *moment, stream, flaw, 0, raw))
    return rows


@pytest.mark.parametrize(
    "change",
    [
        *("number = 4.5", "direction = 2", "direction = 300", "direction = 1.5", "channel = NULL"),
        *(
            f"channel = {int(Channel.NOTE)}",
            "at = 'x'",
            "at = 1e12",
            "wall = -1",
            "stream = -1",
            "stream = 2",
        ),
        *("flaw = 1", "dropped = 7", "dropped = x''", "raw = 'text'", "raw = NULL", "raw = 5"),
    ],
)
def test_rows_with_anything_remarkable_are_no_page(change: str) -> None:
    """Ours: each of them is read by itself, with a finding where it makes no sense."""
    rows = _rows(ANSWERED[:1])
    connection = sqlite3.connect(":memory:")
    connection.execute(
        "CREATE TABLE f(key, number, direction, channel, at, wall, stream, flaw, dropped, raw)"
    )
    connection.executemany("INSERT INTO f VALUES (?,?,?,?,?,?,?,?,?,?)", rows)
    assert plain_page(connection.execute("SELECT * FROM f").fetchall(), 1) is not None

    connection.execute(f"UPDATE f SET {change}")

    assert plain_page(connection.execute("SELECT * FROM f").fetchall(), 1) is None
    connection.close()


async def test_rows_around_a_remarkable_one_are_read_many_at_a_time(tmp_path: Path) -> None:
    """Ours: a large frame, a note or a missing one costs the speed of its neighbors, and nothing of what they are."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    count = (await open_whole(path)).transcript.count
    last, large = count + 4 * STEP_ROWS, count + STEP_ROWS + 5
    run_sql(
        path,
        f"WITH RECURSIVE n(x) AS (SELECT {count + 1} UNION ALL SELECT x + 1 FROM n WHERE x < {last}) "
        "INSERT INTO frame(number, direction, channel, at, wall, stream, flaw, dropped, raw) "
        f"SELECT x, {int(Direction.RECEIVED)}, {int(Channel.STDERR)}, 1.5, 2.5, 0, 0, 0, "
        f"CASE WHEN x = {large} THEN zeroblob({SMALL_BYTES + 1}) ELSE CAST('line ' || x AS BLOB) END FROM n",
    )

    file = RecordingReader(path)
    parts = [part for page in file.pages() for part in page]
    raws = file.raws(1, last + 1)
    file.close()
    transcript = (await open_whole(path)).transcript

    assert any(isinstance(part, PlainPage) for part in parts)
    assert transcript.count == last
    assert len(raws[large - 1]) == SMALL_BYTES + 1
    assert raws == transcript.raws(1, last + 1)
    assert raws[-1] == b"line %d" % last
    assert not file.report.sentences


async def test_a_file_is_closed_once_nothing_is_read_from_it(tmp_path: Path) -> None:
    """Ours: closing in a thread, while the window reads, would free what is being read."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    database = ReadOnlyDatabase(path, max_seconds=5)
    closing, read = Thread(target=database.close), list[StoredRow]()

    def take(rows: list[StoredRow]) -> bool:
        if not read:
            closing.start()
        read.extend(rows)
        closing.join(0.01)
        assert closing.is_alive()
        return True

    sql = "SELECT number FROM frame ORDER BY number"
    database.small_rows(sql, (), take, at_once=1, max_bytes=SMALL_BYTES)
    closing.join(5)

    assert len(read) == (await open_whole(path)).transcript.count
    assert database.fetch(sql, max_rows=1).damage == "Cannot operate on a closed database."
