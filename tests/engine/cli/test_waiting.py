"""What the command line prints while it waits for a server."""

from __future__ import annotations

import asyncio
import io

from inspector.cli.console import Console
from inspector.cli.stderr_report import print_pending_step
from inspector.config.profile import Profile
from inspector.errors import InspectorError
from inspector.session.session import Session
from inspector.spec.revision import NEWEST_STATEFUL
from inspector.transcript.transcript import Transcript
from tests.support.dialogue import Dialogue, says
from tests.support.wait import wait_until


async def test_a_slow_start_is_shown_while_it_lasts() -> None:
    """Ours: stdout stays free for results."""
    dialogue = Dialogue(says("initialize"))
    profile = Profile(command="npx", args=("pkg",), revision=NEWEST_STATEFUL.date)
    session, out, err = (
        Session(profile, Transcript(), dialogue.connect),
        io.StringIO(),
        io.StringIO(),
    )
    connecting = asyncio.ensure_future(session.connect())
    telling = asyncio.ensure_future(print_pending_step(Console(out, err), session, 0.05))
    try:
        await wait_until(lambda: "npx" in err.getvalue())
    finally:
        telling.cancel()
        await session.aclose()
        await asyncio.wait({telling, connecting})

    assert "initialize" in err.getvalue()
    assert out.getvalue() == ""
    assert isinstance(connecting.exception(), InspectorError)
