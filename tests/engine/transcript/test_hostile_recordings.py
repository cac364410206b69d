"""A recording may come from anywhere: whatever the file is, it opens as far as it goes, quickly, and says what was skipped."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from inspector.checks.opened_recording import OpenedRecording
from inspector.errors import StorageError
from inspector.transcript.recording_reader import RecordingReader, summarize
from inspector.wire.frame import Channel
from tests.support.recordings import open_whole, rules_of, run_sql, write_recording

if TYPE_CHECKING:
    from pathlib import Path

ENDLESS = (
    "WITH RECURSIVE r(number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM r) "
    "SELECT number, 0 AS direction, 1 AS channel, 0.0 AS at, 0.0 AS wall, x'7b7d' AS raw, "
    "0 AS flaw, 0 AS dropped, 0 AS stream FROM r"
)
LAST = "(SELECT max(number) FROM frame)"


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A good recording of seven frames."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    return path


@pytest.mark.parametrize(
    "script",
    [
        f"ALTER TABLE frame RENAME TO kept; CREATE VIEW frame AS {ENDLESS}",
        "ALTER TABLE frame RENAME TO kept; CREATE VIRTUAL TABLE frame USING fts5(number)",
        "DROP TABLE frame",
        "ALTER TABLE frame DROP COLUMN raw",
        "ALTER TABLE frame DROP COLUMN raw; "
        "ALTER TABLE frame ADD COLUMN raw GENERATED ALWAYS AS (zeroblob(900000000))",
    ],
)
async def test_what_is_no_table_of_frames_is_refused_with_its_reason(
    path: Path, script: str
) -> None:
    """Ours: nothing of the file is run."""
    run_sql(path, script)

    with pytest.raises(StorageError, match="frame"):
        async with asyncio.timeout(5):
            await OpenedRecording.open(path)


async def test_a_view_in_disguise_never_runs(path: Path) -> None:
    """Ours: the type that a schema gives need not be true."""
    run_sql(
        path,
        f"ALTER TABLE frame RENAME TO kept; CREATE VIEW frame AS {ENDLESS};"
        "PRAGMA writable_schema=ON;"
        "UPDATE sqlite_master SET type = 'table', rootpage = 2, sql = 'CREATE TABLE/**/' || "
        "substr(sql, 8) WHERE name = 'frame'",
    )

    with pytest.raises(StorageError):
        async with asyncio.timeout(5):
            await (await OpenedRecording.open(path)).load()


@pytest.mark.parametrize(
    "script",
    [
        "CREATE VIEW extra AS SELECT 1",
        "CREATE TRIGGER extra AFTER INSERT ON frame BEGIN SELECT 1; END",
        f"DROP TABLE fact; CREATE VIEW fact AS SELECT number AS name, 1 AS value FROM ({ENDLESS})",
        "DROP TABLE fact",
    ],
)
async def test_what_else_a_file_holds_is_ignored_and_told(path: Path, script: str) -> None:
    """Ours."""
    run_sql(path, script)

    recording = await open_whole(path)

    assert recording.transcript.count == 7
    assert any("ignored" in sentence for sentence in recording.report.sentences)


async def test_an_index_on_an_expression_changes_nothing(path: Path) -> None:
    """Ours."""
    run_sql(path, "CREATE INDEX i ON frame(length(raw) * 2) WHERE number > 2")

    recording = await open_whole(path)

    assert recording.transcript.count == 7
    assert recording.report.sentences == ()


@pytest.mark.parametrize(
    "form",
    [
        "number INTEGER PRIMARY KEY, {} , PRIMARY KEY(number)) WITHOUT ROWID",
        "number INTEGER, {})",
        "rowid TEXT, number INTEGER, {})",
    ],
)
async def test_a_table_of_frames_of_another_make_is_read_too(path: Path, form: str) -> None:
    """Ours."""
    form = form.replace("INTEGER PRIMARY KEY", "INTEGER") if "WITHOUT" in form else form
    others = "direction, channel, at, wall, raw, flaw, dropped, stream"
    whole = (await open_whole(path)).transcript
    run_sql(
        path,
        f"ALTER TABLE frame RENAME TO kept; CREATE TABLE frame({form.format(others)};"
        f"INSERT INTO frame(number, {others}) SELECT number, {others} FROM kept ORDER BY number",
    )

    recording = await open_whole(path)

    transcript = recording.transcript
    assert [transcript.frame(n) for n in range(1, 8)] == [whole.frame(n) for n in range(1, 8)]
    assert recording.report.sentences == ()


async def test_two_frames_of_one_number_are_both_shown(path: Path) -> None:
    """Ours."""
    run_sql(
        path,
        "ALTER TABLE frame RENAME TO kept; CREATE TABLE frame AS SELECT * FROM kept;"
        "INSERT INTO frame SELECT * FROM kept WHERE number = 2",
    )

    transcript = (await open_whole(path)).transcript

    assert transcript.count == 8
    assert transcript.raw(8) == transcript.raw(2)
    assert "stored-number" in rules_of(transcript, 8)


async def test_a_damaged_page_costs_only_the_frames_on_it(tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "x.spyglass"
    await write_recording(path, calls=1000)
    with closing(sqlite3.connect(path)) as connection:
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    middle = len(data) // size // 2 * size
    data[middle : middle + 64] = b"\xff" * 64
    path.write_bytes(data)

    recording = await open_whole(path)

    transcript = recording.transcript
    assert transcript.count == 2001
    assert 0 < recording.report.missing < 300
    assert recording.report.damage
    assert transcript.row(2001).channel is Channel.STDOUT


@pytest.mark.parametrize(
    "order", [(6, 5, 4, 3, 2, 1, 0), (3, 0, 1, 2, 6, 5, 4), (6, 0, 0, 0, 0, 0, 0)]
)
async def test_rows_out_of_order_are_read_once_at_most(path: Path, order: tuple[int, ...]) -> None:
    """Ours: reading went on after the last row, and where that had a lower number than the first, it went on for ever and kept all of it."""
    _reorder_cells(path, order)
    file = RecordingReader(path)

    pages = [page for page, _ in zip(file.pages(), range(100), strict=False)]

    file.close()
    assert sum(map(len, pages)) <= 7
    assert len(pages) < 20
    assert "order" in file.report.damage


def _reorder_cells(path: Path, order: tuple[int, ...]) -> None:
    """Change the order of the cells in the one page that holds the frames: the number of rows is at 3, where they lie from 8."""
    with closing(sqlite3.connect(path)) as connection:
        size = connection.execute("PRAGMA page_size").fetchone()[0]
        root = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'frame'"
        ).fetchone()[0]
    data = bytearray(path.read_bytes())
    start = (root - 1) * size
    assert data[start] == 13  # a leaf
    assert int.from_bytes(data[start + 3 : start + 5]) == len(order)
    cells = [bytes(data[start + 8 + 2 * at : start + 10 + 2 * at]) for at in order]
    data[start + 8 : start + 8 + 2 * len(order)] = b"".join(cells)
    path.write_bytes(data)


async def test_a_file_that_ends_in_the_middle_gives_what_is_there(tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "x.spyglass"
    await write_recording(path, calls=1000)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])

    recording = await open_whole(path)

    assert recording.report.damage
    assert recording.transcript.count > 100


async def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    """Ours."""
    empty = tmp_path / "empty"
    empty.touch()
    places = [empty, tmp_path, tmp_path / "missing", tmp_path / "a\0b"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "fifo")
        places.append(tmp_path / "fifo")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)

    for place in (*places, loop):
        with pytest.raises(StorageError):
            async with asyncio.timeout(5):
                await OpenedRecording.open(place)


async def test_a_link_to_a_recording_opens(path: Path) -> None:
    """Ours."""
    link = path.with_name("link")
    link.symlink_to(path)

    assert (await open_whole(link)).transcript.count == 7


async def test_a_newer_format_opens_as_far_as_it_goes_and_says_so(path: Path) -> None:
    """Ours."""
    run_sql(path, "PRAGMA user_version=99; ALTER TABLE frame ADD COLUMN colour TEXT")

    recording = await open_whole(path)

    assert recording.transcript.count == 7
    assert "newer Spyglass (format 99)" in recording.report.sentences[0]


async def test_a_newer_format_without_the_known_columns_is_refused_as_newer(path: Path) -> None:
    """Ours."""
    run_sql(path, "PRAGMA user_version=99; ALTER TABLE frame RENAME COLUMN raw TO content")

    with pytest.raises(StorageError, match=r"newer Spyglass \(format 99\)") as caught:
        await OpenedRecording.open(path)

    assert "Update" in caught.value.hint


def test_reading_locks_and_writes_nothing_so_that_a_read_only_folder_will_do(path: Path) -> None:
    """Ours."""
    run_sql(path, "PRAGMA journal_mode=WAL")
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        file = RecordingReader(path)
        assert sum(map(len, file.pages())) == 7
        assert [each.name for each in path.parent.iterdir()] == [path.name]
    finally:
        path.parent.chmod(0o755)


async def test_reading_can_be_stopped_and_keeps_what_was_read(tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "x.spyglass"
    await write_recording(path, calls=2000)
    recording = await OpenedRecording.open(path)
    recording.transcript.appended.subscribe(recording.stop)

    async with asyncio.timeout(10):
        await recording.load()

    assert 0 < recording.transcript.count < 4001
    assert not recording.is_loading
    assert any("stopped" in sentence for sentence in recording.report.sentences)


async def test_a_reading_that_is_cancelled_lets_go_of_the_file(tmp_path: Path) -> None:
    """Ours."""
    path = tmp_path / "x.spyglass"
    await write_recording(path, calls=2000)
    recording = await OpenedRecording.open(path)
    loading = asyncio.ensure_future(recording.load())
    await asyncio.sleep(0)
    loading.cancel()

    with pytest.raises(asyncio.CancelledError):
        await loading
    await recording.aclose()

    assert not recording.is_loading


@pytest.mark.parametrize("number", [2**62, 5_000_000])
async def test_a_list_of_recordings_believes_no_count(path: Path, number: int) -> None:
    """Ours."""
    assert summarize(path).frames == 7
    run_sql(path, f"UPDATE frame SET number = {number} WHERE number = {LAST}")

    assert summarize(path).frames is None


async def test_an_opened_recording_is_checked_as_a_live_session_is(path: Path) -> None:
    """Ours."""
    run_sql(
        path,
        'UPDATE frame SET raw = CAST(\'{"jsonrpc":"2.0","id":0,"result":{},"extra":[1]}\' '
        "AS BLOB) WHERE number = 3; UPDATE frame SET raw = x'7b' WHERE number = 5",
    )
    recording = await open_whole(path)
    await recording.validate()

    assert recording.sweep.pending == 0
    assert rules_of(recording.transcript, 5)
    assert recording.transcript.counts.problems


def test_a_damaged_schema_is_refused_in_words(path: Path) -> None:
    """Ours: what SQLite reports about it need not be UTF-8."""
    data = path.read_bytes()
    path.write_bytes(data.replace(b"CREATE TABLE frame(", b"CREATE T\xca\xca\xca frame("))

    with pytest.raises(StorageError):
        RecordingReader(path)


async def test_a_frame_is_read_aside_by_a_connection_of_its_own(path: Path) -> None:
    """Ours: in a thread, while the loop reads frames by the other one; also where frames are missing."""
    run_sql(path, "DELETE FROM frame WHERE number = 3")
    reader = RecordingReader(path)
    for _ in reader.pages():
        pass
    [raw] = reader.raws(5, 6)
    reader.close()

    assert reader.raw_aside(5) == raw != b""
