"""The response to a text that was sent as a frame: as a tree, as it was received, and in views that a page adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QStackedWidget, QWidget

from inspector.transcript.exchange import Status
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind
from ui.models.traffic_cells import status_text, status_tone
from ui.navigator import navigator_of
from ui.theme import tokens
from ui.widgets.empty_state import EmptyState
from ui.widgets.json_view import JsonView
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.outcome_line import OutcomeLine
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

HEADER_HEIGHT = 40
"""Pixels at 100% of the line above the response."""

BELOW_PX = 6
"""At 100%, above the outcome and below the views where these have a line of their own."""

VIEWS = (("json", "JSON"), ("raw", "Raw"))

REACH = 5000
"""Frames after the sent one that are searched for unsolicited responses."""

MAX_UNSOLICITED = 20
"""Unsolicited responses that are shown; the traffic has all."""

ANSWERS = (MessageKind.RESPONSE, MessageKind.ERROR)

WAITING = frozenset({Status.PENDING, Status.INPUT_REQUIRED})
"""Statuses of requests that may still get a response."""


class SentResponse(QWidget):
    """The response to the frame that was sent, in several views."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start without a frame; the object names of the parts begin with `name`."""
        super().__init__(parent)
        self.setObjectName(name)
        self._theme = theme
        self._transcript: Transcript | None = None
        self._frame = 0
        self._response = 0
        self._unsolicited: list[int] = []
        self._looked = 0
        self._build()
        self._wire()
        self._dress()
        self.clear()

    def _build(self) -> None:
        theme, name = self._theme, self.objectName()
        self._outcome = OutcomeLine(
            theme=theme, name=f"{name}_outcome", frames_first=True, parent=self
        )
        self._views = SegmentedControl(VIEWS, name=f"{name}_views", parent=self)
        self._stack = QStackedWidget(self)
        stack = self._stack
        self._tree = JsonView(theme=theme, name=f"{name}_tree", parent=stack)
        self.text = TextView(
            theme=theme, name=f"{name}_text", file_name="answer.json", parent=stack
        )
        self._empty = EmptyState(
            "No response yet",
            "Send a message to see the response.",
            theme=theme,
            name=f"{name}_empty",
            parent=stack,
        )
        self._parts: dict[str, QWidget] = {"json": self._tree, "raw": self.text}
        for part in (self._empty, self._tree, self.text):
            self._stack.addWidget(part)
        self._header = QWidget(self)
        self._row = row_layout(self._header, space=0)
        self._row.addWidget(self._outcome, 1)
        self._row.addWidget(self._views)
        self._column = column_layout(self, self._header, space=0)
        self._column.addWidget(self._stack, 1)

    def _dress(self) -> None:
        px = self._theme.px
        side = px(tokens.DENSE_PADDING_PX)
        self._header.setMinimumHeight(px(HEADER_HEIGHT))  # a long reason takes more lines
        self._row.setSpacing(px(8))
        self._column.setContentsMargins(side, 0, side, side)
        self._fit_header()

    def _fit_header(self) -> None:
        """Put the views below the outcome where the numbers of the frames would not fit beside them."""
        space = self._row.spacing()
        needed = self._outcome.width_with_frames() + space + self._views.sizeHint().width()
        is_wide = self._views.isHidden() or needed <= self._header.width()
        direction, side = QBoxLayout.Direction, Qt.AlignmentFlag.AlignRight
        self._row.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
        self._row.setAlignment(self._views, Qt.AlignmentFlag(0) if is_wide else side)
        around = 0 if is_wide else self._theme.px(BELOW_PX)
        self._row.setContentsMargins(0, around, 0, around)

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        self._views.chosen.connect(self._show_view)
        self._outcome.frame_requested.connect(self._on_frame_requested)

    def _on_frame_requested(self, frame: int) -> None:
        navigator_of(self).show_frame(frame, self._transcript)

    def add_view(self, key: str, text: str, view: QWidget) -> None:
        """Offer another view of the response, called `text`."""
        self._parts[key] = view
        self._stack.addWidget(view)
        self._views.set_options((*VIEWS, (key, text)))

    def rename_view(self, key: str, text: str) -> None:
        """Call a view `text` from now on."""
        self._views.set_label(key, text)

    def show_view(self, key: str) -> None:
        """Show the response in a view."""
        self._views.choose(key)
        self._show_view(key)

    def clear(self) -> None:
        """Show that nothing was sent."""
        self._frame = self._response = 0
        self._transcript = None
        self._header.hide()
        self._stack.setCurrentWidget(self._empty)

    def show_frame(self, frame: int, transcript: Transcript) -> None:
        """Show the response to `frame` as soon as there is one."""
        self._frame, self._response, self._transcript = frame, 0, transcript
        self._unsolicited, self._looked = [], frame
        self._header.show()
        self._views.hide()
        self._stack.setCurrentWidget(self._empty)
        self.poll()

    def poll(self) -> None:
        """Look for the response, unless it is shown already."""
        transcript = self._transcript
        if transcript is None or not self._frame or self._response:
            return
        exchange = transcript.exchange(self._frame)
        number = exchange.response if exchange is not None else None
        text, tone = _outcome(exchange)
        self._outcome.set_outcome(
            text,
            tone,
            seconds=exchange.took_seconds if exchange is not None and number else None,
            size_bytes=transcript.columns.size[number - 1] if number else None,
            frames=(self._frame, number) if number else (self._frame,),
        )
        if exchange is not None and exchange.response:
            self._response = exchange.response
            self._tree.set_raw(transcript.message(exchange.response).raw)
            self.text.set_raw(transcript.raw(exchange.response))
            self._views.show()
            self._show_view(self._views.current())
        else:
            self._find_unsolicited(transcript)
        self._fit_header()

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
            self._outcome.set_outcome(
                _unsolicited_text(self._unsolicited),
                "warning",
                frames=(self._frame, self._unsolicited[0]),
            )

    def _show_view(self, key: str) -> None:
        self._stack.setCurrentWidget(self._parts[key])

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for views beside the outcome, or none."""
        super().resizeEvent(event)
        self._fit_header()


def _unsolicited_text(stray: Sequence[int]) -> str:
    numbers = ", ".join(f"#{number}" for number in stray)
    if len(stray) == 1:
        return f"Unsolicited response: {numbers}"
    return f"{len(stray)} unsolicited responses: {numbers}; JSON shows the first, Raw shows all"


def _outcome(exchange: Exchange | None) -> tuple[str, str]:
    """What came of a frame, and the tone of that."""
    if exchange is None:
        return "Sent; not a request, so no response is tracked", "ok"
    if exchange.response is None and exchange.status in WAITING:
        return "Waiting for response", "pending"
    is_fine = exchange.status in {Status.OK, Status.OPEN}
    tone = "ok" if is_fine else status_tone(exchange.status)
    return status_text(exchange.status.value), tone
