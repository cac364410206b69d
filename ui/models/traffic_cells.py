"""The texts of one row of the traffic. Made on demand from the transcript; says nothing in colour alone."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from inspector.errors import StorageError
from inspector.rules import rule_label
from inspector.transcript.exchange import STATUSES, Status
from inspector.transcript.index import DIRECTIONS, KINDS, FrameFlags
from inspector.visible_text import one_line
from inspector.wire import json_codec
from inspector.wire.frame import Channel, Direction
from inspector.wire.message import Absent, MessageKind
from ui.models.traffic_columns import Column
from ui.models.traffic_summary import about
from ui.widgets.labels import unquoted
from ui.widgets.units import (
    clock_exact,
    clock_time,
    duration,
    duration_exact,
    size,
    size_exact,
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


class Cells(NamedTuple):
    """One row, as shown."""

    texts: tuple[str, ...]
    """By column."""
    tones: tuple[str, ...]
    """Names of colours, by column."""
    ground: str
    """Name of the colour behind the row; empty for the usual one."""
    unsettled: tuple[int, int, int] | None
    """Of a request that may still change, or its response: the request's frame, and its status and answer when this was made."""


DIRECTION_SIGNS = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.NOTE: "·"}
"""Directions as the table shows them."""
_DIRECTION_TONES = {Direction.SENT: "sent", Direction.RECEIVED: "received", Direction.NOTE: "muted"}
DIRECTION_WORDS = {
    Direction.SENT: "sent",
    Direction.RECEIVED: "received",
    Direction.NOTE: "remark",
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
_QUIET_KINDS = {
    MessageKind.STDERR,
    MessageKind.NOTE,
    MessageKind.BLANK_LINE,
    MessageKind.HTTP,
    MessageKind.SSE_OTHER,
}
_UNREADABLE = {MessageKind.MALFORMED: "(not a message)", MessageKind.BATCH: "(batch)"}
_GOING_ON = {Status.PENDING, Status.OPEN, Status.INPUT_REQUIRED}
_UNFINISHED = {*_GOING_ON, Status.CANCELLED, Status.TIMED_OUT, Status.NO_RESPONSE}


def make_cells(transcript: Transcript, number: int, above: int, time_format: TimeFormat) -> Cells:
    """The row of frame `number` that stands under frame `above` (0 for none)."""
    columns = transcript.columns
    at = number - 1
    direction, kind = DIRECTIONS[columns.direction[at]], KINDS[columns.kind[at]]
    method = columns.methods.texts[columns.method[at]]
    text, id_ = _look_into(transcript, number, method)
    mark = columns.flags[at]
    is_probe = bool(mark & FrameFlags.PROBE)
    status, status_tone = (PROBE_WORD, "muted") if is_probe else _status(transcript, number, kind)
    problem = "error" if mark & FrameFlags.ERROR else "warning" if mark & FrameFlags.PROBLEM else ""
    texts = (
        str(number),
        _time(transcript, at, time_format),
        f"+{duration(columns.monotonic_s[at] - columns.monotonic_s[above - 1])}" if above else "",
        DIRECTION_SIGNS[direction],
        f"! {kind.name.lower()}" if problem else kind.name.lower(),
        one_line(method, NAME_LIMIT) or _UNREADABLE.get(kind, ""),
        id_,
        status,
        took(transcript, number, kind),
        size(columns.size[at]),
        auth_text(transcript, number),
        text,
    )
    tones = _tones(kind, direction, status_tone, problem=problem, is_probe=is_probe)
    ground = "" if is_probe else _ground(kind, problem=problem)
    return Cells(texts, tones, ground, _unsettled(transcript, number, kind))


def _tones(
    kind: MessageKind, direction: Direction, status: str, *, problem: str, is_probe: bool
) -> tuple[str, ...]:
    """Return the tone of each cell; `problem` is the tone of the gravest finding, empty for none."""
    if is_probe:
        return ("muted",) * len(Column)
    quiet = kind in _QUIET_KINDS
    plain = "muted" if quiet else "text"
    kinds = (
        "error"
        if kind is MessageKind.ERROR
        else problem or (plain if quiet else _DIRECTION_TONES[direction])
    )
    said = "error" if kind in {MessageKind.ERROR, MessageKind.MALFORMED} else plain
    way = "muted" if quiet else _DIRECTION_TONES[direction]
    return (
        "muted",
        "muted",
        "muted",
        way,
        kinds,
        plain,
        plain,
        status,
        plain,
        "muted",
        plain,
        said,
    )


def _ground(kind: MessageKind, *, problem: str) -> str:
    if kind is MessageKind.MALFORMED or problem == "error":
        return "error_ground"
    return "warning_ground" if problem or kind is MessageKind.ERROR else ""


def _time(transcript: Transcript, at: int, time_format: TimeFormat) -> str:
    if time_format is TimeFormat.RELATIVE:
        return f"{transcript.columns.monotonic_s[at] - transcript.columns.monotonic_s[0]:.3f} s"
    return clock_time(transcript.columns.wall_s[at])


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
    """An id as JSON, so that `7` and `"7"` differ; nothing where there is none."""
    return "" if isinstance(id_, Absent) else one_line(json_codec.write(id_), NAME_LIMIT)


def _status(transcript: Transcript, number: int, kind: MessageKind) -> tuple[str, str]:
    if kind is MessageKind.REQUEST:
        status = transcript.status(number)
        return status.value, _STATUS_TONES[status]
    if kind not in {MessageKind.RESPONSE, MessageKind.ERROR}:
        return "", "text"
    mark = transcript.columns.flags[number - 1]
    for flag, text in _ODD_RESPONSES:
        if mark & flag:
            return text, "warning"
    owner = transcript.columns.request[number - 1]
    status = transcript.status(owner) if owner else Status.NONE
    return status.value, _STATUS_TONES[status]


_ODD_RESPONSES = (
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


def _unsettled(
    transcript: Transcript, number: int, kind: MessageKind
) -> tuple[int, int, int] | None:
    columns = transcript.columns
    if kind in {MessageKind.RESPONSE, MessageKind.ERROR}:
        number = columns.request[number - 1]
    elif kind is not MessageKind.REQUEST:
        return None
    return _standing(transcript, number) if number else None


def _standing(transcript: Transcript, number: int) -> tuple[int, int, int] | None:
    """How a request stands that is not over, or could still be answered."""
    columns = transcript.columns
    status, answer = columns.status[number - 1], columns.response[number - 1]
    if STATUSES[status] not in _UNFINISHED or (answer and STATUSES[status] not in _GOING_ON):
        return None
    return number, status, answer


# --- tool tips --------------------------------------------------------------------------------------


def explain(transcript: Transcript, number: int, column: Column) -> str:
    """The exact value behind a cell; empty where the cell says it all."""
    columns, at = transcript.columns, number - 1
    if column is Column.TIME:
        since = duration_exact(columns.monotonic_s[at] - columns.monotonic_s[0])
        return f"{clock_exact(columns.wall_s[at])}\n{since} after the first frame"
    if column is Column.SIZE:
        return size_exact(columns.size[at])
    if column is Column.TOOK:
        return _took_exactly(transcript, number)
    if column is Column.METHOD:
        return columns.methods.texts[columns.method[at]]
    if column is Column.DIRECTION:
        return _way(Direction(columns.direction[at]), Channel(columns.channel[at]))
    if column in {Column.KIND, Column.STATUS}:
        return "\n".join(
            (*_probe_lines(transcript, number), *map(finding_line, transcript.findings(number)))
        )
    if column is Column.SUMMARY:
        return _beginning(transcript, number)
    return ""


def _took_exactly(transcript: Transcript, number: int) -> str:
    seconds = transcript.took_seconds(number)
    if seconds is None:
        return ""
    exact, lag = duration_exact(seconds), transcript.columns.send_delay_s[number - 1]
    text = exact if transcript.columns.response[number - 1] else f"{exact}, no response"
    waited = f"\nQueued for {duration_exact(lag)} before" if lag else ""
    return f"{text}{waited}"


def _beginning(transcript: Transcript, number: int) -> str:
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


def _way(direction: Direction, channel: Channel) -> str:
    if direction is Direction.NOTE:
        return "Spyglass note; not sent or received"
    return f"{DIRECTION_WORDS[direction]} on {channel.name.lower()}"
