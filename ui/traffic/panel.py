"""The traffic panel: a filter, the rows, and one frame whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.export.formats import INDENTED_JSON
from ui.models.traffic import TrafficModel
from ui.traffic import arrangement, notices
from ui.traffic.bar import PanelMenu, TrafficBar, hidden_choices, open_hidden
from ui.traffic.detail_split import Arrangement, DetailSplit
from ui.traffic.filtering import Filtering
from ui.traffic.mode_switch import ModeSwitch
from ui.traffic.notices import EmptyOverlay, NoticeLine
from ui.traffic.row_actions import RowActions
from ui.traffic.saved_filters import SavedFilters
from ui.traffic.table import TrafficTable
from ui.traffic.unfinished import UnfinishedRows
from ui.widgets.following_table import extends_selection
from ui.widgets.layout_parts import Hairline, column_layout

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.transcript.transcript import Transcript
    from ui.models.timeline import Timeline
    from ui.theme import Theme
    from ui.traffic.frame_details import FrameDetails

NUMBER_DIGITS = 5
"""Of the numbers of frames, for which there is space from the start: frames that arrive move no column."""
NOTICE_MS = 2500
"""How long what was done is said."""
REPEAT_KEY = QKeySequence("Ctrl+E")
"""Sends again what is under the cursor."""
COPY_JSON_KEY = QKeySequence("Ctrl+Shift+C")
"""Copies what is under the cursor as indented JSON."""


class TrafficPanel(QWidget):
    """Every frame of a transcript.

    Signals:
        recording_requested: the recording at this path is to be opened.
        authorization_requested: show how the server is authorized.
    """

    recording_requested = Signal(object)
    authorization_requested = Signal()

    def __init__(
        self, *, theme: Theme, clock: Clock | None = None, parent: QWidget | None = None
    ) -> None:
        """Without frames, until `set_timeline`; `clock` is the one that stamps frames."""
        super().__init__(parent)
        self.setObjectName("traffic_panel")
        self.setAccessibleName("Traffic")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.theme = theme
        self.clock = clock
        self._displayed = 0
        """The frame shown whole, as the timeline numbers it; 0 for none."""
        self._build()
        self._wire()
        self.refresh()

    def _build(self) -> None:
        theme = self.theme
        self.model = TrafficModel(clock=self.clock, parent=self)
        self.bar = TrafficBar(
            theme=theme, transcripts=lambda: self.model.timeline.transcripts, parent=self
        )
        self.table = TrafficTable(model=self.model, theme=theme, parent=self)
        self.unfinished = UnfinishedRows(theme=theme, clock=self.clock, parent=self)
        self.empty = EmptyOverlay(theme=theme, table=self.table)
        self.row_actions = RowActions(model=self.model, table=self.table)
        self._detail: FrameDetails | None = None
        self._detail_box = QWidget(self)
        self.away_notice = NoticeLine(
            theme=theme, name="traffic_away", closable=True, parent=self._detail_box
        )
        # Above the details, which it is about: above the rows it would move them.
        self.detail_column = column_layout(self._detail_box, self.away_notice, space=0)
        self.rows = QStackedWidget(self)
        self.rows.addWidget(self.table)
        self.rows.setFocusProxy(self.table)
        self.split = DetailSplit(
            self.rows, self._detail_box, theme=theme, name="traffic_splitter", parent=self
        )
        self.filtering = Filtering(field=self.bar.filter, feed=self.model.feed, parent=self)
        self.saved_filters = SavedFilters(self)
        self.menu = PanelMenu(self)
        self.modes = ModeSwitch(self)
        self._notice_timer = QTimer(self, interval=NOTICE_MS, singleShot=True)
        column = column_layout(self, self.bar, Hairline(theme=theme), space=0)
        column.addWidget(self.split, 1)
        column.addWidget(self.unfinished)

    def _wire(self) -> None:
        self._wire_bar()
        self._wire_rows()
        self.away_notice.action_triggered.connect(self._on_away_action_triggered)
        self.empty.action_triggered.connect(self._on_empty_action_triggered)
        self._notice_timer.timeout.connect(self.refresh)

    def _wire_bar(self) -> None:
        bar = self.bar
        bar.rows_requested.connect(self.modes.go_to_rows)
        bar.pause_toggled.connect(self.model.feed.set_paused)
        bar.clear_requested.connect(self.model.hide_earlier)
        bar.clear_requested.connect(self.modes.clear)
        bar.follow_toggled.connect(self.modes.set_following)
        bar.detail_toggled.connect(self.show_detail)
        bar.menu_requested.connect(self.menu.open)
        bar.state_clicked.connect(lambda: open_hidden(self))
        self.table.following_changed.connect(bar.follow.setChecked)

    def _wire_rows(self) -> None:
        actions = self.row_actions
        self.model.counted.connect(self.refresh)
        self.model.feed.failed.connect(self.show_message)
        self.table.current_changed.connect(self._on_table_current_changed)
        self.table.clicked.connect(
            lambda: self.split.set_frame(bool(self._displayed), in_front=not extends_selection())
        )
        self.split.arranged.connect(self._on_split_arranged)
        self.table.opened.connect(self._on_table_opened)
        actions.add_table(self.table)
        actions.reported.connect(self.show_message)
        actions.term_requested.connect(self.filtering.add_term)
        actions.frame_requested.connect(self.select_frame)
        actions.authorization_requested.connect(self.authorization_requested)
        actions.comment_requested.connect(
            lambda: actions.annotating.edit_comment(theme=self.theme, parent=self)
        )
        actions.annotating.annotated.connect(self.modes.show_marks)

    def refresh(self) -> None:
        """Show how much there is, what is hidden and what is going on."""
        model = self.model
        if not self._notice_timer.isActive():
            texts, tone = self.modes.state()
            self.bar.set_state(*texts, tone=tone, tip=", ".join(hidden_choices(self)))
        self.bar.set_paused(model.feed.paused)
        digits = max(len(str(model.feed.next - 1)), NUMBER_DIGITS)
        self.table.columns.reserve_digits("number", digits)
        self.modes.refresh_follow()
        if self.away_notice.text() and model.visible_frames.row_of(self._displayed) is not None:
            self.away_notice.clear()
        self.empty.show_for(notices.emptiness(model, self.filter_text()))

    def set_timeline(self, timeline: Timeline) -> None:
        """Show these frames, with the filter as it is; nothing changes if they are shown already."""
        before = self.model.timeline
        if timeline.transcripts == before.transcripts:
            return
        again = bool(before.transcripts) and before.latest in timeline.transcripts
        visible = before.locate(self._displayed) if again and self._displayed else None
        if not visible:
            self.split.set_frame(False)
            if self._detail is not None:
                self._detail.clear()
        self.away_notice.clear()
        self._notice_timer.stop()
        self.row_actions.annotating.stop()
        self.table.set_following(True)
        self.unfinished.set_transcript(timeline.latest)
        self.modes.leave(timeline)
        self.model.set_timeline(timeline)
        self.modes.restart()
        self._displayed = timeline.number_of(*visible) if visible else 0
        if self._detail is not None and visible:
            self._detail.set_run(timeline.run_label(visible[0]))

    def select_beside(self, number: int) -> None:
        """Show a frame of the run whose frame is shown whole."""
        if self._detail is not None and self._detail.transcript is not None:
            self.select_frame(number, self._detail.transcript)

    def select_frame(
        self, number: int, transcript: Transcript | None = None, pointer: str = ""
    ) -> None:
        """Show a frame of a run, the latest without another `transcript`, whole, and put the cursor on it if it is in view.

        Select the value at a JSON pointer in it, unless that is empty.
        """
        owner = transcript or self.model.transcript
        if owner is None:
            return
        self._show_selected(number, owner)
        if pointer:
            self.modes.show_pointer(number, pointer)

    def _show_selected(self, number: int, owner: Transcript) -> None:
        local, number = number, self.model.timeline.number_of(owner, number)
        if not number:
            self._show_without_row(owner, local)
            return
        if number >= self.model.feed.next:
            self.model.feed.pull()
        is_row = self.modes.go_to(number)
        if not is_row:
            self.modes.show_frame_details()
        if not self.modes.shows_operation:
            self.show_frame(number)
        self.split.set_frame(True)
        self.show_detail(True)
        if not is_row:
            self.away_notice.show_notice(*notices.hidden_frame_notice(self.model, number))

    def _show_without_row(self, transcript: Transcript, number: int) -> None:
        """Show a frame of a run whose frames are not the rows, and say so."""
        if not 1 <= number <= transcript.count:
            self.show_message(notices.no_frame(number))
            return
        self._displayed = 0
        self.detail.show_frame(transcript, number, self.model.timeline.run_label(transcript))
        self.split.set_frame(True)
        self.show_detail(True)
        self.away_notice.show_notice(*notices.of_no_row(transcript, number))

    def filter_text(self) -> str:
        """What is typed into the filter."""
        return self.bar.filter.text()

    def set_filter(self, text: str) -> None:
        """Filter by `text`; if it is no filter, that is explained and the rows stay."""
        self.bar.filter.set_text(text)

    def focus_filter(self) -> bool:
        """Put the cursor into the filter."""
        self.bar.filter.focus()
        return True

    @property
    def detail(self) -> FrameDetails:
        """One frame whole; made when one is first looked at."""
        if self._detail is None:
            from ui.traffic.frame_details import FrameDetails

            self._detail = FrameDetails(theme=self.theme)
            self._detail.frame_requested.connect(self.select_beside)
            self._detail.repeat_requested.connect(self.row_actions.repeat)
            self._detail.closed.connect(lambda: self.show_detail(False))
            self._detail.authorization_requested.connect(self.authorization_requested)
            self._detail.term_requested.connect(self.filtering.add_term)
            self._detail.column_requested.connect(self.row_actions.add_column)
            self._detail.set_replaces_rows(self.split.arrangement is Arrangement.INSTEAD)
            self.detail_column.addWidget(self._detail, 1)
        return self._detail

    def show_detail(self, visible: bool) -> None:
        """Open the details with a selection, now and from now on, or close them."""
        if visible:
            self.split.set_enabled(True)
        else:
            self.split.close_details()

    def show_message(self, text: str) -> None:
        """Say for a moment what was done."""
        self.bar.set_state(text)
        self._notice_timer.start()

    def save_state(self) -> bytes:
        """Columns, details and choices, for the next start."""
        return arrangement.save(self)

    def restore_state(self, saved: bytes) -> bool:
        """Arrange everything as it was saved; False if that cannot be read."""
        return arrangement.restore(self, saved)

    def _on_table_current_changed(self, number: int) -> None:
        self.away_notice.clear()
        self.show_frame(number)
        self.split.set_frame(bool(self._displayed))

    def _on_split_arranged(self) -> None:
        self.bar.detail.setChecked(self.split.is_offered)
        if not self.split.is_open:
            self.away_notice.clear()
        replaces = self.split.arrangement is Arrangement.INSTEAD
        self.modes.set_replaces_rows(replaces)
        if self._detail is not None:
            self._detail.set_replaces_rows(replaces)

    def show_frame(self, number: int) -> None:
        """Show a frame, as the timeline numbers it, whole; 0 makes room for the details of an operation."""
        if not number and self._detail is not None:
            self._detail.hide()
        self._displayed = self._displayed if number else 0
        if number and number != self._displayed:
            self._displayed = number
            transcript, local = self.model.timeline.locate(number)
            self.detail.show_frame(transcript, local, self.model.timeline.run_label(transcript))

    def _on_table_opened(self, by_enter: bool) -> None:
        if self.table.unfold(self.table.currentIndex().row(), True):
            return
        if by_enter:
            self.row_actions.jump()
        else:
            self.show_detail(True)

    def _on_away_action_triggered(self) -> None:
        number = self._displayed
        if not number:
            transcript = self.detail.transcript
            if transcript is not None and transcript.path is not None:
                self.recording_requested.emit(transcript.path)
            return
        self.model.show_earlier()
        self.modes.clear()
        if self.modes.go_to(number):
            return
        self.model.feed.set_paused(False)
        self.set_filter("")
        self.modes.go_to(number)

    def _on_empty_action_triggered(self) -> None:
        if self.model.visible_frames.first:
            self.model.show_earlier()
        else:
            self.set_filter("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys of the row menu and of the filter."""
        key = QKeySequence(event.keyCombination())
        if event.matches(QKeySequence.StandardKey.Find):
            self.focus_filter()
        elif key == REPEAT_KEY:
            self.row_actions.repeat()
        elif key == COPY_JSON_KEY:
            self.row_actions.copy(INDENTED_JSON)
        else:
            super().keyPressEvent(event)
