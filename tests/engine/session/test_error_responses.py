"""A server that calls itself not initialized after a complete handshake is shown that it is."""

from __future__ import annotations

import pytest

from inspector.errors import PeerError
from tests.support.dialogue import Dialogue, greeted, hears_error, says, session_of


@pytest.mark.parametrize(
    "message",
    [
        "Server not initialized",
        "Received request before initialization was complete",
        "session has not been initialised",
    ],
)
async def test_the_frames_of_the_handshake_are_named(message: str) -> None:
    """C-LC-06: the notification was sent; the server ignored it, or handles requests before it."""
    dialogue = Dialogue(*greeted(), says("tools/list"), hears_error(-32602, message))
    async with session_of(dialogue) as session:
        await session.connect()
        with pytest.raises(PeerError) as failure:
            await session.request("tools/list")

        assert "frame 2" in failure.value.hint
        assert "frame 3" in failure.value.hint


async def test_any_other_refusal_gets_no_such_hint() -> None:
    """Ours."""
    dialogue = Dialogue(*greeted(), says("tools/list"), hears_error(-32602, "bad cursor"))
    async with session_of(dialogue) as session:
        await session.connect()
        with pytest.raises(PeerError) as failure:
            await session.request("tools/list")

        assert not failure.value.hint
