"""Closing a session that has not yet begun; ours."""

from __future__ import annotations

import asyncio
import sys

import pytest

from inspector.config.profile import Profile
from inspector.errors import ConnectionLost
from inspector.session.session import Session
from inspector.session.session_state import SessionState
from inspector.session.transport_factory import make_transport
from inspector.transcript.transcript import Transcript


def session() -> Session:
    """A session with a server that reads, and never responds."""
    silent = "import sys; sys.stdin.read()"
    profile = Profile(name="silent", command=sys.executable, args=("-I", "-c", silent))
    return Session(profile, Transcript(), make_transport)


def events(session: Session) -> list[str]:
    """The remarks in the record."""
    transcript = session.transcript
    notes = [transcript.message(n).value for n in range(1, transcript.count + 1)]
    return [str(note["event"]) for note in notes if isinstance(note, dict) and "event" in note]


@pytest.mark.parametrize("turns", [0, 1, 2, 5, 20])
async def test_a_process_that_is_just_being_started_is_ended_with_the_session(turns: int) -> None:
    """Ours: whoever cancels that early leaves no process behind, and the record tells its whole life."""
    opened = session()
    connecting = asyncio.ensure_future(opened.connect())
    for _ in range(turns):
        await asyncio.sleep(0)

    await opened.aclose()

    with pytest.raises(ConnectionLost):
        await connecting
    assert opened.state is SessionState.CLOSED
    assert opened.failure is None
    told = events(opened)
    assert told == [] or (told[0] == "started" and "exited" in told)


async def test_a_session_that_was_closed_starts_nothing() -> None:
    """Ours."""
    opened = session()
    await opened.aclose()

    with pytest.raises(ConnectionLost):
        await opened.connect()
    assert opened.transcript.count == 0
