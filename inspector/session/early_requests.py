"""Requests of the server that come before the era is known: they wait, within a budget."""

from __future__ import annotations

import asyncio

from inspector.errors import PeerError
from inspector.session.inbound import INTERNAL_ERROR
from inspector.time_slices import TurnQueue

MAX_HELD = 1_000
"""Requests that wait; the others are refused."""


class EarlyRequests:
    """Where requests wait until they are released."""

    def __init__(self) -> None:
        """Hold what comes."""
        self._released = asyncio.Event()
        self._turns = TurnQueue()
        self._held = 0

    @property
    def are_held(self) -> bool:
        """Whether a request that comes now waits."""
        return not self._released.is_set()

    def hold(self) -> None:
        """Let requests wait from now on."""
        self._released.clear()

    def release(self) -> None:
        """Let those that wait go on, a few in each turn of the event loop, and those that come at once."""
        self._released.set()

    async def wait(self) -> None:
        """Return when requests are released.

        Raises:
            PeerError: too many wait already.
        """
        if self._released.is_set():
            return
        if self._held >= MAX_HELD:
            raise PeerError(INTERNAL_ERROR, f"{MAX_HELD:,} requests wait for the handshake already")
        self._held += 1
        try:
            await self._released.wait()
        finally:
            self._held -= 1
        await self._turns.turn()
