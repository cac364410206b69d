"""What a view may ask about a cell of the traffic, by role."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from inspector.transcript.exchange import STATUS_NUMBER, Status
from inspector.wire.frame import Direction
from ui.models.row_cache import LEFT, RIGHT, CellStyles, RowCache
from ui.models.timeline import Timeline
from ui.models.traffic_cells import DIRECTION_WORDS, Cells, explain
from ui.models.traffic_columns import COLUMN_SPECS, Column
from ui.widgets.labels import tool_tip
from ui.widgets.units import duration

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

# Plain numbers: comparing enumerators costs more than making the text of a cell.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_FOREGROUND = int(Qt.ItemDataRole.ForegroundRole)
_BACKGROUND = int(Qt.ItemDataRole.BackgroundRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)
_FONT = int(Qt.ItemDataRole.FontRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)

_TOOK = int(Column.TOOK)
_PENDING = STATUS_NUMBER[Status.PENDING]


class RowRoles:
    """Answers by role; keeps the texts of rows that were looked at lately in `cache`."""

    def __init__(self, *, theme: Theme, clock: Clock) -> None:
        """Take looks from `theme` and, for pending requests, the time from `clock`."""
        self.cache = RowCache()
        self._clock = clock
        self._looks = CellStyles(theme)
        self._timeline = Timeline()

    def set_timeline(self, timeline: Timeline) -> None:
        """Answer from these frames."""
        self._timeline = timeline
        self.cache.clear()

    def refresh(self) -> None:
        """The theme has changed."""
        self._looks.refresh()

    def data(self, role: int, row: int, column: int, number: int, above: int) -> object:
        """The cell in `row` and `column`, which shows frame `number` under frame `above`."""
        if role == _ALIGNMENT:
            return self._looks.alignments[column]
        if role == _FONT:
            return self._looks.fonts[column]
        if not self._timeline.transcripts or role not in _ABOUT_ROW:
            return None
        cells = self.cache.get(row) or self.cache.make(row, self._timeline, number, above)
        if role == _DISPLAY:
            if column == _TOOK and cells.unsettled is not None:
                return self._running(number, cells)
            return cells.texts[column]
        if role == _FOREGROUND:
            return self._looks.brush(cells.tones[column])
        if role == _BACKGROUND:
            return self._looks.brush(cells.ground)
        return _said(*self._timeline.locate(number), role, Column(column), cells)

    def cells(
        self, row: int, number: int, above: int
    ) -> tuple[tuple[str, ...], tuple[str, ...], str]:
        """All that is drawn of a row: texts, tones, ground."""
        cells = self.cache.get(row) or self.cache.make(row, self._timeline, number, above)
        texts = cells.texts
        if cells.unsettled is not None:
            running = self._running(number, cells)
            texts = (*texts[:_TOOK], running, *texts[_TOOK + 1 :])
        return texts, cells.tones, cells.ground

    def header(self, role: int, column: Column) -> object:
        """The title of a column."""
        face = COLUMN_SPECS[column]
        if role == _DISPLAY:
            return face.title
        if role == _ALIGNMENT:
            return RIGHT if face.is_right else LEFT
        if role == _TOOL_TIP:
            return tool_tip(face.tooltip)
        return face.tooltip if role == _ACCESSIBLE else None

    def _running(self, number: int, cells: Cells) -> str:
        """For how long a request has been waiting, or what the cell says of any other row."""
        transcript, number = self._timeline.locate(number)
        if cells.unsettled is None or not transcript.live:
            return cells.texts[_TOOK]
        request, status, answer = cells.unsettled
        if request != number or status != _PENDING or answer:
            return cells.texts[_TOOK]
        return duration(max(self._clock.monotonic() - transcript.columns.left_at(number), 0.0))


_ABOUT_ROW = frozenset((_DISPLAY, _FOREGROUND, _BACKGROUND, _TOOL_TIP, _ACCESSIBLE))


def _said(
    transcript: Transcript, number: int, role: int, column: Column, cells: Cells
) -> str | None:
    if role == _TOOL_TIP:
        return tool_tip(explain(transcript, number, column)) or None
    if column is Column.DIRECTION:
        return DIRECTION_WORDS[Direction(transcript.columns.direction[number - 1])]
    return cells.texts[column]
