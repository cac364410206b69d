"""The tracks of a timeline, how severe an outcome is, and the frames that are processed together."""

from __future__ import annotations

from enum import StrEnum
from itertools import compress
from typing import Final, NamedTuple

from inspector.transcript.exchange import STATUSES, Status
from inspector.wire.frame import HTTP_CHANNELS, Channel
from inspector.wire.message import MessageKind


class Track(StrEnum):
    """What spans are of."""

    REQUESTS_OUT = "requests_out"
    """Requests of the client, from the request to its end."""
    REQUESTS_IN = "requests_in"
    """Requests of the server, likewise."""
    NOTIFICATIONS = "notifications"
    """Notifications of both sides: moments."""
    TASKS = "tasks"
    """Tasks, from the first to the last message that names one."""
    HTTP = "http"
    """HTTP exchanges, from their request to the last event of the response."""
    PROCESS = "process"
    """Lines on standard error: moments, over the time for which the process ran."""


class SpanTone:
    """How severe the outcome of a span is: plain integers, because the largest of a range counts."""

    NORMAL: Final = 0
    PENDING: Final = 1
    WARNING: Final = 2
    """It was cancelled, timed out or lost."""
    ERROR: Final = 3


_TONES = {
    Status.PENDING: SpanTone.PENDING,
    Status.INPUT_REQUIRED: SpanTone.PENDING,
    Status.CANCELLED: SpanTone.WARNING,
    Status.TIMED_OUT: SpanTone.WARNING,
    Status.NO_RESPONSE: SpanTone.WARNING,
    Status.ERROR: SpanTone.ERROR,
    Status.TOOL_ERROR: SpanTone.ERROR,
    Status.INVALID_RESULT: SpanTone.ERROR,
}
TONE_OF_STATUS = tuple(_TONES.get(status, SpanTone.NORMAL) for status in STATUSES)
"""By the number of a status in the index."""


def mask(*values: int) -> bytes:
    """Return the table by which `bytes.translate` marks the positions of these values with 1."""
    return bytes(value in values for value in range(256))


REQUESTS, NOTIFICATIONS = mask(MessageKind.REQUEST), mask(MessageKind.NOTIFICATION)
RESPONSES = mask(MessageKind.RESPONSE, MessageKind.ERROR, MessageKind.MALFORMED)
ERRORS = mask(MessageKind.ERROR, MessageKind.MALFORMED)
STDERR, NOTES = mask(MessageKind.STDERR), mask(MessageKind.NOTE)
HTTP = mask(*HTTP_CHANNELS, Channel.BODY, Channel.SSE)


class Chunk(NamedTuple):
    """Frames that are processed together."""

    numbers: range
    times: list[float]
    """When each was sent or received."""
    kinds: bytes
    """What each is."""

    def chosen(self, mask: bytes) -> tuple[list[int], list[float]]:
        """The frames whose kind is in `mask`, and their times."""
        marks = self.kinds.translate(mask)
        if 1 not in marks:
            return [], []
        return list(compress(self.numbers, marks)), list(compress(self.times, marks))

    def time(self, number: int) -> float:
        """When one of the frames was sent or received."""
        return self.times[number - self.numbers.start]
