"""Bytes as they crossed the wire. A frame is never edited; in a recording markers take the place of its secrets."""

from __future__ import annotations

from enum import IntEnum, IntFlag
from typing import NamedTuple


class Direction(IntEnum):
    """Who wrote the frame."""

    SENT = 0
    RECEIVED = 1
    NOTE = 2
    """Spyglass, about the connection itself; such a frame never crossed the wire."""


class Channel(IntEnum):
    """Where the bytes travelled."""

    STDIN = 0
    STDOUT = 1
    STDERR = 2
    NOTE = 3
    HTTP = 4
    """A head (request or status line with its headers), or a body that is no message."""
    BODY = 5
    """The JSON body of an HTTP request or response."""
    SSE = 6
    """One block of an event stream."""
    TCP = 7
    AUTH = 8
    """A head or a body of an HTTP exchange of authorization, which carries no message."""


HTTP_CHANNELS = frozenset({Channel.HTTP, Channel.AUTH})
"""Those of HTTP on which no messages travel: what is on them is a head, or a body."""


MESSAGE_CHANNELS = frozenset(
    {Channel.STDIN, Channel.STDOUT, Channel.BODY, Channel.SSE, Channel.TCP}
)
"""Those on which messages travel."""


class FrameDefect(IntFlag):
    """What is amiss with a frame as a frame."""

    NONE = 0
    UNTERMINATED = 1
    """The stream ended before the newline."""
    TRUNCATED = 2
    """Longer than the budget: `raw` is its beginning, `dropped` counts the rest."""
    CONTINUED = 4
    """No newline came for so long that the line was broken off: the next frame of its channel goes on with it."""
    REDACTED = 8
    """Markers stand in the place of secrets: of a frame in a recording; never of one that just crossed the wire."""
    UNDECODED = 16
    """So large that it was not decoded: the connection ended first, or memory did not suffice. It is not decoded later either."""


FRAME_COST = 100
"""Bytes of memory that any frame takes beside its own, an empty one as well: budgets in bytes count it."""


class Frame(NamedTuple):
    """One line, one event, one head, one body: the unit the transcript keeps."""

    number: int
    """Position in the transcript, from 1, without gaps."""
    direction: Direction
    """Who wrote it."""
    channel: Channel
    """Where it travelled."""
    monotonic_s: float
    """Monotonic seconds; comparable within one transcript only."""
    wall_s: float
    """Seconds since 1970-01-01 UTC."""
    raw: bytes
    """Exactly the bytes, without the newline that ended them."""
    flaw: FrameDefect = FrameDefect.NONE
    """What is amiss with it."""
    dropped: int = 0
    """Bytes that came but were not kept (with `FrameDefect.TRUNCATED`)."""
    stream: int = 0
    """Number of the frame that opened the HTTP exchange it belongs to; 0 for none, and for that frame itself."""
