"""Asking whether the server is there, and how far away.

Source: basic/utilities/ping; C-PNG-02.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.errors import InspectorError
from inspector.event import Event

if TYPE_CHECKING:
    from inspector.session.session import Session

HISTORY = 100
"""Pings kept."""


@dataclass(frozen=True, slots=True)
class Pong:
    """One ping and its outcome."""

    frame: int
    """The request; 0 when it could not be sent."""
    took_seconds: float | None
    """Round-trip time; none when there was no answer."""
    error: InspectorError | None = None
    """Why there was none."""


class Ping:
    """Pings of one session."""

    def __init__(self, session: Session) -> None:
        """Offer to ping the server of `session`."""
        self.changed: Event[()] = Event()
        self.history: list[Pong] = []
        self._session = session

    async def once(self) -> Pong:
        """Ping and wait; failures are in the outcome, not raised."""
        sent: list[int] = []
        try:
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
