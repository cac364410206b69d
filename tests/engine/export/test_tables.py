"""Frames as CSV and Markdown: what a server made up stays data; ours."""

from __future__ import annotations

import csv
import io

from inspector.export.formats import CSV, INDENTED_JSON, MARKDOWN, Format
from inspector.export.markdown import MAX_BLOCK
from inspector.export.text import MAX_INDENTED
from inspector.transcript.redaction import Masking
from tests.support.records import Written, request, result


def written(record: Written, format_: Format) -> str:
    """All frames in a format."""
    transcript = record.transcript
    numbers = range(1, transcript.count + 1)
    return "\n".join(format_.texts(transcript, numbers, Masking(transcript)))


def test_a_row_has_what_the_table_shows_and_no_formula() -> None:
    """Ours: a name that a spreadsheet would calculate."""
    record = Written()
    record.sent(request("=1+1", "tools/call", {"name": '=HYPERLINK("x")\n,'}))
    record.received(result("=1+1"))

    call, answer = csv.DictReader(io.StringIO(written(record, CSV)))

    assert call["name"] == '\'=HYPERLINK("x")\n,'
    assert (call["id"], call["status"], call["duration_ms"]) == ('"=1+1"', "ok", "1000.000")
    assert (answer["request"], answer["direction"], answer["seconds"]) == ("1", "in", "1.000000")
    assert call["time"] == "2023-11-14T22:13:21.000000+00:00"


def test_a_line_end_in_a_name_begins_no_row() -> None:
    """Ours: what follows it would be a formula in a cell of its own."""
    record = Written()
    record.sent(request(1, "tools/call", {"name": "a\n=1+1"}))
    record.sent(request(2, "tools/call", {"name": "a\r=1+1"}))

    rows = [*csv.DictReader(io.StringIO(written(record, CSV), newline=""))]

    assert [row["name"] for row in rows] == ["a\n=1+1", "a\r=1+1"]


def test_no_text_of_a_server_leaves_its_block_of_markdown() -> None:
    """Ours."""
    record = Written()
    record.sent(request(1, "tools/call", {"name": "`<b>`\n# x"}))
    record.stderr("````\n# heading\u202e")

    text = written(record, MARKDOWN)

    assert "`````\n````\n# heading\ufffd\n`````" in text
    assert "`` `<b>` # x ``" in text
    assert [line for line in text.splitlines() if line.startswith("# ")] == ["# heading\ufffd"]


def test_a_large_message_is_not_indented_and_only_begun_in_markdown() -> None:
    """Ours: as JSON it is whole, as it was sent; and no secret is in either."""
    record = Written()
    secret = {"requestState": "s" * 40}
    record.received(result(1, {**secret, "text": "x" * MAX_INDENTED}))
    size = record.transcript.columns.size[0]

    whole, begun = written(record, INDENTED_JSON), written(record, MARKDOWN)

    assert "\n" not in whole
    assert whole.count("x") >= MAX_INDENTED
    assert f"the beginning of {size:,} bytes" in begun
    assert MAX_BLOCK / 2 < len(begun) < MAX_BLOCK * 2
    assert "sss" not in whole + begun
