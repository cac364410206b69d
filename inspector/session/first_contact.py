"""How long the first responses of a server are waited for, its start included.

A program that downloads the server first gets more time: its silence says nothing about the server.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.negotiation import PROBE_SECONDS, RUNNER_PROBE_SECONDS
from inspector.session.package_runner import find_runner
from inspector.session.timeouts import ENDLESS, Timeouts
from inspector.session.transport_factory import transport_kind

if TYPE_CHECKING:
    from inspector.session.connection_target import ConnectionTarget
    from inspector.session.steps import Steps
    from inspector.session.timeouts import Deadlines

RUNNER_FACTOR = 5
"""How many times the idle timeout a package runner gets, within the total timeout."""


class FirstContact:
    """The limits of one session until the server has responded."""

    def __init__(
        self, target: ConnectionTarget, timeouts: Timeouts, deadlines: Deadlines, steps: Steps
    ) -> None:
        """Derive the limits from those of any request; `deadlines` watch the requests, `steps` show the wait."""
        self._deadlines = deadlines
        self._steps = steps
        is_process = transport_kind(target.transport).is_process
        self.runner = find_runner(target.command, target.args) if is_process else None
        """The program that may download the server first; None where nothing is downloaded."""
        self.timeouts = timeouts
        """Limits of `initialize`, or of `server/discover` where nothing else is tried."""
        longest = PROBE_SECONDS
        if self.runner is not None:
            longest = RUNNER_PROBE_SECONDS
            idle = min(timeouts.idle_seconds * RUNNER_FACTOR, timeouts.total_seconds)
            self.timeouts = Timeouts(idle, timeouts.total_seconds, timeouts.progress_resets)
        self.probe_seconds = min(longest, timeouts.idle_seconds)
        """How long `server/discover` is waited for before `initialize` is tried as well."""

    def keep_waiting(self) -> None:
        """Wait without limit for the response that is awaited now, and for the rest of the handshake."""
        self.timeouts = ENDLESS
        self._deadlines.remove_limits()
        self._steps.remove_limit()
