"""The track of HTTP exchanges."""

from __future__ import annotations

from itertools import compress
from math import inf
from typing import TYPE_CHECKING

from inspector.transcript.spans.track import HTTP, SpanTone
from inspector.wire.frame import HTTP_CHANNELS, Channel, Direction
from inspector.wire.message import MessageKind

if TYPE_CHECKING:
    from inspector.transcript.spans.track import Chunk
    from inspector.transcript.spans.transcript_spans import TranscriptSpans


class HttpTrack:
    """Fills the track."""

    def __init__(self, spans: TranscriptSpans) -> None:
        self._spans = spans
        self._streams: set[int] = set()
        """Those without a message of their own that have events: they stay open."""

    def take(self, chunk: Chunk) -> None:
        """Add the exchanges that begin in `chunk`, and let others last until their latest event in it."""
        columns = self._spans.transcript.columns
        first, last = chunk.numbers.start - 1, chunk.numbers.stop - 1
        channels = columns.channel[first:last].tobytes()
        marks = channels.translate(HTTP)
        if 1 not in marks:
            return
        openers: list[int] = []
        latest: dict[int, float] = {}
        streams, directions = columns.stream, columns.direction
        for number in compress(chunk.numbers, marks):
            stream = streams[number - 1]
            if not stream:
                if directions[number - 1] == Direction.SENT:
                    openers.append(number)
            elif directions[number - 1] == Direction.RECEIVED:
                latest[stream] = chunk.time(number)
                if channels[number - 1 - first] == Channel.SSE:
                    self._note_stream(stream)
        track = self._spans.http
        ends = [self._end_of(number, latest.get(number, inf)) for number in openers]
        times = [chunk.time(number) for number in openers]
        track.add_spans(openers, times, ends, bytes(len(openers)))
        for opener, at_s in latest.items():
            at = track.position_of(opener)
            if at >= 0:
                track.finish(at, self._end_of(opener, at_s), SpanTone.NORMAL)

    def finish(self, request: int) -> None:
        """Let the exchange of a request end that has ended."""
        track = self._spans.http
        at = track.position_of(request)
        if at >= 0 and track.end(at) == inf:
            track.finish(at, self._spans.end_of(request), SpanTone.NORMAL)

    def _note_stream(self, opener: int) -> None:
        channel = self._spans.transcript.columns.channel
        if opener <= len(channel) and channel[opener - 1] in HTTP_CHANNELS:
            self._streams.add(opener)

    def _end_of(self, opener: int, latest_s: float) -> float:
        """When an exchange ended whose latest event was then: not before its request, and a stream of events only with the connection."""
        columns = self._spans.transcript.columns
        if columns.kind[opener - 1] == MessageKind.REQUEST:
            end_s = self._spans.end_of(opener)
            return inf if end_s == inf else max(end_s, latest_s) if latest_s < inf else end_s
        return inf if opener in self._streams and self._spans.transcript.live else latest_s
