"""A transport without a wire: a scripted server in the same process, for tests and examples.

It passes the same contract tests as the real ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost
from inspector.transport.base import NO_CONTEXT, TransportDefaults
from inspector.wire.frame import Channel
from inspector.wire.lines import Line

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transport.base import SendContext, Sink


class MemoryTransport(TransportDefaults):
    """Gives each frame that is sent to `answer`, and delivers what that says."""

    name = "memory"
    channel = Channel.STDIN

    def __init__(self, answer: Callable[[bytes, MemoryTransport], None]) -> None:
        """`answer` takes a sent frame and this transport, and may `deliver` or `end` at once or later."""
        self.sent: list[bytes] = []
        self._answer = answer
        self._sink: Sink | None = None
        self._over = False

    async def open(self, sink: Sink) -> None:
        """Begin; cannot fail."""
        self._sink = sink

    async def send(self, raw: bytes, context: SendContext = NO_CONTEXT) -> None:
        """Hand a frame to the script."""
        if self._over or self._sink is None:
            raise ConnectionLost("the connection is closed")
        self.sent.append(raw)
        self._answer(raw, self)

    def deliver(self, *raws: bytes, channel: Channel = Channel.STDOUT) -> None:
        """Let frames arrive."""
        if self._sink is not None and not self._over:
            self._sink.received(channel, [Line(raw) for raw in raws])

    def end(self, words: str = "the server closed the connection") -> None:
        """Let the server end the connection."""
        if self._sink is not None and not self._over:
            self._over = True
            self._sink.ended(ConnectionLost(words))

    async def aclose(self) -> None:
        """End the connection from our side."""
        self.end("disconnected")
