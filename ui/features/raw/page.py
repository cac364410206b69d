"""The raw page: any text sent as a frame, valid or not, and the responses to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from inspector.errors import InspectorError
from inspector.features.raw import PING
from inspector.session.session import SessionState
from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError
from ui.aio import spawn
from ui.bind import Bindings, bind_coalesced
from ui.page import Page
from ui.pages import RAW, PageSpec
from ui.request.message_edit import MessageEdit
from ui.request.sent_response import SentResponse
from ui.theme import tokens
from ui.widgets.buttons import push_button, submit_shortcut
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.layout_parts import Hairline, column_layout, row_layout
from ui.widgets.splitter import Splitter

if TYPE_CHECKING:
    from inspector.workspace import OpenSession
    from ui.theme import Theme

READ_LIMIT = 200_000
"""Characters up to which the text is parsed at each keystroke."""

ANSWER_MS = 100
"""Shortest time between two looks for a response."""

FOOT_HEIGHT = 46
"""Pixels at 100% of the line with *Send*."""


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
        self.edit = MessageEdit(PING, theme=theme, name="raw_edit")
        self._hint = ElidedLabel(elide=Qt.TextElideMode.ElideRight)
        self._hint.setObjectName("raw_hint")
        set_tone(self._hint, "muted")
        self.send_button = push_button("Send", name="raw_send", primary=True)
        self.send_button.setToolTip("Ctrl+Enter")
        self._one_line = push_button("Collapse to one line", name="raw_one_line")
        self.answer = SentResponse(theme=theme, name="raw_answer")
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
                bind_coalesced(self, transcript.appended, self.answer.poll, ANSWER_MS),
            )
        self._on_session_changed()

    def set_text(self, text: str) -> None:
        """Put a text in, to be edited and sent."""
        self.edit.setPlainText(text)
        self.edit.setFocus()

    def _refresh(self) -> None:
        ready = self.session is not None and self.session.session.state is SessionState.READY
        text = self.edit.message()
        self.send_button.setEnabled(ready and bool(text))
        self._one_line.setVisible("\n" in text)
        self._hint.set_text(_hint(text) if ready else "Not connected")

    def _on_session_changed(self) -> None:
        """Offer an example that this server understands, unless the user typed something else."""
        ready = self.session is not None and self.session.session.state is SessionState.READY
        if self.session is not None and ready and self.edit.message() == self._example:
            self._offer(self.session.raw.example())
        self._refresh()

    def _offer(self, example: str) -> None:
        if example != self._example:
            self._example = example
            self.edit.setPlainText(example)

    def _on_send(self) -> None:
        if self.session is not None and self.send_button.isEnabled():
            spawn(self, self._send(self.session, self.edit.message()), name="send raw message")

    async def _send(self, session: OpenSession, text: str) -> None:
        try:
            frame = await session.raw.send(text)
        except InspectorError as error:
            self._hint.set_text(error.reason)
            return
        if session is self.session:
            self.answer.show_frame(frame, session.session.transcript)

    def _on_one_line(self) -> None:
        self.edit.setPlainText(json_codec.compact(self.edit.message()))

    def _dress(self) -> None:
        px = self._theme.px
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
