"""What the columns of the traffic show of one frame: texts, tones, and exact values for tooltips. Nothing is said by color alone."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.errors import StorageError
from inspector.rules import rule_label
from inspector.transcript.exchange import STATUSES, Status
from inspector.transcript.index import DIRECTIONS, KINDS, FrameFlags
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Absent, MessageKind
from ui.models.traffic_summary import about
from ui.widgets.labels import unquoted
from ui.widgets.units import (
    clock_exact,
    clock_time,
    duration,
    duration_exact,
)

if TYPE_CHECKING:
    from inspector.finding import Finding
    from inspector.transcript.transcript import Transcript
    from inspector.wire.message import MaybeJson

NAME_LIMIT = 120
"""Characters of a method or an id."""


PROBE_WORD = "probe"
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
    Status.NONE: "text",
    Status.PENDING: "pending",
    Status.OPEN: "ok",
    Status.OK: "ok",
    Status.ERROR: "error",
    Status.TOOL_ERROR: "error",
    Status.CANCELLED: "warning",
    Status.TIMED_OUT: "warning",
    Status.NO_RESPONSE: "warning",
    Status.INPUT_REQUIRED: "pending",
    Status.INVALID_RESULT: "error",
}
_MUTED_KINDS = {
    MessageKind.STDERR,
    MessageKind.NOTE,
    MessageKind.BLANK_LINE,
    MessageKind.HTTP,
    MessageKind.SSE_OTHER,
}
UNREADABLE = {MessageKind.MALFORMED: "(not a message)", MessageKind.BATCH: "(batch)"}
_GOING_ON = {Status.PENDING, Status.OPEN, Status.INPUT_REQUIRED}
_UNFINISHED = {*_GOING_ON, Status.CANCELLED, Status.TIMED_OUT, Status.NO_RESPONSE}


class FrameRow:
    """Frame `number` below frame `above` (0 for none), with what several columns show."""

    def __init__(
        self, transcript: Transcript, number: int, above: int, time_format: TimeFormat
    ) -> None:
        """Read the frame from `transcript`."""
        columns, at = transcript.columns, number - 1
        self.transcript, self.number, self.above = transcript, number, above
        self.time_format = time_format
        self.direction, self.kind = DIRECTIONS[columns.direction[at]], KINDS[columns.kind[at]]
        self.method = columns.methods.texts[columns.method[at]]
        self.summary, self.id = _look_into(transcript, number, self.method)
        flags = columns.flags[at]
        self.is_probe = bool(flags & FrameFlags.PROBE)
        self.problem = (
            "error" if flags & FrameFlags.ERROR else "warning" if flags & FrameFlags.PROBLEM else ""
        )
        """The tone of the gravest finding; empty for none."""
        self.status, self.status_tone = (
            (PROBE_WORD, "muted") if self.is_probe else _status(transcript, number, self.kind)
        )
        is_error, is_muted = self.kind is MessageKind.ERROR, self.kind in _MUTED_KINDS
        self.tone = "muted" if is_muted else "text"
        """Of most cells."""
        self.direction_tone = "muted" if is_muted else _DIRECTION_TONES[self.direction]
        self.kind_tone = "error" if is_error else self.problem or self.direction_tone
        is_invalid = is_error or self.kind is MessageKind.MALFORMED
        self.summary_tone = "error" if is_invalid else self.tone


def time_text(row: FrameRow) -> str:
    """Return the time of day, or the seconds since the first frame."""
    columns, at = row.transcript.columns, row.number - 1
    if row.time_format is TimeFormat.RELATIVE:
        return f"{columns.monotonic_s[at] - columns.monotonic_s[0]:.3f} s"
    return clock_time(columns.wall_s[at])


def delta_text(row: FrameRow) -> str:
    """Return the time since the row above; empty for the first row."""
    times = row.transcript.columns.monotonic_s
    return f"+{duration(times[row.number - 1] - times[row.above - 1])}" if row.above else ""


def kind_text(row: FrameRow) -> str:
    """Return the kind of the frame, with a mark for a problem."""
    return f"! {row.kind.name.lower()}" if row.problem else row.kind.name.lower()


def background_of(kind: MessageKind, *, problem: str) -> str:
    """Return the name of the color behind a row; empty for the usual one."""
    if kind is MessageKind.MALFORMED or problem == "error":
        return "error_ground"
    return "warning_ground" if problem or kind is MessageKind.ERROR else ""


def _look_into(transcript: Transcript, number: int, method: str) -> tuple[str, str]:
    """What the frame is about, and its id."""
    try:
        message = transcript.message(number)
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
        return status.value, _STATUS_TONES[status]
    if kind not in {MessageKind.RESPONSE, MessageKind.ERROR}:
        return "", "text"
    mark = transcript.columns.flags[number - 1]
    for flag, text in _UNMATCHED_RESPONSES:
        if mark & flag:
            return text, "warning"
    owner = transcript.columns.request[number - 1]
    status = transcript.status(owner) if owner else Status.NONE
    return status.value, _STATUS_TONES[status]


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
    since = duration_exact(columns.monotonic_s[at] - columns.monotonic_s[0])
    return f"{clock_exact(columns.wall_s[at])}\n{since} after the first frame"


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
        return transcript.raw(number)[:TIP_BYTES].decode(errors="backslashreplace")
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
