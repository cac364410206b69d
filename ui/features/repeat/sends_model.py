"""The sends of the repeat page as rows of a table, the newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from inspector.transcript.exchange import Status
from ui.models.traffic_cells import status_text, status_tone
from ui.widgets.row_painter import SIGNS, PaintedRow
from ui.widgets.table_columns import RIGHT, TableColumn, header_data
from ui.widgets.units import clock_with_millis, duration, size

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from inspector.features.repeat import Send, Sends

COLUMNS = (
    TableColumn(key="number", title="#", tooltip="Number of the send", characters=6, is_right=True),
    TableColumn(key="sent", title="Sent", tooltip="When it was sent", characters=14, leaves=1),
    TableColumn(
        key="changed",
        title="Changed",
        tooltip="What differs from the original message, the id left out; without one, the method",
        characters=24,
        max_characters=70,
        is_mono=True,
    ),
    TableColumn(
        key="status", title="Status", tooltip="Status of the request", characters=15, has_sign=True
    ),
    TableColumn(
        key="total",
        title="Total",
        tooltip="Time from the request to the response",
        characters=10,
        is_right=True,
    ),
    TableColumn(
        key="size",
        title="Size",
        tooltip="Size of the response",
        characters=10,
        is_right=True,
        leaves=2,
    ),
    TableColumn(
        key="against",
        title="Against previous",
        tooltip="How the result differs from that of the send before, or of the original message",
        characters=34,
        leaves=3,
        takes_rest=True,
    ),
)
DRAFT = "draft"

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class SendsModel(QAbstractTableModel):
    """One row for each send and each draft."""

    def __init__(self, sends: Sends, *, parent: QWidget | None = None) -> None:
        """Show `sends`; `reset` after every change of their number."""
        super().__init__(parent)
        self._sends = sends

    def set_sends(self, sends: Sends) -> None:
        """Show other sends; `reset` next."""
        self._sends = sends

    def reset(self) -> None:
        """Show other rows."""
        self.beginResetModel()
        self.endResetModel()

    def refresh(self) -> None:
        """Show what the rows are now."""
        if self._sends.rows:
            last = self.index(len(self._sends.rows) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def painted_row(self, row: int) -> PaintedRow:
        """Return what is drawn of a row."""
        send = self._sends.rows[row]
        tones = ["muted", "muted", "text", "muted", "muted", "muted", "muted"]
        if send.frame is not None:
            tones[3] = status_tone(_status(send))
        return PaintedRow(_texts(send), tuple(tones), sign=SIGNS.get(tones[3], ""))

    def divider(self, row: int) -> str:
        """Return nothing: no row begins a run."""
        del row
        return ""

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._sends.rows)

    def columnCount(self, parent: _Index = _NOWHERE) -> int:
        """Return the number of columns."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        """Return the title of a column, and what it means."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        return header_data(COLUMNS[section], role)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return the text of a cell."""
        if not 0 <= index.row() < len(self._sends.rows):
            return None
        texts = _texts(self._sends.rows[index.row()])
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{COLUMNS[index.column()].title}: {texts[index.column()]}"
        if role == Qt.ItemDataRole.TextAlignmentRole and COLUMNS[index.column()].is_right:
            return RIGHT
        return None


def _status(send: Send) -> Status:
    frame = send.frame
    return frame.transcript.status(frame.number) if frame is not None else Status.NONE


def _texts(send: Send) -> tuple[str, ...]:
    frame = send.frame
    if frame is None:
        return (DRAFT, "", send.changed, "", "", "", "")
    status, columns = _status(send), frame.transcript.columns
    took = frame.transcript.took_seconds(frame.number) if frame.request else None
    response = frame.response
    return (
        str(send.number),
        clock_with_millis(send.wall_s),
        send.changed,
        status_text(status.value) or "Sent",
        duration(took) if took is not None else "",
        size(columns.size[response - 1]) if response else "",
        send.against or "",
    )
