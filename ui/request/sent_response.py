"""The response to a text that was sent as a frame: as a tree, as it was received, and in views that a page adds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QWidget

from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind
from ui.models.traffic_cells import status_text, status_tone
from ui.navigator import navigator_of
from ui.theme import tokens
from ui.widgets.empty_state import EmptyState
from ui.widgets.json_view import JsonView
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.layout_parts import column_layout, row_layout
from ui.widgets.links import ElidedLink
from ui.widgets.segmented_control import SegmentedControl
from ui.widgets.text_view import TextView
from ui.widgets.units import duration, size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QResizeEvent

    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme

HEADER_HEIGHT = 40
"""Pixels at 100% of the line above the response."""

STATUS_WIDTH = 130
"""Pixels at 100% that the status keeps."""

LINK_FROM = 500
"""Pixels at 100% of the width from which on there is space for the link to the traffic."""

SHOW = "Show in traffic"

VIEWS = (("json", "JSON"), ("raw", "Raw"))

REACH = 5000
"""Frames after the sent one that are searched for unsolicited responses."""

MAX_UNSOLICITED = 20
"""Unsolicited responses that are shown; the traffic has all."""

ANSWERS = (MessageKind.RESPONSE, MessageKind.ERROR)


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
        self._status_label = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
        self._status_label.setObjectName(f"{name}_words")
        self._status_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._views = SegmentedControl(VIEWS, name=f"{name}_views", parent=self)
        self._show_frame = ElidedLink(name=f"{name}_show", parent=self)
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
        self._status_label.setMinimumWidth(px(STATUS_WIDTH))
        self._column.setContentsMargins(side, 0, side, side)

    def _wire(self) -> None:
        self._theme.changed.connect(self._dress)
        self._views.chosen.connect(self._show_view)
        self._show_frame.clicked.connect(
            lambda: navigator_of(self).show_frame(
                self._response or next(iter(self._unsolicited), self._frame), self._transcript
            )
        )

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
        self._show_frame.set_text(SHOW)  # it has its font by now
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
        size_bytes = transcript.columns.size[number - 1] if number else 0
        self._status_label.set_text(_text(self._frame, exchange, size_bytes))
        set_tone(self._status_label, _tone(exchange))
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

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The link gives way to the status."""
        super().resizeEvent(event)
        self._show_frame.setVisible(self.width() >= self._theme.px(LINK_FROM))

    def _show_view(self, key: str) -> None:
        self._stack.setCurrentWidget(self._parts[key])


def _unsolicited_text(frame: int, stray: Sequence[int]) -> str:
    numbers = ", ".join(f"#{number}" for number in stray)
    what = "an unsolicited response" if len(stray) == 1 else f"{len(stray)} unsolicited responses"
    first = "; JSON shows the first, Raw shows all" if len(stray) > 1 else ""
    return f"Sent as #{frame} · received {what}: {numbers}{first}"


def _tone(exchange: Exchange | None) -> str:
    """Return the color of what came of a frame: none unless it stands out."""
    tone = status_tone(exchange.status) if exchange is not None else ""
    return tone if tone != "muted" else ""


def _text(frame: int, exchange: Exchange | None, size_bytes: int) -> str:
    """What came of a frame: outcome, time and size of the response, which are seen where little fits."""
    if exchange is None:
        return f"Sent as #{frame}. Not a request, so no response is tracked. See Traffic."
    if exchange.response is None:
        return f"Sent as #{frame} · waiting for response…"
    took = exchange.took_seconds
    parts = [
        status_text(exchange.status.value),
        *((duration(took),) if took is not None else ()),
        size(size_bytes),
        f"response #{exchange.response}",
        f"sent as #{frame}",
    ]
    return " · ".join(parts)
