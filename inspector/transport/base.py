"""What every transport offers, and what it reports.

To add one: a class that extends `Transport` in a file of its own, and a row in `session/transport_factory.py`. A transport moves frames and
does not validate them; only `http/post.py` compares ids, because the body of an HTTP error may be a response. A transport calls its sink only
from the thread of the event loop, in the order in which frames are received, and calls `ended` exactly once after a successful `open`.

Source: basic/transports, "Custom Transports".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inspector.frozen import FrozenStruct
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inspector.errors import ConnectionLost, HttpStatus, InspectorError
    from inspector.wire.frame import Channel
    from inspector.wire.json_codec import Json
    from inspector.wire.line_splitter import RawChunk


class SendContext(FrozenStruct, frozen=True):
    """What a transport knows about a frame that it sends."""

    frame: int = 0
    """Its number in the transcript."""
    kind: MessageKind = MessageKind.REQUEST
    """Only a request has a response."""
    method: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    """HTTP headers of this message, in addition to the default headers."""
    is_stateless: bool = False
    """True for a stateless request: it carries no session id and is never resumed with `Last-Event-ID`."""


RESPONSE_KINDS = frozenset({MessageKind.RESPONSE, MessageKind.ERROR})
"""Frames whose writing is not awaited where all frames share one byte stream: a server may send thousands of requests before
it reads a response, and would otherwise look like one that does not read."""

NO_CONTEXT = SendContext()

# Events of notes that other modules read, live and in recordings.

NO_SESSION = "no-session"
"""The response to `initialize` has no session id."""

BAD_SESSION = "bad-session"
"""The response to `initialize` has a session id that cannot be sent back."""

RESUMING = "resuming"
"""An event stream ended without the response, and the rest of it is requested after a delay."""

NOT_ENCRYPTED = "not-encrypted"
"""The server is on another host and the connection has no TLS."""

OWN_ADDRESS = "own-address"
"""The server is on this computer and is reached at a network address."""


class Sink(Protocol):
    """Receives what a transport reads and reports."""

    @property
    def is_congested(self) -> bool:
        """True while reading should pause: too many frames are not stored, or too many requests not started."""
        ...

    async def ready(self) -> None:
        """Return when the sink is not congested; at once when it is not."""
        ...

    def sent(self, channel: Channel, lines: Sequence[RawChunk], stream: int) -> int:
        """Record what was written beside the messages; returns the number of the last frame."""
        ...

    def received(
        self,
        channel: Channel,
        lines: Sequence[RawChunk],
        stream: int = 0,
        http: HttpStatus | None = None,
    ) -> int:
        """Record frames of the exchange that the frame `stream` opened; returns the number of the last one.

        `http` is the error of the HTTP response around them.
        """
        ...

    def unfinished(
        self, channel: Channel, size: int, head: bytes = b"", tail: bytes = b"", stream: int = 0
    ) -> None:
        """Set the size of what was received and is no frame yet, with its first and latest bytes; 0 when nothing is left."""
        ...

    def is_pending(self, frame: int) -> bool:
        """Return whether the request of that frame may still get a response."""
        ...

    def pause_timeouts(self) -> Callable[[], None]:
        """Do not count the time from now on against the server; the returned function ends that."""
        ...

    def failed(self, frame: int, error: InspectorError) -> None:
        """Fail one frame: it was not accepted, or can get no response any more. The connection stays open."""
        ...

    def on_event(self, event: str, text: str, **facts: Json) -> None:
        """Write a note about the connection."""
        ...

    def ended(self, error: ConnectionLost) -> None:
        """End the connection for the reason `error`; nothing is received any more."""
        ...


class Transport(Protocol):
    """Moves frames to and from one server.

    The defaults are those of a transport whose messages share one byte stream: no headers, no server stream, no exchange to cancel.
    """

    name: str
    """`stdio`, `http` and so on."""
    channel: Channel
    """The channel of the frames that are sent."""

    def fallback(self) -> Transport | None:
        """Return an older transport to try when the server does not support this one; None when there is no older one."""
        return None

    async def open(self, sink: Sink) -> None:
        """Reach the server and start to read.

        Raises:
            ConnectFailed: it cannot be reached or started.
        """
        ...

    async def send(self, raw: bytes, context: SendContext = NO_CONTEXT) -> None:
        """Write one frame; returns when the system has accepted it, or at once for one of `RESPONSE_KINDS`.

        The frame counts as written from the moment of the call; cancelling stops the waiting only.

        Raises:
            ConnectionLost: the connection is closed.
        """
        ...

    def set_default_headers(self, headers: Mapping[str, str]) -> None:
        """Send these HTTP headers with every request from now on; ignored without headers."""

    def open_server_stream(self) -> None:
        """Open a stream for messages that respond to no request, if they need one of their own."""

    async def verify(self) -> None:
        """Return when it is known whether the server still has the session, or soon after; at once where the end of the connection shows it."""

    def cancel_exchange(self, frame: int) -> bool:
        """Close the HTTP exchange of the request `frame`; returns False if requests have none of their own."""
        return False

    async def aclose(self) -> None:
        """Close the connection in order; may be called at any time and more than once."""
        ...
