"""Widths and visibility of the columns, and the saved arrangement of the panel: columns, splitter and choices."""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import TYPE_CHECKING

import msgspec
from PySide6.QtCore import QByteArray, Qt

from ui.models.traffic_cells import TimeFormat
from ui.models.traffic_columns import COLUMN_SPECS, Column
from ui.traffic.row_painter import MARGIN

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QHeaderView, QMenu

    from ui.theme import Theme
    from ui.traffic.panel import TrafficPanel

MIN_CHARACTERS = 3
"""Width of a column that a person makes as narrow as can be."""
ALWAYS = Column.NUMBER
"""The column that cannot be hidden."""


def dress(header: QHeaderView) -> None:
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
    for column, face in COLUMN_SPECS.items():
        header.resizeSection(column, face.characters * digit)
        header.setSectionHidden(column, face.is_hidden)


def rescale(header: QHeaderView, theme: Theme, before: int) -> None:
    """Let every column show as much as it did when a character was `before` pixels wide."""
    digit = theme.character_width()
    if digit == before:
        return
    header.setMinimumSectionSize(MIN_CHARACTERS * digit)
    for column, face in COLUMN_SPECS.items():
        width = header.sectionSize(column) * digit / before
        hidden = header.isSectionHidden(column)
        header.resizeSection(column, face.characters * digit if hidden else round(width))


def make_room(header: QHeaderView, theme: Theme, highest: int) -> None:
    """Let the number of every frame up to `highest` be read."""
    wanted = len(str(highest)) * theme.character_width() + 2 * theme.px(MARGIN + 1)
    if not header.isSectionHidden(Column.NUMBER) and header.sectionSize(Column.NUMBER) < wanted:
        header.resizeSection(Column.NUMBER, wanted)


def add_choices(menu: QMenu, header: QHeaderView) -> None:
    """Put one checkable entry for each column into `menu`."""
    for column, face in COLUMN_SPECS.items():
        action = menu.addAction(f"{face.title}: {face.tooltip}")
        action.setCheckable(True)
        action.setChecked(not header.isSectionHidden(column))
        action.setEnabled(column is not ALWAYS)
        _connect(action, header, column)


def _connect(action: QAction, header: QHeaderView, column: Column) -> None:
    def show(shown: bool) -> None:
        header.setSectionHidden(column, not shown)

    action.toggled.connect(show)


def reset(header: QHeaderView, theme: Theme) -> None:
    """Give every column its first place and width."""
    for column in COLUMN_SPECS:
        header.moveSection(header.visualIndex(column), column)
    fit(header, theme)


VERSION = 2
"""Of the columns; raised when one is added, so that an old arrangement does not hide it."""


class _State(msgspec.Struct):
    version: int
    header: str
    splitter: str
    beside: bool = True
    detail: bool = False
    time_format: TimeFormat = TimeFormat.CLOCK
    stderr: bool = True
    http: bool = False


def save(panel: TrafficPanel) -> bytes:
    """The arrangement of `panel`."""
    state = _State(
        version=VERSION,
        header=_text(panel.table.horizontalHeader().saveState()),
        splitter=_text(panel.splitter.saveState()),
        beside=panel.splitter.orientation() is Qt.Orientation.Horizontal,
        detail=panel.bar.detail.isChecked(),
        time_format=panel.model.time_format,
        stderr=panel.filtering.shows_stderr,
        http=panel.filtering.shows_http,
    )
    return msgspec.json.encode(state)


def restore(panel: TrafficPanel, saved: bytes) -> bool:
    """Arrange `panel` as it was saved; False if that cannot be read."""
    try:
        state = msgspec.json.decode(saved, type=_State)
        header, splitter = b64decode(state.header), b64decode(state.splitter)
    except (msgspec.MsgspecError, ValueError):
        return False
    if state.version != VERSION:
        return False
    panel.table.horizontalHeader().restoreState(QByteArray(header))
    panel.splitter.restoreState(QByteArray(splitter))
    panel.set_side(Qt.Orientation.Horizontal if state.beside else Qt.Orientation.Vertical)
    panel.show_detail(state.detail)
    panel.model.set_time_format(state.time_format)
    panel.filtering.show_stderr(state.stderr)
    panel.filtering.show_http(state.http)
    return True


def _text(state: QByteArray) -> str:
    return b64encode(state.data()).decode()
