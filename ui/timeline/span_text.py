"""What a span is called: in its mark, and in a sentence for the selection and for screen readers."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.transcript.spans.track import Track
from inspector.visible_text import one_line
from inspector.wire.message import MessageKind
from ui.models.latest_message import read_message
from ui.timeline.track_rows import TITLES
from ui.widgets.units import clock_with_millis, duration, plural, running_time

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.transcript.spans.transcript_spans import TranscriptSpans
    from ui.timeline.feed import TimelineFeed
    from ui.timeline.scene import Mark

MAX_CHARACTERS = 120
"""Of a name."""
REQUEST_LINE_BYTES = 200
"""Of an HTTP request that is read for its first line."""
USER_METHODS = frozenset({"sampling/createMessage", "elicitation/create"})
"""Requests of the server that the user answers."""


def frame_of(feed: TimelineFeed, mark: Mark) -> int:
    """Return the frame with which the span of a mark begins, in its own run."""
    run = feed.runs[mark.run]
    if mark.at >= 0:
        return run.tracks[mark.track].numbers[mark.at]
    return run.events[0].number if run.events else 1


def label(feed: TimelineFeed, mark: Mark) -> str:
    """Return what is written into the mark of one span: its name, and how long it took or has been pending."""
    run = feed.runs[mark.run]
    if mark.at < 0:
        started = next((each.text for each in run.events if each.event == "started"), "")
        return _joined(started.removeprefix("started "), feed.timeline.run_label(run.transcript))
    points = run.tracks[mark.track]
    start_s, end_s = points.starts[mark.at], points.end(mark.at)
    took = duration(end_s - start_s) if end_s < inf else running_time(max(feed.now_s - start_s, 0))
    if end_s == inf and (run.is_over or mark.run < len(feed.runs) - 1):
        took = "no response"
    return _joined(_name(run, mark.track, points.numbers[mark.at]), took)


def _joined(*parts: str) -> str:
    return " · ".join(part for part in parts if part)


def _name(run: TranscriptSpans, track: Track, number: int) -> str:
    columns, at = run.transcript.columns, number - 1
    name = one_line(columns.labels.texts[columns.label[at]], MAX_CHARACTERS)
    if track is Track.TASKS:
        return f"task {name}".rstrip()
    if track is Track.HTTP and columns.kind[at] == MessageKind.HTTP:
        return _request_line(run, number)
    method = one_line(columns.methods.texts[columns.method[at]], MAX_CHARACTERS)
    return f"{method} {name}".rstrip()


def _request_line(run: TranscriptSpans, number: int) -> str:
    """Return method and path of an HTTP request, from the first line of its header block."""
    try:
        raw = run.transcript.raw(number)[:REQUEST_LINE_BYTES]
    except StorageError:
        return ""
    line = raw.split(b"\r\n", 1)[0].decode("utf-8", "replace").rpartition(" HTTP/")[0]
    return one_line(line.partition("?")[0], MAX_CHARACTERS)


def sentence(feed: TimelineFeed, mark: Mark, clock: Clock) -> str:
    """Return all about a mark in one line."""
    run = feed.runs[mark.run]
    if mark.size > 1:
        first_s = run.tracks[mark.track].starts[mark.at]
        return f"{TITLES[mark.track]}: {plural(mark.size, 'span')} at {clock_with_millis(first_s)}"
    if mark.at < 0:
        return label(feed, mark)
    number = frame_of(feed, mark)
    known = feed.timeline.number_of(run.transcript, number)
    if not known:
        return ""
    try:
        text = read_message(feed.timeline, known, clock).sentence
    except StorageError as error:
        text = error.reason
    return _joined(text, clock_with_millis(run.tracks[mark.track].starts[mark.at]))


def tone_of(feed: TimelineFeed, mark: Mark) -> str:
    """Return the color of a mark whose outcome is not severe."""
    if mark.track is Track.REQUESTS_IN and mark.size == 1:
        columns = feed.runs[mark.run].transcript.columns
        method = columns.methods.texts[columns.method[frame_of(feed, mark) - 1]]
        return "person" if method in USER_METHODS else "received"
    return TONES[mark.track]


TONES = {
    Track.REQUESTS_OUT: "sent",
    Track.REQUESTS_IN: "received",
    Track.NOTIFICATIONS: "received",
    Track.TASKS: "accent",
    Track.HTTP: "muted",
    Track.PROCESS: "muted",
}
"""By track."""
