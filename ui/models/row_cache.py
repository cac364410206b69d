"""The texts of rows, kept for those that were looked at lately, and the looks that go with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QFont

from inspector.transcript.exchange import STATUS_NUMBER, Status
from ui.models.traffic_cells import Cells, TimeFormat, make_cells
from ui.models.traffic_columns import COLUMN_SPECS

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from ui.models.timeline import Timeline
    from ui.theme import Theme

CACHED_ROWS = 2048
"""Rows whose texts are kept."""

RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
LEFT = int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
_PENDING = STATUS_NUMBER[Status.PENDING]


class RowCache:
    """Cells by row; the oldest go when there are too many."""

    def __init__(self) -> None:
        """Start empty."""
        self.time_format = TimeFormat.CLOCK
        self._cells: dict[int, Cells] = {}
        self._unsettled: dict[int, tuple[int, int, int]] = {}

    def clear(self) -> None:
        """Forget everything."""
        self._cells.clear()
        self._unsettled.clear()

    def clear_from(self, row: int) -> None:
        """Forget this row and those below it."""
        for known in [known for known in self._cells if known >= row]:
            self.drop(known)

    def drop(self, row: int) -> None:
        """Forget one row."""
        self._cells.pop(row, None)
        self._unsettled.pop(row, None)

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
        cells = self._cells[row] = make_cells(transcript, local, max(before, 0), self.time_format)
        if cells.unsettled is not None and transcript is timeline.latest:
            self._unsettled[row] = cells.unsettled
        return cells

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


class CellStyles:
    """Brushes and fonts, made once for each look of the window."""

    def __init__(self, theme: Theme) -> None:
        """Take them from `theme`."""
        self._theme = theme
        self._brushes: dict[str, QBrush | None] = {"": None}
        self.fonts: tuple[QFont | None, ...] = ()
        self.alignments = tuple(RIGHT if face.is_right else LEFT for face in COLUMN_SPECS.values())
        self.refresh()

    def refresh(self) -> None:
        """Take them again."""
        self._brushes = {"": None}
        mono = self._theme.mono()
        self.fonts = tuple(mono if face.is_mono else None for face in COLUMN_SPECS.values())

    def brush(self, name: str) -> QBrush | None:
        """The colour called `name`; none for no name."""
        if name not in self._brushes:
            self._brushes[name] = QBrush(self._theme.colour(name))
        return self._brushes[name]
