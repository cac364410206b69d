"""What the strip of the folded dock shows: the latest message, replaced at most four times a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from ui.bind import Bindings, bind_coalesced
from ui.models.latest_message import latest_number, read_message, running_duration

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.transcript.transcript import Transcript
    from ui.models.latest_message import LatestMessage
    from ui.models.timeline import Timeline
    from ui.models.traffic import TrafficModel
    from ui.shell.bottom_dock import BottomDock

INTERVAL_MS = 250
"""Between two messages, however many are received."""
CLOCK_MS = 250
"""Between two times of a pending request."""


class StripFeed(QObject):
    """Keeps the strip of `dock` up to date while it is folded."""

    def __init__(self, dock: BottomDock, traffic: TrafficModel, clock: Clock) -> None:
        """Show the messages of `traffic`; `clock` is the one that stamps frames."""
        super().__init__(dock)
        self._dock = dock
        self._traffic = traffic
        self._clock = clock
        self._transcript: Transcript | None = None
        """The one that may grow, which is followed."""
        self._bindings = Bindings()
        self._key: object = None
        """What the message was made from."""
        self._message: LatestMessage | None = None
        self._ticks = QTimer(self, interval=CLOCK_MS)
        self._ticks.timeout.connect(self.refresh)
        traffic.counted.connect(self._follow)
        dock.changed.connect(self.refresh)
        self._follow()
        self.refresh()

    def _follow(self) -> None:
        """Look for messages whenever one may have come to the latest run, or a problem of one."""
        transcript = self._traffic.timeline.latest
        if transcript is self._transcript:
            return
        self._transcript = transcript
        events = (transcript.appended, transcript.findings_changed) if transcript else ()
        self._bindings.replace(
            *(bind_coalesced(self, event, self.refresh, INTERVAL_MS) for event in events)
        )
        self.refresh()

    def refresh(self) -> None:
        """Show the latest message if the dock is folded; the time of one that is pending runs."""
        timeline = self._traffic.timeline
        message = self._latest(timeline) if self._dock.is_folded else None
        if self._dock.is_folded:
            self._dock.strip.button.show_message(message, timeline.count)
        runs = message is not None and message.is_pending
        if runs != self._ticks.isActive():
            self._ticks.start() if runs else self._ticks.stop()

    def _latest(self, timeline: Timeline) -> LatestMessage | None:
        """The message, read again only if something about it changed: a large one takes time."""
        number = latest_number(timeline)
        if not number:
            self._key = self._message = None
            return None
        transcript, local = timeline.locate(number)
        columns, at = transcript.columns, local - 1
        request = columns.request[at]
        status = columns.status[request - 1] if request else 0
        findings = len(transcript.findings(local))
        key = (transcript, number, status, columns.flags[at], findings, transcript.live)
        if key != self._key or self._message is None:
            self._key, self._message = key, read_message(timeline, number, self._clock)
        elif self._message.is_pending:
            passed = running_duration(transcript, request, self._clock)
            self._message = replace(self._message, duration=passed)
        return self._message
