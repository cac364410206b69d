"""The raw page: any text sent as a frame, valid or not, and the responses to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QPlainTextEdit,
    QStackedWidget,
    QWidget,
)

from inspector.errors import InspectorError
from inspector.features.raw import PING
from inspector.session.session import SessionState
from inspector.wire import json_codec
from inspector.wire.frame import Direction
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.message import MessageKind
from ui.aio import spawn
from ui.bind import Bindings, bind_coalesced
from ui.navigator import navigator_of
from ui.page import Page
from ui.pages import RAW, PageSpec
from ui.theme import tokens
from ui.widgets.buttons import link_button, push_button, submit_shortcut
from ui.widgets.empty_state import EmptyState
from ui.widgets.json_view import JsonView
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.layout_parts import Hairline, column_layout, row_layout
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.splitter import Splitter
from ui.widgets.text_view import TextView
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from inspector.workspace import OpenSession
    from ui.theme import Theme

READ_LIMIT = 200_000
"""Characters up to which the text is parsed at each keystroke."""

ANSWER_MS = 100
"""Shortest time between two looks for a response."""


FOOT_HEIGHT, HEADER_HEIGHT = 46, 40
"""Of the line with *Send*, and of the one above the response, at 100%."""

VIEWS = (("json", "JSON"), ("raw", "Raw"))

REACH = 5000
"""Frames after the sent one that are searched for unsolicited responses."""

MAX_UNSOLICITED = 20
"""Unsolicited responses that are shown; the traffic has all."""

ANSWERS = (MessageKind.RESPONSE, MessageKind.ERROR)


class RawPage(Page):
    """A text to send as it is."""

    info: ClassVar[PageSpec] = RAW

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start with an example."""
        super().__init__(parent)
        self._theme = theme
        self._bindings = Bindings()
        self._example = PING
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        theme = self._theme
        self.edit = QPlainTextEdit(PING)
        self.edit.setObjectName("raw_edit")
        self.edit.setAccessibleName("Message text")
        self.edit.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.edit.setTabChangesFocus(True)
        self._hint = ElidedLabel(elide=Qt.TextElideMode.ElideRight)
        self._hint.setObjectName("raw_hint")
        set_tone(self._hint, "muted")
        self.send_button = push_button("Send", name="raw_send", primary=True)
        self.send_button.setToolTip("Ctrl+Enter")
        self._one_line = push_button("Collapse to one line", name="raw_one_line")
        self.answer = ResponsePanel(theme=theme)
        self._foot = QWidget()
        self._foot_row = row_layout(self._foot, self.send_button, self._one_line, space=0)
        self._foot_row.addWidget(self._hint, 1)
        top = QWidget()
        column = column_layout(top, space=0)
        column.addWidget(self.edit, 1)
        column.addWidget(Hairline(theme=theme))
        column.addWidget(self._foot)
        split = Splitter(theme=theme)
        split.setObjectName("raw_splitter")
        for part in (top, self.answer):
            split.addWidget(part)
            split.setStretchFactor(split.count() - 1, 1)
        split.setSizes([1000, 1000])
        column_layout(self, split, space=0)
        self._dress()

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        self.edit.textChanged.connect(self._refresh)
        self.send_button.clicked.connect(self._on_send)
        self._one_line.clicked.connect(self._on_one_line)
        submit_shortcut(self, self._on_send)

    def set_session(self, session: OpenSession | None) -> None:
        """Send over the connection of `session`."""
        self._bindings.replace()
        super().set_session(session)
        self.answer.clear()
        if session is not None:
            transcript = session.session.transcript
            self._bindings.replace(
                bind_coalesced(self, session.session.changed, self._on_session_changed),
                bind_coalesced(
                    self, transcript.appended, lambda: self.answer.poll(transcript), ANSWER_MS
                ),
            )
        self._on_session_changed()

    def set_text(self, text: str) -> None:
        """Put a text in, to be edited and sent."""
        self.edit.setPlainText(text)
        self.edit.setFocus()

    def _refresh(self) -> None:
        ready = self.session is not None and self.session.session.state is SessionState.READY
        text = self.edit.toPlainText()
        self.send_button.setEnabled(ready and bool(text))
        self._one_line.setVisible("\n" in text)
        self._hint.set_text(_hint(text) if ready else "Not connected")

    def _on_session_changed(self) -> None:
        """Offer an example that this server understands, unless the user typed something else."""
        ready = self.session is not None and self.session.session.state is SessionState.READY
        if self.session is not None and ready and self.edit.toPlainText() == self._example:
            self._offer(self.session.raw.example())
        self._refresh()

    def _offer(self, example: str) -> None:
        if example != self._example:
            self._example = example
            self.edit.setPlainText(example)

    def _on_send(self) -> None:
        if self.session is not None and self.send_button.isEnabled():
            spawn(self, self._send(self.session, self.edit.toPlainText()), name="send raw message")

    async def _send(self, session: OpenSession, text: str) -> None:
        try:
            frame = await session.raw.send(text)
        except InspectorError as error:
            self._hint.set_text(error.reason)
            return
        if session is self.session:
            self.answer.show_frame(frame, session.session.transcript)

    def _on_one_line(self) -> None:
        self.edit.setPlainText(json_codec.compact(self.edit.toPlainText()))

    def _dress(self) -> None:
        self.edit.setFont(self._theme.mono())
        px = self._theme.px
        self.edit.document().setDocumentMargin(px(tokens.DENSE_PADDING_PX))
        self._foot.setFixedHeight(px(FOOT_HEIGHT))
        side = px(tokens.DENSE_PADDING_PX)
        self._foot_row.setContentsMargins(side, 0, side, 0)
        self._foot_row.setSpacing(px(8))


