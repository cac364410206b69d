"""When it happened, how long it took, and what belongs together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from inspector.transcript.exchange import Status
from ui.models.exchange_model import ExchangeModel
from ui.models.round_text import times_asked
from ui.models.trace_context import trace_facts
from ui.widgets.delegates import ListDelegate
from ui.widgets.key_values import KeyValue, KeyValues
from ui.widgets.labels import plain_label
from ui.widgets.units import clock_exact, duration, duration_exact, size, size_exact

if TYPE_CHECKING:
    from inspector.transcript.exchange import Exchange
    from inspector.transcript.index import Row
    from inspector.transcript.transcript import Transcript
    from ui.theme import Theme


class TimingTab(QWidget):
    """Facts about one frame and the frames of its exchange.

    Signals:
        frame_wanted: the person chose another frame of the exchange.
    """

    frame_wanted = Signal(int)

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
        self._column.addWidget(self._heading)
        self._column.addWidget(self.list, 1)
        self._column.addStretch(0)

    def _wire(self) -> None:
        self.list.clicked.connect(self._on_list_activated)
        self.list.activated.connect(self._on_list_activated)
        self._theme.changed.connect(self._refresh)

    def _refresh(self) -> None:
        self._column.setContentsMargins(*[self._theme.PADDING_PX] * 4)
        self._column.setSpacing(self._theme.PADDING_PX)

    def show_frame(self, transcript: Transcript, number: int) -> None:
        """Show frame `number`."""
        row, exchange = transcript.row(number), transcript.exchange(number)
        started = transcript.columns.monotonic_s[0]
        facts = _frame_facts(row, transcript.columns.left_at(number), started)
        if exchange is not None:
            facts += _exchange_facts(exchange, transcript.took_seconds(exchange.request))
            facts += trace_facts(transcript, exchange.request)
        self.facts.set_facts(facts)
        self.members.show(transcript, exchange)
        self._heading.setVisible(exchange is not None)
        self.list.setVisible(exchange is not None)
        here = self.members.row_of(number)
        if here >= 0:
            self.list.setCurrentIndex(self.members.index(here))

    def _on_list_activated(self, index: QModelIndex) -> None:
        if index.isValid():
            self.frame_wanted.emit(self.members.number_at(index.row()))


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


def _exchange_facts(exchange: Exchange, took: float | None) -> list[KeyValue]:
    """How it ended; `took` seconds to its answer, or until it was given up."""
    outcome = "late response" if exchange.late else _OUTCOMES[exchange.status]
    if exchange.status is Status.INPUT_REQUIRED and exchange.retry is not None:
        outcome = "to be resent: requested by the server, no input required"
    return [
        KeyValue("Status", outcome, mono=False, tone=_TONES.get(exchange.status, "warning")),
        KeyValue(
            "Duration",
            "no response yet" if took is None else duration(took),
            "" if took is None else duration_exact(took),
            mono=took is not None,
        ),
        *_round_facts(exchange),
    ]


def _round_facts(exchange: Exchange) -> list[KeyValue]:
    """How the time divides, where the server asked for input."""
    asked = times_asked(exchange)
    if not asked and not exchange.quiet_rounds:
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
