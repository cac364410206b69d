"""A request that is waited for, and its result."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from inspector.errors import HttpStatus
    from inspector.session.timeouts import Timeouts
    from inspector.wire.json_codec import JsonObject
    from inspector.wire.message import Message


class Reply(NamedTuple):
    """A result."""

    request_frame: int
    """Frame of the request."""
    frame: int
    """Frame of the response."""
    message: Message
    """The response; `message.result` is what it says."""


@dataclass(slots=True, eq=False)
class Pending:
    """A request of ours that is waited for."""

    id: int
    """Its id."""
    method: str
    """Its method."""
    frame: int
    """Its frame."""
    timeouts: Timeouts
    """Its limits."""
    started: float
    """Seconds on the loop's clock."""
    alive: float
    """When it last gave a sign of life."""
    reply: asyncio.Future[Reply]
    """What is waited for."""
    on_progress: Callable[[JsonObject], None] | None
    """Takes the params of progress notifications."""
    on_notice: Callable[[int, Message], None] | None = None
    """Takes frame and message of every other notification that belongs to it."""
    writing: asyncio.Timeout | None = None
    """Ends the wait for the system to take it."""
    written: bool = False
    """The system has taken all of it."""
    among_text: int = 0
    """The frame in which its response stands among other text; 0 for none."""
    hopeless: float = math.inf
    """When the proper response is waited for no longer, since then."""
    busy_before_s: float = 0.0
    """`Serving.busy_seconds` when it was sent."""
    paused_s: float = 0.0
    """How long since then the server waited for responses of the client: neither limit counts that."""
    http: HttpStatus | None = None
    """The HTTP response that the answer comes in, where its status is a bad one."""

    @property
    def deadline(self) -> float:
        """Seconds on the loop's clock."""
        limits = self.timeouts
        total = self.started + self.paused_s + limits.total_seconds
        latest = min(self.alive + limits.idle_seconds, total)
        return min(latest, self.hopeless)
