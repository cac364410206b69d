"""A transport without a connection: a scripted server in the same process, for tests and examples.

It passes the same contract tests as the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost
from inspector.transport.base import NO_CONTEXT, Transport
from inspector.wire.frame import Channel
from inspector.wire.line_splitter import RawChunk

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transport.base import SendContext, Sink


class MemoryTransport(Transport):
    """Gives each frame that is sent to a script, which delivers the frames of the server."""

    name = "memory"
    channel = Channel.STDIN

    def __init__(self, respond: Callable[[bytes, MemoryTransport], None]) -> None:
        """`respond` takes a sent frame and this transport, and may call `deliver` or `end` at once or later."""
        self.sent: list[bytes] = []
        self._respond = respond
        self._sink: Sink | None = None
        self._has_ended = False

    async def open(self, sink: Sink) -> None:
        """Start; cannot fail."""
        self._sink = sink

    async def send(self, raw: bytes, context: SendContext = NO_CONTEXT) -> None:
        """Give a frame to the script."""
        if self._has_ended or self._sink is None:
            raise ConnectionLost("the connection is closed")
        self.sent.append(raw)
        self._respond(raw, self)

    def deliver(self, *raws: bytes, channel: Channel = Channel.STDOUT) -> None:
        """Receive frames from the server."""
        if self._sink is not None and not self._has_ended:
            self._sink.received(channel, [RawChunk(raw) for raw in raws])

    def end(self, reason: str = "the server closed the connection") -> None:
        """Let the server end the connection."""
        if self._sink is not None and not self._has_ended:
            self._has_ended = True
            self._sink.ended(ConnectionLost(reason))

    async def aclose(self) -> None:
        """Close the connection."""
        self.end("disconnected")
