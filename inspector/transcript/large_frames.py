"""Frames of many megabytes, read and decoded in a thread: reading one back from the file takes the loop longer than a user bears.

Decoding still holds the interpreter, but one level of the value at a time, and the loop has its turn between them: the thread rests after each.
Without that rest the loop would wait for the next level at each of its callbacks.
"""

from __future__ import annotations

import asyncio
import time
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from inspector.transcript.index import CHANNELS, flaw_of
from inspector.wire import json_codec
from inspector.wire.absent import Absent
from inspector.wire.frame import MESSAGE_CHANNELS, Channel, FrameDefect
from inspector.wire.json_codec import JsonSyntaxError
from inspector.wire.lazy_json import LazyArray, LazyObject
from inspector.wire.message import (
    Message,
    decode_frame,
    is_utf8,
    plain_data,
    read,
    read_plain,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from inspector.transcript.plain_pages import PlainPage
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json
    from inspector.wire.message import MaybeJson

LARGE_BYTES = 2 << 20
"""Size from which a frame is read in a thread, unless it is in memory."""

TOLERANT_BYTES = 1 << 16
"""Size from which a frame is read in a thread if it is JSON only with a tolerance: that takes up to 700 ns a byte."""

BEGINNING_BYTES = 4096
"""Of a large frame, what is read for its row."""

WARM_LEVELS, WARM_ITEMS = 4, 40
"""Levels of the value, and items of each, that are decoded in advance: about what a view of it opens with."""

LONG_SECONDS, REST_SECONDS = 0.005, 0.01
"""A step that holds the interpreter for longer is followed by a rest: time for a turn of the loop."""

T = TypeVar("T")


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


def quick_message(transcript: Transcript, number: int) -> Message | None:
    """Return the message in a frame; None if the loop must not decode it, or not read it.

    Raises:
        StorageError: it cannot be read back.
    """
    columns = transcript.columns
    if columns.size[number - 1] < TOLERANT_BYTES:
        return transcript.message(number)
    if is_far(transcript, number):
        return None
    channel = CHANNELS[columns.channel[number - 1]]
    if channel not in MESSAGE_CHANNELS or flaw_of(columns, number):
        return transcript.message(number)
    if (kept := transcript.kept.find(number, transcript.raw)) is not None:
        return kept
    if (held := transcript.contents.held_message(number)) is not None:
        return held
    raw = transcript.raw(number)
    data = plain_data(raw) if channel is Channel.SSE else raw
    return read_plain(data) or (None if _is_slow(data) else transcript.message(number))


def _is_slow(data: bytes) -> bool:
    """Whether text is read by the slow reader: of plain text, arrays alone are not; what is no JSON at all is found out fast."""
    try:
        return not (json_codec.is_plain(data) and data[:1] == b"[" and is_utf8(data))
    except JsonSyntaxError:
        return False


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


def read_ahead(page: PlainPage) -> None:
    """Read the large messages of a page of a recording. In a thread, for the loop that takes the page."""
    if max(page.sizes) < LARGE_BYTES:
        return
    frames = zip(page.channels, page.sizes, page.raws, strict=True)
    for number, (channel, size, raw) in enumerate(frames, page.first):
        if size >= LARGE_BYTES and channel in MESSAGE_CHANNELS:
            page.messages[number] = _read_message(CHANNELS[channel], raw, FrameDefect.NONE)


def _decode(number: int, channel: Channel, raw: bytes, flaw: FrameDefect) -> LargeFrame:
    message = _read_message(channel, raw, flaw)
    value = _and_rest(lambda: message.lazy_value)
    if not isinstance(value, Absent):
        _warm(value, WARM_LEVELS)
    return LargeFrame(number, raw, message, value)


def _read_message(channel: Channel, raw: bytes, flaw: FrameDefect) -> Message:
    if channel is Channel.SSE:  # as `decode_frame` does, in two steps
        data = _and_rest(lambda: plain_data(raw))
        if data and (data.isascii() or is_utf8(data)):
            return _and_rest(lambda: read(data))
    return _and_rest(lambda: decode_frame(channel, raw, flaw))


def _warm(value: Json, levels: int) -> None:
    if not levels:
        return
    if isinstance(value, LazyObject):
        for name in islice(value, WARM_ITEMS):
            _warm(_and_rest(lambda name=name: value[name]), levels - 1)
    elif isinstance(value, LazyArray):
        for at in range(len(value.unread(0, WARM_ITEMS))):
            _warm(_and_rest(lambda at=at: value[at]), levels - 1)


def _and_rest(step: Callable[[], T]) -> T:
    """Return what a step gives, after a rest if it held the interpreter for long."""
    began = time.perf_counter()
    found = step()
    if time.perf_counter() - began > LONG_SECONDS:
        time.sleep(REST_SECONDS)
    return found
