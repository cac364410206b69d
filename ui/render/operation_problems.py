"""The problems of the messages of one operation: one source for the line with its outcome and for the view that lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui.bind import Bindings, bind_coalesced
from ui.models.problem_note import found_in
from ui.widgets.answer_views import ListedFinding
from ui.widgets.outcome_line import Found

if TYPE_CHECKING:
    from collections.abc import Collection

    from inspector.open_session import OpenSession
    from inspector.session.operation import Operation
    from inspector.transcript.transcript import Transcript

FOUND_MS = 200
"""Shortest time between two looks for problems that were found."""


class OperationProblems(QObject):
    """What the traffic knows of the request and the response of one operation, without muted rules.

    Signals:
        changed: others are known.
    """

    changed = Signal()

    def __init__(self, parent: QObject) -> None:
        """Start without an operation."""
        super().__init__(parent)
        self.found = Found()
        """How many there are, notes not included."""
        self.listed: tuple[ListedFinding, ...] = ()
        """Each that is kept, notes included, in the order of the messages."""
        self._operation: Operation | None = None
        self._session: OpenSession | None = None
        self._problems, self._muting = Bindings(), Bindings()

    def set_session(self, session: OpenSession | None) -> None:
        """Leave out the rules that are muted for the server in `session`."""
        self._session = session
        self._muting.replace()
        if session is not None:
            muted = session.client.muted.changed
            self._muting.replace(bind_coalesced(self, muted, self._refresh))

    def show_operation(self, operation: Operation) -> None:
        """Follow `operation`: most of its problems are found after its response was shown."""
        if self._operation is None or operation.transcript is not self._operation.transcript:
            changed = operation.transcript.findings_changed
            self._problems.replace(bind_coalesced(self, changed, self._refresh, FOUND_MS))
        self._operation = operation
        self._refresh()

    def _refresh(self) -> None:
        operation = self._operation
        if operation is None:
            return
        muted = self._session.client.muted.reasons if self._session is not None else ()
        before = self.found, self.listed
        self.found = found_in(operation.transcript, message_frames(operation), muted)
        self.listed = _listed(operation, muted)
        if (self.found, self.listed) != before:
            self.changed.emit()


def message_frames(operation: Operation) -> tuple[int, ...]:
    """Return the frames of request and response, as far as there are."""
    frames = (operation.request_frame, operation.response_frame or operation.late_frame)
    return tuple(frame for frame in frames if frame)


def _listed(operation: Operation, muted: Collection[str]) -> tuple[ListedFinding, ...]:
    transcript: Transcript = operation.transcript
    request = operation.request_frame
    return tuple(
        ListedFinding(finding, f"request #{frame}" if frame == request else "")
        for frame in message_frames(operation)
        for finding in transcript.findings(frame)
        if finding.rule not in muted
    )
