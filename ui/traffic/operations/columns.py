"""The columns of the operations, one row each."""

from __future__ import annotations

from ui.models.traffic_cells import without_prefix
from ui.widgets.table_columns import TableColumn
from ui.widgets.units import minutes_of, shorter_duration, shorter_size

COLUMNS = (
    TableColumn(key="fold", title="", tooltip="Fold or unfold (← →)", characters=3.75),
    TableColumn(key="number", title="#", tooltip="Frame number", characters=5, is_right=True),
    TableColumn(
        key="marks",
        title="Marks",
        tooltip="Marks, comments, the time reference, edited messages, colors, of all frames of the row",
        characters=8,
        is_hidden=True,
        has_marks=True,
    ),
    TableColumn(
        key="time",
        title="Time",
        tooltip="Time of the request or frame",
        characters=13,
        leaves=3,
        leaves_last=1,
        short_characters=10,
        shorten=minutes_of,
        is_right=True,
    ),
    TableColumn(
        key="operation",
        title="Operation",
        tooltip="Method, and the tool, prompt or resource",
        characters=33,
        min_characters=20,
        shorten=without_prefix,
        is_mono=True,
    ),
    TableColumn(
        key="status",
        title="Status",
        tooltip="How the operation ended, and how many problems its request and response have",
        characters=18,
        has_sign=True,
    ),
    TableColumn(
        key="split",
        title="Time split",
        tooltip="Queue, network, server, waiting for you; as long as the total beside the slowest row (linear or logarithmic: menu of the header)",
        characters=14,
        leaves=2,
    ),
    TableColumn(
        key="total",
        title="Total",
        tooltip="Time from the request to its end",
        characters=8,
        shorten=shorter_duration,
        is_right=True,
    ),
    TableColumn(
        key="size",
        title="Size",
        tooltip="Size of all frames of the row",
        characters=8,
        leaves=1,
        shorten=shorter_size,
        is_right=True,
    ),
    TableColumn(key="summary", title="Summary", tooltip="Message data", characters=12),
)
"""In the order of the model; the last one takes the width that is left."""

MESSAGE_COLUMNS = {
    "number": "number",
    "marks": "marks",
    "time": "time",
    "operation": "method",
    "status": "status",
    "total": "duration",
    "size": "size",
    "summary": "summary",
}
"""Columns, and those of messages that tell the same of one frame."""


def position(key: str) -> int:
    """Return where the column called `key` is in the model."""
    return next(at for at, spec in enumerate(COLUMNS) if spec.key == key)
