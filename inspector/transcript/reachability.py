"""Whether the server can be reached, told from the record: by remarks of the transport, and by whatever comes.

Pure. A transport that has no lasting connection notes `unreachable` when none can be made, with `retry_seconds` where it tries again by
itself; anything that comes over HTTP after that means that the server is there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.wire.frame import Channel

if TYPE_CHECKING:
    from inspector.wire.message import Message

UNREACHABLE = "unreachable"
"""The event of such a remark."""

ANSWERING = frozenset({Channel.HTTP, Channel.BODY, Channel.SSE})
"""Channels on which something comes when the server is there."""


class Unreachable(FrozenStruct, frozen=True):
    """The server cannot be reached at the moment."""

    since: float
    """Monotonic seconds of the first vain attempt."""
    since_wall: float
    """The same in seconds since 1970-01-01 UTC."""
    reason: str
    """What the latest attempt said."""
    next_at: float | None
    """Monotonic seconds of the next attempt; none when nobody tries by himself."""


def after(known: Unreachable | None, note: Message, at: float, wall_s: float) -> Unreachable | None:
    """How it stands after a remark that was made `at`; several streams may try, each in its own time."""
    said = note.value
    if not isinstance(said, dict) or said.get("event") != UNREACHABLE:
        return known
    retry = said.get("retry_seconds")
    soon = [at + float(retry)] if isinstance(retry, (int, float)) else []
    if known is not None and known.next_at is not None and known.next_at > at:
        soon.append(known.next_at)
    text = str(said.get("words", ""))
    since, since_wall = (at, wall_s) if known is None else (known.since, known.since_wall)
    return Unreachable(since, since_wall, text, min(soon, default=None))
