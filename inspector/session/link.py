"""The connections of one session: one at a time, each opened in a step."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeAlias

from inspector.errors import ConnectionLost
from inspector.session.diagnostics import server_output
from inspector.session.diagnostics.server_output import CONNECTED
from inspector.session.transport_factory import transport_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.session.session import Session
    from inspector.transport.base import Transport

    Maker: TypeAlias = Callable[[], Transport]
    """Makes a transport, not yet open."""


class Link:
    """The latest connection of a session, and how it was made."""

    def __init__(self, session: Session) -> None:
        """Start without a connection; the peer of `session` takes what connections receive."""
        self.transport: Transport | None = None
        self.made_with: Maker | None = None
        """Makes a connection like the latest one."""
        self.is_shut_down = False
        """True when no connection may be opened any more."""
        self._peer, self._steps = session.peer, session.steps
        self._transcript = session.transcript
        self._opening: asyncio.Task[None] | None = None

    async def open(self, make: Maker, *, why: str = "") -> None:
        """Open a connection that `make` makes; `why` completes the name of the step.

        Raises:
            ConnectFailed: the server cannot be reached or started.
            ConnectionLost: the session was closed.
        """
        self.made_with = make
        self.transport = transport = make()
        with self._steps.run(transport_kind(transport.name).step_title + why) as step:
            self._peer.attach(transport)
            before = self._transcript.count
            await self._open_unless_closed(transport)
            frame, text = self._connected_note(before)
            self._steps.set_text(step, text, frame=frame or None)

    async def close(self) -> None:
        """Close the connection, or what is being opened."""
        if self._opening is not None and not self._opening.done():
            self._opening.cancel()
            await asyncio.wait([self._opening])
        if self.transport is not None:
            await self.transport.aclose()

    async def shut_down(self) -> None:
        """Close the connection and open no other."""
        self.is_shut_down = True
        await self.close()

    def _connected_note(self, since: int) -> tuple[int, str]:
        """Return the frame and the text of the first note after frame `since` that a connection was made, or the latest frame and ""."""
        transcript = self._transcript
        numbers = reversed(list(server_output.notes(transcript, since)))
        made = (n for n in numbers if server_output.note_event(transcript, n) in CONNECTED)
        found = next(made, transcript.count)
        text = server_output.note_of(transcript, found).get("words") if found else None
        return found, text if isinstance(text, str) else ""

    async def _open_unless_closed(self, transport: Transport) -> None:
        if self.is_shut_down:
            raise ConnectionLost("disconnected")
        self._opening = asyncio.ensure_future(transport.open(self._peer))
        try:
            await self._opening
        except asyncio.CancelledError:
            if not self.is_shut_down:
                raise
            raise ConnectionLost("disconnected") from None
