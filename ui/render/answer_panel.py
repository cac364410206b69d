"""The right of a page that sends requests: the history of the selected entry, and status and result of one of its operations.

The operation that is shown stays until the user selects another or sends one; a response that arrives late is shown as late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.errors import PeerError
from inspector.event import Event
from inspector.transcript.redaction import Masking
from inspector.visible_text import one_line
from inspector.workspace import is_closed
from ui.bind import Bindings, bind, bind_coalesced
from ui.render.answer_kind import A, AnswerKind, R
from ui.render.incremental import IncrementalArea
from ui.render.operation_status import OperationStatus, brief_outcome
from ui.theme import tokens
from ui.theme.layout_spaces import set_space
from ui.widgets.answer_views import MIN_PIXELS, AnswerView, AnswerViews, standard_views
from ui.widgets.empty_state import EmptyState
from ui.widgets.history_steps import HistorySteps
from ui.widgets.history_table import HistoryRow, HistoryTable
from ui.widgets.joint_column import JointColumn
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.open_session import OpenSession
    from inspector.session.operation import OperationState
    from ui.theme import Theme

HEAD_PIXELS = 10
"""At 100%, above the line with the outcome."""

MIN_HISTORY_PIXELS = 360
"""Least height at 100% of a panel with a history; a lower one needs the height for its result."""

HISTORY_ROWS = ((700, 5), (480, 3), (MIN_HISTORY_PIXELS, 2))
"""Height at 100% of the panel → rows of the history. They do not depend on its length: the result keeps its height as it grows."""

LATE_MS = 200
"""Shortest time between two looks for a response that arrived late."""

MAX_CHARACTERS = 80
"""Of what was requested, in the history."""


class AnswerPanel(AnswerKind[A, R]):
    """Base of the panels that show calls of a tool, results of a prompt and reads of a resource.

    Signals:
        changed: an operation started or ended, or another is shown.
        reuse_requested: put what this operation sent back into the fields.
    """

    changed = Signal()
    reuse_requested = Signal(object)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName(f"{self.name}_result")
        self._theme = theme
        self._session: OpenSession | None = None
        self._operations: Sequence[A] = ()
        self._runs = 1
        self._touched: Event[()] = Event()
        self._bindings = Bindings()
        self._session_bindings = Bindings()
        self._displayed: tuple[A, OperationState, int] | None = None
        self._at_once = True
        self._build()
        self._wire()
        self.refresh()

    def assemble(
        self,
        *views: AnswerView,
        beside_outcome: QWidget | None = None,
        below_outcome: QWidget | None = None,
        preview: QWidget | None = None,
    ) -> None:
        """Lay the parts out; JSON, raw and problems, which every result has, come after `views`.

        `preview` is what can be shown of an entry before its first operation.
        """
        theme, name = self._theme, self.name
        self._empty = EmptyState(*self.empty, theme=theme, name=f"{name}_result_empty")
        self.steps = HistorySteps(
            theme=theme, name=f"{name}_history", repeat=self.repeat, compare=self.compare_text
        )
        self.history = HistoryTable(
            self.history_title,
            theme=theme,
            name=f"{name}_history",
            reuse=self.reuse,
            compare=self.compare_text,
        )
        self.status = OperationStatus(theme=theme, name=name, repeat=self.repeat, parent=self)
        standard = standard_views(
            theme=theme,
            name=f"{name}_answer",
            has_response=self._has_response,
            message=lambda: self._current.message,
            response=lambda: self._current.response,
            problems=lambda: (self.status.problems.found, self.status.problems.listed),
            masked=lambda text: Masking(self._current.transcript).text(text),
        )
        self.views = AnswerViews((*views, *standard), theme=theme, name=f"{name}_answer")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self._filled(beside_outcome, below_outcome))
        if preview is not None:
            self._stack.addWidget(preview)
        self._preview = preview
        column_layout(self, self._stack, self.history, space=0).setStretch(0, 1)

    def _filled(self, beside_outcome: QWidget | None, below_outcome: QWidget | None) -> QWidget:
        theme, status = self._theme, self.status
        filled = _ResultColumn(self.views, theme, f"{self.name}_result_column", self._stack)
        column = filled.column
        line = row_layout(None, space=theme.px(6))
        line.addWidget(status.outcome, 1, Qt.AlignmentFlag.AlignTop)
        for part in (status.review, beside_outcome, self.steps):
            if part is not None:
                line.addWidget(part, 0, Qt.AlignmentFlag.AlignTop)
        column.addLayout(line)
        # Below *Cancel* what may come while the operation runs, which would move it.
        texts = (below_outcome, status.progress, status.meanwhile, status.question)
        for part in (*texts, status.visits, status.error):
            if part is not None:
                column.addWidget(part)
        column.addWidget(self.views, 1)
        return filled

    @property
    def _current(self) -> A:
        assert self.operation is not None
        return self.operation

    def _has_response(self) -> bool:
        return self._displayed is not None and self._displayed[2] > 0

    def _wire(self) -> None:
        self._clock = QTimer(self, interval=tokens.CLOCK_MS)
        self._clock.timeout.connect(self._show_status)
        # A turn later: the turn that brought the response had enough to do.
        self._rendering = QTimer(self, interval=0, singleShot=True)
        self._rendering.timeout.connect(self._render_later)
        self.history.selected.connect(self._on_history_selected)
        self.history.reuse_requested.connect(self._on_reuse_requested)
        self.history.compare_requested.connect(self.compare)
        self.steps.stepped.connect(self._on_stepped)
        self.steps.repeat_requested.connect(self._on_repeat_requested)
        self.steps.compare_requested.connect(self.compare)
        self.status.repeat_requested.connect(self._on_repeat_requested)
        self.status.problems.changed.connect(self._on_problems_changed)
        self.status.meanwhile.changed.connect(self.history.model.refresh_all)
        self.status.meanwhile.changed.connect(self._fit_history)
        bind_coalesced(self, self._touched, self.refresh)

    def set_session(self, session: OpenSession | None, *, again: bool = False) -> None:
        """Send over `session` from now on; `again` keeps everything for another run of the same server."""
        self._session, self._cached = session, None
        if not again:
            self.clear()
        self._session_bindings.replace()
        is_recorded = session is not None and session.session.is_recorded
        self._empty.set_text(*(self.empty_recorded if is_recorded else self.empty))
        if session is not None:
            appended = session.session.transcript.appended
            self._session_bindings.replace(
                bind_coalesced(self, appended, self._on_appended, LATE_MS)
            )
        self.status.set_session(session)
        self.show_history()

    @property
    def is_connected(self) -> bool:
        """Whether requests can be sent."""
        return self._session is not None and not is_closed(self._session.session)

    @property
    def is_running(self) -> bool:
        """Whether the operation that is shown is running."""
        return self.operation is not None and not self.operation.is_finished

    @property
    def is_rendered(self) -> bool:
        """Whether the result that is shown is visible as a whole; it is rendered in the turns after it arrived."""
        areas = self.findChildren(IncrementalArea)
        return self._is_displayed and not any(area.is_drawing for area in areas)

    @property
    def previous(self) -> A | None:
        """The operation before the one that is shown."""
        if self.operation not in self._operations:
            return None
        at = self._operations.index(self.operation)
        return self._operations[at - 1] if at else None

    def show_history(self, selected: A | None = None) -> None:
        """Show the operations of the entry: the `selected` one, the one shown before, or the latest."""
        session = self._session
        self._runs = session.session.run.number if session is not None else 1
        self._operations = tuple(self.operations(session)) if session is not None else ()
        kept = selected or (self.operation if self.operation in self._operations else None)
        self._show(kept or self._latest())

    def _latest(self) -> A | None:
        """Return the latest operation; None if it is of an earlier run and there is a preview of the entry."""
        latest = self._operations[-1] if self._operations else None
        is_earlier = latest is not None and latest.run.number != self._runs
        return None if is_earlier and self.has_preview() else latest

    def cancel(self) -> None:
        """Cancel the operation that is shown."""
        if self.operation is not None:
            self.operation.cancel()

    def _show(self, operation: A | None) -> None:
        self.operation = operation
        self._rendering.stop()
        self._bindings.replace()
        if operation is not None and not operation.is_finished:
            self._bindings.replace(bind(self, operation.changed, self._touched.fire))
        count = len(self._operations)
        at = self._operations.index(operation) if operation in self._operations else count
        self.history.show_rows(count, self._row, count - 1 - at, has_runs=self._runs > 1)
        self._fit_history()
        self.refresh()

    def _row(self, row: int) -> HistoryRow:
        """Return a row of the history, of which the newest operation is the first."""
        at = len(self._operations) - 1 - row
        operation = self._operations[at]
        waiting = self.status.meanwhile.pending_text_of(operation)
        text, tone, sign = brief_outcome(operation.state, waiting)
        return HistoryRow(
            f"{at + 1:,}",
            one_line(self.brief_text(operation), MAX_CHARACTERS),
            text,
            duration(operation.took_seconds) if operation.is_finished else "",
            f"run {operation.run.number}",
            tone,
            sign,
        )

    def _fit_history(self) -> None:
        """Show the history where there are operations, and height for it; its buttons give way to *Review*."""
        self.steps.fit(self.width(), has_review=not self.status.review.isHidden())
        height = self.height() / self._theme.scale
        self.history.setVisible(bool(self._operations) and height >= MIN_HISTORY_PIXELS)
        self.history.set_visible_rows(next((n for low, n in HISTORY_ROWS if height >= low), 0))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much of the history as there is height for."""
        super().resizeEvent(event)
        self._fit_history()

    def refresh(self) -> None:
        """Show the current state of operation and session."""
        operation = self.operation
        if operation is not None:
            self._stack.setCurrentIndex(1)
        elif self._preview is not None and self.has_preview():
            self._stack.setCurrentWidget(self._preview)
        else:
            self._stack.setCurrentIndex(0)
        if operation is None:
            self._clock.stop()
            self._rendering.stop()
            self._clear_views()
            self._displayed = None
            self.changed.emit()
            return
        if operation.is_finished:
            self._clock.stop()
        elif not self._clock.isActive():
            self._clock.start()
        self._show_status()
        self._show_error(operation)
        if not self._is_displayed and self._bindings:
            self._rendering.start()
        elif not self._is_displayed:
            self._render(at_once=True)
        self.changed.emit()

    @property
    def _is_displayed(self) -> bool:
        """Whether the views show the operation as it is now."""
        return self._displayed == self._to_display()

    def _to_display(self) -> tuple[A, OperationState, int] | None:
        operation = self.operation
        if operation is None:
            return None
        return operation, operation.state, operation.response_frame or operation.late_frame

    def _render_later(self) -> None:
        self._show_status()  # the response may have arrived since
        if self.operation is not None:
            self._show_error(self.operation)
        self._render(at_once=False)

    def _render(self, *, at_once: bool) -> None:
        self._displayed = self._to_display()
        operation = self.operation
        if operation is None or not operation.is_finished or not self._has_response():
            self._clear_views()
            return
        self._at_once = at_once
        self.views.show_result(self.better_views(operation))
        self._at_once = True  # a view that is selected later is filled in the turn of the click
        self._cached = None  # it may be large; other views read it again

    def _clear_views(self) -> None:
        """Hide the views, and drop the content that they render or hold."""
        self.views.clear()
        for area in self.findChildren(IncrementalArea):
            area.put(None)

    def _show_status(self) -> None:
        operation = self.operation
        if operation is None:
            return
        count, can_compare = len(self._operations), self.previous is not None
        at = self._operations.index(operation) if operation in self._operations else -1
        if at >= 0:
            self.history.model.refresh(count - 1 - at)
        self.history.set_compared(f"{at} → {at + 1}" if can_compare else "")
        self.steps.show_position(
            at + 1, count, can_repeat=self.is_connected, can_compare=can_compare
        )
        self.status.show_operation(
            operation,
            self.outcome_of(operation),
            self.progress_of(operation),
            can_cancel=self.can_cancel(operation),
        )
        self._fit_history()

    def _show_error(self, operation: A) -> None:
        error = operation.error
        text = self.error_text(operation, error) if isinstance(error, PeerError) else None
        self.status.show_error(operation, text, self.schema_of(operation))

    def _on_problems_changed(self) -> None:
        if self._is_displayed and self._has_response():
            self.views.refresh("problems")

    def _on_appended(self) -> None:
        if self.operation is not None and self.operation.is_finished and not self._is_displayed:
            self.refresh()

    def _on_history_selected(self, row: int) -> None:
        self._show(self._operations[len(self._operations) - 1 - row])

    def _on_stepped(self, by: int) -> None:
        if self.operation in self._operations:
            at = self._operations.index(self.operation) + by
            if 0 <= at < len(self._operations):
                self._show(self._operations[at])

    def _on_repeat_requested(self) -> None:
        if self.operation is not None:
            self.send_again(self.operation)

    def _on_reuse_requested(self) -> None:
        if self.operation is not None:
            self.reuse_requested.emit(self.operation)


class _ResultColumn(JointColumn):
    """The parts of a result, with margins that grow with the text; in a low panel an error above the views does not squeeze them."""

    def __init__(self, views: AnswerViews, theme: Theme, name: str, parent: QWidget) -> None:
        super().__init__(name=name, parent=parent)
        self._theme = theme
        self._result_views = views
        set_space(self.column, theme.px(6))
        theme.changed.connect(self._apply_theme)
        self._apply_theme()

    def _apply_theme(self) -> None:
        theme = self._theme
        edge = theme.px(tokens.READING_PADDING_PX)
        self.column.setContentsMargins(edge, theme.px(HEAD_PIXELS), edge, theme.PADDING_PX)
        self.set_body(self._result_views.body, theme.px(MIN_PIXELS))
