"""One event stream: what was read of it so far, and when to ask for more. It may go on over several HTTP responses.

Source: WHATWG HTML, "Server-sent events"; basic/transports, "Resumability and Redelivery": an id belongs to one stream, and what follows
it is asked for with `Last-Event-ID`. C-HTTP-12: the delay that the server sets is kept to the
millisecond, down to `MIN_DELAY_SECONDS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import Hint, HttpStatus
from inspector.transport.http.answer import STREAM_TYPE
from inspector.transport.http.event_blocks import read_blocks
from inspector.wire.frame import Channel, Flaw
from inspector.wire.sse import SseEvent, field_names, read_block

if TYPE_CHECKING:
    from inspector.transport.base import Sink
    from inspector.transport.http.answer import HttpResponse
    from inspector.wire.lines import Line

INITIAL_DELAY_SECONDS = 1.0
"""Before the first new try when the server sets no delay; doubled each time."""

MAX_DELAY_SECONDS = 30.0
"""No delay of ours is longer."""

MIN_DELAY_SECONDS = 0.1
"""No delay is shorter, whatever the server sets: it would be asked without a pause. What sets one is told as a finding (L-HTTP-16)."""

MAX_EVENT_IDS = 10_000
"""Event ids that are remembered, to know those again that come twice."""

MAX_EVENT_ID_CHARS = 1 << 20
"""Characters of all of them."""

_SETTING = {b"id", b"retry"}
"""Fields that set something for the stream."""

_NO_FIELD = (b"{", b"[", b"<")
"""How JSON and pages begin, and no line of a stream that means anything."""


class ResumableEventStream:
    """How far one stream was read."""

    def __init__(self, sink: Sink, *, is_of_post: bool = False) -> None:
        """Nothing was read yet; `sink` is told of what is.

        The response to a POST cannot begin with the event `endpoint`: that is the stream of HTTP+SSE (C-VER-14).
        """
        self._is_of_post = is_of_post
        self.last_event_id = ""
        """The id of the last event; empty while there was none."""
        self.unexpected_body: bytes | None = None
        """What it began with, where that can be no event: a body that only says it is a stream; none before it began."""
        self.unterminated: bytes | None = None
        """What looks like an event at the end of the latest response, and lacks the blank line that ends one."""
        self.unterminated_frame = 0
        """The frame that holds it."""
        self._sink = sink
        self._retry_ms: int | None = None
        self._backoff = INITIAL_DELAY_SECONDS
        self._failed = False
        self._ids: dict[str, int] = {}
        """Ids of events, the latest last, each with the response in which it came first."""
        self._ids_size = 0
        self._response = 0
        self._told_of_ids = False

    @property
    def has_server_delay(self) -> bool:
        """Whether the server set the delay."""
        return self._retry_ms is not None

    def delay_seconds(self) -> float:
        """How long to wait before asking for more; call it once each time."""
        asked = None if self._retry_ms is None else max(self._retry_ms / 1000, MIN_DELAY_SECONDS)
        if asked is not None and not self._failed:
            return asked
        delay, self._backoff = self._backoff, min(2 * self._backoff, MAX_DELAY_SECONDS)
        self._failed = False
        return max(delay, asked or 0)

    def record_failure(self) -> None:
        """Note that asking for more led to nothing: the next delay is ours, and longer than the last."""
        self._failed = True

    async def read(self, answer: HttpResponse) -> None:
        """Read one response to its end.

        Raises:
            TransportError: it was cut off.
            HttpStatus: it is a stream of HTTP+SSE.
        """
        self._response += 1
        self.unterminated, self.unterminated_frame = None, 0
        await read_blocks(answer, self._sink, lambda blocks: self._take(blocks, answer.frame))

    def _take(self, blocks: list[Line], stream: int) -> None:
        fresh: list[Line] = []
        if self.unexpected_body is None and blocks:
            self.unexpected_body = blocks[0].raw if blocks[0].raw.lstrip()[:1] in _NO_FIELD else b""
            if self._is_of_post and read_block(blocks[0].raw).event == "endpoint":
                self._deliver(blocks, stream)
                raise _older_stream()
        for block in blocks:
            self._backoff = INITIAL_DELAY_SECONDS
            sets = not block.flaw & Flaw.UNTERMINATED and _SETTING & field_names(block.raw)
            if sets and self._is_repeated(read_block(block.raw)):
                self._deliver(fresh, stream)
                fresh = []
                self._sink.received(Channel.HTTP, [block], stream)
                self._sink.on_event("repeated", f"event {self.last_event_id} came before; not read again")
            else:
                fresh.append(block)
        self._deliver(fresh, stream)

    def _deliver(self, blocks: list[Line], stream: int) -> None:
        if not blocks:
            return
        frame = self._sink.received(Channel.SSE, blocks, stream)
        last = blocks[-1]
        if last.flaw & Flaw.UNTERMINATED and b"data" in field_names(last.raw):
            self.unterminated, self.unterminated_frame = last.raw, frame

    def _is_repeated(self, event: SseEvent) -> bool:
        """Keep what the event sets, and tell whether an earlier response of the stream had it."""
        if event.retry_ms is not None:
            self._retry_ms = event.retry_ms
        if event.id is None:
            return False
        self.last_event_id = event.id
        first = self._ids.get(event.id, self._response)
        self._remember(event.id, first)
        return event.has_data and first < self._response

    def _remember(self, id_: str, response: int) -> None:
        """Keep an id with the response in which it came first, and let the oldest go."""
        if id_ not in self._ids:
            self._ids_size += len(id_)
        self._ids[id_] = response
        while len(self._ids) > MAX_EVENT_IDS or self._ids_size > MAX_EVENT_ID_CHARS:
            oldest = next(iter(self._ids))
            del self._ids[oldest]
            self._ids_size -= len(oldest)
            if not self._told_of_ids:
                self._told_of_ids = True
                words = f"the latest {MAX_EVENT_IDS:,} event ids of the stream are remembered: an older event that comes again is taken for a new one"
                self._sink.on_event("ids-forgotten", words)


def _older_stream() -> HttpStatus:
    return HttpStatus(
        "HTTP 200; the response is the event stream of HTTP+SSE: it begins with the event `endpoint`",
        status=200,
        remedy=Hint("Select the transport HTTP+SSE for this server.", cli="Pass --transport sse."),
        media_type=STREAM_TYPE,
    )
