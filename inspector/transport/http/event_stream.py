"""One event stream, which may continue over several HTTP responses: what was read so far, and when to request the rest.

Source: WHATWG HTML, "Server-sent events"; basic/transports, "Resumability and Redelivery": an id belongs to one stream, and what follows
it is requested with `Last-Event-ID`. C-HTTP-12: the delay that the server sets is kept to the millisecond, down to `MIN_DELAY_SECONDS`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.background_tasks import TimeSlices
from inspector.errors import Hint, HttpStatus
from inspector.transport.http.response import STREAM_TYPE
from inspector.transport.large_messages import decode_aside, decode_at_once
from inspector.wire.frame import Channel, FrameDefect
from inspector.wire.line_splitter import EXCERPT_BYTES
from inspector.wire.sse import (
    BlockSplitter,
    SseEvent,
    has_data_line,
    is_empty,
    may_set,
    read_block,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from inspector.transport.base import Sink
    from inspector.transport.http.response import HttpResponse
    from inspector.wire.line_splitter import RawChunk

INITIAL_DELAY_SECONDS = 1.0
"""Before the first retry when the server sets no delay; doubled for each retry."""

MAX_DELAY_SECONDS = 30.0
"""Upper limit of the doubled delays."""

MIN_DELAY_SECONDS = 0.1
"""Lower limit of what the server sets: 0 would mean requests without a pause. A check reports such a server."""

MAX_EVENT_IDS = 10_000
"""Event ids that are remembered to recognize events that are sent again."""

MAX_EVENT_ID_CHARS = 1 << 20
"""Characters of all of them together."""

MAX_BLOCKS = 64
"""Blocks that are processed together."""

MAX_BYTES = 1 << 15
"""Bytes of them, unless one is larger: each of their lines costs time."""

_NO_FIELD = (b"{", b"[", b"<")
"""How JSON and HTML start, and no line of an event stream that has a meaning."""


class ResumableEventStream:
    """Reads one stream over one or more HTTP responses."""

    def __init__(self, sink: Sink, *, is_of_post: bool = False) -> None:
        """Give what is read to `sink`.

        The response to a POST must not start with the event `endpoint`: that is the stream of HTTP+SSE (C-VER-14).
        """
        self._is_of_post = is_of_post
        self.last_event_id = ""
        """Empty before an event with an id was received, and after one that resets it."""
        self.unexpected_body: bytes | None = None
        """First bytes of a `text/event-stream` body that cannot be an SSE event (JSON, HTML); None until data arrives."""
        self.unterminated: bytes | None = None
        """What looks like an event at the end of the latest response and lacks the blank line that ends one."""
        self.unterminated_frame = 0
        self._sink = sink
        self._retry_ms: int | None = None
        self._backoff = INITIAL_DELAY_SECONDS
        self._has_failed = False
        self._ids: dict[str, int] = {}
        """Event id → number of the response in which it was first received; the latest id last."""
        self._ids_chars = 0
        self._response = 0
        self._has_noted_ids = False

    @property
    def has_server_delay(self) -> bool:
        """True when the server set the delay."""
        return self._retry_ms is not None

    def delay_seconds(self) -> float:
        """Return how long to wait before the next request, and double the following delay; call it once for each."""
        requested = (
            None if self._retry_ms is None else max(self._retry_ms / 1000, MIN_DELAY_SECONDS)
        )
        if requested is not None and not self._has_failed:
            return requested
        delay, self._backoff = self._backoff, min(2 * self._backoff, MAX_DELAY_SECONDS)
        self._has_failed = False
        return max(delay, requested or 0)

    def record_failure(self) -> None:
        """Make the next delay longer than the last: the request had no result."""
        self._has_failed = True

    async def read(self, response: HttpResponse) -> None:
        """Read one response to its end.

        Raises:
            TransportError: it was cut off.
            HttpStatus: it is a stream of HTTP+SSE.
        """
        self._response += 1
        self.unterminated, self.unterminated_frame = None, 0
        await read_blocks(
            response, self._sink, lambda blocks: self._process(blocks, response.frame)
        )

    def _process(self, blocks: list[RawChunk], stream: int) -> None:
        new: list[RawChunk] = []
        if self.unexpected_body is None and self._is_legacy(blocks):
            self._deliver(blocks, stream)
            raise _legacy_stream()
        for block in blocks:
            self._backoff = INITIAL_DELAY_SECONDS
            sets = not block.flaw & FrameDefect.UNTERMINATED and may_set(block.raw)
            if sets and self._is_repeated(read_block(block.raw)):
                self._deliver(new, stream)
                new = []
                self._sink.received(Channel.HTTP, [block], stream)
                text = f"event {self.last_event_id} already received; ignored"
                self._sink.on_event("repeated", text)
            else:
                new.append(block)
        self._deliver(new, stream)

    def _is_legacy(self, blocks: list[RawChunk]) -> bool:
        """Look at the first block that has a line; return whether it opens a stream of HTTP+SSE where there must be none."""
        first = next((each for each in blocks if not is_empty(each.raw)), None)
        if first is None:
            return False
        begins = first.raw[:EXCERPT_BYTES].lstrip()[:1]
        self.unexpected_body = first.raw if begins in _NO_FIELD else b""
        return self._is_of_post and _is_endpoint(first)

    def _deliver(self, blocks: list[RawChunk], stream: int) -> None:
        if not blocks:
            return
        frame = self._sink.received(Channel.SSE, blocks, stream)
        last = blocks[-1]
        if last.flaw & FrameDefect.UNTERMINATED and has_data_line(last.raw):
            self.unterminated, self.unterminated_frame = last.raw, frame

    def _is_repeated(self, event: SseEvent) -> bool:
        """Keep what the event sets, and return whether an earlier response of the stream had it."""
        if event.retry_ms is not None:
            self._retry_ms = event.retry_ms
        if event.id is None:
            return False
        self.last_event_id = event.id
        if not event.id:
            return False
        response = self._ids.get(event.id, self._response)
        self._remember(event.id, response)
        return event.has_data and response < self._response

    def _remember(self, id_: str, response: int) -> None:
        """Keep an id, and drop the oldest ones beyond the limits."""
        if id_ not in self._ids:
            self._ids_chars += len(id_)
        self._ids[id_] = response
        while len(self._ids) > MAX_EVENT_IDS or self._ids_chars > MAX_EVENT_ID_CHARS:
            oldest = next(iter(self._ids))
            del self._ids[oldest]
            self._ids_chars -= len(oldest)
            if not self._has_noted_ids:
                self._has_noted_ids = True
                text = f"only the latest {MAX_EVENT_IDS:,} event ids are kept: an older event that is sent again is treated as new"
                self._sink.on_event("ids-forgotten", text)


def _is_endpoint(block: RawChunk) -> bool:
    """Whether it is the event that opens a stream of HTTP+SSE. A block that was not ended is no event."""
    return not block.flaw & FrameDefect.UNTERMINATED and read_block(block.raw).event == "endpoint"


async def read_blocks(
    response: HttpResponse, sink: Sink, process: Callable[[list[RawChunk]], None]
) -> None:
    """Give the blocks of `response` to `process`, in order and a few at a time, until it ends; pauses while `sink` is congested.

    A small chunk may hold, or decompress to, a great many blocks. The last one may be unterminated. When reading is cancelled, data that
    was received and not processed is recorded as one frame, which is no event.

    Raises:
        TransportError: the response was cut off.
    """
    splitter = BlockSplitter()
    slices = TimeSlices()
    is_between = True
    try:
        async for chunk in response.chunks:
            found = splitter.feed(chunk)
            is_between = False
            while blocks := _next_blocks(found):
                response.unfinished(0)
                *others, last = blocks
                if (whole := decode_at_once(last, Channel.SSE)) is None:
                    process(others)
                    others, whole = [], await _decoded(last, sink, response.frame)
                process([*others, whole])
                await slices.checkpoint()
                await sink.ready()
            is_between = True
            response.unfinished(splitter.held, splitter.head, splitter.tail)
    finally:
        response.unfinished(0)
        rest = splitter.finish()
        if rest and is_between:
            process(rest)
        elif rest:
            sink.received(Channel.HTTP, rest, response.frame)


async def _decoded(block: RawChunk, sink: Sink, stream: int) -> RawChunk:
    """Return a large block with its message; record it without one when that is cancelled."""
    try:
        return await decode_aside(block, Channel.SSE, sink)
    except asyncio.CancelledError:
        sink.received(Channel.HTTP, [block], stream)
        raise


def _next_blocks(found: Iterator[RawChunk]) -> list[RawChunk]:
    """Return the next blocks, within the limits."""
    blocks: list[RawChunk] = []
    size = 0
    for block in found:
        blocks.append(block)
        size += len(block.raw)
        if len(blocks) >= MAX_BLOCKS or size >= MAX_BYTES:
            break
    return blocks


def _legacy_stream() -> HttpStatus:
    return HttpStatus(
        "HTTP 200; the response is the event stream of HTTP+SSE: it starts with the event `endpoint`",
        status=200,
        hint=Hint("Select the transport HTTP+SSE for this server.", cli="Pass --transport sse."),
        media_type=STREAM_TYPE,
    )
