"""The grade of a finding decides the color of its row; ours."""

from __future__ import annotations

import pytest

from inspector.finding import Finding, Severity
from tests.support.records import Written, request
from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import make_cells, position


@pytest.mark.parametrize(
    ("severities", "tone", "background", "problems", "errors"),
    [
        ((Severity.INFO,), "pending", "", 0, 0),
        ((Severity.WARNING,), "warning", "", 1, 0),
        ((Severity.ERROR,), "error", "error_ground", 1, 1),
        ((Severity.WARNING, Severity.ERROR, Severity.ERROR), "error", "error_ground", 1, 1),
    ],
)
def test_a_warning_is_amber_and_an_error_red(
    severities: tuple[Severity, ...], tone: str, background: str, problems: int, errors: int
) -> None:
    """Ours: two grades, two colors, and a background for errors only, in the row and in the counts."""
    record = Written()
    number = record.sent(request(1))
    for place, severity in enumerate(severities):
        record.transcript.add_finding(number, Finding("x", severity, "x", f"/{place}"))
    cells = make_cells(record.transcript, number, 0, TimeFormat.CLOCK)
    assert (cells.tones[position("status")], cells.background) == (tone, background)
    counts = record.transcript.counts
    assert (counts.problems, counts.errors) == (problems, errors)
