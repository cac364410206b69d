"""What the strip of the folded dock shows: the latest message, looked for at most four times a second."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer

from ui.models.latest_message import latest_number, read_message, running_duration

if TYPE_CHECKING:
    from inspector.clock import Clock
    from ui.models.latest_message import LatestMessage
    from ui.models.timeline import Timeline
    from ui.models.traffic import TrafficModel
    from ui.shell.bottom_dock import BottomDock

INTERVAL_MS = 250
"""Between two messages, however many are received."""


class StripFeed(QObject):
    """Keeps the strip of `dock` up to date while it is folded."""

    def __init__(self, dock: BottomDock, traffic: TrafficModel, clock: Clock) -> None:
        """Show the messages of `traffic`; `clock` is the one that stamps frames."""
        super().__init__(dock)
        self._dock = dock
        self._traffic = traffic
        self._clock = clock
        self._key: object = None
        """What the message was made from."""
        self._message: LatestMessage | None = None
        self._timer = QTimer(self, interval=INTERVAL_MS)
        self._timer.timeout.connect(self._show_latest)
        dock.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Begin or stop to look for messages."""
        if self._dock.is_folded:
            self._show_latest()
            self._timer.start()
        else:
            self._timer.stop()

    def _show_latest(self) -> None:
        timeline = self._traffic.timeline
        self._dock.strip.button.show_message(self._latest(timeline), timeline.count)

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
        key = (transcript, number, status, columns.flags[at], transcript.live)
        if key != self._key or self._message is None:
            self._key, self._message = key, read_message(timeline, number, self._clock)
        elif self._message.is_pending:
            passed = running_duration(transcript, request, self._clock)
            self._message = replace(self._message, duration=passed)
        return self._message
