"""The columns of the traffic, one row each.

To add a column: a row in `COLUMNS`. The table, its menu of columns and the saved arrangement derive from it. The user adds columns for values
in the messages, by path (`path_column`); they stand before the last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.transcript.filter import json_paths
from inspector.transcript.filter.parser import QueryError
from inspector.visible_text import one_line
from ui.models import traffic_cells as cells
from ui.models.path_cells import path_text
from ui.models.row_rules import RowRule, rule_of
from ui.models.traffic_cells import FrameMark, FrameRow
from ui.widgets.table_columns import TableColumn
from ui.widgets.units import minutes_of, shorter_duration, shorter_size, size, size_exact

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from inspector.transcript.transcript import Transcript
    from ui.models.traffic_cells import TimeFormat
    from ui.widgets.row_painter import RowNote


class Cells(NamedTuple):
    """One row, as displayed."""

    texts: tuple[str, ...]
    """By column."""
    tones: tuple[str, ...]
    """Names of colors, by column."""
    background: str
    """Name of the color behind the row; empty for the usual one."""
    sign: str
    """Name of the icon before the status; empty for none."""
    note: RowNote | None
    """The problems beside the status; None for none."""
    unsettled: tuple[int, int, int] | None
    """Of a request that may still change, or its response: the request's frame, and its status and answer when this was made."""
    marks: tuple[tuple[str, str], ...] = ()
    """Names of the icons of its annotations, and of their colors."""


class ColumnSpec(TableColumn, frozen=True, kw_only=True):
    """One column of the traffic."""

    text: Callable[[FrameRow], str]
    """Returns the text of a cell."""
    tone: Callable[[FrameRow], str] = lambda row: row.tone
    """Returns the name of its color."""
    tip: Callable[[Transcript, int], str] = lambda _transcript, _number: ""
    """Returns the exact value behind the cell of a frame; empty where the cell has it all."""


def _muted(_row: FrameRow) -> str:
    return "muted"


COLUMNS = (
    ColumnSpec(
        key="number",
        title="#",
        tooltip="Frame number",
        characters=5,
        text=lambda row: str(row.number),
        tone=_muted,
        is_right=True,
    ),
    ColumnSpec(
        key="marks",
        title="Marks",
        tooltip="Marks, comments, the time reference, edited messages, colors",
        characters=8,
        text=lambda row: ", ".join(mark.text for mark in row.marks),
        tip=cells.marks_tip,
        is_hidden=True,
        has_marks=True,
    ),
    ColumnSpec(
        key="time",
        title="Time",
        tooltip="Time sent or received",
        characters=13,
        leaves=6,
        short_characters=10,
        shorten=minutes_of,
        text=cells.time_text,
        tone=_muted,
        tip=cells.time_tip,
        is_right=True,
    ),
    ColumnSpec(
        key="delta",
        title="Δ",
        tooltip="Time since the row above",
        characters=8,
        leaves=1,
        shorten=shorter_duration,
        text=cells.delta_text,
        tone=_muted,
        is_right=True,
        is_hidden=True,
    ),
    ColumnSpec(
        key="direction",
        title="↔",
        tooltip="Direction: → sent, ← received, · Spyglass note",
        characters=3,
        text=lambda row: cells.DIRECTION_SIGNS[row.direction],
        tone=lambda row: row.direction_tone,
        tip=cells.direction_tip,
    ),
    ColumnSpec(
        key="kind",
        title="Kind",
        tooltip="Frame kind",
        characters=11,
        leaves=4,
        text=lambda row: row.kind.name.lower(),
        tone=_muted,
        tip=cells.findings_tip,
    ),
    ColumnSpec(
        key="method",
        title="Method",
        tooltip="Method (for responses, the request's method)",
        characters=22,
        min_characters=14,
        shorten=cells.without_prefix,
        text=lambda row: (
            one_line(row.method, cells.NAME_LIMIT) or cells.UNREADABLE.get(row.kind, "")
        ),
        tip=cells.method_tip,
        is_mono=True,
        is_name=True,
    ),
    ColumnSpec(
        key="id",
        title="Id",
        tooltip="JSON-RPC id; strings are quoted",
        characters=10,
        leaves=3,
        text=lambda row: row.id,
        is_mono=True,
        is_name=True,
    ),
    ColumnSpec(
        key="status",
        title="Status",
        tooltip="Request status, and how many problems the frame has",
        characters=18,  # the longest of them beside its sign, whole; OK beside a few problems
        text=lambda row: row.status,
        tone=lambda row: row.status_tone,
        tip=cells.findings_tip,
        has_sign=True,
    ),
    ColumnSpec(
        key="duration",
        title="Duration",
        tooltip="Time until the response or cancellation",
        characters=8,
        leaves_last=1,
        shorten=shorter_duration,
        text=lambda row: cells.took(row.transcript, row.number, row.kind),
        tone=lambda row: row.duration_tone,
        tip=cells.duration_tip,
        is_right=True,
    ),
    ColumnSpec(
        key="size",
        title="Size",
        tooltip="Frame size",
        characters=8,
        leaves=2,
        shorten=shorter_size,
        text=lambda row: size(row.transcript.columns.size[row.number - 1]),
        tone=_muted,
        tip=lambda transcript, number: size_exact(transcript.columns.size[number - 1]),
        is_right=True,
    ),
    ColumnSpec(
        key="auth",
        title="Auth",
        tooltip="Fingerprint of the token that the HTTP request carried",
        characters=10,
        leaves=5,
        text=lambda row: cells.auth_text(row.transcript, row.number),
        is_mono=True,
        is_hidden=True,
    ),
    ColumnSpec(
        key="summary",
        title="Summary",
        tooltip="Message data",
        characters=12,
        text=lambda row: row.summary,
        tone=lambda row: row.summary_tone,
        tip=cells.raw_tip,
    ),
)
"""Every column, in the order of the model; the last one takes the width that is left."""


