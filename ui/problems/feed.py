"""Reads new findings into the groups, in slices of time and only while the page can be seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from inspector.background_tasks import TurnShare
from ui.bind import Bindings, bind_coalesced
from ui.problems.groups import ProblemGroups
from ui.problems.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from inspector.transcript.rule_findings import RuleFindings
    from inspector.transcript.transcript import Transcript
    from ui.problems.model import ProblemsModel

SLICE_SECONDS = 0.006
"""How long one slice may take."""
PULL_MS = 100
"""New findings are taken at most once in this time."""


class ProblemsFeed(QObject):
    """Fills a `ProblemsModel`.

    Signals:
        changed: there are more findings, or others.
    """

    changed = Signal()

    def __init__(self, model: ProblemsModel) -> None:
        """Fill `model`, which owns this."""
        super().__init__(model)
        self._model = model
        self._transcript: Transcript | None = None
        self._earlier: Mapping[str, RuleFindings] | None = None
        self._muted: frozenset[str] = frozenset()
        self._selection = Selection()
        self._is_active = False
        self._is_sorting = False
        """Whether the order of the groups is still that in which they were read, and all are folded."""
        self._unfolded: set[str | int] = set()
        """The keys of the groups that are unfolded then: each slice would move all rows beneath them."""
        self._bindings = Bindings()
        self._share = TurnShare(SLICE_SECONDS)
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._on_timer_timeout)

    def set_source(
        self,
        transcript: Transcript | None,
        earlier: Mapping[str, RuleFindings] | None,
        muted: Collection[str],
    ) -> None:
        """Show the findings of `transcript` but those of `muted` rules; `earlier` has those of the run before, None without one."""
        muted = frozenset(muted)
        if transcript is self._transcript and earlier is self._earlier and muted == self._muted:
            return
        if transcript is not self._transcript:
            self._bindings.replace()
            if transcript is not None:
                for event in (transcript.findings_changed, transcript.appended):
                    self._bindings.add(bind_coalesced(self, event, self._start, PULL_MS))
        self._transcript, self._earlier, self._muted = transcript, earlier, muted
        self.read_again()

    def set_selection(self, selection: Selection) -> None:
        """Show other findings, or in other groups."""
        if selection != self._selection:
            self._selection = selection
            self.read_again()

    def set_active(self, active: bool) -> None:
        """Read, or leave what is new for later."""
        self._is_active = active
        groups = self._model.groups
        if active and (groups.is_outdated or not groups.is_complete):
            self.read_again()  # in order: what came meanwhile would be put at the end
        elif active:
            self._start()
        else:
            self._timer.stop()
            self._share.end(is_done=True)

    @property
    def selection(self) -> Selection:
        """What is displayed."""
        return self._selection

    @property
    def is_complete(self) -> bool:
        """Whether all findings so far are displayed."""
        return self._model.groups.is_complete

    def read_again(self) -> None:
        """Read all findings from the start; what fits into a slice is there at once."""
        before = self._model.groups
        groups = ProblemGroups(
            self._transcript, self._selection, earlier=self._earlier, muted=self._muted
        )
        unfolded = before.unfolded | self._unfolded
        if before.selection.grouping is not self._selection.grouping:
            unfolded = set[str | int]()
        found = groups.read(self._share.until()) if self._is_active else None
        self._is_sorting = not groups.is_complete
        self._unfolded = unfolded if self._is_sorting else set()
        groups.unfolded = set() if self._is_sorting else unfolded
        if found is not None:
            groups.take_all(found)
        self._model.show_groups(groups, self._transcript)
        self._start()
        self.changed.emit()

    def _start(self) -> None:
        if self._is_active:
            self._timer.start()

    def _on_timer_timeout(self) -> None:
        groups = self._model.groups
        if groups.is_outdated:
            self.read_again()
            return
        found = groups.read(self._share.until())
        if found:
            self._model.add(found)
        self._share.end(is_done=groups.is_complete)
        if groups.is_complete:
            self._timer.stop()
            if self._is_sorting:
                self._is_sorting = False
                groups.unfolded |= self._unfolded
                self._unfolded = set()
                self._model.sort()
        if found:
            self.changed.emit()
