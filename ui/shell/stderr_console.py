"""What the server printed on standard error, line by line, and the search in it. Escape sequences are never interpreted.

Source: basic/transports, "stdio": stderr is for logging and no sign of an error (C-STD-06).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from time import perf_counter
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QBrush, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStackedLayout,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from inspector.errors import StorageError
from ui.bind import Bindings, bind_coalesced
from ui.navigator import navigator_of
from ui.shell.stderr_model import TIME_ROLE, StderrModel
from ui.traffic.notices import NoticeLine
from ui.widgets.buttons import tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.delegates import RowDelegate
from ui.widgets.empty_state import EmptyState
from ui.widgets.layout_parts import Hairline, row_layout
from ui.widgets.text_bars import FindBar
from ui.widgets.units import plural

if TYPE_CHECKING:
    from ui.models.timeline import Timeline
    from ui.theme import Theme

BAR_HEIGHT = 34
"""Pixels at 100% of the bar above the lines."""

NOTHING = (
    "No stderr output",
    "Lines the server writes to stderr appear here. They are not necessarily errors.",
)
"""Title and text without lines."""

OVER_HTTP = (
    "No stderr over HTTP",
    "A server that is reached by its URL writes to a log of its own.",
)
"""The same, where there never are any."""

NOTHING_NEW = ("No new stderr output", "New lines appear here.")
"""Title and text while all lines are hidden."""


class StderrConsole(QWidget):
    """The lines, following the newest until the user scrolls up."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a record."""
        super().__init__(parent)
        self.setObjectName("stderr_console")
        self._timeline: Timeline | None = None
        self._theme = theme
        self._bindings = Bindings()
        self._follows = True
        self._build()
        self._wire()
        self._dress()

    def _build(self) -> None:
        self.model = StderrModel(self)
        self.view = _Lines(self)
        self.view.setObjectName("stderr_lines")
        self.view.setAccessibleName("Server stderr")
        self.view.setModel(self.model)
        self.view.setItemDelegate(_TimedLine(self.view))
        self.view.setUniformItemSizes(True)
        self.view.setFrameShape(QListView.Shape.NoFrame)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._empty = EmptyState(*NOTHING, theme=self._theme, name="stderr_empty", parent=self)
        self._empty.setMinimumHeight(1)  # the dock may be lower than this text
        self._bar = self._build_bar()
        self._notice = NoticeLine(theme=self._theme, name="stderr_hidden", parent=self)
        self._find = StderrFind(self.model)
        self.find_bar = FindBar(theme=self._theme, parent=self)
        self._layout = QStackedLayout()
        self._layout.addWidget(self._empty)
        self._layout.addWidget(self.view)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._bar)
        column.addWidget(Hairline(theme=self._theme))
        column.addWidget(self._notice)
        column.addLayout(self._layout, 1)
        column.addWidget(self.find_bar)
        self._build_actions()

    def _build_actions(self) -> None:
        self._find_action = QAction("Find…", self)
        self._find_action.setShortcut(QKeySequence(QKeySequence.StandardKey.Find))
        self._find_action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.addAction(self._find_action)

    def _build_bar(self) -> QWidget:
        """Make the bar above the lines, with what can be done with them."""
        theme, bar = self._theme, QWidget(self)
        bar.setObjectName("stderr_bar")
        self._find_button = tool_button(
            theme, "mdi6.magnify", "Find", name="stderr_find", parent=bar
        )
        self._clear_button = tool_button(
            theme, "mdi6.broom", "Clear: hide the lines so far", name="stderr_clear", parent=bar
        )
        self._bar_row = row_layout(bar, space=0)
        self._bar_row.addStretch(1)
        self._bar_row.addWidget(self._find_button)
        self._bar_row.addWidget(self._clear_button)
        return bar

    def _wire(self) -> None:
        self.view.doubleClicked.connect(self._on_double_clicked)
        self.view.copy_requested.connect(self._on_copy_requested)
        self.view.appeared.connect(self._on_appeared)
        self._theme.changed.connect(self._dress)
        self._find_action.triggered.connect(self.open_find)
        self._find_button.clicked.connect(self.open_find)
        self._clear_button.clicked.connect(self.hide_earlier)
        self.find_bar.find_requested.connect(self._on_find_requested)
        self.find_bar.changed.connect(self._find.stop)
        self.find_bar.closed.connect(self._on_find_closed)
        self._find.found.connect(self._on_found)
        self._find.state_changed.connect(self.find_bar.show_outcome)
        self._notice.action_triggered.connect(self.show_earlier)
        bar = self.view.verticalScrollBar()
        bar.valueChanged.connect(self._on_scrolled)
        bar.rangeChanged.connect(self._on_range_changed)

    def set_timeline(self, timeline: Timeline) -> None:
        """Show the lines of `timeline`, from the newest."""
        self._bindings.replace()
        self._follows = True
        self.model.set_timeline(timeline)
        self._timeline = timeline
        transcript = timeline.latest
        if transcript is not None:
            events = (transcript.appended, transcript.unfinished.changed)
            self._bindings.replace(*(bind_coalesced(self, event, self._pull) for event in events))
        self._refresh()
        self.view.scrollToBottom()

    def open_find(self) -> None:
        """Open the bar for finding, with the focus in it."""
        self.find_bar.open_bar()

    def hide_earlier(self) -> None:
        """Hide the lines so far, in this view only."""
        self._follows = True
        self.model.hide_earlier()
        self._refresh()

    def show_earlier(self) -> None:
        """Show the hidden lines again; the line at the top stays there, unless the newest is followed."""
        count, follows = self.model.rowCount(), self._follows
        top = self._top_row()
        self.model.show_earlier()
        self._refresh()
        if follows:
            self.view.scrollToBottom()
        else:
            index = self.model.index(top + self.model.rowCount() - count)
            self.view.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)

    def _on_find_requested(self, text: str, onwards: bool) -> None:
        chosen = self.view.selectionModel().isSelected(current := self.view.currentIndex())
        # With the focus alone, Qt makes the first line current.
        row = current.row() if chosen else self._top_row() - 1
        self._find.go(text, onwards=onwards, start=row)

    def _top_row(self) -> int:
        return max(self.view.indexAt(self.view.viewport().rect().topLeft()).row(), 0)

    def _on_found(self, row: int) -> None:
        index = self.model.index(row)
        self.view.setCurrentIndex(index)
        self.view.scrollTo(index)
        self._follows = False  # the line that was looked for stays, also near the end

    def _on_find_closed(self) -> None:
        self._find.stop()
        self.view.setFocus()

    def _pull(self) -> None:
        follows = self._follows
        self.model.pull()
        self._refresh()
        if follows and self.view.isVisible():  # it lays out all lines, which takes long of many
            self.view.scrollToBottom()

    def _on_appeared(self) -> None:
        if self._follows:
            self.view.scrollToBottom()

    def _on_scrolled(self, value: int) -> None:
        self._follows = value >= self.view.verticalScrollBar().maximum() - 1

    def _on_range_changed(self, _minimum: int, maximum: int) -> None:
        """Lines that are laid out later, and a view of another height, still show the newest line."""
        if self._follows:
            self.view.verticalScrollBar().setValue(maximum)

    def _refresh(self) -> None:
        self._layout.setCurrentWidget(self.view if self.model.has_lines else self._empty)
        hidden = self.model.hidden_count
        is_over_http = self._timeline is not None and self._timeline.http_count > 0
        nothing = OVER_HTTP if is_over_http else NOTHING
        self._empty.set_text(*(NOTHING_NEW if hidden else nothing))
        if hidden:
            self._notice.show_notice(
                f"{plural(hidden, 'earlier line')} hidden in this view", "Show"
            )
        else:
            self._notice.clear()

    def _on_double_clicked(self, index: QModelIndex) -> None:
        frame = self.model.frame(index.row())
        if frame is not None:
            transcript, number = frame
            navigator_of(self).show_frame(number, transcript)

    def _on_copy_requested(self) -> None:
        rows = sorted({index.row() for index in self.view.selectedIndexes()})
        copy_text("\n".join(self.model.text(row) for row in rows))

    def _dress(self) -> None:
        px = self._theme.px
        self._bar.setFixedHeight(px(BAR_HEIGHT) - 1)  # the hairline is the last pixel
        self._bar_row.setContentsMargins(px(8), 0, px(8), 0)
        self._bar_row.setSpacing(px(6))
        self.view.setFont(self._theme.mono())
        self.view.set_margin(self._theme.SPACING_PX)
        self.model.set_divider_background(QBrush(self._theme.color("info_ground")))