MAX_PATHS = 12
"""Columns that the user adds."""


def path_column(path: str) -> ColumnSpec | None:
    """Return the column of the values at a path in the messages; None for a text that is no path."""
    try:
        values = json_paths.parse_path(path)
    except QueryError:
        return None
    return ColumnSpec(
        key=f"{PATH_KEY}{path}",
        title=path.rpartition(".")[2] or path,
        tooltip=path,
        characters=14,
        text=lambda row: path_text(row.transcript, row.number, values),
        tip=lambda transcript, number: path_text(transcript, number, values),
        is_mono=True,
        is_removable=True,
    )


PATH_KEY = "path:"
"""What the key of the column of a path begins with."""


def columns_with(paths: Sequence[str]) -> tuple[ColumnSpec, ...]:
    """Return every column, with those of the paths before the last one."""
    own = [each for each in map(path_column, paths) if each is not None]
    return (*COLUMNS[:-1], *own[:MAX_PATHS], COLUMNS[-1])


def position(key: str) -> int:
    """Return where the column of `COLUMNS` called `key` is in the model; it is not the last one."""
    return next(at for at, spec in enumerate(COLUMNS) if spec.key == key)


def make_cells(
    transcript: Transcript,
    number: int,
    above: int,
    time_format: TimeFormat,
    columns: Sequence[ColumnSpec] = (),
    rules: Sequence[RowRule] = (),
    *,
    muted: Collection[str] = (),
) -> Cells:
    """Return the row of frame `number` below frame `above` (0 for none); the standard columns without `columns`."""
    row = FrameRow(transcript, number, above, time_format, muted)
    columns = columns or COLUMNS
    rule = rule_of(rules, transcript, number) if rules else None
    if rule is not None:
        row.marks += (FrameMark(rule.color.sign, rule.color.tone, rule.name),)
    texts = tuple([spec.text(row) for spec in columns])
    if row.is_probe:
        tones = ("muted",) * len(columns)
    else:
        tones = tuple([spec.tone(row) for spec in columns])
    unsettled = cells.unsettled(transcript, number, row.kind)
    background = rule.color.background if rule is not None else row.background
    marks = tuple([(mark.sign, mark.tone) for mark in row.marks])
    return Cells(texts, tones, background, row.sign, row.note, unsettled, marks)
