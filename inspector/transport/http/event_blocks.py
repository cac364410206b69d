"""Reading the blocks of one event stream, a few at a time: a small chunk may hold, or unpack to, a great many of them."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.time_slices import TimeSlices
from inspector.wire.frame import Channel
from inspector.wire.sse import BlockSplitter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.transport.base import Sink
    from inspector.transport.http.answer import HttpResponse
    from inspector.wire.lines import Line

MAX_BLOCKS = 64
"""Blocks that are processed together."""

MAX_BYTES = 1 << 15
"""Bytes of them, unless one is larger: each of their lines costs time."""

BEHIND_SECONDS = 0.005
"""How soon reading is tried again after a pause."""


async def read_blocks(answer: HttpResponse, sink: Sink, process: Callable[[list[Line]], None]) -> None:
    """Give the blocks of `answer` to `process`, in order, until it ends; reading pauses while `sink` is behind.

    The last block may be unterminated. When reading is cancelled, what came and was not processed is recorded as one frame, which is no event.

    Raises:
        TransportError: it was cut off.
    """
    splitter = BlockSplitter()
    slices = TimeSlices()
    is_between = True
    try:
        async for chunk in answer.chunks:
            found = splitter.feed(chunk)
            is_between = False
            while blocks := _some(found):
                answer.unfinished(0)
                process(blocks)
                await slices.checkpoint()
                while sink.is_congested:  # noqa: ASYNC110 - the record tells nobody when it has caught up
                    await asyncio.sleep(BEHIND_SECONDS)
            is_between = True
            answer.unfinished(splitter.held, splitter.head, splitter.tail)
    finally:
        answer.unfinished(0)
        rest = splitter.finish()
        if rest and is_between:
            process(rest)
        elif rest:
            sink.received(Channel.HTTP, rest, answer.frame)


def _some(found: Iterator[Line]) -> list[Line]:
    """The next blocks, within the limits."""
    blocks: list[Line] = []
    size = 0
    for block in found:
        blocks.append(block)
        size += len(block.raw)
        if len(blocks) >= MAX_BLOCKS or size >= MAX_BYTES:
            break
    return blocks
