"""What came while a request waited, of very much; ours."""

from __future__ import annotations

from inspector.session.evidence import silence
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.support.talk import Talk


def test_of_very_many_events_the_latest_counts() -> None:
    """Ours: what still comes is not said to have stopped."""
    talk = Talk()
    asked = talk.request(1, "tools/list")
    opener = [RawChunk(b": \n")]
    for _ in range(4):
        talk.wait(5)
        talk.transcript.append(Direction.RECEIVED, Channel.SSE, opener * 4000)
    found = silence(talk.transcript, asked, 20.0)

    assert found.events == 16_000
    assert found.latest_ago_s == 0.0
