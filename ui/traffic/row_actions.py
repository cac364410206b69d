"""What can be done with the rows: copying, narrowing, jumping, sending again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from inspector.errors import StorageError
from inspector.transcript.curl import curl_command
from inspector.transcript.http_exchange import http_exchange
from inspector.transcript.masking import Masking
from inspector.wire.secrecy import DOTS
from ui.traffic import copying
from ui.traffic.row_menu import can_resend, make_menu, partner_of
from ui.widgets.clipboard import copy_text
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transcript.transcript import Transcript
    from ui.models.traffic import TrafficModel
    from ui.traffic.table import TrafficTable

    Write = Callable[[Transcript, list[int], Masking], str]

COPY_ROWS = 5000
"""Frames copied at once; what is beyond is said."""


class RowActions(QObject):
    """The actions of `row_menu.Actions`, for the selection and the row under the cursor.

    Signals:
        said: what was done, or why it could not be.
        term_wanted: the filter is to be narrowed by this term.
        frame_wanted: the cursor is to go to the frame of this number and transcript.
        authorization_requested: show how the server is authorized.
        resend_wanted: this message, a frame of ours, is to be edited and sent.
    """

    said = Signal(str)
    term_wanted = Signal(str)
    frame_wanted = Signal(int, object)
    resend_wanted = Signal(str)
    authorization_requested = Signal()

    def __init__(self, *, model: TrafficModel, table: TrafficTable) -> None:
        """Act on what is selected in `table`; owned by it."""
        super().__init__(table)
        self._model = model
        self._table = table
        self.with_secrets = False
        """Whether copies hold secrets; off with every start."""

    def open_menu(self, place: QPoint) -> None:
        """Open the menu of the row at `place` in the table's viewport."""
        place = self._table.viewport().mapToGlobal(place)
        if (current := self._current()) is not None:
            make_menu(*current, self, self._table).popup(place)

    def show_authorization(self) -> None:
        """Show how the server is authorized."""
        self.authorization_requested.emit()

    def _current(self) -> tuple[Transcript, int] | None:
        """The frame under the cursor."""
        number = self._table.current_number()
        return self._model.timeline.locate(number) if number else None

    def copy_raw(self) -> None:
        """Selected frames as they were."""
        self._copy(self._selected(), copying.raw_text)

    def copy_lines(self) -> None:
        """Selected frames as JSON lines."""
        self._copy(self._selected(), copying.json_lines)

    def copy_all_lines(self) -> None:
        """All rows as JSON lines."""
        shown = self._model.shown
        numbers = shown.numbers[shown.first : shown.first + COPY_ROWS + 1]
        self._copy(list(numbers), copying.json_lines)

    def copy_json(self) -> None:
        """The frame under the cursor, indented."""
        self._copy([self._table.current_number()], _pretty)

    def copy_curl(self, with_secrets: bool) -> None:
        """The HTTP request that the frame under the cursor belongs to, as a command line."""
        current = self._current()
        if current is None:
            return
        transcript, number = current
        try:
            exchange = http_exchange(transcript, number)
            hop = exchange.hop_of(number) if exchange is not None else None
            if exchange is None or hop is None:
                self.said.emit("no HTTP request for this frame")
                return
            line = curl_command(transcript, exchange, hop, with_secrets=with_secrets)
        except StorageError as error:
            self.said.emit(error.words)
            return
        copy_text(line)
        self.said.emit("copied as cURL" + (", secrets hidden" if DOTS in line else ""))

    def set_with_secrets(self, wanted: bool) -> None:
        """Copy secrets, too, or hide them."""
        self.with_secrets = wanted

    def add_term(self, term: str) -> None:
        """Narrow the view."""
        self.term_wanted.emit(term)

    def jump(self) -> None:
        """To the other end of the exchange."""
        current = self._current()
        if current is None:
            return
        transcript, number = current
        partner = partner_of(transcript, number)
        if partner is not None:
            self.frame_wanted.emit(partner, transcript)
        elif transcript.columns.owner[number - 1]:
            self.said.emit("no response yet")
        else:
            self.said.emit("not part of a request")

    def resend(self) -> None:
        """Edit and send again."""
        current = self._current()
        if current is not None and can_resend(*current):
            transcript, number = current
            whole = Masking(transcript, with_secrets=True)
            self.resend_wanted.emit(copying.raw_text(transcript, [number], whole))

    def _selected(self) -> list[int]:
        return self._table.selected_numbers(COPY_ROWS + 1)

    def _by_run(self, numbers: list[int]) -> list[tuple[Transcript, list[int]]]:
        """Transcripts with those of their own frames that `numbers` name."""
        timeline = self._model.timeline
        located = [timeline.locate(number) for number in numbers]
        return [
            (transcript, own)
            for transcript in timeline.transcripts
            if (own := [number for owner, number in located if owner is transcript])
        ]

    def _copy(self, numbers: list[int], write: Write) -> None:
        if not any(numbers):
            return
        copied = numbers[:COPY_ROWS]
        try:
            text = "\n".join(
                write(transcript, own, Masking(transcript, with_secrets=self.with_secrets))
                for transcript, own in self._by_run(copied)
            )
        except StorageError as error:
            self.said.emit(error.words)
            return
        copy_text(text)
        more = "the first " if len(copied) < len(numbers) else ""
        hidden = ", secrets hidden" if DOTS in text else ""
        self.said.emit(f"copied {more}{plural(len(copied), 'frame')}{hidden}")


def _pretty(transcript: Transcript, numbers: list[int], masking: Masking) -> str:
    return copying.pretty_json(transcript, numbers[0], masking)
