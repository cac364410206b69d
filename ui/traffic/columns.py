"""Widths and visibility of the columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.models.traffic_columns import COLUMN_SPECS, Column
from ui.traffic.row_painter import MARGIN

if TYPE_CHECKING:
    from PySide6.QtGui import QAction
    from PySide6.QtWidgets import QHeaderView, QMenu

    from ui.theme import Theme

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
