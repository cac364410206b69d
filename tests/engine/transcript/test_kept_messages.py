"""What was read of large messages is not read again."""

from __future__ import annotations

import pytest

from inspector.transcript.kept_messages import KEPT_BYTES, MAX_MALFORMED, KeptMessages
from inspector.wire.frame import Channel
from inspector.wire.message import Message, decode_frame
from tests.support.records import Written

LONG = b"[" + b"1," * KEPT_BYTES


@pytest.mark.parametrize(
    "raw",
    [
        LONG,
        LONG + b"NaN",
        b'{"a": ' + LONG + b"NaN]}",
        b'{"id": 7, "a": ' + LONG + b"1]}",
        b"x" * 2 * KEPT_BYTES,
    ],
)
def test_what_is_wrong_with_a_large_frame_is_known_after_many_others(raw: bytes) -> None:
    """C-SEC-18: explaining why there is no response read each of them again, up to seconds of a turn of the loop."""
    record = Written()
    number = record.received(raw)
    record.received(LONG * 20)
    kept, read = record.transcript.message(number), decode_frame(Channel.STDOUT, raw)
    assert (kept.kind, kept.id, kept.problem) == (read.kind, read.id, read.problem)
    assert kept.raw == raw


def test_no_more_than_the_first_ones_are_kept() -> None:
    """C-SEC-18: a flood of large lines that are no messages."""
    kept, read = KeptMessages(), decode_frame(Channel.STDOUT, LONG)
    for number in range(1, MAX_MALFORMED + 2):
        kept.keep(number, read, len(LONG))
    found = [kept.find(number, _raw) for number in (MAX_MALFORMED, MAX_MALFORMED + 1)]
    assert [isinstance(each, Message) for each in found] == [True, False]


def _raw(_number: int) -> bytes:
    return LONG
