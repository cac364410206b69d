"""One task as this session knows it, whichever side runs it and whichever design of tasks it belongs to.

What it says of itself is kept as it came, in `view`; what we did about it stands beside that.
"""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.event import Event
from inspector.frozen import FrozenStruct
from inspector.transcript.exchange import response_in
from inspector.wire.lazy_json import LazyObject
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.errors import InspectorError
    from inspector.spec.views.input_required import InputRequest
    from inspector.spec.views.notifications import ProgressView
    from inspector.spec.views.task import TaskView
    from inspector.transcript.transcript import Transcript
    from inspector.wire.json_codec import Json

MAX_UPDATES = 200
"""Changes of one task that are remembered; earlier ones are in the traffic."""

DEFAULT_POLL_SECONDS = 1.0
"""Between two questions how a task is doing, where it does not say."""

MIN_POLL_SECONDS = 0.1
MAX_POLL_SECONDS = 3600.0
"""What is asked for beyond these is not done; the record says what was asked for."""


class TaskUpdate(FrozenStruct, frozen=True):
    """What a task said of itself at one time."""

    wall_s: float
    """When, unix seconds."""
    frame: int
    """The frame that said so; 0 when none is known."""
    status: str
    """Its status, known or not."""
    status_text: str
    """What it said beside that."""


class InputState(StrEnum):
    """The state of one input request of a task. The values are displayed."""

    OPEN = "pending"
    SENT = "sent, not acknowledged yet"
    GIVEN = "acknowledged"
    REFUSED = "rejected"
    """The user declined, or the request is not allowed."""
    FAILED = "delivery failed"
    """The request with the response failed."""
    WITHDRAWN = "withdrawn"


@dataclass(slots=True, eq=False)
class TaskInput:
    """One thing that a task asks for."""

    request: InputRequest
    """What is asked for."""
    state: InputState = InputState.OPEN
    """How it stands."""
    status_text: str = ""
    """Why it stands so, where there is something to say."""
    tries: int = 0
    """How often it was asked for here."""
    work: asyncio.Task[None] | None = None
    """Gets it."""


class TaskRecord:
    """A task."""

    def __init__(self, view: TaskView, *, origin: str, origin_frame: int, hosted: bool) -> None:
        """Record a task of the request `origin`; with `hosted`, it runs on our side."""
        self.changed: Event[()] = Event()
        self.id = view.id
        self.view = view
        self.origin = origin
        self.origin_frame = origin_frame
        self.hosted = hosted
        self.immediate = ""
        self.updates: deque[TaskUpdate] = deque(maxlen=MAX_UPDATES)
        self.dropped_updates = 0
        self.progress: ProgressView | None = None
        self.frame = 0
        self.known_since = 0.0
        self.result_frame = 0
        self.error: InspectorError | None = None
        self.polling_error: InspectorError | None = None
        self.is_deleted = False
        self.is_cancelling = False
        self.is_cancel_sent = False
        self.is_earlier = False
        self.is_polled = False
        self.inputs: dict[str, TaskInput] = {}
        self.chosen_poll_seconds: float | None = None
        self.asked_frame = 0
        self.inline = ""
        self.next_poll_at: float | None = None
        self.fetching: asyncio.Task[None] | None = None
        self.watching: asyncio.Task[None] | None = None
        self.settled = asyncio.Event()
        self.wake = asyncio.Event()

    @property
    def status(self) -> str:
        """What it says of itself, as it came."""
        return self.view.status

    @property
    def is_final(self) -> bool:
        """It will not change any more."""
        return self.view.is_final

    @property
    def wants_input(self) -> bool:
        """Whether it waits for input."""
        return self.view.status == "input_required"

    @property
    def asks(self) -> bool:
        """Its result is waited for because it wants input."""
        return self.wants_input and self.is_fetching

    @property
    def is_watched(self) -> bool:
        """It is asked again and again how it is doing."""
        return self.watching is not None

    @property
    def is_fetching(self) -> bool:
        """Its result is being waited for."""
        return self.fetching is not None

    @property
    def has_outcome(self) -> bool:
        """There is a result, or an error in its place."""
        return bool(self.result_frame) or self.error is not None

    @property
    def poll_seconds(self) -> float:
        """The poll interval of the user or, without one, of the task."""
        return self.chosen_poll_seconds or self.suggested_poll_seconds

    @property
    def suggested_poll_seconds(self) -> float:
        """The poll interval of the task, within bounds."""
        asked = self.view.poll_ms
        if asked is None:
            return DEFAULT_POLL_SECONDS
        return min(max(asked / 1000, MIN_POLL_SECONDS), MAX_POLL_SECONDS)

    def choose_poll(self, seconds: float | None) -> None:
        """Ask so often from now on; None for as often as the task wants."""
        bounded = None if seconds is None else max(seconds, MIN_POLL_SECONDS)
        self.chosen_poll_seconds = None if bounded is None else min(bounded, MAX_POLL_SECONDS)
        self.wake.set()
        self.changed.fire()

    @property
    def expires_at(self) -> float | None:
        """When the server may delete it, in Unix seconds of our clock; None without a time to live."""
        ttl = self.view.ttl_ms
        return None if ttl is None else self.known_since + ttl / 1000

    def see(self, view: TaskView, frame: int, wall_s: float) -> None:
        """Take what it says of itself now."""
        self.known_since = self.known_since or wall_s
        if not self.updates or (view.status, view.status_message) != (
            self.view.status,
            self.view.status_message,
        ):
            self.dropped_updates += len(self.updates) == MAX_UPDATES
            self.updates.append(TaskUpdate(wall_s, frame, view.status, view.status_message))
        self.view, self.frame = view, frame or self.frame
        self.polling_error = None
        self.wake.set()
        self.changed.fire()

    def leave(self) -> None:
        """No longer follow it; on the wire nothing happens."""
        self.is_polled = False
        if self.watching is not None:
            self.watching.cancel()

    def settle(self, error: InspectorError | None = None) -> None:
        """Take note that nothing more is waited for."""
        self.polling_error = error or self.polling_error
        self.next_poll_at = None
        self.settled.set()
        self.wake.set()
        self.changed.fire()


def outcome_of(record: TaskRecord, transcript: Transcript) -> Json:
    """Return the result of a task, read from the transcript; None without one."""
    if not record.result_frame or record.error is not None:
        return None
    message = response_in(transcript, record.result_frame)
    if not record.inline:
        return or_null(message.lazy_result)
    is_news = record.inline == "params"
    outer = or_null(message.params if is_news else message.lazy_result)
    return outer.get("result") if isinstance(outer, dict) else None


def settled_outcome_of(record: TaskRecord, transcript: Transcript) -> Json:
    """Return the result with its `content` read completely."""
    result = outcome_of(record, transcript)
    if isinstance(result, LazyObject):
        result.materialize("content")
    return result
