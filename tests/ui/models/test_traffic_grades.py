"""The grade of a finding decides the color of the note beside the status, and of its row; ours."""

from __future__ import annotations

import pytest

from inspector.finding import Finding, Severity
from inspector.transcript.findings import DEFAULT_BUDGET
from tests.support.records import Written, request, result
from ui.models.problem_note import found_in
from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import make_cells, position


@pytest.mark.parametrize(
    ("severities", "note", "background", "problems", "errors"),
    [
        ((Severity.INFO,), None, "", 0, 0),
        ((Severity.WARNING,), ("warning", "1 problem"), "", 1, 0),
        ((Severity.ERROR,), ("error", "1 problem"), "error_ground", 1, 1),
        (
            (Severity.INFO, Severity.WARNING, Severity.ERROR),
            ("error", "2 problems"),
            "error_ground",
            1,
            1,
        ),
    ],
)
def test_a_warning_is_amber_and_an_error_red(
    severities: tuple[Severity, ...],
    note: tuple[str, str] | None,
    background: str,
    problems: int,
    errors: int,
) -> None:
    """Ours: two grades, two colors, and a background for errors only. How the request ended keeps its own color."""
    record = Written()
    number = record.sent(request(1))
    for place, severity in enumerate(severities):
        record.transcript.add_finding(number, Finding("x", severity, "x", f"/{place}"))
    cells = make_cells(record.transcript, number, 0, TimeFormat.CLOCK)
    found = None if cells.note is None else (cells.note.tone, cells.note.text)
    assert (found, cells.background) == (note, background)
    assert cells.tones[position("status")] == "pending"
    counts = record.transcript.counts
    assert (counts.problems, counts.errors) == (problems, errors)


@pytest.mark.parametrize(
    ("muted", "note"),
    [
        ((), ("error", "3 problems")),
        (("minor",), ("error", "1 problem")),
        (("grave",), ("warning", "2 problems")),
        (("minor", "grave"), None),
    ],
)
def test_problems_of_muted_rules_do_not_count_in_rows(
    muted: tuple[str, ...], note: tuple[str, str] | None
) -> None:
    """Ours: as in the list of problems."""
    record = Written()
    number = record.sent(request(1))
    record.transcript.add_finding(number, Finding("grave", Severity.ERROR, "x", "/0"))
    for place in (1, 2):
        record.transcript.add_finding(number, Finding("minor", Severity.WARNING, "x", f"/{place}"))

    cells = make_cells(record.transcript, number, 0, TimeFormat.CLOCK, muted=muted)

    assert (None if cells.note is None else (cells.note.tone, cells.note.text)) == note


GRAVE, MINOR = ("grave", Severity.ERROR), ("minor", Severity.WARNING)
OTHER, SMALL = ("other", Severity.ERROR), ("small", Severity.WARNING)


@pytest.mark.parametrize(
    ("findings", "muted", "shown"),
    [
        (((GRAVE,), (OTHER,)), ("grave",), ("1 problem", "error", 2)),
        (((MINOR,), (GRAVE, SMALL)), ("minor", "grave"), ("1 problem", "warning", 2)),
        (((MINOR,), (GRAVE,)), (), ("2 problems", "error", 2)),
        (((MINOR,), (GRAVE,)), ("grave",), ("1 problem", "warning", 1)),
    ],
)
def test_the_count_of_problems_leads_to_a_frame_with_one_that_counts(
    findings: tuple[tuple[tuple[str, Severity], ...], ...],
    muted: tuple[str, ...],
    shown: tuple[str, str, int],
) -> None:
    """Ours: muted rules decide neither the tone nor the frame."""
    record = Written()
    numbers = [record.sent(request(1)), record.received(result(1))]
    for number, of_frame in zip(numbers, findings, strict=True):
        for rule, severity in of_frame:
            record.transcript.add_finding(number, Finding(rule, severity, "x", "/0"))

    found = found_in(record.transcript, numbers, muted)

    assert (found.text, found.tone, found.frame) == shown


def test_where_findings_were_dropped_only_marks_without_a_known_reason_count() -> None:
    """Ours: a muted error explains that its frame is marked; what was dropped of the same frame is unknown."""
    record = Written()
    muted, other = record.sent(request(1)), record.received(result(1))
    record.transcript.add_finding(muted, Finding("grave", Severity.ERROR, "x", "/0"))
    for place in range(DEFAULT_BUDGET):
        record.transcript.add_finding(other, Finding("note", Severity.INFO, "x", f"/{place}"))

    before = found_in(record.transcript, (muted, other), {"grave"})
    record.transcript.add_finding(other, Finding("other", Severity.ERROR, "x", "/0"))
    after = found_in(record.transcript, (muted, other), {"grave"})

    assert (before.text, before.tone, before.frame) == ("problems", "warning", muted)
    assert (after.text, after.tone, after.frame) == ("problems", "error", other)
    assert before.is_partial
