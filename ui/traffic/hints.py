"""Under the filter: what it could say next."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from inspector.transcript.filter.query import Suggestion, suggestions
from inspector.visible_text import one_line
from ui.widgets.delegates import SECONDARY_ROLE, ListDelegate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

KNOWN_LIMIT = 2000
"""Names of one kind that are looked through."""
WIDTH_CHARACTERS = 70
"""Width of the list."""

_SUGGESTION_ROLE = int(Qt.ItemDataRole.UserRole) + 100


class FilterHints(QObject):
    """A list that opens under the line while a term is typed; Ctrl+Space opens it at any place."""

    def __init__(
        self,
        *,
        line: QLineEdit,
        theme: Theme,
        known: Callable[[], Mapping[str, Iterable[str]]],
        parent: QObject | None = None,
    ) -> None:
        """Suggest for `line`; `known` tells the names that are in the traffic."""
        super().__init__(parent)
        self._line = line
        self._theme = theme
        self._known = known
        self._build()
        self._wire()
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

    def _wire(self) -> None:
        self._line.textEdited.connect(self._on_line_text_edited)
        self._line.installEventFilter(self)
        self._theme.changed.connect(self._refresh)
        # The overload for indexes, which the stubs do not know.
        self._completer.activated[QModelIndex].connect(  # pyright: ignore
            self._on_completer_activated
        )

    def _refresh(self) -> None:
        outline = self._theme.colour("outline").name()
        self.popup.setStyleSheet(f"QListView {{ border: 1px solid {outline}; }}")

    def offer(self) -> None:
        """Open the list, or close it when there is nothing to suggest."""
        self._items.clear()
        found = suggestions(self._line.text(), self._line.cursorPosition(), self._known())
        for suggestion in found:
            self._items.appendRow(_item(suggestion))
        if not found:
            self.popup.hide()
            return
        area = self._line.rect()
        area.setWidth(min(self._theme.character_width() * WIDTH_CHARACTERS, area.width()))
        self._completer.complete(area)

    def _on_line_text_edited(self) -> None:
        before = self._line.text()[: self._line.cursorPosition()]
        if not before or before[-1:].isspace():
            self.popup.hide()
        else:
            self.offer()

    def _on_completer_activated(self, index: QModelIndex) -> None:
        suggestion = index.data(_SUGGESTION_ROLE)
        if isinstance(suggestion, Suggestion):
            line = self._line
            line.setSelection(suggestion.start, suggestion.stop - suggestion.start)
            line.insert(suggestion.text)
            if suggestion.text.endswith(":"):
                self.offer()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Ctrl+Space."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Space
            and event.modifiers() == Qt.KeyboardModifier.ControlModifier
        ):
            self.offer()
            return True
        return super().eventFilter(watched, event)


def names_in(transcripts: Sequence[Transcript]) -> dict[str, list[str]]:
    """The names that a filter can ask for, by kind; those of the latest of `transcripts` first."""
    if not transcripts:
        return {}
    methods, known, tokens = dict[str, None](), dict[str, None](), dict[str, None]()
    for transcript in reversed(transcripts):
        methods |= dict.fromkeys(islice(transcript.columns.methods.texts, 1, KNOWN_LIMIT))
        known |= dict.fromkeys(islice(transcript.columns.labels.texts, 1, KNOWN_LIMIT))
        tokens |= dict.fromkeys(islice(transcript.tokens.names, KNOWN_LIMIT))
    labels = list(islice(known, KNOWN_LIMIT))
    return {
        "methods": list(islice(methods, KNOWN_LIMIT)),
        "tools": labels,
        "names": labels,
        "tokens": list(islice(tokens, KNOWN_LIMIT)),
    }


def _item(suggestion: Suggestion) -> QStandardItem:
    item = QStandardItem(one_line(suggestion.text, 80))
    item.setData(suggestion.summary, SECONDARY_ROLE)
    item.setData(suggestion, _SUGGESTION_ROLE)
    item.setAccessibleText(", ".join(part for part in (item.text(), suggestion.summary) if part))
    item.setEditable(False)
    return item
