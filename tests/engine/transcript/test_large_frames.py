"""Which frames the loop decodes again when they are shown, and which a thread; ours."""

from __future__ import annotations

import pytest

from inspector.transcript.kept_messages import LATEST_BYTES
from inspector.transcript.large_frames import TOLERANT_BYTES, quick_message, read_large
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.lazy_json import LongArray
from inspector.wire.line_splitter import RawChunk

RESULT = b'{"jsonrpc":"2.0","id":1,"result":["%b",%b]}'
TEXT = b"x" * TOLERANT_BYTES


@pytest.mark.parametrize(
    ("raw", "is_quick"),
    [
        (RESULT % (TEXT, b"1"), True),
        (b"[" + RESULT % (TEXT, b"1") + b"]", True),
        (TEXT, True),
        (RESULT % (b"x", b"NaN"), True),
        (RESULT % (TEXT, b"NaN"), False),
        (b"[" + RESULT % (TEXT, b"NaN") + b"]", False),
        (RESULT % (TEXT, b'"\xff"'), False),
        (b"[" + RESULT % (TEXT, b'"\xff"') + b"]", False),
    ],
)
def test_only_a_large_frame_that_needs_a_tolerance_is_left_to_a_thread(
    raw: bytes, *, is_quick: bool
) -> None:
    """Decoding it again takes up to 700 ns a byte; the latest one is kept decoded."""
    transcript = Transcript()
    latest = RESULT % (b"x" * LATEST_BYTES, b"NaN")
    for each in (raw, latest):
        transcript.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(each)])

    assert (quick_message(transcript, 1) is not None) is is_quick
    assert quick_message(transcript, 2) is not None


async def test_a_frame_is_ready_before_all_items_of_a_long_array_in_it_are_found() -> None:
    """Ours: finding ten million takes half a second, in one piece."""
    transcript = Transcript()
    raw = RESULT % (b"x", b"[1%b]" % (b",1" * 1_000_000))
    transcript.append(Direction.RECEIVED, Channel.STDOUT, [RawChunk(raw)])

    frame = await read_large(transcript, 1)

    assert isinstance(frame.value, dict)
    rows = frame.value["result"]
    assert isinstance(rows, list)
    items = rows[1]
    assert isinstance(items, LongArray)
    assert items.known
    assert not items.is_counted
