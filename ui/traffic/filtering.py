"""From the text in the filter to the query of the rows, and the suggestions below the field."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtGui import QKeyEvent, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView

from inspector.transcript.filter.query import Query, QueryError, Suggestion, parse, suggestions
from inspector.visible_text import one_line
from ui.traffic.notices import Hidden
from ui.widgets.delegates import SECONDARY_ROLE, ListDelegate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from inspector.transcript.transcript import Transcript
    from ui.models.traffic_feed import TrafficFeed
    from ui.theme import Theme
    from ui.widgets.filter_field import FilterField

_NO_STDERR = parse("-kind:stderr")
_NO_HTTP = parse("-kind:http -kind:event")


class Filtering(QObject):
    """Applies the filter as it settles; explains what is no filter and leaves the rows as they are."""

    def __init__(self, *, field: FilterField, feed: TrafficFeed, parent: QObject) -> None:
        """Read `field`, feed `feed`."""
        super().__init__(parent)
        self._field = field
        self._feed = feed
        self.shows_stderr = True
        """Whether lines on standard error are rows, where the filter does not speak of them."""
        self.shows_http = False
        """Whether HTTP headers and events without a message are rows, unless the filter names them."""
        self._hides_http = False
        self._narrows = False
        field.settled.connect(self.apply)
        feed.pulled.connect(self._on_feed_pulled)

    def show_stderr(self, visible: bool) -> None:
        """Let them be rows, or not."""
        self.shows_stderr = visible
        self.apply()

    @property
    def http_text(self) -> str:
        """How many HTTP header blocks and events without a message there are; empty where there are none."""
        count = sum(self._http_counts)
        return f"{count:,}" if count else ""

    def hidden(self, cleared: int) -> Hidden:
        """Return what is no row although the filter does not name it; `cleared` is how many rows were cleared."""
        timeline = self._feed.timeline
        headers, events = self._http_counts if self._narrows else (0, 0)
        stderr = 0 if self._shows_or_names_stderr(self._field.text()) else timeline.stderr_count
        return Hidden(headers, events, stderr, cleared)

    def show_http(self, visible: bool) -> None:
        """Let them be rows, or not."""
        self.shows_http = visible
        self.apply()

    def add_term(self, term: str) -> None:
        """Narrow the filter."""
        self._field.set_text(f"{self._field.text()} {term}".strip())

    def apply(self) -> None:
        """Filter by what is typed."""
        try:
            query = self._query(self._field.text())
        except QueryError as error:
            self._field.set_problem(f"{error.reason} (at character {error.position + 1})")
            return
        self._field.set_problem("")
        self._feed.set_query(query)

    def _query(self, text: str) -> Query:
        query, lowered = parse(text), text.lower()
        self._hides_http = self._should_hide_http()
        self._narrows = self._hides_http and "http" not in lowered and "event" not in lowered
        if self._narrows:
            query = query.narrowed(_NO_HTTP)
        return query if self._shows_or_names_stderr(text) else query.narrowed(_NO_STDERR)

    def _shows_or_names_stderr(self, text: str) -> bool:
        return self.shows_stderr or "stderr" in text.lower()

    @property
    def _http_counts(self) -> tuple[int, int]:
        timeline = self._feed.timeline
        return timeline.http_count, timeline.event_count

    def _should_hide_http(self) -> bool:
        return not self.shows_http and sum(self._http_counts) > 0

    def _on_feed_pulled(self) -> None:
        if self._should_hide_http() != self._hides_http:
            self.apply()


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
        outline = self._theme.color("outline").name()
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
