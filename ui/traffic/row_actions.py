"""What can be done with the rows: copying, narrowing, jumping, sending again."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QMenu

from inspector.compare.compared_frame import ComparedFrame
from inspector.errors import StorageError
from inspector.export.formats import CURL, FORMATS, INDENTED_JSON, RAW
from inspector.transcript.exchange import Status
from inspector.transcript.http_exchange import http_exchange
from inspector.transcript.redaction import Masking
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import MessageKind
from inspector.wire.redaction import MASK
from ui.models.traffic_columns import MAX_PATHS
from ui.navigator import navigator_of
from ui.traffic.annotating import Annotating
from ui.traffic.filter_terms import unique_terms
from ui.widgets.clipboard import copy_text
from ui.widgets.labels import no_mnemonic
from ui.widgets.units import plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from inspector.export.formats import Format
    from inspector.transcript.transcript import Transcript
    from ui.models.traffic import TrafficModel
    from ui.traffic.table import TrafficTable
    from ui.widgets.following_table import FollowingTable

COPY_ROWS = 5000
"""Frames copied at once; what is beyond is said."""


class RowSelection(Protocol):
    """A table whose rows are frames."""

    def current_number(self) -> int:
        """Return the frame under the cursor; 0 for none."""
        ...

    def selected_numbers(self, limit: int) -> list[int]:
        """Return the selected frames in order, at most `limit`."""
        ...

    def column_key(self, x: int) -> str:
        """Return the key of the column of messages that tells what is at `x` in the viewport; empty for none."""
        ...

    def viewport(self) -> QWidget:
        """Return what a position in the table is relative to."""
        ...


class RowActions(QObject):
    """What the menu and the keys do with the selection and with the row under the cursor.

    Signals:
        reported: what was done, or why it failed.
        term_requested: the filter is to be narrowed by this term.
        frame_requested: the cursor is to go to the frame of this number and transcript.
        authorization_requested: show how the server is authorized.
        comment_requested: open the comment on the current frame.
    """

    reported = Signal(str)
    term_requested = Signal(str)
    frame_requested = Signal(int, object)
    authorization_requested = Signal()
    comment_requested = Signal()

    def __init__(self, *, model: TrafficModel, table: TrafficTable) -> None:
        """Act on what is selected in `table`; owned by it."""
        super().__init__(table)
        self._model = model
        self._messages = table
        self.table: RowSelection = table
        """Where rows are selected."""
        self.with_secrets = False
        """Whether copies hold secrets; off with every start."""
        self.annotating = Annotating(self, model=model)

    def add_table(self, table: FollowingTable) -> None:
        """Copy rows of `table`, and open their menu."""
        table.copy_requested.connect(lambda: self.copy(RAW))
        table.customContextMenuRequested.connect(self.open_menu)

    def open_menu(self, position: QPoint) -> None:
        """Open the menu of the cell at `position` in the table's viewport."""
        key = self.table.column_key(position.x())
        position = self.table.viewport().mapToGlobal(position)
        if (current := self.current()) is not None:
            make_menu(*current, self, self.table.viewport(), column=key).popup(position)

    def current(self) -> tuple[Transcript, int] | None:
        """The frame under the cursor."""
        number = self.table.current_number()
        return self._model.timeline.locate(number) if number else None

    def copy(self, format_: Format, *, with_secrets: bool | None = None) -> None:
        """Copy the selection, or the frame under the cursor; `with_secrets` wins over the setting."""
        if format_.is_single:
            numbers = [self.table.current_number()]
        else:
            numbers = self.table.selected_numbers(COPY_ROWS + 1)
        self._copy(numbers, format_, self.with_secrets if with_secrets is None else with_secrets)

    def copy_all(self, format_: Format) -> None:
        """Copy all rows."""
        numbers = self._model.visible_frames.numbers_in_view()
        self._copy(list(numbers[: COPY_ROWS + 1]), format_, self.with_secrets)

    def set_with_secrets(self, included: bool) -> None:
        """Copy secrets, too, or hide them."""
        self.with_secrets = included

    def add_column(self, path: str) -> None:
        """Show the values at a path into the messages as a column."""
        if self._messages.add_path(path):
            self.reported.emit(f"column {path} added")
        else:
            self.reported.emit(f"at most {MAX_PATHS} columns can be added")

    def jump(self) -> None:
        """To the other end of the exchange."""
        current = self.current()
        if current is None:
            return
        transcript, number = current
        partner = partner_of(transcript, number)
        if partner is not None:
            self.frame_requested.emit(partner, transcript)
        elif transcript.columns.request[number - 1]:
            is_pending = transcript.live and transcript.status(number) is Status.PENDING
            self.reported.emit(f"no response{' yet' if is_pending else ''}")
        else:
            self.reported.emit("not part of a request")

    def repeat(self) -> None:
        """Open the message on the repeat page, to be sent again."""
        current = self.current()
        if current is not None and can_repeat(*current):
            navigator_of(self).repeat(ComparedFrame(*current))

    @property
    def can_compare(self) -> bool:
        """Whether two rows are selected."""
        return len(self.table.selected_numbers(3)) == 2

    def begins_run(self, transcript: Transcript, number: int) -> bool:
        """Whether a run that has one before it begins with a frame."""
        return number == 1 and transcript in self._model.timeline.transcripts[1:]

    def compare(self) -> None:
        """Compare the two selected frames."""
        numbers = self.table.selected_numbers(3)
        if len(numbers) != 2:
            self.reported.emit("select two rows to compare them")
            return
        before, after = (ComparedFrame(*self._model.timeline.locate(number)) for number in numbers)
        navigator_of(self).compare_frames(before, after)

    def compare_with_previous(self) -> None:
        """Compare the exchange under the cursor with the one before of the same method and name, or with the next one where it is the first."""
        current = self.current()
        if current is None or not (after := ComparedFrame(*current)).request:
            return
        after = ComparedFrame(after.transcript, after.request)
        from inspector.compare.exchange_parts import candidates  # for those who compare

        found = candidates(after, *self._model.timeline.transcripts)
        if len(found) < 2 or after not in found:
            self.reported.emit("nothing of this kind to compare with")
            return
        at = found.index(after)
        if at + 1 < len(found):
            navigator_of(self).compare_frames(found[at + 1], after)
        else:
            navigator_of(self).compare_frames(after, found[at - 1])

    def by_run(self, numbers: list[int]) -> list[tuple[Transcript, list[int]]]:
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
                for transcript, own in self.by_run(copied)
                for text in format_.texts(
                    transcript, own, Masking(transcript, with_secrets=with_secrets)
                )
            ]
        except StorageError as error:
            self.reported.emit(error.reason)
            return
        if not texts:
            self.reported.emit(f"nothing to copy as {format_.title}")
            return
        text = "\n".join(texts)
        copy_text(text)
        more = "the first " if len(copied) < len(numbers) else ""
        hidden = ", secrets hidden" if MASK in text else ""
        frames = f"{more}{plural(len(copied), 'frame')}"
        what = f"as {format_.title}" if format_.is_single else frames
        self.reported.emit(f"copied {what}{hidden}")


