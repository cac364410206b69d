"""What a view gets for a cell of the traffic, by role: texts, which are cached for recent rows. `RowPainter` has fonts and colors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from inspector.transcript.exchange import STATUS_NUMBER, Status
from inspector.wire.frame import Direction
from ui.models.fold_texts import MAX_EMPTY, first_text
from ui.models.timeline import Timeline
from ui.models.traffic_cells import DIRECTION_TEXTS, TimeFormat
from ui.models.traffic_columns import Cells, columns_with, make_cells, position
from ui.widgets.labels import tool_tip
from ui.widgets.row_painter import PaintedRow
from ui.widgets.table_columns import header_data
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from inspector.clock import Clock
    from inspector.transcript.transcript import Transcript
    from ui.models.row_rules import RowRule
    from ui.models.traffic_columns import ColumnSpec

# Plain numbers: comparing enumerators costs more than making the text of a cell.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)

_PENDING = STATUS_NUMBER[Status.PENDING]


class RowRoles:
    """Answers by role; keeps the texts of rows that were looked at lately in `cache`."""

    def __init__(self, clock: Clock) -> None:
        """Take the time from `clock`, for pending requests."""
        self.cache = RowCache()
        self._clock = clock
        self._timeline = Timeline()
        self._duration, self._direction = position("duration"), position("direction")
        self._status = position("status")

    def set_timeline(self, timeline: Timeline) -> None:
        """Answer from these frames."""
        self._timeline = timeline
        self.cache.clear()

    @property
    def columns(self) -> tuple[ColumnSpec, ...]:
        """Every column: what its cells show."""
        return self.cache.columns

    def set_rules(self, rules: Sequence[RowRule]) -> None:
        """Color rows by these filters."""
        self.cache.rules = tuple(rules)
        self.cache.clear()

    def set_paths(self, paths: Sequence[str]) -> None:
        """Have a column for each path into the messages."""
        self.cache.columns = columns_with(paths)
        self.cache.clear()

    def data(self, role: int, row: int, column: int, number: int, above: int) -> object:
        """The cell in `row` and `column`, which shows frame `number` under frame `above`."""
        if not self._timeline.transcripts or role not in TEXT_ROLES:
            return None
        cells = self.cache.get(row) or self.cache.make(row, self._timeline, number, above)
        if role == _DISPLAY:
            if column == self._duration and cells.unsettled is not None:
                return self._running(number, cells)
            return cells.texts[column]
        return self._text(*self._timeline.locate(number), role, column, cells)

    def painted_row(self, row: int, number: int, above: int) -> PaintedRow:
        """Return what is drawn of a row."""
        cells = self.cache.get(row) or self.cache.make(row, self._timeline, number, above)
        texts = cells.texts
        if cells.unsettled is not None:
            running = self._running(number, cells)
            texts = (*texts[: self._duration], running, *texts[self._duration + 1 :])
        return PaintedRow(texts, cells.tones, cells.background, cells.sign, cells.marks, cells.note)

    def header(self, role: int, column: int) -> object:
        """The title of a column."""
        return header_data(self.columns[column], role)

    def _running(self, number: int, cells: Cells) -> str:
        """For how long a request has been waiting, or what the cell says of any other row."""
        transcript, number = self._timeline.locate(number)
        if cells.unsettled is None or not transcript.live:
            return cells.texts[self._duration]
        request, status, answer = cells.unsettled
        if request != number or status != _PENDING or answer:
            return cells.texts[self._duration]
        return duration(max(self._clock.monotonic() - transcript.columns.left_at(number), 0.0))

    def _text(
        self, transcript: Transcript, number: int, role: int, column: int, cells: Cells
    ) -> str | None:
        if role == _TOOL_TIP:
            return tool_tip(self.columns[column].tip(transcript, number)) or None
        if column == self._direction:
            return DIRECTION_TEXTS[Direction(transcript.columns.direction[number - 1])]
        if column == self._status and cells.note is not None:
            return f"{cells.texts[column]}, {cells.note.text}"
        return cells.texts[column]


TEXT_ROLES = frozenset((_DISPLAY, _TOOL_TIP, _ACCESSIBLE))
"""Roles of the text of a cell."""


CACHED_ROWS = 2048
"""Rows whose texts are kept."""


class RowCache:
    """Cells by row; the oldest go when there are too many."""

    def __init__(self) -> None:
        """Start empty."""
        self.time_format = TimeFormat.CLOCK
        self.columns = columns_with(())
        self.rules: tuple[RowRule, ...] = ()
        self.muted: Collection[str] = ()
        """Rules whose problems do not count."""
        self._cells: dict[int, Cells] = {}
        self._unsettled: dict[int, tuple[int, int, int]] = {}
        self._first_texts: dict[int, tuple[int, str]] = {}
        """Row of several frames → how many of them were searched for a text, and the text."""

    def clear(self) -> None:
        """Forget everything."""
        self._cells.clear()
        self._unsettled.clear()
        self._first_texts.clear()

    def clear_from(self, row: int) -> None:
        """Forget this row and those below it."""
        for known in [known for known in self._cells if known >= row]:
            self.drop(known)

    def drop(self, row: int) -> None:
        """Forget one row."""
        self._cells.pop(row, None)
        self._unsettled.pop(row, None)
        self._first_texts.pop(row, None)

    def get(self, row: int) -> Cells | None:
        """What is known of a row."""
        return self._cells.get(row)

    def make(self, row: int, timeline: Timeline, number: int, above: int) -> Cells:
        """Make and keep the texts of a row: frame `number` under frame `above`."""
        transcript, local = timeline.locate(number)
        before = above - (number - local)
        if len(self._cells) >= CACHED_ROWS:
            for old in list(self._cells)[: CACHED_ROWS // 2]:
                self.drop(old)
        cells = self._cells[row] = make_cells(
            *(transcript, local, max(before, 0), self.time_format, self.columns, self.rules),
            muted=self.muted,
        )
        if cells.unsettled is not None and transcript is timeline.latest:
            self._unsettled[row] = cells.unsettled
        return cells

    def first_text(
        self, row: int, transcript: Transcript, numbers: Iterable[int], count: int
    ) -> str:
        """Return `first_text` of a row of `count` frames, which are read again only where there are more of those that are searched."""
        searched, text = self._first_texts.get(row, (0, ""))
        if searched != min(count, MAX_EMPTY):
            text = first_text(transcript, numbers)
            self._first_texts[row] = (min(count, MAX_EMPTY), text)
        return text

    def take_settled(self, transcript: Transcript) -> list[int]:
        """Forget and give the rows of requests whose state is no longer what it was."""
        columns = transcript.columns
        changed = [
            row
            for row, (number, status, answer) in self._unsettled.items()
            if columns.status[number - 1] != status or columns.response[number - 1] != answer
        ]
        for row in changed:
            self.drop(row)
        return sorted(changed)

    def pending_rows(self, first: int, last: int) -> list[int]:
        """Rows from `first` to `last` whose request waits for its answer."""
        return [
            row
            for row, (_, status, _) in self._unsettled.items()
            if first <= row <= last and status == _PENDING
        ]
