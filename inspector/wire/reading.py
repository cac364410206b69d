"""What a frame says, by the channel it travelled on. Never raises.

On most channels the frame is the message. A block of an event stream holds it in its data, so there `Message.raw` is the data and not
the frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.message import Message, MessageKind, read, read_cut

if TYPE_CHECKING:
    from collections.abc import Callable

NO_MESSAGE_CHANNELS = {
    Channel.STDERR: MessageKind.STDERR,
    Channel.NOTE: MessageKind.NOTE,
    Channel.HTTP: MessageKind.HTTP,
    Channel.AUTH: MessageKind.HTTP,
}
"""Channels on which no messages travel, and what a frame on them is."""


def decode_frame(channel: Channel, raw: bytes, flaw: FrameDefect = FrameDefect.NONE) -> Message:
    """Read one frame that travelled on `channel`; of one that was cut, its beginning."""
    kind = NO_MESSAGE_CHANNELS.get(channel)
    if flaw and kind is None and flaw & FrameDefect.TRUNCATED and channel is not Channel.SSE:
        return read_cut(raw)
    return DECODERS.get(channel, read)(raw) if kind is None else Message(kind, raw)


def _read_block(raw: bytes) -> Message:
    """The message in the data of a block; a block that was not ended is discarded, as every reader of event streams does."""
    from inspector.wire.sse import is_complete, read_block  # brings httpx, which takes its time

    if is_complete(raw):  # asked first: what was not ended may be as long as the budget of a block
        event = read_block(raw)
        if event.has_data and event.event == "message":
            return read(event.data.encode("utf-8", "surrogatepass"))
    return Message(MessageKind.SSE_OTHER, raw)


DECODERS: dict[Channel, Callable[[bytes], Message]] = {Channel.SSE: _read_block}
"""Channels on which a message is wrapped in something."""
