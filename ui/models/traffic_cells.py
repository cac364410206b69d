"""What the columns of the traffic show of one frame: texts, tones, and exact values for tooltips. Nothing is said by color alone."""

from __future__ import annotations

from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.transcript.exchange import STATUSES, Status
from inspector.transcript.http_exchange import refusal_status
from inspector.transcript.index import DIRECTIONS, KINDS, FrameFlags
from inspector.transcript.large_frames import BEGINNING_BYTES, quick_message
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Absent, MessageKind, read_cut
from ui.models.problem_note import problem_note, problem_tone
from ui.models.traffic_summary import about
from ui.theme.signs import Sign
from ui.widgets.labels import unquoted
from ui.widgets.row_painter import SIGNS
from ui.widgets.units import (
    clock_exact,
    clock_with_millis,
    duration,
    duration_exact,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from inspector.finding import Finding
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import MaybeJson
    from ui.widgets.row_painter import RowNote

NAME_LIMIT = 120
"""Characters of a method or an id."""


PROBE_WORD = "Probe"
"""The status of what Spyglass provoked while it found out how to talk to the server."""

PROBE_TIP = "Spyglass sent this to find out how to talk to the server, or it was received in response. It never counts as a problem."
"""What that means; the outcome of the request is said before it."""


TIP_BYTES = 1500
"""Of the frame, in the tool tip of what it is about."""


class TimeFormat(StrEnum):
    """How the time column counts."""

    CLOCK = "clock"
    """Local time of day."""
    RELATIVE = "relative"
    """Seconds since the first frame."""


DIRECTION_SIGNS = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.NOTE: "·"}
"""Directions as the table shows them."""
_DIRECTION_TONES = {Direction.SENT: "sent", Direction.RECEIVED: "received", Direction.NOTE: "muted"}
DIRECTION_TEXTS = {
    Direction.SENT: "sent",
    Direction.RECEIVED: "received",
    Direction.NOTE: "note",
}
"""Directions for those who do not see the arrow."""
_STATUS_TONES = {
    Status.PENDING: "pending",
    Status.ERROR: "error",
    Status.TOOL_ERROR: "error",
    Status.CANCELLED: "warning",
    Status.TIMED_OUT: "warning",
    Status.NO_RESPONSE: "warning",
    Status.INPUT_REQUIRED: "person",
    Status.INVALID_RESULT: "error",
}
"""Those that stand out; the others are muted."""
_CANCELLED = Status.CANCELLED.value
_NO_RESPONSE = Status.NO_RESPONSE.value
WAITING_FOR_YOU = "Waiting for you"
"""The status of a pending request that the user answers, and of an operation that waits for that."""
_USER_METHODS = {"sampling/createMessage", "elicitation/create"}
"""Requests of a server that the user answers."""
_PROBLEM = "Problem"
"""The status of a frame that has none, but a problem."""
_MUTED_KINDS = {
    MessageKind.STDERR,
    MessageKind.NOTE,
    MessageKind.BLANK_LINE,
    MessageKind.HTTP,
    MessageKind.SSE_OTHER,
}
_INVALID_KINDS = {MessageKind.ERROR, MessageKind.MALFORMED}
UNREADABLE = {MessageKind.MALFORMED: "(not a message)", MessageKind.BATCH: "(batch)"}
_GOING_ON = {Status.PENDING, Status.OPEN, Status.INPUT_REQUIRED}
_UNFINISHED = {*_GOING_ON, Status.CANCELLED, Status.TIMED_OUT, Status.NO_RESPONSE}


class FrameRow:
    """Frame `number` below frame `above` (0 for none), with what several columns show."""

    def __init__(
        self,
        transcript: Transcript,
        number: int,
        above: int,
        time_format: TimeFormat,
        muted: Collection[str] = (),
    ) -> None:
        """Read the frame from `transcript`; problems of the rules in `muted` do not count."""
        columns, at = transcript.columns, number - 1
        self.transcript, self.number, self.above = transcript, number, above
        self.time_format = time_format
        self.direction, self.kind = DIRECTIONS[columns.direction[at]], KINDS[columns.kind[at]]
        self.method = columns.methods.texts[columns.method[at]]
        self.summary, self.id = _look_into(transcript, number, self.method)
        flags = columns.flags[at]
        self.is_probe = bool(flags & FrameFlags.PROBE)
        self.problem = problem_tone(flags)
        """The tone of the gravest finding; empty for none."""
        is_muted = self.kind in _MUTED_KINDS
        self.tone = "muted" if is_muted else "text"
        """Of most cells."""
        self.direction_tone = "muted" if is_muted else _DIRECTION_TONES[self.direction]
        self.note: RowNote | None = None
        """The problems beside a status that says how the request ended."""
        self.refusal = ""
        """The HTTP status of a request that was refused without a message; empty for others."""
        self.marks = marks_of(transcript, number)
        self._set_status(muted)
        self._set_background()

    def _set_status(self, muted: Collection[str]) -> None:
        """Set the status, its tone and its sign. Problems stand beside it, or in its place."""
        text, tone = _status(self.transcript, self.number, self.kind)
        if text == _NO_RESPONSE and self.kind is MessageKind.REQUEST:
            self.refusal = self._read_refusal()
            text = self.refusal or text
        if tone == "pending" and self._is_for_user():
            text, tone = WAITING_FOR_YOU, "person"
        self.duration_tone = tone if tone == "pending" or tone == "person" else self.tone
        if self.is_probe:
            text, tone = PROBE_WORD, "muted"
        elif self.problem and text:
            self.note = problem_note(self.transcript, self.number, muted=muted)
        elif self.problem:
            text, tone = _PROBLEM, self.problem
        self.status, self.status_tone = status_text(text), tone
        self.sign = Sign.CANCELLED if text == _CANCELLED else SIGNS.get(tone, Sign.NONE)

    def _read_refusal(self) -> str:
        try:
            status = refusal_status(self.transcript, self.number)
        except StorageError:  # said where its frames are shown
            return ""
        return f"HTTP {status}" if status else ""

    def _is_for_user(self) -> bool:
        is_request = self.kind is MessageKind.REQUEST and self.direction is Direction.RECEIVED
        return is_request and self.method in _USER_METHODS

    def _set_background(self) -> None:
        """Set the background, which only errors have, and the tone of the summary."""
        is_failure = self.kind in _INVALID_KINDS or (
            self.status_tone == "error"
            and self.kind is MessageKind.RESPONSE
            and self.status in _FAILURES
        )
        self.summary_tone = "error" if is_failure else self.tone
        is_error = (is_failure or self.problem == "error") and not self.is_probe
        self.background = "error_ground" if is_error else ""


