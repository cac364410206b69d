"""One frame, whole. A tab is filled when it is visible, so that going through rows stays cheap."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QFrame,
    QScrollArea,
    QStackedWidget,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.errors import StorageError
from inspector.export.offered import uses_http
from inspector.wire.message import Absent, MessageKind
from ui.bind import Bindings, bind_coalesced
from ui.models.error_detail_rows import complaint_rows
from ui.models.traffic_cells import DIRECTION_TEXTS
from ui.traffic.detail_header import DetailHeader
from ui.traffic.finding_underlines import FindingUnderlines
from ui.traffic.http_tab import HttpTab
from ui.traffic.large_frame import LargeFrameReader
from ui.traffic.message_tree import MessageTree, has_tree
from ui.traffic.problems import LABEL, FindingTexts, ProblemsTab, problems_label
from ui.traffic.row_actions import can_repeat, partner_of
from ui.traffic.timing import TimingTab
from ui.traffic.tree_and_text import TreeAndText
from ui.widgets.buttons import tool_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.hex_view import TextBytes
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme


JSON = "application/json"
LIVE_MS = 250
"""How often the details follow an exchange that goes on, at most."""


class Tab(StrEnum):
    """The tabs, in their order."""

    TREE = "Tree"
    RAW = "Raw"
    HEX = "Hex"
    HTTP = "HTTP"
    TIMING = "Timing"
    PROBLEMS = LABEL


_GOING_ON = {Tab.HTTP, Tab.TIMING, Tab.PROBLEMS}
"""Those that may say more as time goes on."""


class FrameDetails(QWidget):
    """Tree, raw text, bytes, HTTP exchange, timing and problems of one frame.

    Signals:
        frame_requested: show the frame of this number.
        repeat_requested: send the frame again, edited or not.
        closed: hide the details.
        authorization_requested: show how the server is authorized.
        term_requested: narrow the filter of the rows by this term.
        column_requested: show the values at this path as a column of the rows.
    """

    frame_requested = Signal(int)
    repeat_requested = Signal()
    closed = Signal()
    authorization_requested = Signal()
    term_requested = Signal(str)
    column_requested = Signal(str)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a frame."""
        super().__init__(parent)
        self.setObjectName("traffic_detail")
        self._theme = theme
        self._transcript: Transcript | None = None
        self._texts = FindingTexts()
        self._number = 0
        self._stale: set[Tab] = set()
        self._seen: tuple[int, ...] = ()
        self._is_tree_due = False
        """Whether the tree was in front when a frame came that has none."""
        self._pointer = ""
        """The value to go to once the frame is read."""
        self._bindings = Bindings()
        self._build()
        self._wire()

    def _build(self) -> None:
        theme = self._theme
        self._header = DetailHeader(
            theme=theme, name="traffic", title="traffic_detail_title", parent=self
        )
        self._title = self._header.title
        self._jump = tool_button(
            theme,
            "mdi6.swap-horizontal",
            "Go to request/response",
            name="traffic_jump",
            parent=self._header,
        )
        self._repeat = tool_button(
            theme,
            "mdi6.pencil-outline",
            "Repeat… (Ctrl+E)",
            name="traffic_repeat",
            parent=self._header,
        )
        for button in (self._jump, self._repeat):
            self._header.add_button(button)
        self._build_tabs()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self.failure)
        column.addWidget(self._pages, 1)

    def _build_tabs(self) -> None:
        theme = self._theme
        self.tree = MessageTree(theme=theme, name="traffic_tree", parent=self)
        self.raw = TextView(
            theme=theme,
            name="traffic_raw",
            file_name="frame.json",
            mime=JSON,
            parent=self,
        )
        self.hex = TextBytes(
            theme=theme, name="traffic_hex", file_name="frame", mime=JSON, parent=self
        )
        self.http = HttpTab(theme=theme, parent=self)
        self.timing = TimingTab(theme=theme, parent=self)
        self.problems = ProblemsTab(theme=theme, parent=self)
        self.tabs = QTabWidget(self)
        self.tabs.setObjectName("traffic_tabs")
        self.tabs.setAccessibleName("Frame")
        self.tabs.setDocumentMode(True)
        exchange = (_scrolling(self.http), _scrolling(self.timing))
        pages = (self.tree, self.raw, self.hex, *exchange, self.problems)
        for tab, page in zip(Tab, pages, strict=True):
            self.tabs.addTab(page, tab)
        self._empty = EmptyState(
            "No frame selected",
            "Select a frame to see its JSON tree, raw bytes and related frames.",
            theme=theme,
            name="traffic_detail_empty",
            parent=self,
        )
        self._reading = EmptyState(
            "Reading a large frame…", "", theme=theme, name="traffic_detail_reading", parent=self
        )
        self._large = LargeFrameReader(self)
        self._both = TreeAndText(self.tree, self.raw, parent=self)
        self._underlines = FindingUnderlines(self.tree, self.raw, parent=self)
        self.failure = ErrorPanel(theme=theme, name="traffic_detail_failure", parent=self)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self.tabs)
        self._pages.addWidget(self._reading)

    def _wire(self) -> None:
        self.tabs.currentChanged.connect(self._on_tab_changed)
        self.tree.term_requested.connect(self.term_requested)
        self.tree.column_requested.connect(self.column_requested)
        self.timing.frame_requested.connect(self.frame_requested)
        self.http.authorization_requested.connect(self.authorization_requested)
        self.problems.pointer_requested.connect(self.show_pointer)
        self._large.ready.connect(self._on_large_ready)
        self._large.failed.connect(self.failure.show_error)
        self._jump.clicked.connect(self._on_jump_clicked)
        self._repeat.clicked.connect(self.repeat_requested)
        self._header.closed.connect(self.closed)

    def set_replaces_rows(self, replaces: bool) -> None:
        """Offer the way back to the rows, instead of closing, where the details are in their position."""
        self._header.set_replaces_rows(replaces)

    def number(self) -> int:
        """The frame that is shown; 0 for none."""
        return self._number

    @property
    def transcript(self) -> Transcript | None:
        """To which the frame belongs; none without a frame."""
        return self._transcript

    def clear(self) -> None:
        """Show no frame."""
        self._bindings.replace()
        self._large.stop()
        self._transcript, self._number = None, 0
        self._title.set_text("")
        self._pages.setCurrentWidget(self._empty)
        self._show_buttons()

    def set_run(self, label: str) -> None:
        """Name the run of the frame before its number; empty where there is only one."""
        if self._transcript is not None:
            self._title.set_text(_title(self._transcript, self._number, label))

    def show_frame(self, transcript: Transcript, number: int, run: str = "") -> None:
        """Show frame `number`; `run` names its run where there are several."""
        self._follow(transcript)
        self._transcript, self._number = transcript, number
        self._stale = set(Tab)
        self.tree.hide_secrets = transcript.redaction.hide
        self._both.forget()
        self._underlines.forget_text()
        self._pointer = ""
        self.tabs.setTabVisible(list(Tab).index(Tab.HTTP), uses_http(transcript, number))
        self._show_tree_tab(visible=has_tree(transcript, number))
        self._title.set_text(_title(transcript, number, run))
        self.failure.clear()
        is_awaited = self._large.start(transcript, number)
        self._pages.setCurrentWidget(self._reading if is_awaited else self.tabs)
        self.refresh_state()
        if not is_awaited:
            self._fill_current()

    def _on_large_ready(self) -> None:
        self._pages.setCurrentWidget(self.tabs)
        self._fill_current()
        if self._pointer:
            self.show_pointer(self._pointer)

    def _show_tree_tab(self, *, visible: bool) -> None:
        """Show the tree or not; the next frame that has one is shown as a tree again, unless another tab was chosen."""
        if not visible:
            self._is_tree_due |= self.current_tab() is Tab.TREE
        self.tabs.setTabVisible(list(Tab).index(Tab.TREE), visible)
        if visible and self._is_tree_due:
            self._is_tree_due = False
            if self.current_tab() is Tab.RAW:
                self.show_tab(Tab.TREE)

    def refresh_state(self) -> None:
        """Show what may have changed since: the exchange and the findings."""
        if self._transcript is None:
            return
        self._seen = self._look(self._transcript)
        findings = self._transcript.findings(self._number)
        self._underlines.set_findings(findings, masked=self._masked)
        self.tabs.setTabText(list(Tab).index(Tab.PROBLEMS), problems_label(findings))
        self._show_buttons()
        self._stale |= _GOING_ON
        if self.current_tab() in _GOING_ON:
            self._fill_current()

    def _follow(self, transcript: Transcript) -> None:
        """Show from now on what changes in `transcript`."""
        if transcript is not self._transcript:
            events = (transcript.appended, transcript.findings_changed)
            self._bindings.replace(
                *(bind_coalesced(self, event, self._on_changed, LIVE_MS) for event in events)
            )

    def refresh_if_changed(self) -> None:
        """Show what may have changed, if something has."""
        if self._transcript is not None and self._look(self._transcript) != self._seen:
            self.refresh_state()

    def _on_changed(self) -> None:
        if self.isVisible():
            self.refresh_if_changed()

    def showEvent(self, event: QShowEvent) -> None:
        """Show what changed while the details were hidden."""
        super().showEvent(event)
        self.refresh_if_changed()

    def _look(self, transcript: Transcript) -> tuple[int, ...]:
        """What tells that the exchange or the findings went on; while it is pending, progress may come at any time."""
        columns, at = transcript.columns, self._number - 1
        owner = columns.request[at]
        request = (columns.status[owner - 1], columns.response[owner - 1]) if owner else ()
        going_on = transcript.count if owner and not columns.response[owner - 1] else 0
        return (columns.flags[at], len(transcript.findings(self._number)), going_on, *request)

    def current_tab(self) -> Tab:
        """The tab in front."""
        return list(Tab)[self.tabs.currentIndex()]

    def show_tab(self, tab: Tab) -> None:
        """Bring a tab to the front."""
        self.tabs.setCurrentIndex(list(Tab).index(tab))

    def show_pointer(self, pointer: str) -> None:
        """Select the value at a JSON pointer: in the tree, or in the raw text if that is in front; without such a value, the one it is missing in."""
        self._pointer = pointer
        if not self._is_read:
            return
        is_tree = self.tabs.isTabVisible(list(Tab).index(Tab.TREE))
        is_raw = self.current_tab() is Tab.RAW or not is_tree
        self.show_tab(Tab.RAW if is_raw else Tab.TREE)
        self._pointer = ""
        self._both.show_pointer(pointer, in_text=is_raw)

    def _show_buttons(self) -> None:
        transcript, number = self._transcript, self._number
        partner = partner_of(transcript, number) if transcript is not None else None
        is_request = transcript is not None and transcript.row(number).kind is MessageKind.REQUEST
        text = "Go to the response (Enter)" if is_request else "Go to the request (Enter)"
        self._jump.setVisible(partner is not None)
        self._jump.setToolTip(text)
        self._jump.setAccessibleName(text)
        self._repeat.setVisible(transcript is not None and can_repeat(transcript, number))

    def _on_tab_changed(self) -> None:
        self._fill_current()
        if self._transcript is None or not self._is_read:
            return
        if self.current_tab() is Tab.RAW:
            self._both.show_in_text()
        elif self.current_tab() is Tab.TREE:
            self._both.show_in_tree()

    def _fill_current(self) -> None:
        tab = self.current_tab()
        if self._transcript is None or tab not in self._stale or not self._is_read:
            return
        self._stale.discard(tab)
        try:
            self._fill(self._transcript, tab)
        except StorageError as error:
            self.failure.show_error(error)

    @property
    def _is_read(self) -> bool:
        """Whether the frame need not be waited for."""
        return self._pages.currentWidget() is not self._reading

    def _fill(self, transcript: Transcript, tab: Tab) -> None:
        large = self._large.frame
        if tab is Tab.TREE and large is not None and not isinstance(large.value, Absent):
            self.tree.set_value(large.value)
        elif tab is Tab.TREE:
            self.tree.set_raw(transcript.message(self._number).raw)
        elif tab is Tab.RAW:
            mime = JSON if has_tree(transcript, self._number) else "text/plain"
            self.raw.set_raw(transcript.raw(self._number), mime)
            self._underlines.show_in_text()
        elif tab is Tab.HEX:
            self.hex.set_bytes(transcript.raw(self._number))
        elif tab is Tab.HTTP:
            self.http.show_frame(transcript, self._number)
        elif tab is Tab.TIMING:
            self.timing.show_frame(transcript, self._number)
        else:
            rows = complaint_rows(transcript, self._number)
            findings = transcript.findings(self._number)
            self.problems.set_findings(findings, rows, masked=self._masked)

    def _masked(self, text: str) -> str:
        """Return a text of a finding without secrets."""
        transcript = self._transcript
        return self._texts.masked(transcript, text) if transcript is not None else text

    def _on_jump_clicked(self) -> None:
        if self._transcript is not None:
            partner = partner_of(self._transcript, self._number)
            if partner is not None:
                self.frame_requested.emit(partner)


def _scrolling(page: QWidget) -> QScrollArea:
    """`page`, which scrolls where it does not fit: the dock around the tabs would be enlarged by it, and keep that height."""
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setWidget(page)
    return area


def _title(transcript: Transcript, number: int, run: str) -> str:
    row = transcript.row(number)
    what = f"{row.kind.name.lower()} {row.method}".strip()
    parts = (run, f"{number:,}", f"{DIRECTION_TEXTS[row.direction]} {what}")
    return " · ".join(part for part in parts if part)
