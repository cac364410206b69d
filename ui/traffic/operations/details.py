"""One operation whole: how its time divides, its request and response, the sequence of its frames, and its problems."""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QListView, QStackedWidget, QVBoxLayout, QWidget

from inspector.errors import StorageError
from inspector.finding import Severity
from inspector.transcript.operation_time import outcome_of, time_split
from inspector.visible_text import one_line
from inspector.wire.message import Absent
from ui.models.traffic_cells import NAME_LIMIT, TimeFormat
from ui.theme import tokens
from ui.traffic.frame_details import HEADER_PX
from ui.traffic.large_frame import LargeFrameReader
from ui.traffic.operations.cells import CellMaker
from ui.traffic.operations.columns import position
from ui.traffic.operations.sequence import SequenceModel
from ui.traffic.operations.split_bar import SplitBar
from ui.traffic.operations.visible_rows import Node
from ui.traffic.problems import ProblemsTab
from ui.widgets.buttons import link_button, push_button, tool_button
from ui.widgets.delegates import ListDelegate
from ui.widgets.empty_state import EmptyState
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.json_view import JsonView
from ui.widgets.labels import ElidedLabel, plain_label, set_tone
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.finding import Finding
    from inspector.transcript.operation_rows import OperationRows
    from ui.theme import Theme

MAX_FRAMES_CHECKED = 5000
"""Frames of one operation whose findings are collected."""
PROBLEMS_MS = 500
"""At most once in this time are they collected again while frames arrive."""


class View(StrEnum):
    """The parts of an operation, in their order."""

    REQUEST = "Request"
    RESPONSE = "Response"
    SEQUENCE = "Sequence"
    PROBLEMS = "Problems"


