"""Whether the rows of the panel are messages or operations, and what that changes around them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt

from ui.navigator import navigator_of
from ui.traffic import notices
from ui.traffic.bar import Mode, hidden_rows
from ui.traffic.detail_split import Arrangement

if TYPE_CHECKING:
    from ui.models.timeline import Timeline
    from ui.traffic.operations.mode import OperationsMode
    from ui.traffic.panel import TrafficPanel
    from ui.widgets.following_table import FollowingTable
    from ui.widgets.table_columns import SavedColumn, TableColumns


class ModeSwitch(QObject):
    """Switches a panel between its modes; the one with operations is made when it is first selected."""

    def __init__(self, panel: TrafficPanel) -> None:
        """For `panel`, which owns it."""
        super().__init__(panel)
        self._panel = panel
        self.operations: OperationsMode | None = None
        """The mode with operations; None until it is selected."""
        self._saved_columns: dict[str, SavedColumn] = {}
        self._is_logarithmic = False
        panel.table.difference_requested.connect(self._on_difference_requested)
        panel.bar.mode.chosen.connect(self.set_mode)
        panel.bar.filter.settled.connect(self._on_filter_settled)

    @property
    def mode(self) -> Mode:
        """What a row is at present."""
        active = self.operations is not None and self.operations.is_active
        return Mode.OPERATIONS if active else Mode.MESSAGES

    @property
    def is_operations(self) -> bool:
        """Whether the rows are operations."""
        return self.mode is Mode.OPERATIONS

    @property
    def table(self) -> FollowingTable:
        """The table that has the rows at present."""
        operations = self.operations
        is_active = operations is not None and operations.is_active
        return operations.table if operations is not None and is_active else self._panel.table

    @property
    def columns(self) -> TableColumns:
        """The columns of the rows at present."""
        return self.table.columns

    def go_to_rows(self) -> None:
        """Give the focus to the rows; the last one that is displayed becomes current if none is."""
        table = self.table
        table.setFocus(Qt.FocusReason.TabFocusReason)
        if not table.currentIndex().isValid() and table.model().rowCount():
            row = max(table.whole_rows()[1], 0)
            table.setCurrentIndex(table.model().index(row, 0))

    def show_marks(self) -> None:
        """Show the column of marks, among messages and in the present mode."""
        for columns in (self._panel.table.columns, self.columns):
            columns.set_visible("marks", True)

    @property
    def operation_columns(self) -> dict[str, SavedColumn]:
        """The arrangement of the columns of operations."""
        made = self.operations
        return made.table.columns.save() if made is not None else self._saved_columns

    @operation_columns.setter
    def operation_columns(self, saved: dict[str, SavedColumn]) -> None:
        self._saved_columns = saved
        if self.operations is not None and saved:
            self.operations.table.columns.restore(saved)

    @property
    def is_logarithmic(self) -> bool:
        """Whether the bars of operations are scaled by the logarithm of their times."""
        made = self.operations
        return made.model.row_cells.is_logarithmic if made is not None else self._is_logarithmic

    @is_logarithmic.setter
    def is_logarithmic(self, logarithmic: bool) -> None:
        self._is_logarithmic = logarithmic
        if self.operations is not None:
            self.operations.model.set_logarithmic(logarithmic)

    def set_mode(self, mode: str) -> None:
        """Show messages or operations; the current row stays current."""
        panel = self._panel
        panel.bar.mode.choose(mode)
        if mode == self.mode:
            return
        number = self.current_number()
        operations = self._made()
        is_active = mode == Mode.OPERATIONS
        operations.model.feed.is_filtered = bool(panel.filter_text().strip())
        operations.model.feed.set_active(is_active)
        table = operations.table if is_active else panel.table
        panel.rows.setCurrentWidget(operations.page if is_active else table)
        panel.rows.setFocusProxy(table)
        panel.row_actions.table = table
        table.set_following(panel.bar.follow.isChecked())
        if not is_active:
            self.show_frame_details()
        if number:
            self.go_to(number)
        panel.refresh()

    def toggle(self) -> None:
        """Show the other mode."""
        self.set_mode(Mode.MESSAGES if self.is_operations else Mode.OPERATIONS)

    def current_number(self) -> int:
        """Return the frame under the cursor; 0 for none."""
        operations = self.operations
        if operations is not None and operations.is_active:
            return operations.table.current_number()
        return self._panel.table.current_number()

    def go_to(self, number: int) -> bool:
        """Put the cursor on the row of a frame; return whether it has one in view."""
        operations = self.operations
        if operations is not None and operations.is_active:
            return operations.go_to(number)
        return self._panel.table.go_to(number)

    @property
    def shows_operation(self) -> bool:
        """Whether the details are those of an operation."""
        operations = self.operations
        return operations is not None and operations.is_active and operations.operation > 0

    def show_pointer(self, frame: int, pointer: str) -> None:
        """Select the value at a JSON pointer in the details of a frame, which are displayed; `frame` is its number in its transcript."""
        operations = self.operations
        if operations is None or not operations.operation:
            self._panel.detail.show_pointer(pointer)
        else:
            operations.details.show_pointer(frame, pointer)

    def set_following(self, following: bool) -> None:
        """Stick to the newest row, or stay."""
        if self.operations is not None and self.operations.is_active:
            self.operations.table.set_following(following)
        else:
            self._panel.table.set_following(following)

    def refresh_follow(self) -> None:
        """Show in the bar whether the rows stick to the newest one."""
        self._panel.bar.follow.setChecked(self.table.following)

    def leave(self, timeline: Timeline) -> None:
        """The panel is about to have the frames of `timeline`; `restart` follows."""
        if self.operations is not None:
            self.operations.model.feed.leave(timeline)

    def restart(self) -> None:
        """The panel has other frames now; of the operation before, nothing stays that is not a row any more."""
        operations = self.operations
        if operations is None:
            return
        operations.operation = 0
        operations.model.feed.restart()
        if not operations.operation:
            if not operations.details.isHidden():
                self.show_frame_details()
            operations.details.clear()

    def clear(self) -> None:
        """Rows were cleared, or displayed again."""
        if self.operations is not None:
            self.operations.model.feed.select_again()

    def follow_operation(self) -> None:
        """Show the frames of the current operation alone, in order."""
        if self.operations is not None and self.operations.is_active:
            self.operations.follow()

    def state(self) -> tuple[tuple[str, ...], str]:
        """Return how many rows there are, or what is going on, in ever shorter texts; and the tone."""
        panel = self._panel
        feed = panel.model.feed
        if self.operations is None or not self.is_operations:
            return notices.state(panel.model, hidden_rows(panel), panel.filter_text().strip())
        if feed.paused or feed.share is not None or panel.model.transcript is None:
            return notices.state(panel.model, hidden_rows(panel), panel.filter_text().strip())
        return self.operations.state_texts(), "muted"

    def set_replaces_rows(self, replaces: bool) -> None:
        """Offer the way back to the rows where the details are in their position."""
        if self.operations is not None:
            self.operations.details.set_replaces_rows(replaces)

    def _made(self) -> OperationsMode:
        if self.operations is None:
            from ui.traffic.operations.mode import OperationsMode

            panel = self._panel
            made = self.operations = OperationsMode(
                panel.model, clock=panel.clock, theme=panel.theme, parent=self
            )
            panel.rows.addWidget(made.page)
            panel.detail_column.addWidget(made.details, 1)
            made.details.hide()
            made.details.set_replaces_rows(panel.split.arrangement is Arrangement.INSTEAD)
            self._wire(made)
            self.operation_columns = self._saved_columns
            made.model.set_logarithmic(self._is_logarithmic)
        return self.operations

    def _wire(self, made: OperationsMode) -> None:
        panel = self._panel
        made.counted.connect(panel.refresh)
        made.current_changed.connect(self._on_current_changed)
        made.follow_requested.connect(self._on_follow_requested)
        made.run_requested.connect(self._on_run_requested)
        made.difference_requested.connect(self._on_difference_requested)
        made.pointer_requested.connect(self._on_pointer_requested)
        made.details.repeat_requested.connect(panel.row_actions.repeat)
        made.details.compare_requested.connect(panel.row_actions.compare_with_previous)
        made.closed.connect(lambda: panel.show_detail(False))
        made.table.following_changed.connect(panel.bar.follow.setChecked)
        made.table.clicked.connect(
            lambda: panel.split.set_frame(made.table.current_number() > 0, in_front=True)
        )
        panel.row_actions.add_table(made.table)

    def show_frame_details(self) -> None:
        """Show the details of one frame, not those of an operation."""
        if self.operations is not None:
            self.operations.details.hide()
            self.operations.operation = 0
        self._panel.detail.show()

    def _on_current_changed(self, number: int) -> None:
        """Show the operation, or the frame, of the current row."""
        panel, operations = self._panel, self.operations
        if operations is None:
            return
        if operations.operation:
            panel.show_frame(0)
            operations.details.show()
        else:
            self.show_frame_details()
            panel.show_frame(number)
        panel.split.set_frame(True)

    def _on_pointer_requested(self, pointer: str) -> None:
        self._panel.detail.show_pointer(pointer)

    def _on_difference_requested(self, number: int) -> None:
        transcript, _ = self._panel.model.timeline.locate(number)
        navigator_of(self._panel).compare_run(transcript)

    def _on_run_requested(self, number: int) -> None:
        transcript, _ = self._panel.model.timeline.locate(number)
        if label := self._panel.model.timeline.run_label(transcript):
            self._panel.filtering.add_term(label.replace(" ", ":"))

    def _on_follow_requested(self, number: int) -> None:
        transcript, local = self._panel.model.timeline.locate(number)
        label = self._panel.model.timeline.run_label(transcript)
        run = f" {label.replace(' ', ':')}" if label else ""
        self.set_mode(Mode.MESSAGES)
        self._panel.set_filter(f"operation:{local}{run}")

    def _on_filter_settled(self) -> None:
        if self.operations is not None:
            filtered = bool(self._panel.filter_text().strip())
            self.operations.model.feed.set_filtered(filtered)
