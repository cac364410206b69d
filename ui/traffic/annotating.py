"""Marks, comments and the time reference of frames, and going to the next row of some sort."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from inspector.transcript.filter.quantities import run_number
from inspector.transcript.filter.query import parse, quoted
from ui.models.traffic_cells import TimeFormat
from ui.traffic.row_search import RowSearch
from ui.widgets.units import plural

if TYPE_CHECKING:
    from PySide6.QtWidgets import QMenu, QWidget

    from inspector.transcript.transcript import Transcript
    from ui.models.traffic import TrafficModel
    from ui.theme import Theme
    from ui.traffic.row_actions import RowActions

MAX_MARKED = 5000
"""Frames that are marked at once."""

MARK_KEYS, COMMENT_KEYS, REFERENCE_KEYS = "Ctrl+M", "Ctrl+Shift+M", "Ctrl+Shift+N"


class Destination(NamedTuple):
    """A sort of rows to go to, forward and backward."""

    key: str
    """A stable name, for commands."""
    text: str
    """What they are called, in the singular."""
    keys: tuple[str, str]
    """Shortcuts for the next and the previous one."""
    filter: str = ""
    """What matches such rows; empty where it depends on the current row."""


DESTINATIONS = (
    Destination("mark", "mark", ("F3", "Shift+F3"), "is:marked | comment:"),
    Destination(
        "error",
        "error",
        ("F4", "Shift+F4"),
        "kind:error,malformed | problem:error | (kind:response status:tool-error,invalid) "
        "| (kind:request status:timed-out,no-response)",
    ),
    Destination("finding", "finding", ("F7", "Shift+F7"), "finding:"),
    Destination("run", "run", ("Alt+Shift+PgDown", "Alt+Shift+PgUp"), "number:1"),
    Destination("method", "frame of this method", ("Alt+PgDown", "Alt+PgUp")),
    Destination("exchange", "frame of this exchange", ("Alt+.", "Alt+,")),
)
"""Every sort, in the order of the menu."""


class Annotating(QObject):
    """Annotates the rows that are selected, and goes from one to the next.

    Signals:
        annotated: a frame got an annotation.
    """

    annotated = Signal()

    def __init__(self, actions: RowActions, *, model: TrafficModel) -> None:
        """Annotate what `actions`, which owns this, act on."""
        super().__init__(actions)
        self._actions = actions
        self._model = model
        self._destination = DESTINATIONS[0]
        self._is_forward = True
        self._search = RowSearch(model=model, parent=self)
        self._search.found.connect(self._on_search_found)

    def toggle_mark(self) -> None:
        """Mark the selected frames, or take their marks away if all have one."""
        numbers = self._actions.table.selected_numbers(MAX_MARKED)
        frames = self._actions.by_run(numbers or [self._actions.table.current_number()])
        marked = all(
            number in transcript.annotations.marks for transcript, own in frames for number in own
        )
        for transcript, own in frames:
            transcript.annotations.set_marked(own, marked=not marked)
        count = plural(sum(len(own) for _, own in frames), "mark")
        self._report(f"{count} removed" if marked else f"{count} set", frames[0][0])

    def edit_comment(self, *, theme: Theme, parent: QWidget) -> None:
        """Open the comment on the current frame."""
        from ui.traffic.comment_dialog import CommentDialog

        if (current := self._actions.current()) is not None:
            transcript, number = current
            dialog = CommentDialog(transcript.annotations, number, theme=theme, parent=parent)
            dialog.accepted.connect(partial(self._report, "comment saved", transcript))
            dialog.open()

    def toggle_time_reference(self) -> None:
        """Count times from the current frame; from the first one if they are counted from it already."""
        if (current := self._actions.current()) is None:
            return
        transcript, number = current
        is_reference = transcript.annotations.time_reference == number
        transcript.annotations.set_time_reference(0 if is_reference else number)
        self._model.set_time_format(TimeFormat.RELATIVE)
        origin = "the first frame" if is_reference else f"frame {number:,}"
        self._report(f"times count from {origin}", transcript)

    def go(self, destination: Destination, *, forward: bool) -> None:
        """Go to the next or previous row of a sort."""
        current = self._actions.current()
        text = destination.filter or self._filter_for(destination, current)
        if not text:
            self._actions.reported.emit("no method" if destination.key == "method" else NO_REQUEST)
            return
        self._destination, self._is_forward = destination, forward
        number = self._actions.table.current_number()
        self._search.start(parse(text), number, forward=forward)

    def stop(self) -> None:
        """Go nowhere any more."""
        self._search.stop()

    def _filter_for(self, destination: Destination, current: tuple[Transcript, int] | None) -> str:
        """Return what matches the method of the current row, or its exchange; empty without one."""
        if current is None:
            return ""
        transcript, number = current
        if destination.key == "method":
            method = transcript.row(number).method
            return f"method:{quoted(method)}" if method else ""
        owner = transcript.columns.request[number - 1]
        members = transcript.members(owner) if owner else ()
        others = [each for each in members if each != number][:MAX_MEMBERS]
        run = f"run:{run_number(transcript)}"
        return f"({' | '.join(f'number:{each}' for each in others)}) {run}" if others else ""

    def add_entries(self, menu: QMenu, transcript: Transcript, number: int) -> None:
        """Add what can be done with the row under the cursor."""
        annotations = transcript.annotations
        mark = "Remove mark" if number in annotations.marks else "Mark"
        menu.addAction(mark, MARK_KEYS, self.toggle_mark)
        comment = "Edit comment…" if number in annotations.comments else "Comment…"
        menu.addAction(comment, COMMENT_KEYS, self._actions.comment_requested.emit)
        is_reference = annotations.time_reference == number
        reference = "Remove time reference" if is_reference else "Set time reference"
        menu.addAction(reference, REFERENCE_KEYS, self.toggle_time_reference)

    def _report(self, text: str, transcript: Transcript) -> None:
        failure = transcript.annotations.failure
        self._actions.reported.emit(f"{text}; {failure.reason}" if failure is not None else text)
        self.annotated.emit()

    def _on_search_found(self, number: int) -> None:
        if number:
            transcript, local = self._model.timeline.locate(number)
            self._actions.frame_requested.emit(local, transcript)
        else:
            direction = "next" if self._is_forward else "previous"
            self._actions.reported.emit(f"no {direction} {self._destination.text}")


NO_REQUEST = "not part of a request"
MAX_MEMBERS = 1000
"""Frames of one exchange that are gone through."""
