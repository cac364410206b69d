"""What a frame says, by the channel it travelled on. Never raises.

On most channels the frame is the message. A block of an event stream holds it in its data, so there `Message.raw` is the data and not
the frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.frame import Channel, Flaw
from inspector.wire.message import Kind, Message, read, read_cut

if TYPE_CHECKING:
    from collections.abc import Callable

SILENT = {
    Channel.STDERR: Kind.STDERR,
    Channel.NOTE: Kind.NOTE,
    Channel.HTTP: Kind.HTTP,
    Channel.AUTH: Kind.HTTP,
}
"""Channels on which no messages travel, and what a frame on them is."""


def read_on(channel: Channel, raw: bytes, flaw: Flaw = Flaw.NONE) -> Message:
    """Read one frame that travelled on `channel`; of one that was cut, its beginning."""
    kind = SILENT.get(channel)
    if flaw and kind is None and flaw & Flaw.CUT and channel is not Channel.SSE:
        return read_cut(raw)
    return READERS.get(channel, read)(raw) if kind is None else Message(kind, raw)


def _read_block(raw: bytes) -> Message:
    """The message in the data of a block; a block that was not ended is discarded, as every reader of event streams does."""
    from inspector.wire.sse import is_complete, read_block  # brings httpx, which takes its time

    event = read_block(raw)
    if event.has_data and event.event == "message" and is_complete(raw):
        return read(event.data.encode("utf-8", "surrogatepass"))
    return Message(Kind.EVENT, raw)


READERS: dict[Channel, Callable[[bytes], Message]] = {Channel.SSE: _read_block}
"""Channels on which a message is wrapped in something."""
