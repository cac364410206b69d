"""The tasks that the server runs for us, as far as this session has heard of them.

What is heard goes into the records as it came; what is odd about it is found by `inspector.checks`. Notifications are hints: they are
displayed, and nothing depends on them.

Source: basic/utilities/tasks; C-TK4-08, C-PRG-07.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.errors import PeerError
from inspector.event import Event
from inspector.session.task_record import TaskRecord, TaskUpdate
from inspector.spec import task_rules, tasks
from inspector.spec.json_types import format_value
from inspector.spec.views.notifications import ProgressView
from inspector.spec.views.task import CreatedTaskView, DetailedTaskView, TaskView
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import Iterable

    from inspector.session.peer import Reply
    from inspector.session.session import Session
    from inspector.spec.tasks import TaskDesign
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message

MAX_RECORDS = 1000
"""Tasks that are remembered; the oldest that is not followed makes room."""

MAX_EARLY = 100
MAX_NEWS = 20
"""Unknown tasks whose news are kept, and news of each of them."""

MAX_TASK_BYTES = 1 << 16
"""An answer beyond that is no task."""

PROGRESS = "notifications/progress"

TASK_NOTIFICATIONS = "/params"
"""Where a notification holds a task."""


class TaskRegistry:
    """The tasks of one server in one session, oldest first."""

    def __init__(self, session: Session) -> None:
        """Listen for what `session` says of tasks."""
        self.changed: Event[()] = Event()
        self.notified: Event[TaskRecord, TaskView, int] = Event()
        """Fired with the frame when a task said something of itself."""
        self.records: dict[str, TaskRecord] = {}
        self.dropped = 0
        self._session = session
        self._by_request: dict[int, TaskRecord] = {}
        self._early: dict[str, list[tuple[int, TaskView]]] = {}
        """Notifications of unknown tasks, which may be announced before the response that creates them."""
        for dialect in tasks.DIALECTS:
            session.peer.listener(dialect.announced).subscribe(self._on_announced)
        session.peer.listener(PROGRESS).subscribe(self._on_progress)

    @property
    def dialect(self) -> TaskDesign | None:
        """How tasks are spoken of in this session; None if not at all."""
        return tasks.dialect(self._session.revision)

    def register(self, reply: Reply, *, origin: str) -> TaskRecord | None:
        """The task that a request was answered with; None if the answer is a plain result."""
        created = self._created(reply)
        task = created.task if created is not None else None
        if created is None or task is None:
            return None
        record = self._make(task, reply, origin)
        record.immediate = created.immediate
        return record

    def take_earlier(self, raw: Json, *, origin: str, since: float) -> TaskRecord:
        """Take a task of an earlier session as it said of itself there."""
        view = TaskView(raw, revision=self._session.revision)
        made = TaskRecord(view, origin=origin, origin_frame=0, hosted=False)
        made.is_earlier, made.known_since = True, since
        made.updates.append(TaskUpdate(since, 0, view.status, view.status_message))
        record = self._remember(made)
        self.notify(record)
        return record

    def read(self, raw: Json, pointer: str) -> TaskView:
        """What a task says of itself, at `place` of a message."""
        revision, dialect = self._session.revision, self.dialect
        if dialect is None or dialect.result_method:
            return TaskView(raw, pointer, revision)
        return DetailedTaskView(
            raw, pointer, revision, is_notification=pointer == TASK_NOTIFICATIONS
        )

    def take_listed(self, views: Iterable[TaskView]) -> None:
        """Take the tasks of a list; those that were not known are remembered."""
        wall_s = self._session.steps.clock.wall_s()
        for view in views:
            record = self.records.get(view.id)
            if record is None and view.id:
                made = TaskRecord(view, origin="", origin_frame=0, hosted=False)
                record = self._remember(made)
                record.known_since = view.created or wall_s
            if record is not None:
                record.see(view, 0, wall_s)
        self.changed.fire()

    def update(self, record: TaskRecord, view: TaskView, frame: int) -> None:
        """Take what a task says of itself in `frame`."""
        if view.id and view.id != record.id:
            return
        if record.is_final and task_rules.is_older(record.view, view):
            return  # it crossed the news of the end
        _take_outcome(record, view, frame)
        record.see(view, frame, self._session.transcript.row(frame).wall_s)
        self.notified.fire(record, view, frame)
        self.changed.fire()

    def notify(self, record: TaskRecord) -> None:
        """Tell that something about a record changed."""
        record.changed.fire()
        self.changed.fire()

    def _created(self, reply: Reply) -> CreatedTaskView | None:
        raw = reply.message.raw
        if self.dialect is None or len(raw) > MAX_TASK_BYTES or b'"task"' not in raw:
            return None
        result = or_null(reply.message.result)
        if not isinstance(result, dict) or "content" in result:
            return None
        return CreatedTaskView(result, revision=self._session.revision)

    def _make(self, task: TaskView, reply: Reply, origin: str) -> TaskRecord:
        made = TaskRecord(task, origin=origin, origin_frame=reply.request_frame, hosted=False)
        record = self._remember(made)
        self._by_request[reply.request_frame] = record
        record.see(task, reply.frame, self._session.transcript.row(reply.frame).wall_s)
        for frame, news in self._early.pop(task.id, []):
            self.update(record, news, frame)
        return record

    def _remember(self, record: TaskRecord) -> TaskRecord:
        key = record.id
        while key in self.records:  # a second task with the id is kept as well
            key += "\0"
        self.records[key] = record
        if len(self.records) > MAX_RECORDS:
            idle = (name for name, known in self.records.items() if not known.is_watched)
            dropped = self.records.pop(next(idle, next(iter(self.records))))
            self._by_request.pop(dropped.origin_frame, None)
            dropped.leave()
            self.dropped += 1
        return record

    def _on_announced(self, frame: int, message: Message) -> None:
        if self.dialect is None or message.method != self.dialect.announced:
            return
        view = self.read(or_null(message.params), TASK_NOTIFICATIONS)
        record = self.records.get(view.id)
        if record is not None:
            self.update(record, view, frame)
        elif view.id:
            self._early[view.id] = [*self._early.pop(view.id, []), (frame, view)][-MAX_NEWS:]
            if len(self._early) > MAX_EARLY:
                del self._early[next(iter(self._early))]

    def _on_progress(self, frame: int, message: Message) -> None:
        """C-PRG-07: the token stays good until the task is over."""
        if not self._by_request:
            return
        owner = self._session.transcript.columns.request[frame - 1]
        record, params = self._by_request.get(owner), message.params
        if record is not None and isinstance(params, dict) and not record.is_final:
            record.progress = ProgressView(params, revision=self._session.revision)
            self.notify(record)


def _take_outcome(record: TaskRecord, view: TaskView, frame: int) -> None:
    """Take what stands in the task itself; a first outcome stays."""
    if not isinstance(view, DetailedTaskView) or not view.is_final or record.has_outcome:
        return
    if view.has_result:
        record.result_frame, record.inline = (
            frame,
            "params" if view.pointer == TASK_NOTIFICATIONS else "result",
        )
    elif view.has_error:
        record.result_frame, record.error = frame, _error(view.error, frame)


def _error(error: Json, frame: int) -> PeerError:
    if not isinstance(error, dict):
        return PeerError(None, f"the error is not an object: {format_value(error)}", frame=frame)
    message = error.get("message")
    text = message if isinstance(message, str) else format_value(message)
    return PeerError(error.get("code"), text, error.get("data"), frame=frame)
