"""The grade of a finding decides the color of its row; ours."""

from __future__ import annotations

import pytest

from inspector.finding import Finding, Severity
from tests.support.records import Written, request
from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import COLUMNS, make_cells, position
from ui.widgets.units import duration, size


@pytest.mark.parametrize(
    ("severities", "ground", "problems", "errors"),
    [
        ((Severity.INFO,), "", 0, 0),
        ((Severity.WARNING,), "warning_ground", 1, 0),
        ((Severity.ERROR,), "error_ground", 1, 1),
        ((Severity.WARNING, Severity.ERROR, Severity.ERROR), "error_ground", 1, 1),
    ],
)
def test_a_warning_is_amber_and_an_error_red(
    severities: tuple[Severity, ...], ground: str, problems: int, errors: int
) -> None:
    """Ours: two grades, two colors, in the row and in the counts."""
    record = Written()
    number = record.sent(request(1))
    for place, severity in enumerate(severities):
        record.transcript.add_finding(number, Finding("x", severity, "x", f"/{place}"))
    cells = make_cells(record.transcript, number, 0, TimeFormat.CLOCK)
    assert cells.background == ground
    counts = record.transcript.counts
    assert (counts.problems, counts.errors) == (problems, errors)


def test_usual_values_fit_the_first_width_of_their_column() -> None:
    """Ours: numbers that are cut say less than nothing."""
    values = {
        position("size"): [size(113_200), size(1023 << 10), size(999_900_000), size(7)],
        position("duration"): [duration(72.3), duration(59.94), duration(3599.0), duration(0.012)],
    }
    for column, texts in values.items():
        assert max(map(len, texts)) < COLUMNS[column].characters
