"""The columns of the traffic, one row each.

To add a column: a row in `COLUMNS`. The table, its menu of columns and the saved arrangement derive from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.frozen import FrozenStruct
from inspector.visible_text import one_line
from ui.models import traffic_cells as cells
from ui.models.traffic_cells import FrameRow
from ui.widgets.units import size, size_exact

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transcript.transcript import Transcript
    from ui.models.traffic_cells import TimeFormat


class Cells(NamedTuple):
    """One row, as displayed."""

    texts: tuple[str, ...]
    """By column."""
    tones: tuple[str, ...]
    """Names of colors, by column."""
    background: str
    """Name of the color behind the row; empty for the usual one."""
    unsettled: tuple[int, int, int] | None
    """Of a request that may still change, or its response: the request's frame, and its status and answer when this was made."""


class ColumnSpec(FrozenStruct, frozen=True):
    """One column."""

    key: str
    """A stable name, for the saved arrangement."""
    title: str
    """The text of its header."""
    tooltip: str
    """What it shows, for the tooltip of the header and the menu of columns."""
    characters: int
    """Width in digits, at first."""
    text: Callable[[FrameRow], str]
    """Returns the text of a cell."""
    tone: Callable[[FrameRow], str] = lambda row: row.tone
    """Returns the name of its color."""
    tip: Callable[[Transcript, int], str] = lambda _transcript, _number: ""
    """Returns the exact value behind the cell of a frame; empty where the cell says it all."""
    is_right: bool = False
    """Whether its texts are numbers, aligned to the right."""
    is_mono: bool = False
    """Whether its texts are names or values from the wire."""
    is_name: bool = False
    """Whether its texts are elided in the middle."""
    is_hidden: bool = False
    """Whether it is hidden at first."""


def _muted(_row: FrameRow) -> str:
    return "muted"


COLUMNS = (
    ColumnSpec(
        "number", "#", "Frame number", 6, lambda row: str(row.number), _muted, is_right=True
    ),
    ColumnSpec(
        "time",
        "Time",
        "Time sent or received",
        11,
        cells.time_text,
        _muted,
        cells.time_tip,
        is_right=True,
    ),
    ColumnSpec(
        "delta", "Δ", "Time since the row above", 9, cells.delta_text, _muted, is_right=True
    ),
    ColumnSpec(
        "direction",
        "Dir",
        "→ sent, ← received, · Spyglass note",
        4,
        lambda row: cells.DIRECTION_SIGNS[row.direction],
        lambda row: row.direction_tone,
        cells.direction_tip,
    ),
    ColumnSpec(
        "kind",
        "Kind",
        "Frame kind; ! marks a problem",
        11,
        cells.kind_text,
        lambda row: row.kind_tone,
        cells.findings_tip,
    ),
    ColumnSpec(
        "method",
        "Method",
        "Method (for responses, the request's method)",
        18,
        lambda row: one_line(row.method, cells.NAME_LIMIT) or cells.UNREADABLE.get(row.kind, ""),
        tip=cells.method_tip,
        is_mono=True,
        is_name=True,
    ),
    ColumnSpec(
        "id",
        "Id",
        "JSON-RPC id; strings are quoted",
        9,
        lambda row: row.id,
        is_mono=True,
        is_name=True,
    ),
    ColumnSpec(
        "status",
        "Status",
        "Request status",
        13,
        lambda row: row.status,
        lambda row: row.status_tone,
        cells.findings_tip,
    ),
    ColumnSpec(
        "duration",
        "Duration",
        "Time until the response or cancellation",
        12,
        lambda row: cells.took(row.transcript, row.number, row.kind),
        tip=cells.duration_tip,
        is_right=True,
    ),
    ColumnSpec(
        "size",
        "Size",
        "Frame size",
        9,
        lambda row: size(row.transcript.columns.size[row.number - 1]),
        _muted,
        lambda transcript, number: size_exact(transcript.columns.size[number - 1]),
        is_right=True,
    ),
    ColumnSpec(
        "auth",
        "Auth",
        "Fingerprint of the token that the HTTP request carried",
        10,
        lambda row: cells.auth_text(row.transcript, row.number),
        is_mono=True,
        is_hidden=True,
    ),
    ColumnSpec(
        "summary",
        "Summary",
        "Message data",
        12,
        lambda row: row.summary,
        lambda row: row.summary_tone,
        cells.raw_tip,
    ),
)
"""Every column, in the order of the model; the last one takes the width that is left."""


def position(key: str) -> int:
    """Return where the column called `key` is in the model."""
    return next(at for at, spec in enumerate(COLUMNS) if spec.key == key)


def make_cells(transcript: Transcript, number: int, above: int, time_format: TimeFormat) -> Cells:
    """Return the row of frame `number` below frame `above` (0 for none)."""
    row = FrameRow(transcript, number, above, time_format)
    texts = tuple([spec.text(row) for spec in COLUMNS])
    if row.is_probe:
        tones, background = ("muted",) * len(COLUMNS), ""
    else:
        tones = tuple([spec.tone(row) for spec in COLUMNS])
        background = cells.background_of(row.kind, problem=row.problem)
    return Cells(texts, tones, background, cells.unsettled(transcript, number, row.kind))
