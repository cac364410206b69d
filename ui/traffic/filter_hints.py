"""How a term of the filter can go on, with the values in the traffic and their counts; and the filters used before."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent

from inspector.config.saved_filters import MAX_HISTORY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QLineEdit

    from inspector.transcript.filter.seen_values import SeenValues
    from inspector.transcript.filter.suggestions import Suggestion
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme
    from ui.traffic.hint_list import HintList

SLICE_S = 0.004
"""Time for counting values between two turns of the event loop."""

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
        self._counting = QTimer(self, interval=0)
        self._counting.timeout.connect(self._on_counting_timeout)
        line.textEdited.connect(self._on_line_text_edited)
        line.installEventFilter(self)

    @cached_property
    def list(self) -> HintList:
        """The list, made when it is opened first."""
        from ui.traffic.hint_list import HintList

        made = HintList(self._line, theme=self._theme, parent=self)
        made.selected.connect(self._on_list_selected)
        return made

    @cached_property
    def _seen(self) -> SeenValues:
        from inspector.transcript.filter.seen_values import SeenValues

        return SeenValues()

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
        self.list.show(self._suggestions())

    def offer_history(self) -> None:
        """Open the list of filters used before."""
        from inspector.transcript.filter.suggestions import Suggestion

        stop = len(self._line.text())
        self.list.show([Suggestion(0, stop, text, _EARLIER) for text in self.history])

    def _suggestions(self) -> Sequence[Suggestion]:
        from inspector.transcript.filter.suggestions import suggestions

        return suggestions(self._line.text(), self._line.cursorPosition(), self._seen.values)

    def _on_counting_timeout(self) -> None:
        """Count on, and offer again what is counted by then."""
        if not self.list.popup.isVisible():
            self._counting.stop()
        elif not self._seen.advance(SLICE_S):
            self._counting.stop()
            if not self.list.popup.currentIndex().isValid():  # what is about to be selected stays
                self.list.show(self._suggestions())

    def _on_line_text_edited(self) -> None:
        before = self._line.text()[: self._line.cursorPosition()]
        if not before or before[-1:].isspace():
            self.list.popup.hide()
        else:
            self.offer()

    def _on_list_selected(self, suggestion: Suggestion) -> None:
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