class _Lines(QListView):
    """A list whose lines are copied whole: Qt's own would copy what is on screen."""

    copy_requested = Signal()
    appeared = Signal()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.appeared.emit()

    def set_margin(self, pixels: int) -> None:
        self.setViewportMargins(pixels, pixels, 0, 0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
        else:
            super().keyPressEvent(event)


class _TimedLine(RowDelegate):
    """Writes before each line when it came."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        time = index.data(TIME_ROLE) or " " * len("00:00:00.0")
        option.text = f"{time}  {option.text}"


SLICE_MS = 8
"""How long one slice may take; half a frame of the display."""

STEP = 64
"""Lines looked at between two looks at the clock."""


class StderrFind(QObject):
    """One search at a time; it goes on with lines that come later until it is stopped.

    An incomplete line is searched once it is complete. Case matters only if the terms have capitals.

    Signals:
        found: the requested match is in this row.
        state_changed: the text about the search; empty without one.
    """

    found = Signal(int)
    state_changed = Signal(str)

    def __init__(self, model: StderrModel) -> None:
        """Search `model`, which owns it."""
        super().__init__(model)
        self._model = model
        self._terms = ""
        self._next = 0
        self._rows = array("I")
        self._current = -1
        self._due: bool | None = None
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)
        model.renumbered.connect(self.stop)
        model.rowsInserted.connect(self._on_rows_inserted)

    @property
    def is_running(self) -> bool:
        """Whether lines are left to look at."""
        return self._timer.isActive()

    def go(self, text: str, *, onwards: bool, start: int) -> None:
        """Find the next (or previous) line with `text` after (or before) row `start`.

        After the last line it goes on with the first. Emits `found` at once where that line is known, else when it is.
        """
        if text != self._terms:
            self.stop()
            self._terms = text
        self._current, self._due = start, onwards
        self._timer.start()
        self._on_timer_timeout()

    def stop(self) -> None:
        """Forget the search."""
        self._timer.stop()
        self._terms = ""
        self._next, self._rows = 0, array("I")
        self._current, self._due = -1, None
        self.state_changed.emit("")

    def _on_rows_inserted(self) -> None:
        if self._terms:
            self._timer.start()

    def _on_timer_timeout(self) -> None:
        try:
            self._look(perf_counter() + SLICE_MS / 1000)
        except StorageError as error:
            self.stop()
            self.state_changed.emit(error.reason)
            return
        is_complete = self._next >= self._model.complete_rows
        if is_complete:
            self._timer.stop()
        self._settle(is_complete=is_complete)
        self.state_changed.emit(self._state(is_complete=is_complete))

    def _look(self, deadline: float) -> None:
        message, fold = self._terms, self._terms == self._terms.lower()
        stop = self._model.complete_rows
        while self._next < stop and perf_counter() < deadline:
            for row in range(self._next, min(self._next + STEP, stop)):
                text = self._model.text(row)
                if message in (text.lower() if fold else text):
                    self._rows.append(row)
                self._next = row + 1

    def _settle(self, *, is_complete: bool) -> None:
        """Go to the line that was asked for, if what was looked at so far is enough to know it."""
        if self._due is None:
            return
        if self._due:
            at = bisect_right(self._rows, self._current)
            known = at < len(self._rows)
        else:
            at = bisect_left(self._rows, self._current) - 1
            known = at >= 0 and self._next >= self._current
        if not (known or is_complete):
            return
        self._due = None
        if self._rows:
            self._current = self._rows[at % len(self._rows)]
            self.found.emit(self._current)

    def _state(self, *, is_complete: bool) -> str:
        count = len(self._rows)
        if not is_complete and (self._due is not None or not count):
            return "Searching…"
        if not count:
            return "No match"
        at = bisect_left(self._rows, self._current)
        position = f"{at + 1:,} of " if at < count and self._rows[at] == self._current else ""
        return f"{position}{count:,}{'' if is_complete else '…'}"
