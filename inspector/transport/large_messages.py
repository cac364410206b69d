"""Large messages, decoded before they are recorded: what is JSON only with a tolerance takes up to 300 ns a byte, so a thread decodes it.

A number that JSON has not, or one byte that is not UTF-8, is enough for that. The thread lets the event loop run every few milliseconds.
"""

from __future__ import annotations

import asyncio

from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.line_splitter import RawChunk
from inspector.wire.message import (
    NO_MESSAGE_CHANNELS,
    Message,
    MessageKind,
    decode_frame,
    plain_data,
    read_plain,
)

LARGE_BYTES = 1 << 16
"""Size from which a message is decoded so: the loop takes 20 ms for it at most."""


def decode_at_once(chunk: RawChunk, channel: Channel) -> RawChunk | None:
    """Return a chunk, with its message if it is large; None if only `decode_aside` may decode it."""
    raw, flaw = chunk.raw, chunk.flaw
    is_small = len(raw) < LARGE_BYTES or bool(flaw & FrameDefect.TRUNCATED)
    if is_small or chunk.message is not None or channel in NO_MESSAGE_CHANNELS:
        return chunk
    message = read_plain(plain_data(raw) if channel is Channel.SSE else raw)
    return None if message is None else _with(chunk, message)


async def decode_aside(chunk: RawChunk, channel: Channel) -> RawChunk:
    """Return a chunk with its message, which a thread decodes."""
    return _with(chunk, await asyncio.to_thread(_decode, chunk, channel))


async def decode(chunk: RawChunk, channel: Channel) -> RawChunk:
    """Return a chunk, with its message if it is large."""
    return decode_at_once(chunk, channel) or await decode_aside(chunk, channel)


def _decode(chunk: RawChunk, channel: Channel) -> Message:
    message = decode_frame(channel, chunk.raw, chunk.flaw)
    if message.kind is MessageKind.BATCH:
        message.within = tuple(message.members)
    return message


def _with(chunk: RawChunk, message: Message) -> RawChunk:
    return RawChunk(chunk.raw, chunk.flaw, chunk.dropped, message)
