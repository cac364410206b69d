"""Frames of many megabytes, read and decoded in a thread: reading one back from the file takes the loop longer than a user bears.

Decoding still holds the interpreter, but one level of the value at a time, and the loop has its turn between them.
"""

from __future__ import annotations

import asyncio
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from inspector.transcript.index import CHANNELS, flaw_of
from inspector.wire import lazy_json
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.lazy_json import LazyArray, LazyObject
from inspector.wire.message import ABSENT, Message, decode_frame

if TYPE_CHECKING:
    from inspector.transcript.transcript import Transcript
    from inspector.wire.frame import Channel, FrameDefect
    from inspector.wire.json_codec import Json
    from inspector.wire.message import MaybeJson

LARGE_BYTES = 2 << 20
"""Size from which a frame is read in a thread, unless it is in memory."""

BEGINNING_BYTES = 4096
"""Of a large frame, what is read for its row."""

WARM_LEVELS, WARM_ITEMS = 4, 40
"""Levels of the value, and items of each, that are decoded in advance: about what a view of it opens with."""


class LargeFrame(NamedTuple):
    """A large frame, as it is needed to be shown."""

    number: int
    raw: bytes
    message: Message
    value: MaybeJson
    """Of the message, its first levels decoded; absent if it is not JSON."""


def is_large(transcript: Transcript, number: int) -> bool:
    """Whether a frame is so large that the loop must not decode it."""
    return transcript.columns.size[number - 1] >= LARGE_BYTES


def is_far(transcript: Transcript, number: int) -> bool:
    """Whether a large frame is not in memory either, so that the loop must not read it."""
    return is_large(transcript, number) and not transcript.contents.is_at_hand(number)


async def read_large(transcript: Transcript, number: int) -> LargeFrame:
    """Read a frame in a thread, and keep it at hand.

    Raises:
        StorageError: it cannot be read back.
    """
    if transcript.contents.is_at_hand(number):
        raw = transcript.raw(number)
    else:
        raw = await asyncio.to_thread(transcript.contents.raw_aside, number)
    channel = CHANNELS[transcript.columns.channel[number - 1]]
    frame = await asyncio.to_thread(
        _decode, number, channel, raw, flaw_of(transcript.columns, number)
    )
    transcript.contents.hold(number, raw, frame.message)
    return frame


def _decode(number: int, channel: Channel, raw: bytes, flaw: FrameDefect) -> LargeFrame:
    message = decode_frame(channel, raw, flaw)
    try:
        value: MaybeJson = lazy_json.read(message.raw)
    except JsonSyntaxError:
        value = ABSENT
    else:
        _warm(value, WARM_LEVELS)
    return LargeFrame(number, raw, message, value)


def _warm(value: Json, levels: int) -> None:
    if not levels:
        return
    if isinstance(value, LazyObject):
        for name in islice(value, WARM_ITEMS):
            _warm(value[name], levels - 1)
    elif isinstance(value, LazyArray):
        for at in range(min(len(value), WARM_ITEMS)):
            _warm(value[at], levels - 1)
