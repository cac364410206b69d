"""Whose findings are displayed, and how many rules found something: known before the page of the problems is made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from inspector.checks.problem_sums import Sums, problem_sums
from inspector.config.muted_rules import MutedRules
from inspector.config.target_clients import TargetClients
from ui.aio import spawn
from ui.bind import Bindings, bind, bind_coalesced

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from inspector.checks.background_validator import BackgroundValidator
    from inspector.transcript.rule_findings import RuleFindings
    from inspector.transcript.transcript import Transcript

COUNT_MS = 100
"""Rules are counted at most once in this time."""


class ProblemSource(QObject):
    """The transcript whose findings are displayed, what it is compared with, and its counts.

    Signals:
        changed: another transcript is displayed, other rules are muted, or limits of other clients are checked.
        looked: new frames or findings were looked at.
        counted: other numbers of rules found something.
    """

    changed = Signal()
    looked = Signal()
    counted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Without a transcript, until `show`."""
        super().__init__(parent)
        self.transcript: Transcript | None = None
        """Where the findings are from."""
        self.muted = MutedRules()
        """The rules that are muted for its server."""
        self.targets = TargetClients()
        """The clients that its server is for."""
        self.earlier_sweep: BackgroundValidator | None = None
        """What checked the run before."""
        self.earlier: Mapping[str, RuleFindings] | None = None
        """The findings of the run with which it is compared; None without one."""
        self.sweep: Callable[[], BackgroundValidator | None] = lambda: None
        """Returns what checks the transcript."""
        self.server = "server"
        """What the rules are muted for: `server` or `recording`."""
        self.sums = Sums()
        """How many rules found something."""
        self.dropped = 0
        """Findings that the transcript did not keep."""
        self._bindings = Bindings()

    def show(
        self,
        transcript: Transcript | None,
        *,
        earlier: Transcript | None = None,
        earlier_sweep: BackgroundValidator | None = None,
        muted: MutedRules | None = None,
        targets: TargetClients | None = None,
        sweep: Callable[[], BackgroundValidator | None] = lambda: None,
        server: str = "server",
    ) -> None:
        """Display what was found in `transcript`, beside `earlier`, the run before."""
        self.transcript, self.sweep, self.server = transcript, sweep, server
        self.muted, self.targets = muted or MutedRules(), targets or TargetClients()
        self.earlier_sweep = earlier_sweep
        self.earlier = earlier.rule_findings if earlier is not None else None
        bindings = [
            bind(self, self.muted.changed, self._take),
            bind(self, self.targets.changed, self._take),
        ]
        if transcript is not None:
            events = (transcript.findings_changed, transcript.appended)
            bindings += [bind_coalesced(self, each, self._count, COUNT_MS) for each in events]
        self._bindings.replace(*bindings)
        self._take()

    def _take(self) -> None:
        self._check_limits()
        self.changed.emit()
        self._count()

    def _check_limits(self) -> None:
        """Have limits of clients checked by those of the targets, also in the run before, with which findings are compared."""
        for sweep in (self.sweep(), self.earlier_sweep):
            starts = sweep is not None and sweep.set_targets(self.targets.names)
            if sweep is not None and starts and not sweep.is_running:
                spawn(self, sweep.catch_up(), name="check limits of clients")

    def _count(self) -> None:
        transcript, muted = self.transcript, self.muted.reasons
        sums = Sums() if transcript is None else problem_sums(transcript.rule_findings, muted)
        dropped = 0 if transcript is None else transcript.dropped_findings
        if (sums, dropped) != (self.sums, self.dropped):
            self.sums, self.dropped = sums, dropped
            self.counted.emit()
        self.looked.emit()
