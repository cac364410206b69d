"""The number of frames of a session is bounded, whatever is in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.session_state import SessionState
from inspector.transcript import transcript
from inspector.wire.frame import Channel
from inspector.wire.line_splitter import RawChunk
from tests.support.answering import AnsweringServer, connected
from tests.support.wait import wait_until

if TYPE_CHECKING:
    import pytest


async def test_a_session_that_has_its_frames_ends_in_words_that_say_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """C-SEC-18: nothing more is read, and what came is kept."""
    async with connected(AnsweringServer()) as session:
        monkeypatch.setattr(transcript, "FRAME_LIMIT", 1000)
        session.peer.received(Channel.STDOUT, [RawChunk(b"{}")] * 500)
        assert not session.peer.is_congested

        session.peer.received(Channel.STDERR, [RawChunk(b"")] * 600)
        assert session.peer.is_congested
        await wait_until(lambda: session.state is SessionState.CLOSED)
        assert session.failure is not None
        assert "frames" in session.failure.reason
        assert "recording" in session.failure.hint
        await wait_until(lambda: session.peer.ended_with is not None)
        assert 1100 < session.transcript.count < 1120
        assert session.closed_reason == session.failure.reason
