"""The mode *Operations* of the traffic panel: made when it is first selected, in the position of the rows and of the details."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from inspector.clock import Clock, SystemClock
from inspector.transcript.operation_time import outcome_of
from ui.traffic.notices import EmptyOverlay, EmptyText, row_counts
from ui.traffic.operations.details import OperationDetails
from ui.traffic.operations.model import OperationModel
from ui.traffic.operations.run_strip import RunStrip
from ui.traffic.operations.table import OperationTable
from ui.widgets.layout_parts import column_layout
from ui.widgets.units import plural

if TYPE_CHECKING:
    from ui.models.traffic import TrafficModel
    from ui.theme import Theme


class OperationsMode(QObject):
    """Table and details of operations.

    Signals:
        counted: how many rows there are may have changed.
        current_changed: the frame of this number is current; `operation` is set where it is one.
        run_requested: show the rows of the run that begins with this frame alone.
        difference_requested: show what is different in that run from the one before.
        follow_requested: show the frames of the operation that begins with this frame alone.
        pointer_requested: show the value at this JSON pointer in the frame that is current.
        closed: hide the details.
    """

    counted = Signal()
    current_changed = Signal(int)
    follow_requested = Signal(int)
    run_requested = Signal(int)
    difference_requested = Signal(int)
    pointer_requested = Signal(str)
    closed = Signal()

    def __init__(
        self, traffic: TrafficModel, *, clock: Clock | None, theme: Theme, parent: QObject
    ) -> None:
        """Show the frames of `traffic`; `clock` is the one that stamps them."""
        super().__init__(parent)
        self._clock = clock or SystemClock()
        self.model = OperationModel(traffic, clock=self._clock, parent=self)
        self.table = OperationTable(model=self.model, theme=theme)
        self.page = QWidget()
        """The table, and above it the run of its top row."""
        self.strip = RunStrip(table=self.table, theme=theme, parent=self.page)
        column_layout(self.page, self.strip, space=0).addWidget(self.table, 1)
        self.page.setFocusProxy(self.table)
        self.details = OperationDetails(theme=theme)
        self.empty = EmptyOverlay(theme=theme, table=self.table)
        self.operation = 0
        """The operation whose details are displayed, by its frame in the timeline; 0 for none."""
        self._wire()

    def _wire(self) -> None:
        self.model.counted.connect(self._on_model_counted)
        self.table.ticked.connect(self._refresh_details)
        self.table.node_changed.connect(self._on_table_node_changed)
        self.table.follow_requested.connect(self.follow)
        self.table.run_requested.connect(self.run_requested)
        self.strip.run_requested.connect(self.run_requested)
        self.model.modelReset.connect(self.strip.refresh)
        self.table.difference_requested.connect(self.difference_requested)
        self.table.opened.connect(self._on_table_opened)
        self.details.follow_requested.connect(self.follow)
        self.details.frame_requested.connect(self._on_details_frame_requested)
        self.details.pointer_requested.connect(self._on_details_pointer_requested)
        self.details.closed.connect(self.closed)

    @property
    def is_active(self) -> bool:
        """Whether the rows are operations."""
        return self.model.feed.is_active

    def state_texts(self) -> tuple[str, ...]:
        """Return how many rows there are, in ever shorter texts."""
        feed, visible = self.model.feed, self.model.visible
        if pending := feed.pending_count:
            return f"{plural(pending, 'frame')} to go", f"{pending:,} to go"
        count = len(visible.tops) - len(visible.dividers)
        if feed.is_filtered:
            return row_counts(feed.total, count)
        return row_counts(feed.total, hidden=feed.total - count)

    def go_to(self, number: int) -> bool:
        """Make the row of a frame current; return whether it has one."""
        row = self.model.row_of_frame(number)
        if row is not None:
            self.table.go_to_row(row)
        return row is not None

    def _operation_of_current(self) -> int:
        """Return the operation that the current row is, or is beneath; 0 for none."""
        node = self.table.current_node()
        if node is None or node.is_divider:
            return 0
        rows, local = self.model.feed.rows_at(node.number)
        operation = rows.operation(local)
        return operation + node.number - local if operation else 0

    def _refresh_details(self) -> None:
        """Show what may have changed of the operation."""
        if self.operation and self.details.isVisible():
            self.details.refresh(self._clock.monotonic())

    def _on_table_node_changed(self) -> None:
        node = self.table.current_node()
        if node is None or node.is_divider or node.is_rest:
            return
        rows, local = self.model.feed.rows_at(node.number)
        is_operation = not node.depth or rows.transcript.columns.request[local - 1] == local
        is_operation = is_operation and not node.is_fold and rows.is_operation(local)
        self.operation = node.number if is_operation else 0
        if is_operation:
            self.details.show_operation(rows, local, self._clock.monotonic())
        self.current_changed.emit(node.number)

    def follow(self) -> None:
        """Request that the frames of the current operation are displayed alone."""
        if operation := self._operation_of_current():
            self.follow_requested.emit(operation)

    def _on_table_opened(self, by_enter: bool) -> None:
        """Enter goes to the response; a double click unfolds."""
        row, node = self.table.currentIndex().row(), self.table.current_node()
        if node is None:
            return
        if not by_enter:
            self.table.toggle(row)
            return
        rows, local = self.model.feed.rows_at(node.number)
        columns = rows.transcript.columns
        is_request = columns.request[local - 1] == local and not node.is_fold
        response = outcome_of(rows, local).response if is_request else 0
        if response:
            self.go_to(response + node.number - local)
        else:
            self.table.toggle(row)

    def _on_details_frame_requested(self, local: int) -> None:
        rows, own = self.model.feed.rows_at(self.operation)
        if rows.tree.is_added(local):
            self.go_to(local + self.operation - own)

    def _on_details_pointer_requested(self, local: int, pointer: str) -> None:
        self._on_details_frame_requested(local)
        if not self.operation:
            self.pointer_requested.emit(pointer)

    def _on_model_counted(self) -> None:
        emptiness = None
        feed = self.model.feed
        if not self.model.rowCount() and not feed.pending_count:
            text = (
                "No operation matches the filter."
                if feed.is_filtered
                else "Requests appear here as they are sent."
            )
            emptiness = EmptyText("No matches" if feed.is_filtered else "No operations yet", text)
        self.empty.show_for(emptiness)
        self.strip.refresh()
        self._refresh_details()
        self.counted.emit()
