"""Received bytes that are no frame yet, because the newline or the blank line at the end is missing.

A transport reports them with `Sink.unfinished` after each chunk that leaves some over, and when none is left. They are not recorded: they
become a frame when the line, the stream or the connection ends. Look here before a server is reported as silent.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.wire.frame import MESSAGE_CHANNELS, Channel

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.clock import Clock

EXCERPT_CHARACTERS = 120
"""Shown of an unfinished line in a sentence."""


class Rest(FrozenStruct, frozen=True):
    """The unfinished bytes of one channel."""

    channel: Channel
    """Where they came."""
    stream: int
    """The frame that opened the HTTP exchange they belong to; 0 for none."""
    size: int
    """How many came, those beyond the budget of a line included."""
    head: bytes
    """The first of them: some thousand bytes at most."""
    tail: bytes
    """The latest of them: as many."""
    since: float
    """When the first of them came: monotonic seconds of the transcript's clock."""
    latest: float
    """When the latest of them came, likewise."""

    @property
    def excerpt(self) -> str:
        """Their beginning as text, for a sentence."""
        text = self.head.decode("utf-8", "replace")
        return text if len(text) <= EXCERPT_CHARACTERS else text[: EXCERPT_CHARACTERS - 1] + "…"


class Unfinished:
    """The unfinished bytes of every channel, as they are at the moment."""

    def __init__(self, clock: Clock) -> None:
        """Nothing is unfinished; `clock` is the one that stamps frames."""
        self._clock = clock
        self.changed: Event[()] = Event()
        """Fired when bytes came, were ended or are over."""
        self._rests: dict[tuple[Channel, int], Rest] = {}

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self._rests)

    def __iter__(self) -> Iterator[Rest]:
        """The longest waiting first."""
        return iter(sorted(self._rests.values(), key=lambda rest: rest.since))

    def of(self, channel: Channel) -> Rest | None:
        """Return the unfinished bytes of one channel, the oldest if there are several streams."""
        return next((rest for rest in self if rest.channel is channel), None)

    def messages(self) -> list[Rest]:
        """Return the unfinished bytes of the channels with messages, the oldest first."""
        return [rest for rest in self if rest.channel in MESSAGE_CHANNELS]

    def silent_seconds(self, rests: Iterable[Rest]) -> float:
        """How long ago the latest byte of `rests` came; infinite where there are none."""
        latest = max((rest.latest for rest in rests), default=-math.inf)
        return self._clock.monotonic() - latest

    def note(
        self, channel: Channel, size: int, head: bytes = b"", tail: bytes = b"", stream: int = 0
    ) -> None:
        """Take what there is at this moment, as `Sink.unfinished` says; a `size` of 0 for nothing."""
        key, at = (channel, stream), self._clock.monotonic()
        known = self._rests.get(key)
        if size:
            since = at if known is None else known.since
            self._rests[key] = Rest(channel, stream, size, head, tail, since, at)
        elif known is None:
            return
        else:
            del self._rests[key]
        self.changed.fire()

    def clear(self) -> None:
        """Forget everything: the connection is over."""
        if self._rests:
            self._rests.clear()
            self.changed.fire()
