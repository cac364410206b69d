"""What was read of large messages is not read again."""

from __future__ import annotations

import pytest

from inspector.transcript.kept_messages import KEPT_BYTES, MAX_OUTLINES, KeptMessages
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from inspector.wire.message import Message, MessageKind, decode_frame
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


@pytest.mark.parametrize("before", [b"data: ", b"event: message\nid: 7\ndata: "])
def test_of_an_event_the_data_is_the_message(before: bytes) -> None:
    """Ours: of what is wrong with it, the type and the id of the event are no part."""
    transcript = Transcript()
    raw = b'{"a": ' + LONG + b"1]}"
    for channel, frame in (
        (Channel.SSE, before + raw + b"\n\n"),
        (Channel.STDOUT, LONG * 20),
    ):
        transcript.append(Direction.RECEIVED, channel, [RawChunk(frame)])
    assert transcript.message(1).raw == raw


def test_a_method_of_megabytes_is_not_kept() -> None:
    """C-SEC-18."""
    kept, raw = KeptMessages(), b'{"id": 1, "method": "' + b"x" * KEPT_BYTES + b'", "params": NaN}'
    kept.keep(1, decode_frame(Channel.STDOUT, raw), len(raw))
    assert kept.outline(1) is None


def test_no_more_than_the_first_ones_are_kept() -> None:
    """C-SEC-18: a flood of large lines that are no messages."""
    kept, read = KeptMessages(), decode_frame(Channel.STDOUT, LONG)
    for number in range(1, MAX_OUTLINES + 2):
        kept.keep(number, read, len(LONG))
    found = [kept.find(number, _raw) for number in (MAX_OUTLINES, MAX_OUTLINES + 1)]
    assert [isinstance(each, Message) for each in found] == [True, False]


def test_of_a_large_response_that_needed_a_tolerance_an_outline_is_kept() -> None:
    """C-SEC-18: which request it belongs to is explained when a time limit has passed."""
    record = Written()
    number = record.received(b'{"jsonrpc":"2.0","id":"x","result":' + LONG + b"NaN]}")
    record.received(LONG * 20)
    outline, read = record.transcript.kept.outline(number), record.transcript.message(number)
    assert outline is not None
    assert (outline.kind, outline.id) == (read.kind, read.id) == (MessageKind.RESPONSE, "x")
    assert isinstance(read.result, list)


def _raw(_number: int) -> bytes:
    return LONG
