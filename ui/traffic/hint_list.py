"""The list that `filter_hints` opens: what the user can select, with summaries and counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from inspector.visible_text import one_line
from ui.widgets.delegates import BADGES_ROLE, PLAIN, SECONDARY_ROLE, ListDelegate
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.filter.suggestions import Suggestion
    from ui.theme import Theme

WIDTH_CHARACTERS = 70
"""Width of the list."""

_SUGGESTION_ROLE = int(Qt.ItemDataRole.UserRole) + 100


class HintList(QObject):
    """Suggestions below a line.

    Signals:
        selected: the suggestion that the user selected.
    """

    selected = Signal(object)

    def __init__(self, line: QLineEdit, *, theme: Theme, parent: QObject) -> None:
        """Open below `line`."""
        super().__init__(parent)
        self._line = line
        self._theme = theme
        self._build()
        self._theme.changed.connect(self._refresh)
        # The overload for indexes, which the stubs do not know.
        self._completer.activated[QModelIndex].connect(  # pyright: ignore
            self._on_completer_activated
        )
        self._refresh()

    def _build(self) -> None:
        self._items = QStandardItemModel(self)
        self.popup = QListView()
        self.popup.setObjectName("traffic_filter_hints")
        self.popup.setAccessibleName("Suggestions for the filter")
        self._completer = QCompleter(self)
        self._completer.setModel(self._items)
        self._completer.setPopup(self.popup)
        # Only now: the completer brings a delegate of its own.
        self.popup.setItemDelegate(ListDelegate(theme=self._theme, mono=True, parent=self.popup))
        self._completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        self._completer.setWidget(self._line)
        self._completer.setMaxVisibleItems(12)

    def _refresh(self) -> None:
        outline = self._theme.color("outline").name()
        self.popup.setStyleSheet(f"QListView {{ border: 1px solid {outline}; }}")

    def show(self, found: Sequence[Suggestion]) -> None:
        """Open with what was found, or close when that is nothing."""
        self._items.clear()
        for suggestion in found:
            self._items.appendRow(_item(suggestion))
        if not found:
            self.popup.hide()
            return
        area = self._line.rect()
        area.setWidth(min(self._theme.character_width() * WIDTH_CHARACTERS, area.width()))
        self._completer.complete(area)

    def _on_completer_activated(self, index: QModelIndex) -> None:
        suggestion = index.data(_SUGGESTION_ROLE)
        if suggestion is not None:
            self.selected.emit(suggestion)


def _item(suggestion: Suggestion) -> QStandardItem:
    item = QStandardItem(one_line(suggestion.text, 80))
    item.setData(suggestion.summary, SECONDARY_ROLE)
    item.setData(suggestion, _SUGGESTION_ROLE)
    count = "" if suggestion.count is None else f"{suggestion.count:,}"
    if count:
        item.setData([(count, PLAIN)], BADGES_ROLE)
    frames = plural(suggestion.count, "frame") if suggestion.count is not None else ""
    parts = (item.text(), suggestion.summary, frames)
    item.setAccessibleText(", ".join(part for part in parts if part))
    item.setEditable(False)
    return item
