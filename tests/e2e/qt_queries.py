"""Reading a window as a user would: only what can be seen counts."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QLabel,
    QLineEdit,
    QListView,
    QPlainTextEdit,
    QTextEdit,
    QTreeView,
    QWidget,
)

from ui.widgets.heading_parts import Excerpt
from ui.widgets.labels import ElidedLabel

if TYPE_CHECKING:
    from collections.abc import Iterator

W = TypeVar("W", bound=QWidget)


def spot(kind: type[W], name: str, inside: QWidget) -> W | None:
    """The visible widget of that name; none if there is none."""
    return next((widget for widget in inside.findChildren(kind, name) if is_seen(widget)), None)


def is_seen(widget: QWidget) -> bool:
    """Whether any of it is on the screen, or would be after scrolling; not behind a tab or in a hidden dock."""
    return widget.isVisible() and not widget.size().isEmpty()


def is_in_reach(widget: QWidget) -> bool:
    """Whether a click on its middle gets there; not while it is laid out anew."""
    window = widget.window()
    # The stubs say that there always is one.
    under: QWidget | None = window.childAt(widget.mapTo(window, widget.rect().center()))
    return under is not None and (under is widget or widget.isAncestorOf(under))


def window_called(name: str) -> QWidget | None:
    """The open dialog or popup of that name."""
    for widget in QApplication.topLevelWidgets():
        if widget.objectName() == name and widget.isVisible():
            return widget
    return None


def text_in(widget: QWidget) -> str:
    """Everything that can be read in a widget, from its parts in the order in which they were made."""
    parts = [widget, *widget.findChildren(QWidget)]
    return "\n".join(text for part in parts if is_seen(part) for text in _words(part) if text)


def _words(part: QWidget) -> Iterator[str]:
    if isinstance(part, ElidedLabel):
        yield part.whole_text()
    elif isinstance(part, Excerpt):
        yield part.accessibleName()
    elif isinstance(part, QLabel | QLineEdit | QAbstractButton):
        yield part.text()
    elif isinstance(part, QPlainTextEdit | QTextEdit):
        yield part.toPlainText()
    elif isinstance(part, QTreeView):
        yield "\n".join(" ".join(row) for row in rows(part))


def rows(view: QAbstractItemView) -> list[list[str]]:
    """The texts of a list, table or tree, row by row; of a tree, those that are open."""
    return [texts for _, texts in lines(view)]


def lines(view: QAbstractItemView) -> list[tuple[QModelIndex, list[str]]]:
    """The same, each behind the place of its row."""
    return list(_lines(view, QModelIndex()))


def _lines(view: QAbstractItemView, parent: QModelIndex) -> Iterator[tuple[QModelIndex, list[str]]]:
    model = view.model()
    columns = range(1 if isinstance(view, QListView) else model.columnCount(parent))
    for row in range(model.rowCount(parent)):
        cells = (model.index(row, column, parent) for column in columns)
        first = model.index(row, 0, parent)
        yield first, [str(cell.data(Qt.ItemDataRole.DisplayRole) or "") for cell in cells]
        if isinstance(view, QTreeView) and view.isExpanded(first):
            yield from _lines(view, first)
