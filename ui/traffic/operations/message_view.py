"""The request or the response of an operation as a tree: read aside where it is large, with its problems underlined."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from inspector.errors import StorageError
from inspector.wire.message import Absent
from ui.theme import tokens
from ui.traffic.finding_underlines import FindingUnderlines
from ui.traffic.large_frame import LargeFrameReader
from ui.traffic.problems import FindingTexts
from ui.traffic.tree_and_text import nearest
from ui.widgets.empty_state import EmptyState
from ui.widgets.error_panel import ErrorPanel
from ui.widgets.json_view import JsonView
from ui.widgets.labels import plain_label
from ui.widgets.layout_parts import column_layout

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme


class MessageView(QWidget):
    """One message, or why there is no response."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        """Start without a message."""
        super().__init__(parent)
        self._displayed: tuple[Transcript, int] | None = None
        """The frame whose JSON is displayed, or is read for that: it is not filled again, so that the tree stays as it was arranged."""
        self._texts = FindingTexts()
        self._pointer = ""
        """Where to go in it once it is read."""
        self.json = JsonView(theme=theme, name="operation_json", parent=self)
        self._underlines = FindingUnderlines(self.json, parent=self)
        self._empty = plain_label("", tone="muted", name="operation_no_response", parent=self)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._failure = ErrorPanel(theme=theme, name="operation_failure", parent=self)
        self._reading = EmptyState(
            "Reading a large frame…", "", theme=theme, name="operation_reading", parent=self
        )
        self._large = LargeFrameReader(self)
        self._pages = QStackedWidget(self)
        for page in (self.json, self._empty, self._reading):
            self._pages.addWidget(page)
        self._theme = theme
        self._column = column_layout(self, self._failure, space=0)
        self._column.addWidget(self._pages, 1)
        theme.changed.connect(self._dress)
        self._dress()
        self._large.ready.connect(self._on_large_ready)
        self._large.failed.connect(self._on_large_failed)

    def _dress(self) -> None:
        edge = self._theme.px(tokens.DENSE_PADDING_PX)
        self._column.setContentsMargins(edge, 0, edge, edge)

    def show_frame(self, transcript: Transcript, frame: int) -> None:
        """Show a frame; 0 for a response that there is not."""
        if self._displayed != (transcript, frame):
            self.clear()
            if frame:
                self._displayed = transcript, frame
                if not self._large.start(transcript, frame):
                    self._fill()
        self._empty.setText("" if frame else "No response")
        self._show_page()

    def clear(self) -> None:
        """Forget which message is displayed, and what is read for it."""
        self._displayed = None
        self._pointer = ""
        self._large.stop()
        self._failure.clear()

    def show_pointer(self, pointer: str) -> None:
        """Select the value at a JSON pointer, or the one around it that exists, once the message is read."""
        self._pointer = pointer
        if not self._large.is_reading:
            self._reveal()

    def show_findings(self) -> None:
        """Underline what is known to be wrong by now."""
        if self._displayed is not None:
            transcript, frame = self._displayed
            masked = partial(self._texts.masked, transcript)
            self._underlines.set_findings(transcript.findings(frame), masked=masked)

    def _fill(self) -> None:
        if self._displayed is None:
            return
        transcript, frame = self._displayed
        large = self._large.frame
        self.show_findings()
        try:
            if large is not None and not isinstance(large.value, Absent):
                self.json.set_value(large.value)
            else:
                self.json.set_raw(transcript.message(frame).raw)
        except StorageError as error:
            self._failure.show_error(error)
        else:
            self._reveal()

    def _reveal(self) -> None:
        if at := nearest(self.json.tree.value(), self._pointer):
            self.json.reveal(at)
        self._pointer = ""

    def _show_page(self) -> None:
        page = self._reading if self._large.is_reading else self.json
        is_empty = self._displayed is None or not self._failure.isHidden()
        self._pages.setCurrentWidget(self._empty if is_empty else page)

    def _on_large_ready(self) -> None:
        self._fill()
        self._show_page()

    def _on_large_failed(self, error: InspectorError) -> None:
        self._failure.show_error(error)
        self._show_page()
