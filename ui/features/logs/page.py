"""The logs page: the requested level, the messages of the server, and one message whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from inspector.features.logs import parse_log_filter
from inspector.spec.keys import LOG_LEVELS
from inspector.workspace import is_closed
from ui.aio import spawn
from ui.bind import Bindings, bind_coalesced
from ui.features.logs.detail import LogDetail
from ui.features.logs.level_bar import LevelBar
from ui.features.logs.model import MAX_COPIED, LogModel, as_lines, as_messages
from ui.features.logs.run_logs import RunLogs
from ui.features.logs.table import LogTable
from ui.models.run_text import Dividers
from ui.navigator import navigator_of
from ui.page import Page
from ui.pages import LOGS, PageSpec
from ui.widgets.buttons import tool_button
from ui.widgets.clipboard import copy_text
from ui.widgets.combo_boxes import OptionComboBox
from ui.widgets.empty_state import EmptyState
from ui.widgets.filter_field import FilterField
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import Hairline, ScrollColumn
from ui.widgets.splitter import Splitter
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from inspector.open_session import OpenSession
    from ui.theme import Theme

HIDDEN_MS = 500
"""How often messages are counted while the page is hidden, and the number on the tab changes at most."""

MAX_PUT_OFF = 60
"""How often more that comes puts that off: a few seconds, then it is counted in the middle of a flood."""

SPLIT = (3, 2)
"""Shares of the height that rows and detail have at first."""


class LogsPage(Page):
    """Ask for a level, watch, filter, read."""

    info: ClassVar[PageSpec] = LOGS

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a session."""
        super().__init__(parent)
        self._theme = theme
        self._bindings = Bindings()
        self._was_split = False
        self._displayed = 0
        """The place of the message in the detail."""
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.level = LevelBar(theme=theme, parent=self)
        self.model = LogModel(self)
        self.table = LogTable(model=self.model, theme=theme, parent=self)
        self.detail = LogDetail(theme=theme, parent=self)
        self._empty = EmptyState("", theme=theme, icon=self.info.icon_name, name="logs_empty")
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._empty)
        self._stack.addWidget(self.table)
        self.splitter = Splitter(Qt.Orientation.Vertical, theme=theme, parent=self)
        self.splitter.setObjectName("logs_splitter")
        for at, part in enumerate((self._stack, self.detail)):
            self.splitter.addWidget(part)
            self.splitter.setStretchFactor(at, SPLIT[at])
        self._later = QTimer(self, interval=HIDDEN_MS, singleShot=True)
        self._put_off = 0
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        area = ScrollColumn(name="logs_scroll", parent=self)
        area.column.setSpacing(0)
        area.column.addWidget(self._built_bars())
        area.column.addWidget(Hairline(theme=theme))
        area.column.addWidget(self.splitter, 1)
        layout.addWidget(area)

    def _built_bars(self) -> QWidget:
        theme = self._theme
        self.filter = FilterField(
            theme=theme,
            placeholder="Filter: words, -exclude",
            label="Filter log messages",
            name="log_filter",
        )
        levels = [(str(rank), f"{level} and above") for rank, level in enumerate(LOG_LEVELS)]
        levels[0] = ("0", "All levels")
        self.minimum_level = OptionComboBox(levels, name="log_least", text="Minimum level shown")
        self._count = plain_label(tone="muted", name="log_count")
        self.follow = tool_button(
            theme,
            "mdi6.arrow-collapse-down",
            "Follow newest message",
            name="log_follow",
            checkable=True,
        )
        self.follow.setChecked(True)
        row = QHBoxLayout()
        row.setSpacing(theme.PADDING_PX)
        row.addWidget(self.filter, 1)
        for part in (self.minimum_level, self._count, self.follow):
            row.addWidget(part)
        bars = QWidget(self)
        column = QVBoxLayout(bars)
        column.setContentsMargins(
            theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, theme.SPACING_PX
        )
        column.setSpacing(theme.SPACING_PX)
        column.addWidget(self.level)
        column.addLayout(row)
        return bars

    def _wire(self) -> None:
        self.level.level_requested.connect(self._on_level_requested)
        self.filter.settled.connect(self._on_sought_changed)
        self.filter.left_down.connect(self._on_left_down)
        self.minimum_level.chosen.connect(self._on_sought_changed)
        self.follow.toggled.connect(self.table.set_following)
        self.model.counted.connect(self._show_rows)
        self.model.failed.connect(self.filter.set_problem)
        self.table.following_changed.connect(self.follow.setChecked)
        self.table.current_changed.connect(self._on_current_changed)
        self.table.opened.connect(self._on_opened)
        self.table.copy_requested.connect(self.copy_lines)
        self.table.customContextMenuRequested.connect(self._on_menu_requested)
        self._empty.action_triggered.connect(self.clear_filter)
        self._later.timeout.connect(self._pull_now)

    def set_session(self, session: OpenSession | None) -> None:
        """Show the log of `session`."""
        self._bindings.replace()
        if session is not None:
            transcript = session.session.transcript
            self._bindings.replace(
                bind_coalesced(self, session.logs.changed, self._refresh),
                bind_coalesced(self, session.session.changed, self._refresh),
                bind_coalesced(self, transcript.appended, self._on_appended),
            )
        super().set_session(session)
        self.detail.hide()
        self.level.forget()
        self.table.set_following(True)
        self.model.set_lines(_lines(session) if session is not None else None)
        self._refresh()

    def badge(self) -> str:
        """How many messages came."""
        return self.count_text(self.model.total)

    def missing(self) -> str:
        """The capability that is not declared, unless there are messages anyway."""
        session = self.session
        if session is None or session.session.greeting is None or session.logs.offered:
            return ""
        return "" if self.model.total else "server does not declare logging"

    def focus_filter(self) -> bool:
        """Go to the filter."""
        self.filter.focus()
        return True

    def clear_filter(self) -> None:
        """Show every message."""
        self.minimum_level.choose("0")
        self.filter.set_text("")
        self._on_sought_changed()

    def copy_lines(self) -> None:
        """Put the selected messages on the clipboard, a line each."""
        lines = self.model.lines
        if lines is not None:
            text = as_lines(lines, self.table.selected_positions(MAX_COPIED))
            copy_text(text)

    def copy_messages(self) -> None:
        """Put the selected messages on the clipboard as they came."""
        lines = self.model.lines
        if lines is not None:
            text = as_messages(lines, self.table.selected_positions(MAX_COPIED))
            copy_text(text)

    def _refresh(self) -> None:
        session = self.session
        self.level.show_session(session)
        name = session.session.transport_name if session is not None else ""
        self.table.offer_causes(name == "http")
        self._show_rows()
        self.changed.emit()

    def _show_rows(self) -> None:
        matching, total = self.model.matching, self.model.total
        text = (
            plural(total, "message") if matching == total else f"{matching:,} of {total:,} messages"
        )
        lines = self.model.lines
        if lines is not None and lines.let_go:
            text += f"; {lines.let_go:,} older messages in traffic only"
        self._count.setText(text if total else "")
        self._stack.setCurrentWidget(self.table if matching else self._empty)
        if not matching:
            self._show_empty(total)

    def _show_empty(self, total: int) -> None:
        session = self.session
        if session is None or session.session.greeting is None:
            self._empty.set_text("No log messages", "Connect to a server to see its log messages.")
        elif total and not self.model.is_working:
            self._empty.set_text("No matches", "No messages match the filter.", action="Show all")
        else:
            self._empty.set_text("No log messages", _hint(session))

    def _on_appended(self) -> None:
        if self.isVisible():
            self.model.pull()
        if not self._later.isActive():
            self._put_off = 0
        if self._put_off < MAX_PUT_OFF:  # the page is hidden: let a flood pass first
            self._put_off += 1
            self._later.start()

    def _pull_now(self) -> None:
        self.model.pull()
        self.changed.emit()

    def _on_level_requested(self, level: str) -> None:
        if self.session is not None:
            spawn(self, self.session.logs.choose(level), name=f"set log level {level}")

    def _on_sought_changed(self) -> None:
        kept = self.table.current_position()
        self.filter.set_problem("")
        self.model.set_sought(
            parse_log_filter(self.filter.text(), int(self.minimum_level.current()))
        )
        if kept >= 0:
            self.table.go_to(kept)
        if self.table.following:
            self.table.scrollToBottom()

    def _on_left_down(self) -> None:
        self.table.setFocus()
        if self.table.current_position() < 0 and self.model.rowCount():
            self.table.selectRow(0)

    def _on_current_changed(self) -> None:
        lines, at = self.model.lines, self.table.current_position()
        if lines is not None and at >= 0 and not lines.divider(at):
            self._displayed = at
            self._show_message(lines, at)

    def _show_message(self, lines: RunLogs, at: int) -> None:
        was_hidden = self.detail.isHidden()
        self.detail.show_message(lines, at)
        if was_hidden and not self._was_split:
            self._was_split = True
            height = self.splitter.height()
            self.splitter.setSizes([height * share // sum(SPLIT) for share in SPLIT])
            self.table.scrollTo(self.table.currentIndex())

    def _on_opened(self) -> None:
        lines, chosen = self.model.lines, self.table.selected_positions(1)
        if lines is not None and chosen:
            navigator_of(self).show_frame(lines.frame(chosen[0]), lines.transcript(chosen[0]))

    def _on_menu_requested(self, position: QPoint) -> None:
        if not self.table.selected_positions(1):
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Show in traffic", self._on_opened)
        menu.addSeparator()
        menu.addAction("Copy lines", self.copy_lines)
        menu.addAction("Copy as JSON", self.copy_messages)
        menu.popup(self.table.viewport().mapToGlobal(position))

    def showEvent(self, event: QShowEvent) -> None:
        """Show the messages that arrived while the page was hidden."""
        super().showEvent(event)
        self.model.pull()


def _lines(session: OpenSession) -> RunLogs:
    runs = session.all_runs
    return RunLogs([run.logs.lines for run in runs], Dividers(runs))


def _hint(session: OpenSession) -> str:
    if is_closed(session.session):
        return "The server sent no log messages before the connection closed."
    if not session.logs.offered:
        return "The server does not declare logging. Any log messages it sends appear here."
    if session.logs.level:
        return f"Log messages at level {session.logs.level} and above appear here."
    if session.logs.goes_along:
        return "Log messages appear here. Servers log only for requests that carry a log level."
    return "Log messages appear here. Most servers log only after a level is set."
