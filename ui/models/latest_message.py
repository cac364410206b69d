"""The latest message of the traffic in the parts of one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.transcript.exchange import Status
from inspector.transcript.index import KINDS
from inspector.visible_text import one_line
from inspector.wire.frame import Direction
from inspector.wire.message import MessageKind
from ui.models.traffic_cells import DIRECTION_TEXTS, NAME_LIMIT, TimeFormat
from ui.models.traffic_columns import COLUMNS, make_cells
from ui.widgets.units import duration

if TYPE_CHECKING:
    from inspector.clock import Clock
    from inspector.transcript.transcript import Transcript
    from ui.models.timeline import Timeline
    from ui.widgets.row_painter import RowNote

NO_MESSAGES = frozenset(
    {
        MessageKind.STDERR,
        MessageKind.NOTE,
        MessageKind.BLANK_LINE,
        MessageKind.HTTP,
        MessageKind.SSE_OTHER,
    }
)
"""Kinds of frames that are no messages."""
KEEP_ALIVE = "ping"
"""The method of requests that only show that a connection lives."""
MAX_FRAMES = 2000
"""The newest frames that are searched for a message."""
TONES = {"error", "warning", "pending", "person"}
"""Tones that an outcome keeps; others, such as the one of a success, draw no attention."""


class LatestMessage(FrozenStruct, frozen=True):
    """What is shown of one message."""

    number: int
    """Its frame, as the timeline numbers it."""
    time: str
    sign: str
    """The arrow of its direction."""
    sign_tone: str
    kind: str
    method: str
    name: str
    """The tool, prompt or URI that its request names; empty for none."""
    outcome: str
    outcome_tone: str
    note: RowNote | None
    """The problems beside the outcome; None for none."""
    duration: str
    is_pending: bool
    """Whether the duration runs."""
    summary: str
    sentence: str
    """The whole line, for assistive technology."""


def latest_number(timeline: Timeline) -> int:
    """The number of the newest frame of the latest run that is a message and no keep-alive; 0 if the newest frames have no message."""
    transcript = timeline.latest
    if transcript is None:
        return 0
    columns, count = transcript.columns, transcript.count
    for number in range(count, max(count - MAX_FRAMES, 0), -1):
        method = columns.methods.texts[columns.method[number - 1]]
        if KINDS[columns.kind[number - 1]] not in NO_MESSAGES and method != KEEP_ALIVE:
            return timeline.base + number
    return 0


def read_message(timeline: Timeline, number: int, clock: Clock) -> LatestMessage:
    """The parts of frame `number` of `timeline`; `clock` is the one that stamps frames."""
    transcript, local = timeline.locate(number)
    cells = make_cells(transcript, local, 0, TimeFormat.CLOCK)
    texts = {spec.key: text for spec, text in zip(COLUMNS, cells.texts, strict=True)}
    tones = {spec.key: tone for spec, tone in zip(COLUMNS, cells.tones, strict=True)}
    columns, at = transcript.columns, local - 1
    name = one_line(columns.labels.texts[columns.label[at]], NAME_LIMIT)
    request = columns.request[at]
    status = transcript.status(request) if request else Status.NONE
    is_pending = request == local and status is Status.PENDING and transcript.live
    took = _duration(transcript, request, clock, is_pending=is_pending)
    outcome_tone = tones["status"] if tones["status"] in TONES else "muted"
    summary = texts["summary"].removeprefix(name).lstrip() if name else texts["summary"]
    direction = DIRECTION_TEXTS[Direction(columns.direction[at])]
    note = "" if cells.note is None else cells.note.text
    outcome = ", ".join(part for part in (texts["status"], note) if part)
    parts = (f"#{number:,}", direction, texts["kind"], texts["method"], name, outcome, took)
    return LatestMessage(
        number=number,
        time=texts["time"],
        sign=texts["direction"],
        sign_tone=tones["direction"],
        kind=texts["kind"],
        method=texts["method"],
        name=name,
        outcome=texts["status"],
        outcome_tone=outcome_tone,
        note=cells.note,
        duration=took,
        is_pending=is_pending,
        summary=summary,
        sentence=" ".join(part for part in (*parts, summary) if part),
    )


def running_duration(transcript: Transcript, request: int, clock: Clock) -> str:
    """How long a request has been pending."""
    return duration(max(clock.monotonic() - transcript.columns.left_at(request), 0.0))


def _duration(transcript: Transcript, request: int, clock: Clock, *, is_pending: bool) -> str:
    """How long the request that a message belongs to took, or how long it has been pending."""
    if is_pending:
        return running_duration(transcript, request, clock)
    seconds = transcript.took_seconds(request) if request else None
    return "" if seconds is None else duration(seconds)
