"""What can be done with the rows: copying, narrowing, jumping, sending again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Signal

from inspector.errors import StorageError
from inspector.export.text import raw_text
from inspector.transcript.masking import Masking
from inspector.wire.secrecy import MASK
from ui.traffic.row_menu import can_resend, make_menu, partner_of
from ui.widgets.clipboard import copy_text
from ui.widgets.units import plural

if TYPE_CHECKING:
    from inspector.export.formats import Format
    from inspector.transcript.transcript import Transcript
    from ui.models.traffic import TrafficModel
    from ui.traffic.table import TrafficTable

COPY_ROWS = 5000
"""Frames copied at once; what is beyond is said."""


class RowActions(QObject):
    """The actions of `row_menu.Actions`, for the selection and the row under the cursor.

    Signals:
        said: what was done, or why it could not be.
        term_requested: the filter is to be narrowed by this term.
        frame_wanted: the cursor is to go to the frame of this number and transcript.
        authorization_requested: show how the server is authorized.
        resend_requested: this message, a frame of ours, is to be edited and sent.
    """

    said = Signal(str)
    term_requested = Signal(str)
    frame_wanted = Signal(int, object)
    resend_requested = Signal(str)
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

    def copy(self, format_: Format, *, with_secrets: bool | None = None) -> None:
        """Copy the selection, or the frame under the cursor; `with_secrets` wins over the setting."""
        if format_.is_single:
            numbers = [self._table.current_number()]
        else:
            numbers = self._table.selected_numbers(COPY_ROWS + 1)
        self._copy(numbers, format_, self.with_secrets if with_secrets is None else with_secrets)

    def copy_all(self, format_: Format) -> None:
        """Copy all rows."""
        shown = self._model.shown
        numbers = shown.numbers[shown.first : shown.first + COPY_ROWS + 1]
        self._copy(list(numbers), format_, self.with_secrets)

    def set_with_secrets(self, wanted: bool) -> None:
        """Copy secrets, too, or hide them."""
        self.with_secrets = wanted

    def add_term(self, term: str) -> None:
        """Narrow the view."""
        self.term_requested.emit(term)

    def jump(self) -> None:
        """To the other end of the exchange."""
        current = self._current()
        if current is None:
            return
        transcript, number = current
        partner = partner_of(transcript, number)
        if partner is not None:
            self.frame_wanted.emit(partner, transcript)
        elif transcript.columns.request[number - 1]:
            self.said.emit("no response yet")
        else:
            self.said.emit("not part of a request")

    def resend(self) -> None:
        """Edit and send again."""
        current = self._current()
        if current is not None and can_resend(*current):
            transcript, number = current
            whole = Masking(transcript, with_secrets=True)
            self.resend_requested.emit("".join(raw_text(transcript, [number], whole)))

    def _by_run(self, numbers: list[int]) -> list[tuple[Transcript, list[int]]]:
        """Transcripts with those of their own frames that `numbers` name."""
        timeline = self._model.timeline
        located = [timeline.locate(number) for number in numbers]
        return [
            (transcript, own)
            for transcript in timeline.transcripts
            if (own := [number for owner, number in located if owner is transcript])
        ]

    def _copy(self, numbers: list[int], format_: Format, with_secrets: bool) -> None:
        if not any(numbers):
            return
        copied = numbers[:COPY_ROWS]
        try:
            texts = [
                text
                for transcript, own in self._by_run(copied)
                for text in format_.write(
                    transcript, own, Masking(transcript, with_secrets=with_secrets)
                )
            ]
        except StorageError as error:
            self.said.emit(error.reason)
            return
        if not texts:
            self.said.emit(f"nothing to copy as {format_.title}")
            return
        text = "\n".join(texts)
        copy_text(text)
        more = "the first " if len(copied) < len(numbers) else ""
        hidden = ", secrets hidden" if MASK in text else ""
        frames = f"{more}{plural(len(copied), 'frame')}"
        what = f"as {format_.title}" if format_.is_single else frames
        self.said.emit(f"copied {what}{hidden}")
