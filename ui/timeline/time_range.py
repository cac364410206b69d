"""The part of a session that the timeline shows: zoomed, moved, and growing with the session. Seconds since 1970-01-01 UTC."""

from __future__ import annotations

from math import inf

from PySide6.QtCore import QObject, Signal

MIN_SECONDS = 1e-5
"""The shortest range that can be zoomed to."""
SHORTEST_SESSION_S = 0.1
"""A session takes this much of the view, however short it is."""
MARGIN_SHARE = 0.01
"""Of the session before its first frame and after its latest, so that these are not at the very edge."""


class TimeRange(QObject):
    """What is visible of a session, within its bounds.

    Signals:
        changed: another part is visible, or the session got longer.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        """Without a session."""
        super().__init__(parent)
        self.bounds = (0.0, 0.0)
        """The whole session, with a margin."""
        self._visible: tuple[float, float] | None = None
        self._follows = False

    @property
    def first_s(self) -> float:
        """Where the visible part begins."""
        return (self._visible or self.bounds)[0]

    @property
    def last_s(self) -> float:
        """Where it ends."""
        return (self._visible or self.bounds)[1]

    @property
    def length_s(self) -> float:
        """How long it is."""
        return self.last_s - self.first_s

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole session."""
        return self._visible is None

    def clear(self) -> None:
        """Take no session."""
        self.bounds, self._visible, self._follows = (0.0, 0.0), None, False
        self.changed.emit()

    def set_session(self, first_s: float, last_s: float) -> None:
        """Let the session be that long: the whole of it, or its end, stays visible if it was."""
        if first_s == inf:
            self.clear()
            return
        last_s = max(last_s, first_s + SHORTEST_SESSION_S)
        margin = (last_s - first_s) * MARGIN_SHARE
        bounds = (first_s - margin, last_s + margin)
        if bounds == self.bounds:
            return
        moved = bounds[1] - self.bounds[1]
        self.bounds = bounds
        if self._visible is not None and self._follows:
            self._visible = (self._visible[0] + moved, bounds[1])
        self.changed.emit()

    def show(self, first_s: float, last_s: float) -> None:
        """Show this part, within the bounds."""
        low, high = self.bounds
        length = min(max(last_s - first_s, MIN_SECONDS), high - low)
        first_s = min(max(first_s, low), high - length)
        is_whole = length >= (high - low) * 0.9999
        self._visible = None if is_whole else (first_s, first_s + length)
        self._follows = first_s + length >= high - length * 1e-6
        self.changed.emit()

    def show_whole(self) -> None:
        """Show the whole session."""
        self._visible = None
        self.changed.emit()

    def zoom(self, factor: float, at_s: float | None = None) -> None:
        """Show `factor` times as much, with the moment `at_s` (the middle without one) where it is."""
        at_s = (self.first_s + self.last_s) / 2 if at_s is None else at_s
        self.show(at_s - (at_s - self.first_s) * factor, at_s + (self.last_s - at_s) * factor)

    def pan(self, share: float) -> None:
        """Move by a share of what is visible, to the right if it is positive."""
        moved = self.length_s * share if self.length_s else 0.0
        low, high = self.bounds
        moved = min(max(moved, low - self.first_s), high - self.last_s)
        if self._visible is not None and moved:
            self.show(self.first_s + moved, self.last_s + moved)

    def reveal(self, first_s: float, last_s: float) -> None:
        """Move as far as needed to see the beginning of a span, and its end if it fits."""
        length = self.length_s
        if first_s < self.first_s or first_s > self.last_s - length * 0.02:
            self.show(first_s - length * 0.1, first_s + length * 0.9)
        elif last_s > self.last_s and last_s - first_s < length * 0.9:
            self.show(last_s - length * 0.9, last_s + length * 0.1)