def _hint(text: str) -> str:
    if "\n" in text:
        return "stdio messages end at a newline: this text is sent as several messages."
    if len(text) > READ_LIMIT:
        return "Sent exactly as typed; too long to validate as JSON."
    try:
        json_codec.read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        return f"Not JSON ({error.reason}). Sent exactly as typed."
    return "Sent exactly as typed; no id, progress token or validation is added."


class ResponsePanel(QWidget):
    """The response to the frame that was sent."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a frame."""
        super().__init__(parent)
        self.setObjectName("raw_answer")
        self._theme = theme
        self._frame = 0
        self._response = 0
        self._unsolicited: list[int] = []
        self._looked = 0
        self._build()
        self._wire()
        self._dress()
        self.clear()

    def _build(self) -> None:
        theme = self._theme
        self._status_label = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._status_label.setObjectName("raw_answer_words")
        self._views = SegmentedControl(VIEWS, name="raw_answer_views", parent=self)
        self._show_frame = link_button("Show in traffic", name="raw_show", parent=self)
        self._tree = JsonView(theme=theme, name="raw_answer_tree")
        self.text = TextView(theme=theme, name="raw_answer_text", file_name="answer.json")
        self._empty = EmptyState(
            "No response yet",
            "Send a message to see the response.",
            theme=theme,
            name="raw_answer_empty",
        )
        self._stack = QStackedWidget(self)
        for part in (self._empty, self._tree, self.text):
            self._stack.addWidget(part)
        self._header = QWidget(self)
        self._row = row_layout(self._header, space=0)
        self._row.addWidget(self._status_label, 1)
        self._row.addWidget(self._show_frame)
        self._row.addWidget(self._views)
        self._column = column_layout(self, self._header, space=0)
        self._column.addWidget(self._stack, 1)

    def _dress(self) -> None:
        px = self._theme.px
        side = px(tokens.DENSE_PADDING_PX)
        self._header.setFixedHeight(px(HEADER_HEIGHT))
        self._row.setSpacing(px(8))
        self._column.setContentsMargins(side, 0, side, side)

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        self._views.chosen.connect(self._show_view)
        self._show_frame.clicked.connect(
            lambda: navigator_of(self).show_frame(
                self._response or next(iter(self._unsolicited), self._frame)
            )
        )

    def clear(self) -> None:
        """Show that nothing was sent."""
        self._frame = self._response = 0
        self._header.hide()
        self._stack.setCurrentWidget(self._empty)

    def show_frame(self, frame: int, transcript: Transcript) -> None:
        """Show the response to `frame` as soon as there is one."""
        self._frame, self._response = frame, 0
        self._unsolicited, self._looked = [], frame
        self._header.show()
        self._views.hide()
        self._stack.setCurrentWidget(self._empty)
        self.poll(transcript)

    def poll(self, transcript: Transcript) -> None:
        """Look for the response, unless it is shown already."""
        if not self._frame or self._response:
            return
        exchange = transcript.exchange(self._frame)
        self._status_label.set_text(_text(self._frame, exchange))
        if exchange is not None and exchange.response:
            self._response = exchange.response
            self._tree.set_raw(transcript.message(exchange.response).raw)
            self.text.set_raw(transcript.raw(exchange.response))
            self._views.show()
            self._show_view(self._views.current())
        else:
            self._find_unsolicited(transcript)

    def _find_unsolicited(self, transcript: Transcript) -> None:
        """Show responses that match no request: a server responds so to a text that it cannot parse."""
        columns, last = transcript.columns, min(transcript.count, self._frame + REACH)
        found = [
            number
            for number in range(self._looked + 1, last + 1)
            if columns.direction[number - 1] == Direction.RECEIVED
            and not columns.request[number - 1]
            and transcript.row(number).kind in ANSWERS
        ]
        self._looked = max(last, self._looked)
        if found:
            self._unsolicited = [*self._unsolicited, *found][:MAX_UNSOLICITED]
            self._tree.set_raw(transcript.message(self._unsolicited[0]).raw)
            self.text.set_raw(b"\n".join(map(transcript.raw, self._unsolicited)))
            self._views.show()
            self._show_view(self._views.current())
        if self._unsolicited:
            self._status_label.set_text(_unsolicited_text(self._frame, self._unsolicited))

    def _show_view(self, key: str) -> None:
        self._stack.setCurrentWidget(self._tree if key == "json" else self.text)


def _unsolicited_text(frame: int, stray: Sequence[int]) -> str:
    numbers = ", ".join(f"#{number}" for number in stray)
    what = "an unsolicited response" if len(stray) == 1 else f"{len(stray)} unsolicited responses"
    first = "; JSON shows the first, Raw shows all" if len(stray) > 1 else ""
    return f"Sent as #{frame} · received {what}: {numbers}{first}"


def _text(frame: int, exchange: Exchange | None) -> str:
    if exchange is None:
        return f"Sent as #{frame}. Not a request, so no response is tracked. See Traffic."
    if exchange.response is None:
        return f"Sent as #{frame} · waiting for response…"
    took = exchange.took_seconds
    after = f" after {duration(took)}" if took is not None else ""
    return f"Sent as #{frame} · response #{exchange.response}{after} · {exchange.status}"
