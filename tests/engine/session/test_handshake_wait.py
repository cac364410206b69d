"""What is received while Spyglass waits for a response is looked at once; ours."""

from __future__ import annotations

import time

from inspector.config.profile import Profile
from inspector.session.session import Session
from inspector.session.transport_factory import make_transport
from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk


def test_a_long_line_is_not_read_again_with_each_frame_after_it() -> None:
    """Ours: two megabytes of text in front of a few hundred messages kept the loop for a tenth of a second."""
    session = Session(Profile(name="x"), Transcript(), make_transport)
    steps, transcript = session.steps, session.transcript
    with steps.run("Connect") as step, session.handshake_wait.watching():
        steps.await_response(step, 5)
        transcript.append(Direction.RECEIVED, Channel.TCP, [RawChunk(b"text " * 1_000_000)])
        sentence = step.status_text
        before = time.thread_time()

        for _ in range(300):
            transcript.append(Direction.RECEIVED, Channel.TCP, [RawChunk(b"{}")])

        assert time.thread_time() - before < 0.5
        assert "text" in sentence
        assert step.status_text == sentence
