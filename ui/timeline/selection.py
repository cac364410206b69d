"""Which span and which track is selected, and from where to where the time is measured."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from inspector.transcript.spans.track import Track
from ui.theme import tokens
from ui.timeline.scene import Mark
from ui.timeline.span_text import sentence
from ui.timeline.track_rows import TITLES

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.transcript.spans.transcript_spans import TranscriptSpans
    from inspector.transcript.transcript import Transcript
    from ui.timeline.feed import TimelineFeed
    from ui.timeline.time_range import TimeRange

AROUND = 0.125
"""How much is visible on each side of a span that is zoomed to, as a share of its length."""


class SpanKey(NamedTuple):
    """One span, wherever it is painted."""

    run: TranscriptSpans
    track: Track
    at: int

    @property
    def start_s(self) -> float:
        """When it begins."""
        return self.run.tracks[self.track].starts[self.at]

    @property
    def end_s(self) -> float:
        """When it ends; infinite for one that has not."""
        return self.run.tracks[self.track].end(self.at)

    @property
    def frame(self) -> tuple[int, Transcript]:
        """The frame with which it begins."""
        return self.run.tracks[self.track].numbers[self.at], self.run.transcript


class SpanSelection(QObject):
    """The selected span, changed by mouse and keyboard.

    Signals:
        changed: another span or track is selected, or other moments are measured.
        frame_selected: the user selected the span that begins with this frame of this transcript.
    """

    changed = Signal()
    frame_selected = Signal(int, object)

    def __init__(
        self, feed: TimelineFeed, visible: TimeRange, clock: Clock, *, parent: QObject | None = None
    ) -> None:
        """Select among the spans of `feed`; `visible` moves to what is selected by keyboard."""
        super().__init__(parent)
        self._feed, self._visible, self._clock = feed, visible, clock
        self.key: SpanKey | None = None
        """The selected span; None for none."""
        self.track = Track.REQUESTS_OUT
        """The track in which the keyboard selects."""
        self.measured: tuple[float, float] | None = None
        """The two moments between which the time is measured."""
        self._sentence: tuple[object, str] = (None, "")
        """What the sentence about the selected span depends on, and that sentence."""

    def clear(self) -> None:
        """Select and measure nothing."""
        self.key = self.measured = None
        self.changed.emit()

    def forget_other_runs(self) -> None:
        """Select nothing if the run of the selected span is not there any more."""
        if self.key is not None and self.key.run not in self._feed.runs:
            self.clear()

    def select(self, key: SpanKey) -> None:
        """Select a span."""
        self.key, self.track = key, key.track
        if self.measured is not None:
            self.measured = (self.measured[0], key.start_s)
        self.changed.emit()
        self.frame_selected.emit(*key.frame)

    def measure(self, first_s: float, last_s: float) -> None:
        """Measure the time between two moments."""
        self.measured = (first_s, last_s)
        self.changed.emit()

    def measure_from_selected(self) -> None:
        """Measure from the beginning of the selected span to those that are selected next."""
        if self.key is not None:
            self.measure(self.key.start_s, self.key.start_s)

    def zoom_to_selected(self) -> None:
        """Show the selected span, and a little around it."""
        if self.key is not None:
            end_s = min(self.key.end_s, max(self._feed.last_s, self.key.start_s))
            around = (end_s - self.key.start_s) * AROUND
            self._visible.show(self.key.start_s - around, end_s + around)

    def step_track(self, step: int) -> None:
        """Go to another track, down (1) or up (-1)."""
        tracks = list(TITLES)
        self.track = tracks[min(max(tracks.index(self.track) + step, 0), len(tracks) - 1)]
        self.key = None
        self.changed.emit()

    def select_beside(self, step: int) -> None:
        """Select the next span of the track (1) or the one before (-1): from the selected one, or from the left edge."""
        key, runs = self.key, self._feed.runs
        if key is None or key.track is not self.track:
            found = self._first_visible()
        else:
            index, at = runs.index(key.run), key.at + step
            while not 0 <= at < len(runs[index].tracks[self.track]):
                index += step
                if not 0 <= index < len(runs):
                    return
                at = 0 if step > 0 else len(runs[index].tracks[self.track]) - 1
            found = SpanKey(runs[index], self.track, at)
        if found is not None:
            self._visible.reveal(found.start_s, found.end_s)
            self.select(found)

    def _first_visible(self) -> SpanKey | None:
        """The first span of the track that begins in view or after it; without one, the last before."""
        found: SpanKey | None = None
        for run in self._feed.runs:
            points = run.tracks[self.track]
            before = points.count_between(-inf, self._visible.first_s)
            if before < len(points):
                return SpanKey(run, self.track, before)
            found = SpanKey(run, self.track, before - 1) if before else found
        return found

    def mark(self) -> Mark | None:
        """The selected span as a mark that is nowhere; None without one."""
        key = self.key
        if key is None or key.run not in self._feed.runs:
            return None
        run = self._feed.runs.index(key.run)
        return Mark(0, 0, 0, 0, run, key.track, key.at, 1, 0)

    def sentence(self) -> str:
        """All about the selected span in one line; empty without one. The message is read again only after something of it changed."""
        key, mark = self.key, self.mark()
        if key is None or mark is None:
            return ""
        number, transcript = key.frame
        columns, pulse = transcript.columns, 0
        request = columns.request[number - 1]
        if key.end_s == inf:  # its clock runs
            pulse = int(self._feed.now_s * 1000 / tokens.CLOCK_MS)
        known = self._feed.timeline.number_of(transcript, number)
        status = columns.status[request - 1] if request else 0
        state = (key, known, status, key.end_s, pulse)
        if state != self._sentence[0]:
            self._sentence = state, sentence(self._feed, mark, self._clock)
        return self._sentence[1]
