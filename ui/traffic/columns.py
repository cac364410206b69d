"""Widths and visibility of the columns, and the saved arrangement of the panel: columns, splitter and choices."""

from __future__ import annotations

from base64 import b64decode, b64encode
from functools import partial
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QByteArray, Qt

from ui.models import traffic_columns
from ui.models.traffic_cells import TimeFormat
from ui.traffic.row_painter import MARGIN

if TYPE_CHECKING:
    from PySide6.QtWidgets import QHeaderView, QMenu

    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel

MIN_CHARACTERS = 3
"""Minimum width of a column in digits."""
NUMBER = 0
"""The column that cannot be hidden."""
VERSION = 3
"""Of saved arrangements. Version 2 saved the header as Qt does, for exactly `V2_COLUMNS` columns."""
V2_COLUMNS = 12


def set_up(header: QHeaderView) -> None:
    """Let columns be moved, resized and hidden; the last one takes what is left."""
    header.setSectionsMovable(True)
    header.setStretchLastSection(True)
    header.setHighlightSections(False)
    header.setSectionsClickable(False)
    header.setCascadingSectionResizes(False)


def fit(header: QHeaderView, theme: Theme) -> None:
    """Give every column its first width."""
    digit = theme.character_width()
    header.setMinimumSectionSize(MIN_CHARACTERS * digit)
    for column, spec in enumerate(traffic_columns.COLUMNS):
        header.resizeSection(column, spec.characters * digit)
        header.setSectionHidden(column, spec.is_hidden)


def rescale(header: QHeaderView, theme: Theme, before: int) -> None:
    """Let every column show as much as it did when a character was `before` pixels wide."""
    digit = theme.character_width()
    if digit == before:
        return
    header.setMinimumSectionSize(MIN_CHARACTERS * digit)
    for column, spec in enumerate(traffic_columns.COLUMNS):
        width = header.sectionSize(column) * digit / before
        hidden = header.isSectionHidden(column)
        header.resizeSection(column, spec.characters * digit if hidden else round(width))


def fit_numbers(header: QHeaderView, theme: Theme, highest: int) -> None:
    """Make the first column wide enough for every number up to `highest`."""
    width = len(str(highest)) * theme.character_width() + 2 * theme.px(MARGIN + 1)
    if not header.isSectionHidden(NUMBER) and header.sectionSize(NUMBER) < width:
        header.resizeSection(NUMBER, width)


def add_choices(menu: QMenu, header: QHeaderView) -> None:
    """Put one checkable entry for each column into `menu`."""
    for column, spec in enumerate(traffic_columns.COLUMNS):
        action = menu.addAction(f"{spec.title}: {spec.tooltip}")
        action.setCheckable(True)
        action.setChecked(not header.isSectionHidden(column))
        action.setEnabled(column != NUMBER)
        action.toggled.connect(partial(_set_visible, header, column))


def _set_visible(header: QHeaderView, column: int, visible: bool) -> None:
    header.setSectionHidden(column, not visible)


def reset(header: QHeaderView, theme: Theme) -> None:
    """Give every column its first place and width."""
    for column in range(header.count()):
        header.moveSection(header.visualIndex(column), column)
    fit(header, theme)


class _Column(msgspec.Struct):
    width: int
    hidden: bool = False


class _State(msgspec.Struct):
    version: int
    splitter: str
    columns: dict[str, _Column] = {}
    """By key, from left to right."""
    header: str = ""
    beside: bool = True
    detail: bool = False
    time_format: TimeFormat = TimeFormat.CLOCK
    stderr: bool = True
    http: bool = False


def save(panel: TrafficPanel) -> bytes:
    """Return the arrangement of `panel`."""
    header, columns = panel.table.horizontalHeader(), traffic_columns.COLUMNS
    state = _State(
        version=VERSION,
        splitter=b64encode(panel.splitter.saveState().data()).decode(),
        columns={
            columns[at].key: _Column(header.sectionSize(at), header.isSectionHidden(at))
            for at in map(header.logicalIndex, range(header.count()))
        },
        beside=panel.splitter.orientation() is Qt.Orientation.Horizontal,
        detail=panel.bar.detail.isChecked(),
        time_format=panel.model.time_format,
        stderr=panel.filtering.shows_stderr,
        http=panel.filtering.shows_http,
    )
    return msgspec.json.encode(state)


def restore(panel: TrafficPanel, saved: bytes) -> bool:
    """Arrange `panel` as it was saved; False for bytes that cannot be read, which change nothing."""
    try:
        state = msgspec.json.decode(saved, type=_State)
        header, splitter = b64decode(state.header), b64decode(state.splitter)
    except (msgspec.MsgspecError, ValueError):
        return False
    if state.version == VERSION:
        _restore_columns(panel.table.horizontalHeader(), state.columns)
    elif state.version == 2 and len(traffic_columns.COLUMNS) == V2_COLUMNS:
        panel.table.horizontalHeader().restoreState(QByteArray(header))
    else:
        return False
    panel.splitter.restoreState(QByteArray(splitter))
    panel.set_side(Qt.Orientation.Horizontal if state.beside else Qt.Orientation.Vertical)
    panel.show_detail(state.detail)
    panel.model.set_time_format(state.time_format)
    panel.filtering.show_stderr(state.stderr)
    panel.filtering.show_http(state.http)
    return True


def _restore_columns(header: QHeaderView, saved: dict[str, _Column]) -> None:
    """Arrange the columns by key. One that was added since then keeps its first place and is visible."""
    positions = {spec.key: at for at, spec in enumerate(traffic_columns.COLUMNS)}
    order = [key for key in saved if key in positions]
    for key, at in positions.items():
        if key not in saved:
            order.insert(at, key)
    for at, key in enumerate(order):
        column = positions[key]
        header.moveSection(header.visualIndex(column), at)
        if key in saved:
            header.setSectionHidden(column, saved[key].hidden)
            if not saved[key].hidden:
                header.resizeSection(column, saved[key].width)
