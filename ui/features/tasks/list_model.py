"""Tasks as rows, the newest first, with an own filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from ui.features.tasks.task_text import badges, origin
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE, TONE_ROLE, spoken
from ui.widgets.tool_tip import tool_tip

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject

    from inspector.session.task_record import TaskRecord

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class TaskListModel(QAbstractListModel):
    """Tasks that match the filter."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start without tasks."""
        super().__init__(parent)
        self.total = 0
        self._records: Sequence[TaskRecord] = ()
        self._words: list[str] = []
        self._shown: list[TaskRecord] = []

    def set_records(self, records: Sequence[TaskRecord]) -> bool:
        """Show `records`, given oldest first; whether other rows are there now."""
        self._records, self.total = records, len(records)
        return self._take()

    def set_filter(self, text: str) -> None:
        """Keep only tasks that have every word of `text` in origin, id, status or message."""
        self._words = text.casefold().split()
        self._take()

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return bool(self._words)

    def record(self, row: int) -> TaskRecord | None:
        """The task in a row."""
        return self._shown[row] if 0 <= row < len(self._shown) else None

    def row_of(self, record: TaskRecord | None) -> int:
        """The row of a task; -1 when the filter hides it."""
        return self._shown.index(record) if record in self._shown else -1

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """How many match."""
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Origin, id and status of one task."""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(index)
        read = _DATA.get(role) if index.isValid() else None
        return read(self._shown[index.row()]) if read is not None else None

    def _take(self) -> bool:
        matching = [each for each in reversed(self._records) if self._matches(each)]
        if matching == self._shown:
            if matching:
                self.dataChanged.emit(self.index(0), self.index(len(matching) - 1))
            return False
        self.beginResetModel()
        self._shown = matching
        self.endResetModel()
        return True

    def _matches(self, record: TaskRecord) -> bool:
        view = record.view
        text = "\n".join((record.origin, record.id, view.status, view.status_message)).casefold()
        return all(word in text for word in self._words)


def _secondary(record: TaskRecord) -> str:
    return " · ".join(part for part in (record.view.status_message, record.id) if part)


def _tip(record: TaskRecord) -> str:
    return tool_tip("\n".join((record.origin, record.id, record.view.status_message)))


_DATA: dict[int, Callable[[TaskRecord], object]] = {
    int(Qt.ItemDataRole.DisplayRole): origin,
    SECONDARY_ROLE: _secondary,
    BADGES_ROLE: badges,
    TONE_ROLE: lambda record: "muted" if record.is_gone else "text",
    int(Qt.ItemDataRole.ToolTipRole): _tip,
}
"""Role → what it is for a task."""
