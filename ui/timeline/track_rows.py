"""The tracks from top to bottom: how high each is, and what an empty one says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.transcript.spans.arrays import MAX_ROWS
from inspector.transcript.spans.track import Track

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.spans.transcript_spans import TranscriptSpans
    from ui.theme import Theme

TITLES = {
    Track.REQUESTS_OUT: "Requests out",
    Track.REQUESTS_IN: "Requests in",
    Track.NOTIFICATIONS: "Notifications",
    Track.TASKS: "Tasks",
    Track.HTTP: "HTTP streams",
    Track.PROCESS: "Process",
}
"""Names, in the order from the top."""
EMPTY_TEXTS = {
    Track.REQUESTS_OUT: "No requests of the client",
    Track.REQUESTS_IN: "No requests of the server",
    Track.NOTIFICATIONS: "No notifications",
    Track.TASKS: "No tasks",
    Track.HTTP: "No HTTP",
    Track.PROCESS: "No process",
}
"""What a track without any span in the whole session says."""
NONE_IN_RANGE = "None in this range"

TRACK_HEIGHT = 32
"""Pixels at 100% of a track with one row of spans."""
ROW_HEIGHT = 20
"""Pixels at 100% of each further row."""
FOLDED_HEIGHT = 18
"""Pixels at 100% of a track without any span."""
SPAN_HEIGHT = 17
"""Pixels at 100% of a span."""


class TrackRow(NamedTuple):
    """One track, and where it is."""

    track: Track
    top: int
    height: int
    rows: int
    """Rows of spans, without those that have none."""
    is_folded: bool
    """Whether there is no span in the whole session."""

    @property
    def bottom(self) -> int:
        """Where the next track begins."""
        return self.top + self.height


def arrange(runs: Sequence[TranscriptSpans], theme: Theme) -> list[TrackRow]:
    """Return the tracks of `runs`, in pixels."""
    found: list[TrackRow] = []
    top = 0
    for track in TITLES:
        points = [run.tracks[track] for run in runs]
        has_any = any(len(each) for each in points)
        if track is Track.PROCESS:
            has_any = has_any or any(run.events for run in runs)
        rows = min(max((each.row_count for each in points), default=1), MAX_ROWS)
        height = theme.px(TRACK_HEIGHT + (rows - 1) * ROW_HEIGHT if has_any else FOLDED_HEIGHT)
        found.append(TrackRow(track, top, height, rows, not has_any))
        top += height
    return found
