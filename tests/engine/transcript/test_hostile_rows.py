"""Rows of a recording may hold anything: they cost one frame at most, and frames keep the numbers they are stored with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.finding import Severity
from inspector.transcript import read_only_database
from inspector.transcript.recording_reader import RecordingReader
from inspector.wire.frame import Direction
from tests.support.recordings import open_whole, rules_of, run_sql, write_recording
from tests.support.stored_raws import stored_raws

if TYPE_CHECKING:
    from pathlib import Path

LAST = "(SELECT max(number) FROM frame)"


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A good recording of seven frames."""
    path = tmp_path / "x.spyglass"
    await write_recording(path)
    return path


async def test_a_missing_frame_keeps_its_place_so_that_the_others_keep_their_numbers(
    path: Path,
) -> None:
    """Ours."""
    whole = (await open_whole(path)).transcript
    run_sql(path, "DELETE FROM frame WHERE number IN (1, 4)")

    recording = await open_whole(path)

    transcript = recording.transcript
    assert transcript.count == whole.count
    for number in (2, 3, 5, 6, 7):
        assert transcript.frame(number) == whole.frame(number)
    assert rules_of(transcript, 1) == rules_of(transcript, 4) == ["missing-frame"]
    assert transcript.row(4).direction is Direction.NOTE
    assert any("1, 4" in sentence for sentence in recording.report.sentences)


@pytest.mark.parametrize("number", [1, 2, 4, 7])
async def test_a_frame_that_is_too_large_to_read_costs_no_other(
    path: Path, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ours: SQLite looks for one more row before it gives the row before."""
    monkeypatch.setattr(read_only_database, "MAX_VALUE_BYTES", 1 << 16)
    run_sql(path, f"UPDATE frame SET raw = zeroblob(100000) WHERE number = {number}")

    recording = await open_whole(path)

    assert recording.report.missing == (number < 7)
    assert recording.report.damaged_after == number - 1
    kinds = [rules_of(recording.transcript, each) for each in range(1, recording.transcript.count)]
    assert kinds.count(["missing-frame"]) == (number < 7)


async def test_a_response_whose_request_is_missing_is_no_fault_of_the_server(path: Path) -> None:
    """Ours."""
    run_sql(path, "DELETE FROM frame WHERE number = 4")

    found = (await open_whole(path)).transcript.findings(5)

    assert [finding.severity for finding in found] == [Severity.INFO]


@pytest.mark.parametrize("number", [9_000_000_000, 2**63 - 1, -1, 0, -(2**63)])
async def test_a_frame_with_a_number_out_of_reach_is_shown_after_the_others(
    path: Path, number: int
) -> None:
    """Ours."""
    raw = (await open_whole(path)).transcript.raw(7)
    run_sql(path, f"UPDATE frame SET number = {number} WHERE number = {LAST}")

    recording = await open_whole(path)

    transcript = recording.transcript
    assert transcript.count == 7
    assert transcript.raw(7) == raw
    assert rules_of(transcript, 7) == ["stored-number"]
    assert f"{number:,}" in transcript.findings(7)[0].summary
    assert recording.report.sentences


async def test_what_left_the_memory_is_read_back_from_the_row_it_came_from(path: Path) -> None:
    """Ours: also where numbers have gaps, and where rows do not have the number they are shown with."""
    script = (
        f"DELETE FROM frame WHERE number = 3; UPDATE frame SET number = -5 WHERE number = {LAST};"
    )
    run_sql(path, f"{script} UPDATE frame SET raw = 5 WHERE number = 2")
    file = RecordingReader(path)
    raws = list(stored_raws(file))

    assert len(raws) == 7
    assert file.raws(1, 8) == raws
    assert file.raws(6, 8) == raws[5:]


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ("direction = 77", "unreadable-frame"),
        ("direction = NULL", "unreadable-frame"),
        ("direction = 2", "unreadable-frame"),
        ("channel = 99", "unreadable-frame"),
        ("channel = 'x'", "unreadable-frame"),
        ("raw = 5", "unreadable-frame"),
        ("raw = NULL", "unreadable-frame"),
        ("stream = 5000000000", "stored-value"),
        ("stream = -1", "stored-value"),
        ("stream = 3", "stored-value"),
        ("at = 'noon'", "stored-value"),
        ("at = 9e999", "stored-value"),
        ("wall = 1e300", "stored-value"),
        ("wall = -1e300", "stored-value"),
        ("wall = CAST(x'ff' AS TEXT)", "stored-value"),
        ("flaw = 4096", "stored-value"),
        ("dropped = -3", "stored-value"),
        ("dropped = 9223372036854775807", "stored-value"),
    ],
)
async def test_a_value_that_makes_no_sense_costs_one_row_at_most(
    path: Path, change: str, rule: str
) -> None:
    """Ours."""
    loosened = "CREATE TABLE f(number INTEGER PRIMARY KEY, at, wall, direction, channel, stream, flaw, dropped, raw)"
    columns = "number, at, wall, direction, channel, stream, flaw, dropped, raw"
    run_sql(
        path,
        f"{loosened}; INSERT INTO f SELECT {columns} FROM frame; DROP TABLE frame;"
        f"ALTER TABLE f RENAME TO frame; UPDATE frame SET {change} WHERE number = 3",
    )

    transcript = (await open_whole(path)).transcript

    assert transcript.count == 7
    assert rule in rules_of(transcript, 3)
    assert rules_of(transcript, 7) == []
    for number in range(1, 8):
        transcript.frame(number)
        transcript.exchange(number)


async def test_the_content_of_a_frame_that_cannot_be_placed_is_still_there(path: Path) -> None:
    """Ours: a newer Spyglass may know more channels."""
    run_sql(path, "UPDATE frame SET channel = 99 WHERE number = 2")

    transcript = (await open_whole(path)).transcript

    assert b'\\"method\\":\\"ping\\"' in transcript.raw(2)


async def test_content_stored_as_text_is_the_same_bytes(path: Path) -> None:
    """Ours: invalid UTF-8 included."""
    run_sql(path, "UPDATE frame SET raw = CAST(x'7bff7d' AS TEXT) WHERE number = 3")

    assert (await open_whole(path)).transcript.raw(3) == b"\x7b\xff\x7d"
