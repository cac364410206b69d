"""From the text in the filter to what the rows match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.transcript.filter.query import Query, QueryError, parse

if TYPE_CHECKING:
    from ui.models.traffic_feed import TrafficFeed
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
        self._shows_stderr = True
        self._shows_http = False
        self._hides_http = False
        self._narrows = False
        field.settled.connect(self.apply)
        feed.pulled.connect(self._on_feed_pulled)

    @property
    def shows_stderr(self) -> bool:
        """Whether lines on standard error are rows, where the filter does not speak of them."""
        return self._shows_stderr

    def show_stderr(self, shown: bool) -> None:
        """Let them be rows, or not."""
        self._shows_stderr = shown
        self.apply()

    @property
    def shows_http(self) -> bool:
        """Whether heads of HTTP and events without a message are rows, where the filter does not speak of them."""
        return self._shows_http

    @property
    def http_words(self) -> str:
        """How many HTTP header blocks and events without a message there are; empty where there are none."""
        count = self._http_count() + self._event_count()
        return f"{count:,}" if count else ""

    @property
    def hidden_http(self) -> tuple[int, int]:
        """How many HTTP header blocks, and events without a message, are no rows although the filter does not name them."""
        return (self._http_count(), self._event_count()) if self._narrows else (0, 0)

    def show_http(self, shown: bool) -> None:
        """Let them be rows, or not."""
        self._shows_http = shown
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
        query, said = parse(text), text.lower()
        self._hides_http = self._should_hide_http()
        self._narrows = self._hides_http and "http" not in said and "event" not in said
        if self._narrows:
            query = query.narrowed(_NO_HTTP)
        speaks_of_it = "stderr" in said
        return query if self._shows_stderr or speaks_of_it else query.narrowed(_NO_STDERR)

    def _http_count(self) -> int:
        return self._feed.timeline.http_count

    def _event_count(self) -> int:
        return self._feed.timeline.event_count

    def _should_hide_http(self) -> bool:
        return not self._shows_http and self._http_count() + self._event_count() > 0

    def _on_feed_pulled(self) -> None:
        if self._should_hide_http() != self._hides_http:
            self.apply()
