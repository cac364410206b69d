"""Marks and comments are kept in the recording of a live session, and beside one that was opened; ours throughout."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from inspector.errors import StorageError
from inspector.transcript.annotation_storage import (
    MAX_ANNOTATIONS,
    MAX_COMMENT,
    SUFFIX,
    Annotation,
    write_table,
)
from inspector.transcript.filter.query import parse
from inspector.transcript.recording_file import write_copy
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from pathlib import Path

    from inspector.transcript.annotations import Annotations

LINE = RawChunk(b'{"jsonrpc":"2.0","method":"x"}')


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.spyglass"


async def recorded(path: Path) -> Transcript:
    """A live recording of ten frames, two of them marked and one with a comment."""
    transcript = Transcript.create(path)
    transcript.append(Direction.RECEIVED, Channel.STDOUT, [LINE] * 10)
    annotations = transcript.annotations
    annotations.set_marked([2, 3, 5], marked=True)
    annotations.set_marked([3], marked=False)
    annotations.set_comment(4, "Why? äöü \u202e")
    annotations.set_edited(6)
    annotations.set_time_reference(7)
    annotations.set_time_reference(8)
    return transcript


def state(annotations: Annotations) -> tuple[list[int], dict[int, str], list[int], int]:
    return (
        sorted(annotations.marks),
        dict(annotations.comments),
        list(annotations.edited),
        annotations.time_reference,
    )


def read(path: Path) -> bytes:
    return path.read_bytes()


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def in_the_way(path: Path) -> None:
    path.with_name(f"{path.name}{SUFFIX}.part").mkdir()


def write_beside(path: Path, raw: bytes) -> None:
    path.with_name(path.name + SUFFIX).write_bytes(raw)


STATE = ([2, 5], {4: "Why? äöü \u202e"}, [6], 8)


async def test_annotations_of_a_session_are_in_its_recording(path: Path) -> None:
    """Ours: and they are found by filters."""
    live = await recorded(path)
    assert state(live.annotations) == STATE
    await live.aclose()
    assert names_in(path.parent) == [path.name]

    opened = await Transcript.open(path)

    assert state(opened.annotations) == STATE
    assert opened.count == 10
    assert list(parse("is:marked | comment:why | is:edited").matches(opened, 1, 11)) == [2, 4, 5, 6]


async def test_a_session_that_has_ended_can_still_be_annotated(path: Path) -> None:
    """Ours: an earlier run."""
    live = await recorded(path)
    await live.aclose()

    live.annotations.set_marked([9], marked=True)
    await live.annotations.flush()

    opened = await Transcript.open(path)
    assert sorted(opened.annotations.marks) == [2, 5, 9]


async def test_an_opened_recording_is_annotated_beside_its_file(path: Path) -> None:
    """Ours: the file may be evidence, so that it stays as it is, to the byte."""
    live = await recorded(path)
    await live.aclose()
    before = read(path)
    opened = await Transcript.open(path)

    opened.annotations.set_comment(4, "")
    opened.annotations.set_marked([2], marked=False)
    opened.annotations.set_marked([1], marked=True)
    await opened.annotations.flush()

    again = await Transcript.open(path)
    assert state(again.annotations) == ([1, 5], {}, [6], 8)
    assert read(path) == before
    assert SUFFIX in again.annotations.storage_text


async def test_annotations_that_were_all_removed_do_not_come_back(path: Path) -> None:
    """Ours."""
    live = await recorded(path)
    await live.aclose()
    opened = await Transcript.open(path)

    opened.annotations.set_marked([2, 5], marked=False)
    opened.annotations.set_comment(4, "")
    opened.annotations.set_time_reference(0)
    await opened.annotations.flush()

    again = await Transcript.open(path)
    assert state(again.annotations) == ([], {}, [6], 0)


async def test_a_copy_has_its_annotations_in_its_own_file(path: Path, tmp_path: Path) -> None:
    """Ours: that is what is given to a colleague."""
    live = await recorded(path)
    copy = tmp_path / "copy.spyglass"

    await write_copy(live, copy)

    await live.aclose()
    opened = await Transcript.open(copy)
    assert state(opened.annotations) == STATE
    assert names_in(tmp_path) == ["a.spyglass", "copy.spyglass"]


async def test_annotations_that_cannot_be_saved_say_so_and_stay_in_memory(path: Path) -> None:
    """Ours: a folder that cannot be written."""
    live = await recorded(path)
    await live.aclose()
    opened = await Transcript.open(path)
    in_the_way(path)

    opened.annotations.set_marked([1], marked=True)
    await opened.annotations.flush()

    assert opened.annotations.failure is not None
    assert "cannot save annotations" in opened.annotations.failure.reason
    assert 1 in opened.annotations.marks


def test_annotations_of_a_recording_that_is_gone_make_no_file(path: Path) -> None:
    """Ours: it would be a recording without frames."""
    with pytest.raises(StorageError, match="cannot save annotations"):
        write_table(path, [Annotation(1, "mark")])

    assert not path.exists()


def test_a_session_without_a_recording_says_that_annotations_are_in_memory() -> None:
    """Ours."""
    transcript = Transcript()
    transcript.annotations.set_marked([1], marked=True)

    assert "memory only" in transcript.annotations.storage_text
    assert transcript.annotations.failure is None


HOSTILE_TABLES = (
    "CREATE VIEW annotation AS SELECT 1 AS frame, 'mark' AS kind, '' AS text",
    "CREATE TABLE annotation(frame, kind)",
    "CREATE VIRTUAL TABLE annotation USING fts5(frame, kind, text)",
    "CREATE TABLE annotation(frame, kind, text AS ('computed')); "
    "INSERT INTO annotation VALUES(1, 'comment')",
    "CREATE TABLE annotation(frame, kind, text); INSERT INTO annotation VALUES('x', 'mark', ''), "
    "(-1, 'mark', ''), (1e300, 'mark', ''), (2, NULL, ''), (3, 'mark', NULL), (4, x'ff', 'a'), "
    "(5, 'future', 'a'), (9223372036854775807, 'mark', '')",
)


@pytest.mark.parametrize("sql", HOSTILE_TABLES)
async def test_a_table_that_could_be_anything_gives_no_annotations(path: Path, sql: str) -> None:
    """Ours: and the frames are read."""
    live = Transcript.create(path)
    live.append(Direction.RECEIVED, Channel.STDOUT, [LINE] * 3)
    await live.aclose()
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(sql)

    opened = await Transcript.open(path)

    assert opened.count == 3
    assert opened.annotations.is_empty


HOSTILE_FILES = (
    b"",
    b"{",
    b"[" * 100_000,
    b"\xff",
    b"[]",
    b'{"annotations": 5}',
    b'{"annotations": [1, {}, {"frame": true, "kind": "mark", "text": ""}, {"frame": 0, "kind": "mark", "text": ""}]}',
)


@pytest.mark.parametrize("raw", HOSTILE_FILES)
async def test_a_file_beside_a_recording_that_could_be_anything_is_read_tolerantly(
    path: Path, raw: bytes
) -> None:
    """Ours."""
    live = Transcript.create(path)
    live.append(Direction.RECEIVED, Channel.STDOUT, [LINE])
    await live.aclose()
    write_beside(path, raw)

    opened = await Transcript.open(path)

    assert opened.count == 1
    assert opened.annotations.is_empty


async def test_annotations_are_limited(path: Path) -> None:
    """Ours: also those of a file from elsewhere."""
    live = Transcript.create(path)
    live.annotations.set_comment(1, "x" * (MAX_COMMENT + 1))
    live.annotations.set_marked(range(1, MAX_ANNOTATIONS + 100), marked=True)
    assert len(live.annotations.comments[1]) == MAX_COMMENT
    assert len(live.annotations.marks) == MAX_ANNOTATIONS - 1
    assert live.annotations.is_full
    await live.aclose()
    entries = [{"frame": n, "kind": "mark", "text": ""} for n in range(1, MAX_ANNOTATIONS + 100)]
    write_beside(path, json.dumps({"annotations": entries}).encode())

    opened = await Transcript.open(path)

    assert len(opened.annotations.marks) == MAX_ANNOTATIONS
