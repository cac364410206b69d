"""The saved arrangement of the panel: columns, details and choices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from ui.models.traffic_cells import TimeFormat
from ui.traffic.bar import Mode
from ui.traffic.detail_split import Arrangement
from ui.widgets.table_columns import SavedColumn

if TYPE_CHECKING:
    from ui.traffic.panel import TrafficPanel

VERSION = 4
"""Of saved arrangements."""
EARLIER_VERSIONS = (2, 3)
"""Versions with widths in pixels, which hold for one size of text only: of them, choices and the order of columns count."""


class _State(msgspec.Struct):
    version: int
    columns: dict[str, SavedColumn] = {}
    """By key, from left to right."""
    paths: list[str] = []
    """Paths into the messages that have a column."""
    share_beside: float = 0
    """Part of the width that the details take; 0 until the user drags their edge."""
    share_below: float = 0
    """The same of the height."""
    beside: bool = True
    detail: bool = True
    time_format: TimeFormat = TimeFormat.CLOCK
    stderr: bool = True
    http: bool = False
    folds: bool = True
    """Whether runs of stderr lines, HTTP headers and keep-alives are one row each."""
    mode: Mode = Mode.MESSAGES
    operation_columns: dict[str, SavedColumn] = {}
    """Those of the operations, likewise."""
    logarithmic: bool = False
    """Whether the bars of operations are scaled by the logarithm of their times."""


def save(panel: TrafficPanel) -> bytes:
    """Return the arrangement of `panel`."""
    state = _State(
        version=VERSION,
        columns=panel.table.columns.save(),
        paths=panel.table.paths,
        share_beside=panel.split.shares[Arrangement.BESIDE],
        share_below=panel.split.shares[Arrangement.BELOW],
        beside=not panel.split.prefers_below,
        detail=panel.split.is_enabled,
        time_format=panel.model.time_format,
        stderr=panel.filtering.shows_stderr,
        http=panel.filtering.shows_http,
        folds=panel.model.folds,
        mode=panel.modes.mode,
        operation_columns=panel.modes.operation_columns,
        logarithmic=panel.modes.is_logarithmic,
    )
    return msgspec.json.encode(state)


def restore(panel: TrafficPanel, saved: bytes) -> bool:
    """Arrange `panel` as it was saved; False for bytes that cannot be read, which change nothing."""
    try:
        state = msgspec.json.decode(saved, type=_State)
    except msgspec.MsgspecError:
        return False
    if state.version == VERSION:
        panel.table.set_paths(state.paths)
        panel.table.columns.restore(state.columns)
        panel.split.shares[Arrangement.BESIDE] = min(max(state.share_beside, 0), 1)
        panel.split.shares[Arrangement.BELOW] = min(max(state.share_below, 0), 1)
        panel.split.set_enabled(state.detail)
    elif state.version in EARLIER_VERSIONS:
        panel.table.columns.restore_order(list(state.columns))
    else:
        return False
    panel.split.set_below(not state.beside)
    panel.model.set_time_format(state.time_format)
    panel.filtering.show_stderr(state.stderr)
    panel.filtering.show_http(state.http)
    panel.model.set_folds(state.folds)
    panel.modes.operation_columns = state.operation_columns
    panel.modes.is_logarithmic = state.logarithmic
    panel.modes.set_mode(state.mode)
    return True
