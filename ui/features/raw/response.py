"""What came back for a text that was sent: a line about it, and the message as a tree or as it came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind
from ui.navigator import navigator_of
from ui.widgets.buttons import link_button
from ui.widgets.empty_state import EmptyState
from ui.widgets.json_view import JsonView
from ui.widgets.labels import ElidedLabel
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView
from ui.widgets.units import duration

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

VIEWS = (("json", "JSON"), ("raw", "Raw"))

REACH = 5000
"""Frames after ours among which an answer without an id of ours is looked for."""

MAX_UNSOLICITED = 20
"""Of such answers; then more are in the traffic."""

ANSWERS = (MessageKind.RESPONSE, MessageKind.ERROR)


class Answer(QWidget):
    """The answer to one frame of ours."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start without a frame."""
        super().__init__(parent)
        self.setObjectName("raw_answer")
        self._frame = 0
        self._response = 0
        self._stray: list[int] = []
        self._looked = 0
        self._build(theme)
        self._wire()
        self.clear()

    def _build(self, theme: Theme) -> None:
        self._words = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._words.setObjectName("raw_answer_words")
        self._views = SegmentedControl(VIEWS, name="raw_answer_views", parent=self)
        self._show_frame = link_button("Show in traffic", name="raw_show", parent=self)
        self._tree = JsonView(theme=theme, name="raw_answer_tree")
        self.text = TextView(theme=theme, name="raw_answer_text", file_name="answer.json")
        self._empty = EmptyState(
            "No response yet",
            "Send a message to see the response.",
            theme=theme,
            icon="mdi6.message-reply-text-outline",
            name="raw_answer_empty",
        )
        self._stack = QStackedWidget(self)
        for part in (self._empty, self._tree, self.text):
            self._stack.addWidget(part)
        self._head = QWidget(self)
        row = QHBoxLayout(self._head)
        row.setContentsMargins(
            theme.PADDING_PX, theme.SPACING_PX, theme.PADDING_PX, theme.SPACING_PX
        )
        row.setSpacing(theme.PADDING_PX)
        row.addWidget(self._words, 1)
        row.addWidget(self._show_frame)
        row.addWidget(self._views)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head)
        column.addWidget(self._stack, 1)

    def _wire(self) -> None:
        self._views.chosen.connect(self._show_view)
        self._show_frame.clicked.connect(
            lambda: navigator_of(self).show_frame(
                self._response or next(iter(self._stray), self._frame)
            )
        )

    def clear(self) -> None:
        """Nothing was sent."""
        self._frame = self._response = 0
        self._head.hide()
        self._stack.setCurrentWidget(self._empty)

    def show_frame(self, frame: int, transcript: Transcript) -> None:
        """Show what answers `frame`, of which nothing is known yet."""
        self._frame, self._response = frame, 0
        self._stray, self._looked = [], frame
        self._head.show()
        self._views.hide()
        self._stack.setCurrentWidget(self._empty)
        self.poll(transcript)

    def poll(self, transcript: Transcript) -> None:
        """See whether there is an answer by now; does nothing once it is shown."""
        if not self._frame or self._response:
            return
        exchange = transcript.exchange(self._frame)
        self._words.set_text(_text(self._frame, exchange))
        if exchange is not None and exchange.response:
            self._response = exchange.response
            self._tree.set_raw(transcript.message(exchange.response).raw)
            self.text.set_raw(transcript.raw(exchange.response))
            self._views.show()
            self._show_view(self._views.current())
        else:
            self._find_unsolicited(transcript)

    def _find_unsolicited(self, transcript: Transcript) -> None:
        """What came after it and answers nothing that we asked, as what a server says of a text that it cannot read."""
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
            self._stray = [*self._stray, *found][:MAX_UNSOLICITED]
            self._tree.set_raw(transcript.message(self._stray[0]).raw)
            self.text.set_raw(b"\n".join(map(transcript.raw, self._stray)))
            self._views.show()
            self._show_view(self._views.current())
        if self._stray:
            self._words.set_text(_stray_words(self._frame, self._stray))

    def _show_view(self, key: str) -> None:
        self._stack.setCurrentWidget(self._tree if key == "json" else self.text)


def _stray_words(frame: int, stray: Sequence[int]) -> str:
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
