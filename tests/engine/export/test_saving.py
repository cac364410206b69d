"""Files that are written, and those that are there already; ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.export.bug_report import report_writer
from inspector.export.formats import CSV, MARKDOWN, OTLP, Format
from inspector.export.saving import BugReport, Export, RecordingPart
from inspector.transcript.redaction import Masking
from inspector.wire.redaction import MASK
from tests.support.records import Written, request

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from inspector.export.formats import Write
    from inspector.transcript.transcript import Transcript


REPORT = report_writer(1, {}, "x.spyglass")


def files(folder: Path) -> dict[str, bytes]:
    """The files in a folder."""
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def bug_report(record: Written, write: Write = REPORT) -> BugReport:
    """A report about the first frame."""
    transcript, numbers = record.transcript, [1]
    format_ = Format("report", "Report", "", write, suffix=".md")

    def report(recording: str) -> Export:
        assert recording
        return Export(format_, transcript, numbers, Masking(transcript))

    return BugReport(report, RecordingPart(transcript, numbers, Masking(transcript)))


async def test_the_recording_of_a_bug_report_replaces_no_other_file(tmp_path: Path) -> None:
    """Ours: the user was asked about the report only."""
    record = Written()
    record.sent(request(1))
    other = tmp_path / "x.spyglass"
    other.write_bytes(b"evidence")

    for _ in range(2):
        assert await bug_report(record).run(tmp_path / "x.md")

    found = files(tmp_path)
    assert found["x.spyglass"] == b"evidence"
    assert sorted(found) == ["x-2.spyglass", "x-3.spyglass", "x.md", "x.spyglass"]


async def test_a_bug_report_can_be_stopped_until_its_end(tmp_path: Path) -> None:
    """Ours: in its second file too; then neither is kept."""
    record = Written()
    record.sent(request(1))

    def write(transcript: Transcript, numbers: Iterable[int], masking: Masking) -> Iterator[str]:
        del transcript, numbers, masking
        job.stop()
        yield "text"

    job = bug_report(record, write)

    assert await job.run(tmp_path / "x.md") == 0
    assert not files(tmp_path)


@pytest.mark.parametrize("write", [CSV.write, MARKDOWN.write, OTLP.write, REPORT])
@pytest.mark.parametrize("method", ["tasks/get", "tasks/update"])
def test_no_file_has_the_id_of_a_task(write: Write, method: str) -> None:
    """C-SEC-14: neither as what a request is about, nor in its text."""
    record = Written()
    record.sent(request(1, method, {"taskId": "t-77"}))

    hidden = "\n".join(write(record.transcript, [1], Masking(record.transcript)))
    whole = "\n".join(write(record.transcript, [1], Masking(record.transcript, with_secrets=True)))

    assert "t-77" not in hidden
    assert MASK in hidden
    assert "t-77" in whole
