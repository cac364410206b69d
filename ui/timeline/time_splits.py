"""How the time of requests divides, as shares for the foot of their spans; found once for each request that has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.transcript.operation_time import time_split
from inspector.transcript.spans.ended import NOT_ENDED

if TYPE_CHECKING:
    from inspector.transcript.spans.transcript_spans import TranscriptSpans

PART_TONES = ("disabled", "pending", "accent", "person")
"""Colors of the parts, in their order: queue, network, server, waiting for the user."""
MAX_KEPT = 2_000
"""Requests whose shares are kept."""


class TimeSplits:
    """The shares by request."""

    def __init__(self) -> None:
        """Start without any."""
        self._known: dict[tuple[int, int], tuple[float, ...]] = {}

    def shares(self, run: TranscriptSpans, request: int) -> tuple[float, ...]:
        """Return the four parts of the time of a request of the client as shares of it; empty while that is not known."""
        transcript = run.transcript
        key = (id(run), request)
        if key in self._known:
            return self._known[key]
        rows, has_ended = transcript.operations, True
        if transcript.columns.status[request - 1] in NOT_ENDED or request >= rows.next:
            return ()
        split = time_split(rows, request, 0.0)
        shares: tuple[float, ...] = ()
        if split is not None and split.total > 0:
            has_ended = not split.is_running
            shares = tuple(part / split.total for part in split.parts)
        if has_ended and rows.next > transcript.columns.response[request - 1]:
            if len(self._known) >= MAX_KEPT:
                self._known.clear()
            self._known[key] = shares
        return shares
