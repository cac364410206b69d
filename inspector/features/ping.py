"""Asking whether the server is there, and how far away: once, or every so often until the session ends.

Source: basic/utilities/ping; C-PNG-02, C-PNG-03.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import InspectorError, RequestAborted
from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.session.session_state import SessionState

if TYPE_CHECKING:
    from inspector.session.session import Session

HISTORY = 100
"""Pings kept."""


class Pong(FrozenStruct, frozen=True):
    """One ping and its outcome."""

    frame: int
    """The request; 0 when it could not be sent."""
    took_seconds: float | None
    """Round-trip time; none when there was no answer."""
    error: InspectorError | None = None
    """Why there was none."""


class Figures(NamedTuple):
    """Round trips in short."""

    answered: int
    """Pings that were."""
    failed: int
    """Pings that were not."""
    min_s: float
    """The shortest, in seconds; like the next two, 0 without a response."""
    mean_s: float
    """On the average."""
    max_s: float
    """The longest."""


class Ping:
    """Pings of one session."""

    def __init__(self, session: Session) -> None:
        """Offer to ping the server of `session`."""
        self.changed: Event[()] = Event()
        self.history: list[Pong] = []
        self.interval_seconds = 0.0
        """The interval of periodic pings in seconds; 0 for none."""
        self._session = session
        self._repeating: asyncio.Task[None] | None = None

    @property
    def offered(self) -> bool:
        """Whether the revision has it (C-PNG-05)."""
        return self._session.supports("ping")

    @property
    def is_possible(self) -> bool:
        """Whether the revision has it; before one is agreed on, that is not known to be otherwise."""
        return self._session.revision is None or self.offered

    def repeat(self, seconds: float) -> None:
        """Ping every so many seconds from now on, until told otherwise or the session ends; 0 for not at all."""
        if self._repeating is not None:
            self._repeating.cancel()
            self._repeating = None
        self.interval_seconds = seconds
        if seconds > 0:
            self._repeating = self._session.tasks.spawn(self._go_on(seconds), name="periodic ping")
        self.changed.fire()

    def figures(self) -> Figures:
        """The pings that are kept, in short."""
        took = [pong.took_seconds for pong in self.history if pong.took_seconds is not None]
        failed = len(self.history) - len(took)
        if not took:
            return Figures(0, failed, 0, 0, 0)
        return Figures(len(took), failed, min(took), sum(took) / len(took), max(took))

    async def _go_on(self, seconds: float) -> None:
        """The next one waits for the answer to the one before, however late it is."""
        try:
            while self._session.state is SessionState.READY:
                await self.once()
                await asyncio.sleep(seconds)
        finally:
            if self._repeating is asyncio.current_task():  # else another interval holds by now
                self.interval_seconds = 0
                self.changed.fire()

    async def once(self) -> Pong:
        """Ping and wait; failures are in the outcome, not raised. Nothing is sent where the revision has no ping (C-PNG-05)."""
        sent: list[int] = []
        try:
            if not self.is_possible:
                raise RequestAborted(f"{self._session.revision} has no ping")
            reply = await self._session.request("ping", on_sent=sent.append)
            exchange = self._session.transcript.exchange(reply.request_frame)
            pong = Pong(
                reply.request_frame, exchange.took_seconds if exchange is not None else None
            )
        except InspectorError as error:
            pong = Pong(sent[0] if sent else 0, None, error)
        self.history = [*self.history[-HISTORY + 1 :], pong]
        self.changed.fire()
        return pong
