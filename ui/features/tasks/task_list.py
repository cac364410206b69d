"""The list of tasks of both sides, newest first, and its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QListView

from inspector.session.paginated_list import ListState
from ui.features.tasks.task_text import badges, origin
from ui.filtered_list import FilteredList
from ui.widgets.delegates import BADGES_ROLE, SECONDARY_ROLE, TONE_ROLE, accessible_row_text
from ui.widgets.labels import tool_tip
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtCore import QObject

    from inspector.features.tasks import Tasks
    from inspector.session.task_record import TaskRecord


_Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()


class TaskList(FilteredList):
    """Running and finished tasks."""

    noun: ClassVar[str] = "task"
    view_label: ClassVar[str] = "Tasks"
    counted: ClassVar[tuple[str, str]] = ("task", "tasks")
    has_two_lines: ClassVar[bool] = True

    record: TaskRecord | None = None
    """The selected task."""
    _tasks: Tasks | None = None

    def make_view(self) -> QListView:
        """Return a list of rows of one height."""
        self.model = TaskListModel(self)
        view = QListView(self)
        view.setModel(self.model)
        view.setUniformItemSizes(True)
        return view

    def counts(self) -> tuple[int, int]:
        """Return how many tasks match the filter, and how many there are."""
        return self.model.rowCount(), self.model.total

    @property
    def is_filtered(self) -> bool:
        """Whether a filter is on."""
        return self.model.is_filtered

    def show_tasks(self, tasks: Tasks | None, records: Sequence[TaskRecord]) -> None:
        """Show `records`, oldest first, and how the list of the server was read."""
        self._tasks = tasks
        self.model.set_records(records)
        if self.record not in records:
            self.record = None
        if self.record is None and self.model.rowCount():
            self.record = self.model.record(0)
            self.selected.emit()
        self._select_row()
        self.show_state()

    def select(self, record: TaskRecord) -> None:
        """Select a task; a filter that hides it is cleared."""
        if self.model.row_of(record) < 0:
            self.filter.set_text("")
        self.record = record
        self._select_row()
        self.selected.emit()

    def clear_rows(self) -> None:
        """Remove all rows."""
        self.show_tasks(None, ())

    def apply_filter(self, text: str) -> None:
        """Keep the tasks that match `text`, and the selection."""
        self.model.set_filter(text)
        self._select_row()

    def select_index(self, index: QModelIndex) -> None:
        """Remember the task of the row that became current."""
        record = self.model.record(index.row())
        if record is not None and record is not self.record:
            self.record = record
            self.selected.emit()

    def show_state(self) -> None:
        """Show how the list of the server was read; most tasks are known from calls, so their age says nothing."""
        self.show_matches()
        if self._tasks is None:
            self.footer.show_state()
            return
        listing = self._tasks.listing
        text = self.count_text()
        self.footer.show_state(text, listing.findings, listing.failure, more=listing.more)

    def count_text(self) -> str:
        """Return how far reading is, how many tasks match, or how many are forgotten."""
        tasks = self._tasks
        if tasks is None:
            return ""
        if tasks.listing.state is ListState.READING:
            return f"Loading… page {tasks.listing.pages_read:,}"
        if self.is_filtered:
            matching, total = self.counts()
            return f"{matching:,} of {plural(total, 'task')}"
        return f"{tasks.dropped:,} older tasks in traffic" if tasks.dropped else ""

    def _select_row(self) -> None:
        row = self.model.row_of(self.record)
        if row >= 0 and self.view.currentIndex().row() != row:
            self.view.setCurrentIndex(self.model.index(row))


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
            return accessible_row_text(index)
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
    TONE_ROLE: lambda record: "muted" if record.is_deleted else "text",
    int(Qt.ItemDataRole.ToolTipRole): _tip,
}
"""Role → its value for a task."""