class OperationDetails(QWidget):
    """One operation.

    Signals:
        follow_requested: show its frames alone.
        frame_requested: show the frame of this number.
        pointer_requested: show the value at this JSON pointer in the frame of this number.
        closed: hide the details.
    """

    follow_requested = Signal()
    frame_requested = Signal(int)
    pointer_requested = Signal(int, str)
    closed = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without an operation."""
        super().__init__(parent)
        self.setObjectName("operation_detail")
        self._theme = theme
        self._rows: OperationRows | None = None
        self._number = 0
        self._seen: tuple[object, ...] = ()
        self._displayed: tuple[OperationRows, int] | None = None
        """The frame whose JSON is displayed, or is read for that: it is not filled again, so that the tree stays as it was arranged."""
        self._pointer = ""
        """Where to go in it once it is read."""
        self._finding_frames: list[int] = []
        """The frames of the problems, in their order."""
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self._build_header()
        self.follow = push_button("Follow operation", name="operation_follow", parent=self)
        self.follow.setToolTip("Show the frames of this operation alone (Ctrl+Enter)")
        self.split = SplitBar(theme=theme, parent=self)
        self.views = SegmentedControl(
            [(view, view) for view in View], name="operation_views", parent=self
        )
        self.views.setProperty("dense", True)  # four of them in the width of the details
        self.json = JsonView(theme=theme, name="operation_json", parent=self)
        self.sequence = SequenceModel(self)
        self.list = QListView(self)
        self.list.setObjectName("operation_sequence")
        self.list.setAccessibleName("Sequence of the operation")
        self.list.setModel(self.sequence)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(
            ListDelegate(theme=theme, elide=Qt.TextElideMode.ElideRight, parent=self.list)
        )
        self.problems = ProblemsTab(theme=theme, parent=self)
        self._empty = plain_label("", tone="muted", name="operation_no_response", parent=self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._failure = ErrorPanel(theme=theme, name="operation_failure", parent=self)
        self._reading = EmptyState(
            "Reading a large frame…", "", theme=theme, name="operation_reading", parent=self
        )
        self._large = LargeFrameReader(self)
        self._problems_due = QTimer(self, interval=PROBLEMS_MS, singleShot=True)
        self._pages = QStackedWidget(self)
        for page in (self.json, self.list, self.problems, self._empty, self._reading):
            self._pages.addWidget(page)
        self._lay_out()

    def _build_header(self) -> None:
        self._header = QWidget(self)
        self._back = link_button("‹ Back", name="operation_back", parent=self._header)
        self._back.setAccessibleName("Back to the rows")
        self._back.hide()
        self._title = ElidedLabel("", elide=Qt.TextElideMode.ElideRight, parent=self._header)
        self._title.setObjectName("operation_title")
        self._outcome = plain_label("", name="operation_outcome", parent=self._header)
        self._close = tool_button(
            self._theme,
            "mdi6.close",
            "Close details",
            name="operation_detail_close",
            parent=self._header,
        )

    def _lay_out(self) -> None:
        self._row = QHBoxLayout(self._header)
        for widget in (self._back, self._title, self._outcome):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        self._row.addWidget(self._close)
        self._actions = QHBoxLayout()
        self._actions.addWidget(self.follow)
        self._actions.addStretch(1)
        self._parts = QVBoxLayout()
        self._parts.addLayout(self._actions)
        self._parts.addWidget(self.split)
        self._parts.addWidget(self.views)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addLayout(self._parts)
        column.addWidget(self._failure)
        column.addWidget(self._pages, 1)

    def _wire(self) -> None:
        self.follow.clicked.connect(self.follow_requested)
        self._close.clicked.connect(self.closed)
        self._back.clicked.connect(self.closed)
        self.views.chosen.connect(self._fill)
        self.list.clicked.connect(self._on_list_activated)
        self.list.activated.connect(self._on_list_activated)
        self.problems.pointer_requested.connect(self._on_pointer_requested)
        self._large.ready.connect(self._on_large_ready)
        self._large.failed.connect(self._on_large_failed)
        self._problems_due.timeout.connect(self._show_problems)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        theme = self._theme
        edge = theme.px(tokens.DENSE_PADDING_PX)
        self._row.setContentsMargins(edge, 0, theme.SPACING_PX, 0)
        self._row.setSpacing(theme.px(8))
        self._header.setFixedHeight(theme.px(HEADER_PX))
        self._parts.setContentsMargins(edge, theme.SPACING_PX, edge, theme.px(8))
        self._parts.setSpacing(theme.px(8))
        self._actions.setSpacing(theme.px(6))
        self._title.setFont(theme.mono(bold=True))

    def set_replaces_rows(self, replaces: bool) -> None:
        """Offer the way back to the rows, instead of closing, where the details are in their position."""
        self._back.setVisible(replaces)
        self._close.setVisible(not replaces)

    def show_operation(self, rows: OperationRows, number: int, now: float) -> None:
        """Show the operation that begins with frame `number` of the transcript of `rows`."""
        is_other = (rows, number) != (self._rows, self._number)
        if is_other:
            self._seen = ()
        self._rows, self._number = rows, number
        self.refresh(now)
        if is_other:
            self._show_problems()

    def clear(self) -> None:
        """Show no operation."""
        self._rows, self._number, self._seen = None, 0, ()
        self._problems_due.stop()
        self._let_go()

    def view(self) -> View:
        """The part in front."""
        return View(self.views.current())

    def show_view(self, view: View) -> None:
        """Bring a part to the front."""
        self.views.choose(view)
        self._fill()

    def refresh(self, now: float) -> None:
        """Show what may have changed; `now` is in monotonic seconds of the clock of the transcript."""
        rows, number = self._rows, self._number
        if rows is None or not rows.tree.is_added(number):
            return
        split = time_split(rows, number, now)
        self.split.show_split(split)
        self._show_title(rows, now)
        seen = (rows.tree.totals(number), rows.transcript.status(number), rows.generation)
        if seen != self._seen:
            self._seen = seen
            self.sequence.show(rows, number, now)
            self.views.set_label(View.SEQUENCE, f"{View.SEQUENCE} {self.sequence.rowCount():,}")
            if not self._problems_due.isActive():
                self._problems_due.start()
            self._fill()

    def _show_title(self, rows: OperationRows, now: float) -> None:
        cells = CellMaker(rows, TimeFormat.CLOCK, now).make(Node(self._number), self._number)
        self._title.set_text(one_line(cells.texts[position("operation")], NAME_LIMIT))
        parts = (cells.texts[position("status")], cells.texts[position("total")])
        self._outcome.setText(" · ".join(part for part in parts if part))
        tone = cells.tones[position("status")]
        set_tone(self._outcome, tone)

    def _show_problems(self) -> None:
        rows = self._rows
        if rows is None:
            return
        self._problems_due.stop()
        frames = sorted(islice(rows.tree.all_beneath(self._number), MAX_FRAMES_CHECKED))
        found: list[tuple[int, Finding]] = [
            (frame, finding) for frame in frames for finding in rows.transcript.findings(frame)
        ]
        count = sum(finding.severity is not Severity.INFO for _, finding in found)
        self.views.set_label(
            View.PROBLEMS, f"{View.PROBLEMS} {count:,}" if count else View.PROBLEMS
        )
        self._finding_frames = [frame for frame, _ in found]
        self.problems.set_findings([finding for _, finding in found])

    def _fill(self) -> None:
        rows, view = self._rows, self.view()
        if rows is None:
            return
        if view in {View.REQUEST, View.RESPONSE}:
            self._show_message(rows, self._frame(rows, view))
            return
        if not self._failure.isHidden():
            self._let_go()
        self._pages.setCurrentWidget(self.list if view is View.SEQUENCE else self.problems)

    def _frame(self, rows: OperationRows, view: View) -> int:
        return outcome_of(rows, self._number).response if view is View.RESPONSE else self._number

    def _show_message(self, rows: OperationRows, frame: int) -> None:
        if self._displayed != (rows, frame):
            self._let_go()
            if frame:
                self._read(rows, frame)
        self._empty.setText("" if frame else "No response")
        if not frame or not self._failure.isHidden():
            self._pages.setCurrentWidget(self._empty)
        else:
            self._pages.setCurrentWidget(self._reading if self._large.is_reading else self.json)

    def _read(self, rows: OperationRows, frame: int) -> None:
        """Fill the tree with a frame, a large one once it is read."""
        self._displayed = rows, frame
        if not self._large.start(rows.transcript, frame):
            self._fill_tree()

    def _fill_tree(self) -> None:
        if self._displayed is None:
            return
        rows, frame = self._displayed
        large = self._large.frame
        try:
            if large is not None and not isinstance(large.value, Absent):
                self.json.set_value(large.value)
            else:
                self.json.set_raw(rows.transcript.message(frame).raw)
        except StorageError as error:
            self._failure.show_error(error)
        else:
            self._reveal()

    def _reveal(self) -> None:
        if self._pointer:
            self.json.reveal(self._pointer)
        self._pointer = ""

    def _on_large_ready(self) -> None:
        self._fill_tree()
        self._fill()

    def _on_large_failed(self, error: InspectorError) -> None:
        self._failure.show_error(error)
        self._fill()

    def _let_go(self) -> None:
        """Forget which message is displayed, and what is read for it."""
        self._displayed = None
        self._pointer = ""
        self._large.stop()
        self._failure.clear()

    def _on_list_activated(self, index: QModelIndex) -> None:
        number = self.sequence.number_at(index.row()) if index.isValid() else 0
        if number:
            self.frame_requested.emit(number)

    def _on_pointer_requested(self, pointer: str, at: int) -> None:
        """Show the value in the frame with the problem: in the request, in the response, or where that frame has its row."""
        rows, frame = self._rows, self._finding_frames[at]
        if rows is None:
            return
        for view in (View.REQUEST, View.RESPONSE):
            if frame == self._frame(rows, view):
                self.show_view(view)
                self._pointer = pointer
                if not self._large.is_reading:
                    self._reveal()
                return
        self.pointer_requested.emit(frame, pointer)
