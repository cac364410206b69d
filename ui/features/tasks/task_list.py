"""The list of tasks, newest first."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtWidgets import QListView

from inspector.session.paginated_list import ListState
from ui.features.tasks.list_model import TaskListModel
from ui.filtered_list import FilteredList
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex

    from inspector.features.tasks import Tasks
    from inspector.session.task_record import TaskRecord


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
            self.head.show_state()
            return
        listing = self._tasks.listing
        text = self.count_text()
        self.head.show_state(text, listing.notes, listing.failure, more=listing.more)

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