_REFUSED = re.compile(rb"HTTP/[\d.]+ 40[13] ")

SHORTCUTS = {RAW.key: "Ctrl+C", INDENTED_JSON.key: "Ctrl+Shift+C"}
"""Shortcuts of formats."""


def make_menu(
    transcript: Transcript,
    number: int,
    actions: RowActions,
    parent: QWidget,
    formats: Sequence[Format] = FORMATS,
    column: str = "",
) -> QMenu:
    """The menu for frame `number`, opened in a column."""
    menu = QMenu(parent)
    menu.setObjectName("traffic_row_menu")
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    partner = partner_of(transcript, number)
    jump = menu.addAction(_jump_text(transcript, number), "Return", actions.jump)
    jump.setEnabled(partner is not None)
    if actions.can_compare:
        menu.addAction("Compare", actions.compare)
    else:
        compare = menu.addAction("Compare…", actions.compare_with_previous)
        compare.setEnabled(transcript.columns.request[number - 1] > 0)
    if actions.begins_run(transcript, number):
        run = partial(navigator_of(actions).compare_run, transcript)
        menu.addAction("Compare with previous run", run)
    repeat = menu.addAction("Repeat…", "Ctrl+E", actions.repeat)
    repeat.setEnabled(can_repeat(transcript, number))
    menu.addSeparator()
    actions.annotating.add_entries(menu, transcript, number)
    menu.addSeparator()
    offered = [each for each in formats if each.copy_text and each.applies_to(transcript, number)]
    for each in offered:
        if not each.is_of_request:
            menu.addAction(each.copy_text, SHORTCUTS.get(each.key, ""), partial(actions.copy, each))
    _add_request_copies(menu, [each for each in offered if each.is_of_request], actions)
    if is_about_authorization(transcript, number):
        menu.addAction("Show authorization", actions.authorization_requested.emit)
    add_secrets_choice(menu, actions)
    menu.addSeparator()
    for text, term in unique_terms(transcript, number, column):
        menu.addAction(no_mnemonic(text), partial(actions.term_requested.emit, term))
    return menu


def _add_request_copies(menu: QMenu, formats: Sequence[Format], actions: RowActions) -> None:
    """The formats that send the request of the frame again, in a menu of their own."""
    if not formats:
        return
    inner = menu.addMenu("Copy request")
    inner.setObjectName("traffic_copy_request_menu")
    for each in formats:
        inner.addAction(each.copy_text, partial(actions.copy, each))
    if CURL in formats:
        copy = partial(actions.copy, CURL, with_secrets=True)
        inner.addAction("Copy as cURL with secrets", copy)


def add_secrets_choice(menu: QMenu, actions: RowActions) -> None:
    """The entry that decides whether copies hold secrets."""
    entry = menu.addAction("Include secrets in copies")
    entry.setCheckable(True)
    entry.setChecked(actions.with_secrets)
    entry.toggled.connect(actions.set_with_secrets)


def _jump_text(transcript: Transcript, number: int) -> str:
    is_request = transcript.row(number).kind is MessageKind.REQUEST
    return "Go to response" if is_request else "Go to request"


def partner_of(transcript: Transcript, number: int) -> int | None:
    """The response of a request; for anything else that belongs to a request, that request."""
    columns = transcript.columns
    owner = columns.request[number - 1]
    other = columns.response[number - 1] if owner == number else owner
    return other or None


def is_about_authorization(transcript: Transcript, number: int) -> bool:
    """Whether a frame belongs to an authorization, or to an HTTP exchange that was refused with 401 or 403."""
    if transcript.columns.channel[number - 1] == Channel.AUTH:
        return True
    try:
        exchange = http_exchange(transcript, number)
        answers = [hop.response for hop in exchange.hops if hop.response] if exchange else []
        return any(_REFUSED.match(transcript.raw(answer)) for answer in answers)
    except StorageError:
        return False  # the row says so already


def can_repeat(transcript: Transcript, number: int) -> bool:
    """Whether the frame is a sent message that can be sent again."""
    row = transcript.row(number)
    return row.direction is Direction.SENT and row.kind in {
        MessageKind.REQUEST,
        MessageKind.NOTIFICATION,
    }
