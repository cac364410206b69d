"""What is remarkable about a frame, by name: `is:late`, `is:unanswered`, `is:marked`."""

from __future__ import annotations

from operator import not_
from typing import TYPE_CHECKING

from inspector.transcript.exchange import STATUS_NUMBER, Status
from inspector.transcript.filter.patterns import matches_any, part_patterns
from inspector.transcript.filter.predicates import flagged, intersect, of_exchange, select_names
from inspector.transcript.index import FrameFlags
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from inspector.transcript.annotations import Annotations
    from inspector.transcript.filter.parser import Value
    from inspector.transcript.filter.predicates import Test
    from inspector.transcript.transcript import Transcript

_REQUESTS = bytes(number == MessageKind.REQUEST for number in range(256))
_OPEN = STATUS_NUMBER[Status.OPEN]
_NOT_OPEN = bytes(number != _OPEN for number in range(256))


def _in_status(status: Status) -> Test:
    number = STATUS_NUMBER[status]
    return of_exchange(lambda transcript, owner: transcript.columns.status[owner - 1] == number)


def _is_late(transcript: Transcript, owner: int) -> bool:
    response = transcript.columns.response[owner - 1]
    return response != 0 and bool(transcript.columns.flags[response - 1] & FrameFlags.LATE)


def _unanswered(transcript: Transcript, start: int, stop: int) -> bytes:
    columns = transcript.columns
    requests = columns.kind[start:stop].tobytes().translate(_REQUESTS)
    without = bytes(map(not_, columns.response[start:stop]))
    closing = columns.status[start:stop].tobytes().translate(_NOT_OPEN)
    return intersect(intersect(requests, without), closing)


def _annotated(numbers: Callable[[Annotations], Collection[int]]) -> Test:
    """Return a test of frames that the user, or a page of Spyglass, annotated."""

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        found = numbers(transcript.annotations)
        if len(found) > stop - start:
            return bytes([number in found for number in range(start + 1, stop + 1)])
        mask = bytearray(stop - start)
        for number in found:
            if start < number <= stop:
                mask[number - start - 1] = 1
        return bytes(mask)

    return test


STATES: dict[str, tuple[str, Test]] = {
    "pending": ("requests that wait for a response", _in_status(Status.PENDING)),
    "unanswered": ("requests without a response, pending or not", _unanswered),
    "late": ("responses after cancellation or timeout", of_exchange(_is_late)),
    "cancelled": ("cancelled requests", _in_status(Status.CANCELLED)),
    "timed-out": ("requests that timed out", _in_status(Status.TIMED_OUT)),
    "duplicate": ("second responses to a request", flagged(FrameFlags.DUPLICATE)),
    "unsolicited": ("responses to no known request", flagged(FrameFlags.UNKNOWN)),
    "truncated": ("frames that were cut or not terminated", flagged(FrameFlags.FLAWED)),
    "marked": ("frames you marked", _annotated(lambda annotations: annotations.marks)),
    "edited": (
        "messages you edited or wrote as JSON",
        _annotated(lambda annotations: annotations.edited),
    ),
}
"""Values of `is:` → what they mean, and their tests."""


def by_is(value: Value) -> Test:
    """Test what is remarkable about a frame; one of several alternatives."""
    tests = [STATES[name][1] for name in select_names("is", value, STATES)]

    def test(transcript: Transcript, start: int, stop: int) -> bytes:
        joined = 0
        for each in tests:
            joined |= int.from_bytes(each(transcript, start, stop), "little")
        return joined.to_bytes(stop - start, "little")

    return test


def by_comment(value: Value) -> Test:
    """Test that a frame has a comment, or one with this text in it."""
    if not value.text or value.text == "*":
        return _annotated(lambda annotations: annotations.comments)
    patterns = part_patterns(value)
    return _annotated(
        lambda annotations: {
            number for number, text in annotations.comments.items() if matches_any(patterns, text)
        }
    )