@cache
def status_text(status: str) -> str:
    """Return a status as it is displayed, in sentence case; an empty one stays empty."""
    return "OK" if status == Status.OK.value else status[:1].upper() + status[1:]


def status_tone(status: Status) -> str:
    """Return the tone of a status."""
    return _STATUS_TONES.get(status, "muted")


_FAILURES = {status_text(Status.TOOL_ERROR), status_text(Status.INVALID_RESULT)}
"""Statuses of responses that are errors, as displayed."""


class FrameMark(NamedTuple):
    """A sign of a frame, in the column of marks."""

    sign: str
    """Its icon."""
    tone: str
    """The name of its color."""
    text: str
    """What it means."""


def marks_of(transcript: Transcript, number: int) -> tuple[FrameMark, ...]:
    """Return the signs of the annotations of a frame."""
    annotations = transcript.annotations
    if annotations.is_empty:
        return ()
    found: list[FrameMark] = []
    if number in annotations.marks:
        found.append(FrameMark(Sign.MARK, "accent", "marked"))
    if number in annotations.comments:
        found.append(FrameMark(Sign.COMMENT, "muted", "comment"))
    if number == annotations.time_reference:
        found.append(FrameMark(Sign.TIME_REFERENCE, "muted", "time reference"))
    if number in annotations.edited:
        found.append(FrameMark(Sign.EDITED, "muted", "edited"))
    return tuple(found)


def marks_tip(transcript: Transcript, number: int) -> str:
    """Return what the marks of a frame mean, and its comment."""
    comment = transcript.annotations.comments.get(number, "")
    texts = [mark.text for mark in marks_of(transcript, number)]
    return "\n".join(part for part in (", ".join(texts).capitalize(), comment) if part)


def _reference(transcript: Transcript) -> int:
    """Return the position of the frame that relative times count from."""
    number = transcript.annotations.time_reference
    return number - 1 if 0 < number <= transcript.count else 0


def time_text(row: FrameRow) -> str:
    """Return the time of day, or the seconds since the first frame."""
    columns, at = row.transcript.columns, row.number - 1
    if row.time_format is TimeFormat.RELATIVE:
        return f"{columns.monotonic_s[at] - columns.monotonic_s[_reference(row.transcript)]:.3f} s"
    return clock_with_millis(columns.wall_s[at])


def delta_text(row: FrameRow) -> str:
    """Return the time since the row above; empty for the first row."""
    times = row.transcript.columns.monotonic_s
    return f"+{duration(times[row.number - 1] - times[row.above - 1])}" if row.above else ""


def without_prefix(method: str) -> str:
    """Return a method without what is before its slash: all notifications begin alike."""
    _, slash, rest = method.partition("/")
    return f"…/{rest}" if slash and rest else method


def _look_into(transcript: Transcript, number: int, method: str) -> tuple[str, str]:
    """What the frame is about, and its id."""
    try:
        message = quick_message(transcript, number)
        if message is None:
            beginning = transcript.contents.beginning(number, BEGINNING_BYTES)
            return one_line(beginning.decode("utf-8", "replace")), id_text(read_cut(beginning).id)
    except StorageError as error:
        return one_line(f"(cannot be read: {error.reason})"), ""
    return about(message, method), "" if message.kind is MessageKind.MALFORMED else id_text(
        message.id
    )


def id_text(id_: MaybeJson) -> str:
    """An id as JSON, so that `7` and `"7"` differ; empty without an id."""
    return "" if isinstance(id_, Absent) else one_line(json_codec.write(id_), NAME_LIMIT)


