"""One operation whole: how its time divides, its request and response, the sequence of its frames, and its problems."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QListView, QStackedWidget, QVBoxLayout, QWidget

from inspector.finding import Severity
from inspector.transcript.operation_time import outcome_of, time_split
from inspector.visible_text import one_line
from ui.models.traffic_cells import NAME_LIMIT, TimeFormat
from ui.theme import tokens
from ui.traffic.detail_header import DetailHeader
from ui.traffic.operations.cells import CellMaker
from ui.traffic.operations.columns import position
from ui.traffic.operations.message_view import MessageView
from ui.traffic.operations.sequence import SequenceModel
from ui.traffic.operations.split_bar import SplitBar
from ui.traffic.operations.visible_rows import Node
from ui.traffic.problems import FindingTexts, ProblemsTab
from ui.widgets.buttons import push_button
from ui.widgets.delegates import ListDelegate
from ui.widgets.labels import plain_label, set_tone
from ui.widgets.segmented_control import SegmentedControl

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from inspector.finding import Finding
    from inspector.transcript.operation_rows import OperationRows
    from ui.theme import Theme

MAX_FRAMES_CHECKED = 5000
"""Frames of one operation whose findings are collected."""
MIN_SPLIT_HEIGHT = 260
"""Pixels at 100% of the details below which the parts of the time leave their space to the message."""
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
        repeat_requested: send its request again, edited or not.
        compare_requested: compare it with one of the same kind.
        frame_requested: show the frame of this number.
        pointer_requested: show the value at this JSON pointer in the frame of this number.
        closed: hide the details.
    """

    follow_requested = Signal()
    repeat_requested = Signal()
    compare_requested = Signal()
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
        self._texts = FindingTexts()
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
        self.repeat = push_button("Repeat…", name="operation_repeat", parent=self)
        self.repeat.setToolTip("Send the request again, edited or not (Ctrl+E)")
        self.compare = push_button("Compare…", name="operation_compare", parent=self)
        self.compare.setToolTip("Compare with the previous operation of this kind")
        self.split = SplitBar(theme=theme, parent=self)
        self.views = SegmentedControl(
            [(view, view) for view in View], name="operation_views", parent=self
        )
        self.views.setProperty("dense", True)  # four of them in the width of the details
        self.message = MessageView(theme=theme, parent=self)
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
        self._problems_due = QTimer(self, interval=PROBLEMS_MS, singleShot=True)
        self._pages = QStackedWidget(self)
        for page in (self.message, self.list, self.problems):
            self._pages.addWidget(page)
        self._lay_out()

    def _build_header(self) -> None:
        self._header = DetailHeader(
            theme=self._theme, name="operation", title="operation_title", is_mono=True, parent=self
        )
        self._title = self._header.title
        self._outcome = plain_label("", name="operation_outcome", parent=self._header)
        self._header.add_beside_title(self._outcome)

    def _lay_out(self) -> None:
        self._actions = QHBoxLayout()
        for button in (self.follow, self.repeat, self.compare):
            self._actions.addWidget(button)
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
        column.addWidget(self._pages, 1)

    def _wire(self) -> None:
        self.follow.clicked.connect(self.follow_requested)
        self.repeat.clicked.connect(self.repeat_requested)
        self.compare.clicked.connect(self.compare_requested)
        self._header.closed.connect(self.closed)
        self.views.chosen.connect(self._fill)
        self.list.clicked.connect(self._on_list_activated)
        self.list.activated.connect(self._on_list_activated)
        self.problems.pointer_requested.connect(self._on_pointer_requested)
        self._problems_due.timeout.connect(self._show_problems)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        theme = self._theme
        edge = theme.px(tokens.DENSE_PADDING_PX)
        self._parts.setContentsMargins(edge, theme.SPACING_PX, edge, theme.px(8))
        self._parts.setSpacing(theme.px(8))
        self._actions.setSpacing(theme.px(6))

    def set_replaces_rows(self, replaces: bool) -> None:
        """Offer the way back to the rows, instead of closing, where the details are in their position."""
        self._header.set_replaces_rows(replaces)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a low dock the parts of the time give their height to the message: the row has them, too."""
        super().resizeEvent(event)
        self._fit_split()

    def _fit_split(self) -> None:
        is_high = self.height() >= self._theme.px(MIN_SPLIT_HEIGHT)
        self.split.setVisible(is_high and self.split.has_parts)

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
        self.message.clear()

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
        self._fit_split()
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
        self.message.show_findings()
        masked = partial(self._texts.masked, rows.transcript)
        self.problems.set_findings([finding for _, finding in found], masked=masked)

    def _fill(self) -> None:
        rows, view = self._rows, self.view()
        if rows is None:
            return
        if view in {View.REQUEST, View.RESPONSE}:
            self.message.show_frame(rows.transcript, self._frame(rows, view))
        pages = {View.SEQUENCE: self.list, View.PROBLEMS: self.problems}
        self._pages.setCurrentWidget(pages.get(view, self.message))

    def _frame(self, rows: OperationRows, view: View) -> int:
        return outcome_of(rows, self._number).response if view is View.RESPONSE else self._number

    def _on_list_activated(self, index: QModelIndex) -> None:
        number = self.sequence.number_at(index.row()) if index.isValid() else 0
        if number:
            self.frame_requested.emit(number)

    def _on_pointer_requested(self, pointer: str, at: int) -> None:
        """Show the value in the frame with the problem: in the request, in the response, or where that frame has its row."""
        frame = self._finding_frames[at]
        if not self.show_pointer(frame, pointer):
            self.pointer_requested.emit(frame, pointer)

    def show_pointer(self, frame: int, pointer: str) -> bool:
        """Select the value at a JSON pointer in the request or the response; False for another frame."""
        rows = self._rows
        if rows is None:
            return False
        for view in (View.REQUEST, View.RESPONSE):
            if frame == self._frame(rows, view):
                self.show_view(view)
                self.message.show_pointer(pointer)
                return True
        return False
