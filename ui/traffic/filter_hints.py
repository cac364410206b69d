"""The list below the filter: how a term can go on, with the values in the traffic and their counts; and the filters used before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from inspector.config.saved_filters import MAX_HISTORY
from inspector.transcript.filter.seen_values import SeenValues
from inspector.transcript.filter.suggestions import Suggestion, suggestions
from inspector.visible_text import one_line
from ui.widgets.delegates import BADGES_ROLE, PLAIN, SECONDARY_ROLE, ListDelegate
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

WIDTH_CHARACTERS = 70
"""Width of the list."""
SLICE_S = 0.004
"""Time for counting values between two turns of the event loop."""

_SUGGESTION_ROLE = int(Qt.ItemDataRole.UserRole) + 100
_EARLIER = "used before"


class FilterHints(QObject):
    """A list that opens under the line while a term is typed; Ctrl+Space opens it at any place, Alt+Down the filters used before."""

    def __init__(
        self,
        *,
        line: QLineEdit,
        theme: Theme,
        transcripts: Callable[[], Sequence[Transcript]],
        parent: QObject | None = None,
    ) -> None:
        """Suggest for `line`; `transcripts` returns those whose values are offered."""
        super().__init__(parent)
        self.history: list[str] = []
        """Filters used before, the latest first."""
        self._line = line
        self._theme = theme
        self._transcripts = transcripts
        self._seen = SeenValues()
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
        self._counting = QTimer(self, interval=0)

    def _wire(self) -> None:
        self._line.textEdited.connect(self._on_line_text_edited)
        self._line.installEventFilter(self)
        self._counting.timeout.connect(self._on_counting_timeout)
        self._theme.changed.connect(self._refresh)
        # The overload for indexes, which the stubs do not know.
        self._completer.activated[QModelIndex].connect(  # pyright: ignore
            self._on_completer_activated
        )

    def _refresh(self) -> None:
        outline = self._theme.color("outline").name()
        self.popup.setStyleSheet(f"QListView {{ border: 1px solid {outline}; }}")

    def remember(self, text: str) -> None:
        """Put a filter that was used at the top of the history."""
        text = text.strip()
        if text:
            others = [each for each in self.history if each != text]
            self.history = [text, *others][:MAX_HISTORY]

    def offer(self) -> None:
        """Open the list of how the term at the cursor can go on, or close it when there is nothing to suggest."""
        self._seen.set_transcripts(self._transcripts())
        if self._seen.advance(SLICE_S):
            self._counting.start()
        self._show(self._suggestions())

    def offer_history(self) -> None:
        """Open the list of filters used before."""
        stop = len(self._line.text())
        self._show([Suggestion(0, stop, text, _EARLIER) for text in self.history])

    def _suggestions(self) -> list[Suggestion]:
        return suggestions(self._line.text(), self._line.cursorPosition(), self._seen.values)

    def _show(self, found: Sequence[Suggestion]) -> None:
        self._items.clear()
        for suggestion in found:
            self._items.appendRow(_item(suggestion))
        if not found:
            self.popup.hide()
            return
        area = self._line.rect()
        area.setWidth(min(self._theme.character_width() * WIDTH_CHARACTERS, area.width()))
        self._completer.complete(area)

    def _on_counting_timeout(self) -> None:
        """Count on, and offer again what is counted by then."""
        if not self.popup.isVisible():
            self._counting.stop()
        elif not self._seen.advance(SLICE_S):
            self._counting.stop()
            if not self.popup.currentIndex().isValid():  # what is about to be selected stays
                self._show(self._suggestions())

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
        """Ctrl+Space and Alt+Down."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            keys = event.key(), event.modifiers()
            if keys == (Qt.Key.Key_Space, Qt.KeyboardModifier.ControlModifier):
                self.offer()
                return True
            if keys == (Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier):
                self.offer_history()
                return True
        return super().eventFilter(watched, event)


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
