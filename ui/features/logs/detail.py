"""One log message whole: who said it when, its data by type, the message as a tree, and what is odd about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.errors import StorageError
from inspector.features.logs import cause_text
from inspector.visible_text import isolated, one_line, visible
from inspector.wire import json_codec
from ui.features.logs.model import level_text, level_tone
from ui.navigator import navigator_of
from ui.widgets.buttons import link_button
from ui.widgets.clipboard import copy_text
from ui.widgets.json_view import JsonView
from ui.widgets.labels import ElidedLabel, QuotingLabel, plain_label, set_tone
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView
from ui.widgets.units import clock_exact

if TYPE_CHECKING:
    from inspector.features.logs import LogLine
    from inspector.spec.views.notifications import LogView
    from inspector.wire.json_codec import Json
    from ui.features.logs.run_logs import RunLogs
    from ui.theme import Theme

MIN_HEIGHT = 44
"""Of the data, however many rows there are above."""

VIEWS = (("data", "Data"), ("message", "Message"))


class LogDetail(QWidget):
    """The message under the cursor."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start hidden."""
        super().__init__(parent)
        self.setObjectName("log_detail")
        self._theme = theme
        self._raw = b""
        self._data: Json = None
        self._tone = "text"
        self._frame = self._cause = 0
        self._build()
        self._wire()
        self.hide()

    def _build(self) -> None:
        theme = self._theme
        self._level = plain_label(name="log_detail_level", parent=self)
        self._about = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._about.setObjectName("log_detail_about")
        set_tone(self._about, "muted")
        self._views = SegmentedControl(VIEWS, name="log_detail_views", parent=self)
        self._copy = link_button("Copy data", name="log_detail_copy", parent=self)
        self._show = link_button("Show in traffic", name="log_detail_show", parent=self)
        self._ask = link_button("Show request", name="log_detail_cause", parent=self)
        self._findings = QuotingLabel(name="log_detail_findings", tone="warning", parent=self)
        self._text = TextView(theme=theme, name="log_detail_text", file_name="log.txt")
        self._tree = JsonView(theme=theme, name="log_detail_tree")
        self._message = JsonView(theme=theme, name="log_detail_message")
        self._stack = QStackedWidget(self)
        for part in (self._text, self._tree, self._message):
            self._stack.addWidget(part)
        self._stack.setMinimumHeight(theme.px(MIN_HEIGHT))
        self._arrange()

    def _arrange(self) -> None:
        theme = self._theme
        heading = QHBoxLayout()
        heading.setSpacing(theme.PADDING_PX)
        heading.addWidget(self._level)
        heading.addWidget(self._about, 1)
        links = QHBoxLayout()
        links.setSpacing(theme.PADDING_PX)
        links.addWidget(self._views)
        links.addStretch(1)
        for part in (self._ask, self._show, self._copy):
            links.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, 0)
        column.setSpacing(theme.SPACING_PX)
        column.addLayout(heading)
        column.addLayout(links)
        column.addWidget(self._findings)
        column.addWidget(self._stack, 1)

    def _wire(self) -> None:
        self._views.chosen.connect(self._show_view)
        self._copy.clicked.connect(self.copy_data)
        self._show.clicked.connect(lambda: navigator_of(self).show_frame(self._frame))
        self._ask.clicked.connect(lambda: navigator_of(self).show_frame(self._cause))
        self._theme.changed.connect(self._dress)

    def show_message(self, lines: RunLogs, at: int) -> None:
        """Show the message at a position."""
        try:
            self._raw, line, view = lines.raw(at), lines.line(at), lines.view(at)
        except StorageError as error:
            self._findings.setText(visible(error.reason))
            self._findings.show()
            return
        self._frame, self._cause = lines.frame(at), lines.cause(at)
        self._show_heading(lines, at, line)
        self._findings.setText(visible("\n".join(f"⚠ {note.summary}" for note in view.notes)))
        self._findings.setVisible(bool(view.notes))
        self._fill(view)
        self._show_view(self._views.current())
        self.show()

    def copy_data(self) -> None:
        """Put the data on the clipboard: text as it is, anything else as JSON, exactly as it came."""
        value = self._data
        text = value if isinstance(value, str) else json_codec.write(value, indent=2)
        copy_text(text)

    def _show_heading(self, lines: RunLogs, at: int, line: LogLine) -> None:
        self._level.setText(level_text(line))
        self._tone = level_tone(line.rank)
        parts = [clock_exact(lines.wall(at)), f"frame {self._frame:,}"]
        if line.logger:
            parts.insert(0, isolated(one_line(line.logger, 120)))
        if self._cause:
            parts.append(f"during {isolated(cause_text(lines.transcript(at), self._cause))}")
        self._about.set_text(" · ".join(parts))
        self._ask.setVisible(bool(self._cause))
        self._dress()

    def _fill(self, view: LogView) -> None:
        self._data = view.data
        if isinstance(view.data, str):
            self._text.set_text(view.data)
        else:
            self._tree.set_value(view.data)
        self._message.set_raw(self._raw)

    def _show_view(self, key: str) -> None:
        data = self._text if isinstance(self._data, str) else self._tree
        self._stack.setCurrentWidget(self._message if key == "message" else data)

    def _dress(self) -> None:
        palette = self._level.palette()
        palette.setColor(self._level.foregroundRole(), self._theme.color(self._tone))
        self._level.setPalette(palette)
        self._level.setFont(self._theme.font(bold=True))
