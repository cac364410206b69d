"""From the text in the filter to the query of the rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from inspector.transcript.filter.parser import narrowed
from inspector.transcript.filter.query import Query, QueryError, parse
from ui.traffic.notices import Hidden

if TYPE_CHECKING:
    from ui.models.traffic_feed import TrafficFeed
    from ui.widgets.filter_field import FilterField

_NO_STDERR = parse("-kind:stderr")
_NO_HTTP = parse("-kind:http -kind:event")
_TIME_TERM = re.compile(r"(?<!\S)(?:before|after):\S+\s*")


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
        self._field.set_text(narrowed(self._field.text(), term))

    def set_time_range(self, terms: str) -> None:
        """Narrow the filter by `terms` about a time, in the place of those it has."""
        self._field.set_text(narrowed(_TIME_TERM.sub("", self._field.text()).strip(), terms))

    def apply(self) -> None:
        """Filter by what is typed."""
        try:
            query = self._query(self._field.text())
        except QueryError as error:
            reason = f"{error.reason} (at character {error.position + 1})"
            self._field.set_problem(reason, (error.position, error.stop))
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
