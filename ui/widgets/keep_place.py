"""Rows that are replaced stay where they were: the one at the top is found again by its name."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPoint
from PySide6.QtWidgets import QAbstractItemView

if TYPE_CHECKING:
    from collections.abc import Callable, Generator


@contextmanager
def top_row_kept(view: QAbstractItemView, name_of: Callable[[QModelIndex], str]) -> Generator[None]:
    """While rows are replaced within: scroll so that the row at the top is there again; at the very top, stay there."""
    bar = view.verticalScrollBar()
    place, top = bar.value(), view.indexAt(QPoint(1, 1))
    name = name_of(top) if place and top.isValid() else ""
    yield
    bar.setValue(place)
    model = view.model()
    if not name or _has_name(view.indexAt(QPoint(1, 1)), name, name_of):
        return
    for row in range(model.rowCount()):
        index = model.index(row, 0)
        if name_of(index) == name:
            view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)
            return


def _has_name(index: QModelIndex, name: str, name_of: Callable[[QModelIndex], str]) -> bool:
    return index.isValid() and name_of(index) == name
