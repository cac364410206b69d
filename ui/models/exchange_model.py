"""The frames of one exchange as a list: request, progress, cancellation, responses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from inspector.errors import StorageError
from inspector.transcript.index import FrameFlags
from inspector.wire.message import MessageKind
from ui.models.traffic_cells import DIRECTION_SIGNS, DIRECTION_WORDS
from ui.models.traffic_summary import about
from ui.widgets.delegates import SECONDARY_ROLE, TONE_ROLE, spoken
from ui.widgets.units import duration

if TYPE_CHECKING:
    from inspector.transcript.exchange import Exchange
    from inspector.transcript.transcript import Transcript

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
            way = DIRECTION_WORDS[transcript.row(number).direction]
            return f"{way}, {spoken(index)}"
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
