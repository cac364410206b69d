"""The wait for the first responses of a server, its start included: how long it takes, and what its connection step shows meanwhile.

A program that downloads the server first gets more time: its silence means nothing for the server. The step shows output on stdout that is
not JSON-RPC (the server may never respond), the latest line on stderr, and that the command may be downloading the server first.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from inspector.session.diagnostics import server_output
from inspector.session.negotiation import PROBE_SECONDS, RUNNER_PROBE_SECONDS
from inspector.session.outgoing import ENDLESS, Timeouts
from inspector.session.package_runner import find_runner
from inspector.session.steps import WAITING
from inspector.session.transport_factory import transport_kind
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from collections.abc import Generator

    from inspector.session.session import Session

RUNNER_FACTOR = 5
"""How many times the idle timeout a package runner gets, within the total timeout."""


class HandshakeWait:
    """The limits of one session until the server has responded."""

    def __init__(self, session: Session) -> None:
        """Derive the limits from those of any request of `session`."""
        self._session = session
        self._steps, self._transcript = session.steps, session.transcript
        target, self.timeouts = session.profile, session.timeouts
        """Limits of `initialize`, or of `server/discover` where nothing else is tried."""
        is_process = transport_kind(target.transport).is_process
        self._runner = find_runner(target.command, target.args) if is_process else None
        limit = PROBE_SECONDS
        if self._runner is not None:
            limit, total = RUNNER_PROBE_SECONDS, self.timeouts.total_seconds
            idle = min(self.timeouts.idle_seconds * RUNNER_FACTOR, total)
            self.timeouts = Timeouts(idle, total, self.timeouts.progress_resets)
        self.probe_seconds = min(limit, session.timeouts.idle_seconds)
        """How long `server/discover` is waited for before `initialize` is tried as well."""
        self._next = 0
        self._stray = 0
        self._stray_sentence = ""
        self._stderr = 0
        self._text = ""

    def remove_limits(self) -> None:
        """Wait without limit for the pending response, and for the rest of the handshake."""
        self.timeouts = ENDLESS
        self._session.peer.deadlines.remove_limits()
        self._steps.remove_limit()

    @contextmanager
    def watching(self) -> Generator[None]:
        """Show in the step that waits what is received until the block ends."""
        self._next = self._transcript.count + 1
        stops = (
            self._transcript.appended.subscribe(self._on_appended),
            self._steps.changed.subscribe(self._show),
        )
        try:
            yield
        finally:
            for stop in stops:
                stop()

    def _on_appended(self) -> None:
        fresh = range(self._next, self._transcript.count + 1)
        self._next = self._transcript.count + 1
        channels = self._transcript.columns.channel
        for number in fresh:
            if channels[number - 1] == Channel.STDERR:
                self._stderr = number
            elif not self._stray and server_output.is_stray(self._transcript, number):
                self._stray = number
                self._stray_sentence = server_output.stray_sentence(self._transcript, number)
        if fresh:
            self._show()

    def _show(self) -> None:
        """Renew the text of the step that waits, unless another part of the session has set a text."""
        step = self._steps.pending
        if step is None or step.status_text not in {WAITING, self._text}:
            return
        text = "; ".join(self._parts())
        if text != step.status_text:
            self._text = text
            self._steps.set_text(step, text, frame=self._stray or self._stderr or None)

    def _parts(self) -> list[str]:
        parts = [WAITING]
        if self._stray:
            parts.insert(0, self._stray_sentence)
        elif self._runner is not None:
            parts.append(f"on its first start, `{self._runner.name}` may {self._runner.work}")
        if self._stderr:
            line = server_output.line_of(self._transcript, self._stderr)
            parts.append(f"latest stderr output: {line}")
        return parts
