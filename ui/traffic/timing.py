"""The Timing tab: when a frame was sent and why, how long its exchange took, its trace context, and all frames of the exchange.

Source: basic, "_meta", reserved keys; W3C Trace Context, sections 3.2 and 3.3; W3C Baggage (C-MET-08).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from inspector.errors import StorageError
from inspector.spec.keys import META
from inspector.transcript.exchange import Status
from inspector.transcript.index import FrameFlags
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.message import MessageKind
from ui.models.run_text import times_asked
from ui.models.traffic_cells import DIRECTION_SIGNS, DIRECTION_TEXTS
from ui.models.traffic_summary import about
from ui.traffic.initiator import connection_facts, initiator_facts, operation_of
from ui.widgets.buttons import link_button
from ui.widgets.delegates import SECONDARY_ROLE, TONE_ROLE, ListDelegate, accessible_row_text
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import plain_label
from ui.widgets.units import clock_exact, duration, duration_exact, size, size_exact

if TYPE_CHECKING:
    from inspector.transcript.exchange import Exchange
    from inspector.transcript.index import Row
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json
    from ui.theme import Theme


class TimingTab(QWidget):
    """Facts about one frame and the frames of its exchange.

    Signals:
        frame_requested: show this frame of the exchange.
    """

    frame_requested = Signal(int)

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("traffic_timing")
        self.setProperty("surface", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._theme = theme
        self._build()
        self._wire()
        self._refresh()

    def _build(self) -> None:
        self.facts = KeyValues(theme=self._theme, name="traffic_times", parent=self)
        self.operation = link_button("Go to operation", name="traffic_operation", parent=self)
        self._operation = 0
        """The request of the operation that the frame belongs to; 0 for none."""
        self._search: tuple[Transcript, int] | None = None
        """The frame whose operation is searched for."""
        self._next_look = QTimer(self, interval=0, singleShot=True)
        self._heading = plain_label("Frames in this exchange", tone="title", parent=self)
        self.members = ExchangeModel(self)
        self.list = QListView(self)
        self.list.setObjectName("traffic_members")
        self.list.setAccessibleName("Frames in this exchange")
        self.list.setModel(self.members)
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(
            ListDelegate(theme=self._theme, elide=Qt.TextElideMode.ElideRight, parent=self.list)
        )
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.facts)
        self._column.addWidget(self.operation, 0, Qt.AlignmentFlag.AlignLeft)
        self._column.addWidget(self._heading)
        self._column.addWidget(self.list, 1)
        self._column.addStretch(0)

    def _wire(self) -> None:
        self.operation.clicked.connect(lambda: self.frame_requested.emit(self._operation))
        self.list.clicked.connect(self._on_list_activated)
        self.list.activated.connect(self._on_list_activated)
        self._next_look.timeout.connect(self._look_on)
        self._theme.changed.connect(self._refresh)

    def _look_on(self) -> None:
        """Search on for the operation of the frame that is shown."""
        if self._search is None:
            return
        if operation_of(*self._search)[1]:
            self.show_frame(*self._search)
        else:
            self._next_look.start()

    def _refresh(self) -> None:
        self._column.setContentsMargins(*[self._theme.PADDING_PX] * 4)
        self._column.setSpacing(self._theme.PADDING_PX)

    def show_frame(self, transcript: Transcript, number: int) -> None:
        """Show frame `number`; its operation as soon as that is found."""
        self._operation, is_known = operation_of(transcript, number)
        self._search = None if is_known else (transcript, number)
        if not is_known:
            self._next_look.start()
        row, exchange = transcript.row(number), transcript.exchange(number)
        started = transcript.columns.monotonic_s[0]
        facts = _frame_facts(row, transcript.columns.left_at(number), started)
        facts += initiator_facts(transcript, number, self._operation)
        facts += connection_facts(transcript, number)
        if exchange is not None:
            facts += exchange_facts(exchange, transcript)
            facts += trace_facts(transcript, exchange.request)
        self.facts.set_facts(facts)
        self.operation.setVisible(self._operation not in {0, number})
        self.members.show(transcript, exchange)
        self._heading.setVisible(exchange is not None)
        self.list.setVisible(exchange is not None)
        here = self.members.row_of(number)
        if here >= 0:
            self.list.setCurrentIndex(self.members.index(here))

    def _on_list_activated(self, index: QModelIndex) -> None:
        if index.isValid():
            self.frame_requested.emit(self.members.number_at(index.row()))


def _frame_facts(row: Row, left: float, started: float) -> list[KeyValue]:
    """When a frame crossed the wire: at the time `left`, where it first waited for a connection."""
    lag, since = left - row.monotonic_s, left - started
    waited = [KeyValue("Queued", duration(lag), duration_exact(lag))] if lag else []
    return [
        KeyValue("Sent or received", clock_exact(row.wall_s + lag)),
        *waited,
        KeyValue("Since the first frame", duration(since), duration_exact(since)),
        KeyValue("Channel", row.channel.name.lower()),
        KeyValue("Size", size(row.size), size_exact(row.size)),
    ]


def exchange_facts(exchange: Exchange, transcript: Transcript) -> list[KeyValue]:
    """Return how it ended, and how long it took to its response or until it was given up."""
    took, status = transcript.took_seconds(exchange.request), exchange.status
    outcome = "late response" if exchange.late else _OUTCOMES[status]
    if status is Status.INPUT_REQUIRED and exchange.retry is not None:
        outcome = "to be resent: requested by the server, no input required"
    if status is Status.PENDING and not transcript.live:
        status, outcome = Status.NO_RESPONSE, "no response in this recording"
    return [
        KeyValue("Status", outcome, mono=False, tone=_TONES.get(status, "warning")),
        KeyValue(
            "Duration",
            (NO_RESPONSE_YET if transcript.live else NO_RESPONSE)
            if took is None
            else duration(took),
            "" if took is None else duration_exact(took),
            mono=took is not None,
        ),
        *_round_facts(exchange),
    ]


def _round_facts(exchange: Exchange) -> list[KeyValue]:
    """How the time divides, where the server asked for input."""
    asked = times_asked(exchange)
    if not asked and not exchange.retry_count:
        return []
    server, waited = exchange.server_seconds, exchange.waited_seconds
    once = "input requested once" if asked == 1 else f"input requested {asked} times"
    if not asked:
        once = "no input requested"
    rounds = len(exchange.rounds)
    facts = [KeyValue("Rounds", f"{rounds}; {once}", mono=False)]
    if server is not None:
        facts.append(KeyValue("Server", duration(server), duration_exact(server)))
    return [*facts, KeyValue("Waiting for client", duration(waited), duration_exact(waited))]


NO_RESPONSE = "no response"
NO_RESPONSE_YET = f"{NO_RESPONSE} yet"

_OUTCOMES = {
    Status.NONE: "unknown",
    Status.PENDING: "pending",
    Status.OPEN: "open subscription",
    Status.OK: "ok",
    Status.ERROR: "error",
    Status.TOOL_ERROR: "tool error",
    Status.CANCELLED: "cancelled",
    Status.TIMED_OUT: "timed out",
    Status.NO_RESPONSE: "no response: connection closed",
    Status.INPUT_REQUIRED: "input required",
    Status.INVALID_RESULT: "invalid result for this protocol revision",
}
_TONES = {
    Status.PENDING: "pending",
    Status.OPEN: "ok",
    Status.OK: "ok",
    Status.ERROR: "error",
    Status.TOOL_ERROR: "error",
    Status.INPUT_REQUIRED: "pending",
    Status.INVALID_RESULT: "error",
}


KEYS = ("traceparent", "tracestate", "baggage")

MAX_TEXT = 300
"""Characters of a value."""

_PARENT = re.compile(
    r"(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?"
)


def trace_facts(transcript: Transcript, request: int) -> list[KeyValue]:
    """Return the rows for a request; empty without trace context."""
    try:
        params = transcript.message(request).params
    except StorageError:
        return []
    meta = params.get(META) if isinstance(params, dict) else None
    if not isinstance(meta, dict):
        return []
    return [_fact(key, meta[key]) for key in KEYS if key in meta]


def _fact(key: str, value: Json) -> KeyValue:
    text = one_line(value if isinstance(value, str) else json_codec.write(value), MAX_TEXT)
    if not isinstance(value, str):
        return KeyValue(key, text, "must be a string", tone="warning")
    if key != "traceparent":
        return KeyValue(key, text, "trace context sent with the request")
    found = _PARENT.fullmatch(value)
    if found is None:
        return KeyValue(key, text, "not a valid W3C Trace Context value", tone="warning")
    return KeyValue(key, text, f"trace {found[1]}\nparent {found[2]}")


_ROOT = QModelIndex()


class ExchangeModel(QAbstractListModel):
    """One row a frame; text is made when a view asks."""

    def __init__(self, parent: QObject | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self._transcript: Transcript | None = None
        self._exchange: Exchange | None = None
        self._numbers: tuple[int, ...] = ()

    def show(self, transcript: Transcript | None, exchange: Exchange | None) -> None:
        """List the frames of `exchange`."""
        before, now = self._numbers, ()
        if transcript is not None and exchange is not None:
            now = transcript.members(exchange.request)
        if transcript is self._transcript and before and now[: len(before)] == before:
            if len(now) > len(before):
                self.beginInsertRows(_ROOT, len(before), len(now) - 1)
                self._exchange, self._numbers = exchange, now
                self.endInsertRows()
            self._exchange = exchange
            return
        self.beginResetModel()
        self._transcript, self._exchange, self._numbers = transcript, exchange, now
        self.endResetModel()

    def number_at(self, row: int) -> int:
        """The frame in a row."""
        return self._numbers[row]

    def row_of(self, number: int) -> int:
        """The row of a frame; -1 if it does not belong."""
        return self._numbers.index(number) if number in self._numbers else -1

    def _name(self, transcript: Transcript, exchange: Exchange, number: int) -> str:
        row = transcript.row(number)
        role = _role(transcript, exchange, number)
        since = duration(max(0.0, row.monotonic_s - exchange.started_at))
        return f"{number}  {DIRECTION_SIGNS[row.direction]}  {role}  +{since}"

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        """Frames of the exchange."""
        return 0 if parent.isValid() else len(self._numbers)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> object:
        """The frame's part in the exchange, when, and what it says."""
        transcript, exchange = self._transcript, self._exchange
        if transcript is None or exchange is None or not index.isValid():
            return None
        number = self.number_at(index.row())
        if role == int(Qt.ItemDataRole.DisplayRole):
            return self._name(transcript, exchange, number)
        if role == SECONDARY_ROLE:
            return _text(transcript, number)
        if role == TONE_ROLE:
            return "error" if transcript.columns.kind[number - 1] == MessageKind.ERROR else None
        if role == int(Qt.ItemDataRole.AccessibleTextRole):
            way = DIRECTION_TEXTS[transcript.row(number).direction]
            return f"{way}, {accessible_row_text(index)}"
        return None


def _role(transcript: Transcript, exchange: Exchange, number: int) -> str:
    """The part of a frame in the exchange; where that took several rounds, also in which."""
    rounds = exchange.rounds
    if len(rounds) > 1:
        at = sum(each.request <= number for each in rounds)
        asks = number == rounds[at - 1].response and at < len(rounds)
        return f"round {at} {'input required' if asks else _part(transcript, exchange, number)}"
    return _part(transcript, exchange, number)


def _part(transcript: Transcript, exchange: Exchange, number: int) -> str:
    if any(number == each.request for each in exchange.rounds):
        return "request"
    row = transcript.row(number)
    for mark, text in (
        (FrameFlags.LATE, "late response"),
        (FrameFlags.DUPLICATE, "second response"),
    ):
        if row.flags & mark:
            return text
    if row.kind in {MessageKind.RESPONSE, MessageKind.ERROR}:
        return "error" if row.kind is MessageKind.ERROR else "response"
    return row.method.removeprefix("notifications/") or row.kind.name.lower()


def _text(transcript: Transcript, number: int) -> str:
    try:
        message = transcript.message(number)
    except StorageError:
        return ""
    columns = transcript.columns
    return about(message, columns.methods.texts[columns.method[number - 1]])
