"""Which frames the loop decodes again when they are shown, and which a thread; ours."""

from __future__ import annotations

import pytest

from inspector.transcript.kept_messages import LATEST_BYTES
from inspector.transcript.large_frames import TOLERANT_BYTES, quick_message
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
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
