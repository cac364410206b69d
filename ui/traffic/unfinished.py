"""The rows of what came and is no frame yet: they stand under the frames and grow until the newline comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from inspector.clock import Clock, SystemClock
from inspector.visible_text import without_ansi
from inspector.wire.frame import MESSAGE_CHANNELS, Channel
from inspector.wire.line_splitter import last_written
from ui.bind import Bindings, bind_coalesced
from ui.widgets.labels import ElidedLabel, set_tone
from ui.widgets.units import duration, size

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from inspector.transcript.unfinished import Rest
    from ui.theme import Theme

VISIBLE_AFTER_SECONDS = {Channel.STDERR: 0.1}
"""How long something is unfinished before it is shown, so that nothing flickers while lines pour in."""
MESSAGE_SECONDS = 1.0
"""The same of what may be a message."""
MAX_LINES = 4
"""Rows at once; several event streams may each have something unfinished."""
REFRESH_MS = 200
"""How often the rows follow what came and the time."""

_KINDS = {Channel.SSE: "event", Channel.BODY: "body", Channel.HTTP: "body", Channel.AUTH: "body"}


class UnfinishedRows(QWidget):
    """One line for each channel; hidden without unfinished lines."""

    def __init__(
        self, *, theme: Theme, clock: Clock | None = None, parent: QWidget | None = None
    ) -> None:
        """Without a transcript; `clock` is the one that stamps frames."""
        super().__init__(parent)
        self.setObjectName("traffic_unfinished")
        self._theme = theme
        self._clock = clock or SystemClock()
        self._transcript: Transcript | None = None
        self._bindings = Bindings()
        self._labels: list[ElidedLabel] = []
        self._ticks = QTimer(self, interval=REFRESH_MS)
        self._ticks.timeout.connect(self.refresh)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for _ in range(MAX_LINES):
            label = ElidedLabel(elide=Qt.TextElideMode.ElideRight, parent=self)
            set_tone(label, "muted")
            label.hide()
            column.addWidget(label)
            self._labels.append(label)
        theme.changed.connect(self._dress)
        self._dress()
        self.hide()

    def set_transcript(self, transcript: Transcript | None) -> None:
        """Show what is unfinished in this one."""
        self._bindings.replace()
        self._transcript = transcript
        if transcript is not None:
            changed = transcript.unfinished.changed
            self._bindings.replace(bind_coalesced(self, changed, self.refresh, REFRESH_MS))
        self.refresh()

    def texts(self) -> list[str]:
        """What is said, oldest first."""
        return [label.whole_text() for label in self._labels if not label.isHidden()]

    def refresh(self) -> None:
        """Follow what came, and the time."""
        rests = list(self._transcript.unfinished) if self._transcript is not None else []
        now = self._clock.monotonic()
        old = [rest for rest in rests if now - rest.since >= _delay_of(rest.channel)]
        for label, rest in zip(self._labels, old, strict=False):
            label.set_text(unfinished_text(rest, now))
            label.show()
        for label in self._labels[len(old) :]:
            label.hide()
        self.setVisible(bool(old))
        if bool(rests) != self._ticks.isActive():
            self._ticks.start() if rests else self._ticks.stop()

    def _dress(self) -> None:
        margin = self._theme.PADDING_PX
        for label in self._labels:
            label.setFont(self._theme.mono())
            label.setFixedHeight(self._theme.ROW_HEIGHT_PX)
            label.setContentsMargins(margin, 0, margin, 0)


def unfinished_text(rest: Rest, now: float) -> str:
    """What an unfinished line says of itself."""
    raw = rest.head if rest.channel in MESSAGE_CHANNELS else rest.tail
    text = without_ansi(last_written(raw.decode("utf-8", "replace")))
    kind = _KINDS.get(rest.channel, "line")
    age = duration(round(now - rest.since, 1))
    where = rest.channel.name.lower()
    return f"unfinished {kind} · {where} · {size(rest.size)} · {age} · {text}"


def _delay_of(channel: Channel) -> float:
    return VISIBLE_AFTER_SECONDS.get(channel, MESSAGE_SECONDS)
