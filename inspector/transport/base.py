"""What every transport offers, and what it tells.

To add one: a class with the members of `Transport` in a file of its own, and a line each in `session/transports.py` (how it is made),
`session/link.py` (the name of its connection step), `config/profile.py` (its name in a profile and on the screen), `config/importers/server_entry.py` (what
clients call it), `cli/options.py` and `ui/connect/servers_model.py` (its badge). A transport moves frames: it
neither judges them nor decides which request they answer. It calls its sink only from the thread of the event loop, in the order of the wire, and calls
`ended` exactly once after a successful `open`.

Source: basic/transports, "Custom Transports".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inspector.fact import Fact
from inspector.wire.message import Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inspector.errors import ConnectionLost, HttpStatus, InspectorError
    from inspector.wire.frame import Channel
    from inspector.wire.jsontext import Json
    from inspector.wire.lines import Line


class SendContext(Fact, frozen=True):
    """What is known of a frame that is sent."""

    frame: int = 0
    """Its number in the record."""
    kind: Kind = Kind.REQUEST
    """What it is; only a request is answered."""
    method: str = ""
    """Its method."""
    headers: tuple[tuple[str, str], ...] = ()
    """What it carries where there are headers, beside those that were agreed on."""
    is_stateless: bool = False
    """Where every request has an exchange of its own: it belongs to no session, and what ends early is not gone on with."""


RESPONSE_KINDS = frozenset({Kind.RESPONSE, Kind.ERROR})
"""What is sent for a request of the server. Where all frames share one line, its writing is not waited for: a server may send thousands of requests before
it reads an answer, and one that waits for us still is not one that does not read."""

NO_CONTEXT = SendContext()
"""A frame of which nothing is known."""


class Sink(Protocol):
    """Who listens to a transport."""

    @property
    def is_congested(self) -> bool:
        """Reading should pause: what came is not yet stored."""
        ...

    def sent(self, channel: Channel, lines: Sequence[Line], stream: int) -> int:
        """Something was written beside the messages; gives the number of its last frame."""
        ...

    def received(
        self,
        channel: Channel,
        lines: Sequence[Line],
        stream: int = 0,
        http: HttpStatus | None = None,
    ) -> int:
        """Lines came, in the exchange that the frame `stream` opened; gives the number of the last frame.

        `http` is the response around them if its status is a bad one.
        """
        ...

    def unfinished(
        self, channel: Channel, size: int, head: bytes = b"", tail: bytes = b"", stream: int = 0
    ) -> None:
        """So many bytes came and are no frame yet; `head` and `tail` are the first and the latest of them. 0 for none any more."""
        ...

    def is_pending(self, frame: int) -> bool:
        """Whether the request of that frame may still be answered."""
        ...

    def pause_timeouts(self) -> Callable[[], None]:
        """The server is not to blame for the time from now on; calling what this gives ends that."""
        ...

    def failed(self, frame: int, error: InspectorError) -> None:
        """The frame was not taken or, when it is a request, can not be answered any more; the connection goes on."""
        ...

    def on_event(self, event: str, words: str, **facts: Json) -> None:
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

    @property
    def channel(self) -> Channel:
        """Where the frames that are sent travel."""
        ...

    def fallback(self) -> Transport | None:
        """What to try when the server does not know this kind of transport; nothing where there is no older kind."""
        ...

    async def open(self, sink: Sink) -> None:
        """Reach the server and begin to listen.

        Raises:
            ConnectFailed: it cannot be reached or started.
        """
        ...

    async def send(self, raw: bytes, sending: SendContext = NO_CONTEXT) -> None:
        """Write one frame; returns when the system has taken it, or at once with one of `ANSWERS`.

        The frame counts as written from the moment of the call; cancelling stops the waiting only.

        Raises:
            ConnectionLost: the connection is over.
        """
        ...

    def set_default_headers(self, headers: Mapping[str, str]) -> None:
        """Send these headers with everything from now on, where there are headers."""
        ...

    def open_server_stream(self) -> None:
        """Open a stream for what the server sends of itself, where it needs one of its own."""
        ...

    async def verify(self) -> None:
        """Return when it is known whether the server still knows this connection, where there is doubt; soon in any case."""
        ...

    def cancel_exchange(self, frame: int) -> bool:
        """Close the exchange of the request `frame`; false where requests have none of their own, and nothing was done."""
        ...

    async def aclose(self) -> None:
        """End the connection in order; may be called at any time and more than once."""
        ...
