"""What every transport offers, and what it tells.

To add one: a class with `name`, `open`, `send` and `aclose`, one file, and a line in `session/transports.py`. A transport moves frames: it
neither reads nor judges them. It calls its sink only from the thread of the event loop, in the order of the wire, and calls
`ended` exactly once after a successful `open`.

Source: basic/transports, "Custom Transports".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.errors import ConnectionLost
    from inspector.wire.frame import Channel
    from inspector.wire.jsontext import Json
    from inspector.wire.lines import Line


class Sink(Protocol):
    """Who listens to a transport."""

    @property
    def behind(self) -> bool:
        """Reading should pause: what came is not yet stored."""
        ...

    def received(self, channel: Channel, lines: Sequence[Line]) -> None:
        """Lines came."""
        ...

    def noted(self, event: str, words: str, **facts: Json) -> None:
        """Something happened to the connection itself."""
        ...

    def ended(self, error: ConnectionLost) -> None:
        """Nothing will come any more; `error` says why."""
        ...


class Transport(Protocol):
    """Moves frames to and from one server."""

    @property
    def name(self) -> str:
        """`stdio`, `http` and so on."""
        ...

    async def open(self, sink: Sink) -> None:
        """Reach the server and begin to listen.

        Raises:
            ConnectFailed: it cannot be reached or started.
        """
        ...

    async def send(self, raw: bytes) -> None:
        """Write one frame; returns when the system has taken it.

        The frame counts as written from the moment of the call; cancelling stops the waiting only.

        Raises:
            ConnectionLost: the connection is over.
        """
        ...

    async def aclose(self) -> None:
        """End the connection in order; may be called at any time and more than once."""
        ...
