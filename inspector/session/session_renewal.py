"""A new session in the place of one that the server ended. It is made by itself, a few times in a while, and never in silence.

What was under way is lost. Only what changes nothing is sent again, by whoever asked for it (`Session.request`).

Source: basic/transports, "Session Management"; C-HTTP-15.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.errors import InspectorError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.errors import SessionExpired
    from inspector.session.session import Session

MOST = 10
"""New sessions made by themselves within `WITHIN_SECONDS`: a server may be restarted whenever a file of it is saved."""

NEW_SESSION = "A new session was started. Send the request again if it may run twice."
"""What to do about a request that was lost with the old session."""

WITHIN_SECONDS = 60.0


class SessionRenewal:
    """Makes new sessions."""

    def __init__(
        self,
        session: Session,
        *,
        greet: Callable[[], Awaitable[None]],
        fail: Callable[[InspectorError], None],
    ) -> None:
        """`greet` opens a new session; `fail` is told when that is not possible."""
        self._transcript, self._steps = session.transcript, session.steps
        self._tasks = session.tasks
        self._greet = greet
        self._fail = fail
        self._times: list[float] = []
        self._is_good = True
        self._running: asyncio.Task[None] | None = None

    @property
    def is_running(self) -> bool:
        """Whether one is being made."""
        return self._running is not None and not self._running.done()

    def begin(self, gone: SessionExpired) -> bool:
        """Make a new one; false when that was done too often lately, or the last one was good for nothing."""
        now = self._steps.clock.monotonic()
        self._times = [each for each in self._times if now - each < WITHIN_SECONDS]
        is_good = self._is_good or gone.was_in_use
        if self.is_running or len(self._times) >= MOST or not is_good:
            return False
        self._times.append(now)
        self._is_good = False
        self._running = self._tasks.spawn(self._renew(gone), name="make a new session")
        return True

    def confirm(self) -> None:
        """Take note that the session answers requests."""
        self._is_good = True

    async def settled(self) -> None:
        """Return when none is being made."""
        if self._running is not None and self._running is not asyncio.current_task():
            await asyncio.wait([self._running])

    async def _renew(self, gone: SessionExpired) -> None:
        text = f"{gone.reason}; a new session is made"
        self._transcript.note("session-renewed", text)
        try:
            with self._steps.run("Make a new session") as step:
                self._steps.set_text(step, text, frame=gone.frame)
                await self._greet()
        except InspectorError as error:
            self._fail(error)
