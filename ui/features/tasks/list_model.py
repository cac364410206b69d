"""The tasks of both sides as rows, newest first, with a filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from ui.features.tasks.task_text import badges, origin
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE, TONE_ROLE, spoken
from ui.widgets.labels import tool_tip

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
        self._terms: list[str] = []
        self._visible: list[TaskRecord] = []

    def set_records(self, records: Sequence[TaskRecord]) -> bool:
        """Show `records`, oldest first; return True if rows were replaced."""
        self._records, self.total = records, len(records)
        return self._update()

    def set_filter(self, text: str) -> None:
        """Keep only tasks with every term of `text` in origin, id, status or message."""
        self._terms = text.casefold().split()
        self._update()

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return bool(self._terms)

    def record(self, row: int) -> TaskRecord | None:
        """The task in a row."""
        return self._visible[row] if 0 <= row < len(self._visible) else None

    def row_of(self, record: TaskRecord | None) -> int:
        """The row of a task; -1 when the filter hides it."""
        return self._visible.index(record) if record in self._visible else -1

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        """Return how many tasks match the filter."""
        return 0 if parent.isValid() else len(self._visible)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> object:
        """Return origin, id and status of one task."""
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(index)
        read = _DATA.get(role) if index.isValid() else None
        return read(self._visible[index.row()]) if read is not None else None

    def _update(self) -> bool:
        matching = [each for each in reversed(self._records) if self._matches(each)]
        if matching == self._visible:
            if matching:
                self.dataChanged.emit(self.index(0), self.index(len(matching) - 1))
            return False
        self.beginResetModel()
        self._visible = matching
        self.endResetModel()
        return True

    def _matches(self, record: TaskRecord) -> bool:
        view = record.view
        text = "\n".join((record.origin, record.id, view.status, view.status_message)).casefold()
        return all(term in text for term in self._terms)


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
"""Role → its value for a task."""