def _status(transcript: Transcript, number: int, kind: MessageKind) -> tuple[str, str]:
    if kind is MessageKind.REQUEST:
        status = transcript.status(number)
        if status is Status.PENDING and not transcript.live:
            status = Status.NO_RESPONSE  # no response can come any more
        return status.value, _STATUS_TONES.get(status, "muted")
    if kind not in {MessageKind.RESPONSE, MessageKind.ERROR}:
        return "", "muted"
    mark = transcript.columns.flags[number - 1]
    for flag, text in _UNMATCHED_RESPONSES:
        if mark & flag:
            return text, "warning"
    owner = transcript.columns.request[number - 1]
    status = transcript.status(owner) if owner else Status.NONE
    return status.value, _STATUS_TONES.get(status, "muted")


_UNMATCHED_RESPONSES = (
    (FrameFlags.LATE, "late"),
    (FrameFlags.DUPLICATE, "duplicate"),
    (FrameFlags.UNKNOWN, "unsolicited"),
)
"""Responses that answer nothing that waits."""


def took(transcript: Transcript, number: int, kind: MessageKind) -> str:
    """From request to response, or until it was given up; on the request."""
    seconds = transcript.took_seconds(number) if kind is MessageKind.REQUEST else None
    return "" if seconds is None else duration(seconds)


def auth_text(transcript: Transcript, number: int) -> str:
    """The tokens that the HTTP request of a frame carried, or that it belongs to an authorization; empty for neither."""
    if transcript.columns.channel[number - 1] == Channel.AUTH:
        return "flow"
    return " ".join(transcript.tokens.of(number))


def unsettled(
    transcript: Transcript, number: int, kind: MessageKind
) -> tuple[int, int, int] | None:
    """Return frame, status and response of the request that a row is about, while they may still change."""
    columns = transcript.columns
    if kind in {MessageKind.RESPONSE, MessageKind.ERROR}:
        number = columns.request[number - 1]
    elif kind is not MessageKind.REQUEST:
        return None
    return _unsettled_request(transcript, number) if number else None


def _unsettled_request(transcript: Transcript, number: int) -> tuple[int, int, int] | None:
    """Return frame, status and response of a request that is pending or could still get a response."""
    columns = transcript.columns
    status, answer = columns.status[number - 1], columns.response[number - 1]
    if STATUSES[status] not in _UNFINISHED or (answer and STATUSES[status] not in _GOING_ON):
        return None
    return number, status, answer


def time_tip(transcript: Transcript, number: int) -> str:
    """Return the exact time."""
    columns, at = transcript.columns, number - 1
    reference = _reference(transcript)
    seconds = columns.monotonic_s[at] - columns.monotonic_s[reference]
    order = "after" if seconds >= 0 else "before"
    origin = "the first frame" if not reference else f"frame {reference + 1:,}"
    since = f"{duration_exact(abs(seconds))} {order} {origin}"
    return f"{clock_exact(columns.wall_s[at])}\n{since}"


def findings_tip(transcript: Transcript, number: int) -> str:
    """Return a line for each finding."""
    return "\n".join(
        (*_probe_lines(transcript, number), *map(finding_line, transcript.findings(number)))
    )


def duration_tip(transcript: Transcript, number: int) -> str:
    """Return the exact duration, and how long the request was queued."""
    seconds = transcript.took_seconds(number)
    if seconds is None:
        return ""
    exact, lag = duration_exact(seconds), transcript.columns.send_delay_s[number - 1]
    text = exact if transcript.columns.response[number - 1] else f"{exact}, no response"
    waited = f"\nQueued for {duration_exact(lag)} before" if lag else ""
    return f"{text}{waited}"


def raw_tip(transcript: Transcript, number: int) -> str:
    """Return the first bytes of the frame."""
    try:
        return transcript.contents.beginning(number, TIP_BYTES).decode(errors="backslashreplace")
    except StorageError as error:
        return error.reason


def _probe_lines(transcript: Transcript, number: int) -> list[str]:
    """How the request of a probe ended, and what it is; nothing for other frames."""
    if not transcript.columns.flags[number - 1] & FrameFlags.PROBE:
        return []
    outcome, _ = _status(transcript, number, MessageKind(transcript.columns.kind[number - 1]))
    return [f"outcome: {outcome}", PROBE_TIP] if outcome else [PROBE_TIP]


def finding_line(finding: Finding) -> str:
    """A finding in one line."""
    from inspector.rules import rule_label  # for those who point at one

    return (
        f"{finding.severity.name.lower()}: {unquoted(finding.summary)} ({rule_label(finding.rule)})"
    )


def direction_tip(transcript: Transcript, number: int) -> str:
    """Return the direction and the channel."""
    columns, at = transcript.columns, number - 1
    direction, channel = Direction(columns.direction[at]), Channel(columns.channel[at])
    if direction is Direction.NOTE:
        return "Spyglass note; not sent or received"
    return f"{DIRECTION_TEXTS[direction]} on {channel.name.lower()}"


def method_tip(transcript: Transcript, number: int) -> str:
    """Return the whole method."""
    columns = transcript.columns
    return columns.methods.texts[columns.method[number - 1]]
