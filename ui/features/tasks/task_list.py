"""The list of tasks with its filter. The choice belongs to the task, not to the row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListView, QVBoxLayout, QWidget

from inspector.session.listing import ListState
from ui.features.tasks.list_model import TaskListModel
from ui.widgets.hairline import Hairline
from ui.widgets.list_delegate import ListDelegate
from ui.widgets.list_head import ListHead
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.features.tasks import Tasks
    from inspector.session.task_record import TaskRecord
    from ui.theme import Theme


class TaskList(QWidget):
    """What runs, and what ran.

    Signals:
        chosen: another task is chosen, or none.
        refresh_wanted: the list of the server is to be read.
        more_wanted: reading it is to go on where its budget ended.
        frame_wanted: the frame of this number is to be shown.
    """

    chosen = Signal()
    refresh_wanted = Signal()
    more_wanted = Signal()
    frame_wanted = Signal(int)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("task_list")
        self.record: TaskRecord | None = None
        self._theme = theme
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self.head = ListHead(theme=theme, name="tasks", placeholder="Filter tasks", parent=self)
        self.model = TaskListModel(self)
        self.view = QListView(self)
        self.view.setObjectName("task_view")
        self.view.setAccessibleName("Tasks")
        self.view.setModel(self.model)
        self.view.setUniformItemSizes(True)
        self.view.setFrameShape(QListView.Shape.NoFrame)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setItemDelegate(ListDelegate(theme=theme, two_lines=True, parent=self.view))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addWidget(Hairline(theme=theme))
        layout.addWidget(self.view, 1)

    def _wire(self) -> None:
        self.head.filter.edited.connect(self._on_filter_edited)
        self.head.filter.left_down.connect(self.view.setFocus)
        self.head.refresh_wanted.connect(self.refresh_wanted)
        self.head.more_wanted.connect(self.more_wanted)
        self.head.frame_wanted.connect(self.frame_wanted)
        self.view.selectionModel().currentChanged.connect(self._on_current_changed)

    def show_tasks(self, tasks: Tasks | None, records: Sequence[TaskRecord]) -> None:
        """Show `records`, oldest first; `tasks` tells how the server's list was read."""
        self.model.set_records(records)
        if self.record not in records:
            self.record = None
        if self.record is None and self.model.rowCount():
            self.record = self.model.record(0)
            self.chosen.emit()
        self._select()
        self._show_state(tasks)

    def choose(self, record: TaskRecord) -> None:
        """Choose a task, whatever the filter."""
        if self.model.row_of(record) < 0:
            self.head.filter.set_text("")
        self.record = record
        self._select()
        self.chosen.emit()

    def _select(self) -> None:
        row = self.model.row_of(self.record)
        if row >= 0 and self.view.currentIndex().row() != row:
            self.view.setCurrentIndex(self.model.index(row))

    def _show_state(self, tasks: Tasks | None) -> None:
        if tasks is None:
            self.head.show_state()
            return
        listing = tasks.listing
        words = self._count_words(tasks)
        self.head.show_state(words, listing.notes, listing.failure, more=listing.more)

    def _count_words(self, tasks: Tasks) -> str:
        total, shown = self.model.total, self.model.rowCount()
        if tasks.listing.state is ListState.READING:
            return f"Loading… page {tasks.listing.pages_read:,}"
        if self.model.is_filtered:
            return f"{shown:,} of {plural(total, 'task')}"
        return f"{tasks.dropped:,} older tasks in traffic" if tasks.dropped else ""

    def _on_filter_edited(self, text: str) -> None:
        self.model.set_filter(text)
        self._select()

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        record = self.model.record(current.row()) if current.isValid() else None
        if record is not None and record is not self.record:
            self.record = record
            self.chosen.emit()
