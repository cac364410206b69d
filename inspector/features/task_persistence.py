"""Saves the open tasks of a server, and takes them up again in the next session, also after a restart of Spyglass.

Tasks that were polled are polled again, up to `MAX_RESUMED`; the others wait for the user. A task that is final, or unknown to the server,
is deleted. The tasks belong to one target: after a change of the URL or command of a server they are dropped, because a task id is only
for the server that made it.

Source: the tasks extension, "Task Polling"; C-TKX-05, C-TKX-14.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.session import era_cache
from inspector.session.task_record import InputState, TaskInput
from inspector.spec.views.input_required import InputRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inspector.session.session import Session
    from inspector.session.task_poller import TaskPoller
    from inspector.session.task_record import TaskRecord
    from inspector.wire.json_codec import Json, JsonObject

GATHER_SECONDS = 0.3
"""How long changes are gathered before they are saved."""

MAX_RESUMED = 20
"""Tasks of an earlier session that are polled again, the latest."""

MAX_SAVED = 100
"""Tasks that are saved for one server, the latest."""

MAX_ID, MAX_TEXT = 2000, 500
"""Characters. A task with a longer id is not saved, longer texts are cut."""

MAX_ANSWERED = 200
"""Keys of input requests that are saved for one task."""

MAX_MS = 1e15
"""Larger numbers are not saved."""

UNDATED_SECONDS = 30 * 86_400.0
"""How long a task without a time to live is saved."""

EARLIER_SESSION = "responded in an earlier session"

_MEMBERS = (
    "taskId",
    "status",
    "statusMessage",
    "createdAt",
    "lastUpdatedAt",
    "ttlMs",
    "pollIntervalMs",
)


class SavedTask(FrozenStruct, frozen=True):
    """One saved task."""

    id: str
    raw: JsonObject
    """The members of the task, without its outcome and its input requests."""
    origin: str
    """The request that became the task."""
    since: float
    """When the task was created, in Unix seconds."""
    is_polled: bool
    answered: tuple[str, ...] = ()
    """Keys of input requests that have a response, and get no other."""

    @property
    def until(self) -> float:
        """When the server may drop the task, in Unix seconds."""
        ttl = self.raw.get("ttlMs")
        if isinstance(ttl, bool) or not isinstance(ttl, int | float):
            return self.since + UNDATED_SECONDS
        return self.since + ttl / 1000

    def to_json(self) -> JsonObject:
        """Return the saved form."""
        answered: list[Json] = [*self.answered[-MAX_ANSWERED:]]
        facts: JsonObject = {"origin": self.origin, "since": self.since, "wanted": self.is_polled}
        return {"task": self.raw, **facts, "answered": answered}


def _from_json(saved: Json) -> SavedTask | None:
    if not isinstance(saved, dict):
        return None
    raw, since, origin = summarize(saved.get("task")), saved.get("since"), saved.get("origin")
    id_, answered = raw.get("taskId"), saved.get("answered")
    if not isinstance(id_, str) or not id_ or not isinstance(since, int | float):
        return None
    keys = (key for key in (answered if isinstance(answered, list) else []) if isinstance(key, str))
    text = origin if isinstance(origin, str) else ""
    return SavedTask(id_, raw, text, float(since), saved.get("wanted") is True, tuple(keys))


def _from_record(record: TaskRecord) -> SavedTask:
    given = (key for key, each in record.inputs.items() if each.state is InputState.GIVEN)
    return SavedTask(
        record.id,
        summarize(record.view.raw),
        record.origin,
        record.known_since,
        record.is_polled,
        tuple(given),
    )


def summarize(raw: Json) -> JsonObject:
    """Return the members of a task that are saved."""
    members = raw if isinstance(raw, dict) else {}
    saved: JsonObject = {}
    for key in _MEMBERS:
        value = members.get(key)
        if isinstance(value, str):
            saved[key] = value if key == "taskId" else value[:MAX_TEXT]
        elif isinstance(value, int | float) and abs(value) < MAX_MS:
            saved[key] = value
    return saved


class SavedTasks:
    """The saved tasks of one server, oldest first."""

    def __init__(self, saved: Json = None, save: Callable[[Json], None] | None = None) -> None:
        """Read `saved`, the argument of an earlier call of `save`, which is called after every change."""
        self._save = save
        self._target = ""
        self._tasks: dict[str, SavedTask] = {}
        if isinstance(saved, dict) and isinstance(target := saved.get("target"), str):
            self._target = target
            listed = saved.get("tasks")
            for each in (listed if isinstance(listed, list) else [])[-MAX_SAVED:]:
                task = _from_json(each)
                if task is not None:
                    self._tasks[task.id] = task

    def of(self, target: str, wall_s: float) -> tuple[SavedTask, ...]:
        """Return the tasks of the server at `target` (a digest) that the server may still have at `wall_s`, in Unix seconds."""
        if target != self._target:
            return ()
        return tuple(task for task in self._tasks.values() if task.until > wall_s)

    def update(self, target: str, tasks: Iterable[SavedTask], done: Iterable[str]) -> None:
        """Add or replace tasks of the server at `target`, and delete those whose ids are in `done`."""
        before = self._to_json()
        if target != self._target:
            self._target, self._tasks = target, {}
        for id_ in done:
            self._tasks.pop(id_, None)
        for task in tasks:
            if len(task.id) <= MAX_ID:
                self._tasks[task.id] = task
        for id_ in [*self._tasks][: max(0, len(self._tasks) - MAX_SAVED)]:
            del self._tasks[id_]
        after = self._to_json()
        if self._save is not None and after != before:
            self._save(after)

    def _to_json(self) -> JsonObject:
        tasks: list[Json] = [task.to_json() for task in self._tasks.values()]
        return {"target": self._target, "tasks": tasks} if tasks else {}


class TaskPersistence:
    """Saves the tasks of one session in the `SavedTasks` of its server."""

    def __init__(self, session: Session, poller: TaskPoller, saved: SavedTasks) -> None:
        """Save the tasks of `poller` in `saved` after every change."""
        self._session = session
        self._poller = poller
        self._saved = saved
        self._target = era_cache.digest(session.profile)
        self._is_pending = False
        self._is_closed = False
        poller.table.changed.subscribe(self._on_changed)
        session.peer.ended_event.subscribe(self._on_ended)

    def resume(self) -> None:
        """Take up the saved tasks, if both sides declare tasks that survive a session (C-TKX-15); call it in a ready session."""
        if not (self._poller.is_agreed and self._poller.survives_session):
            return
        found = self._saved.of(self._target, self._session.steps.clock.wall_s())
        polled = [task.id for task in found if task.is_polled][-MAX_RESUMED:]
        for task in found:
            record = self._poller.table.take_earlier(task.raw, origin=task.origin, since=task.since)
            for key in task.answered:
                request = InputRequest(key, None, "", self._session.revision)
                record.inputs[key] = TaskInput(request, InputState.GIVEN, EARLIER_SESSION)
            record.is_polled = task.is_polled
            if task.id in polled:
                self._poller.follow(record)

    def _on_changed(self) -> None:
        if self._is_pending or self._is_closed or not self._poller.survives_session:
            return
        self._is_pending = True
        self._session.tasks.spawn(self._save_soon(), name="save tasks")

    async def _save_soon(self) -> None:
        try:
            await asyncio.sleep(GATHER_SECONDS)
        finally:
            self._is_pending = False
            self._save()

    def _on_ended(self) -> None:
        self._save()
        self._is_closed = True

    def _save(self) -> None:
        if self._is_closed or not self._poller.survives_session:
            return
        known = [record for record in self._poller.table.records.values() if record.id]
        done = [each.id for each in known if each.is_deleted or each.is_final]
        open_now = (each for each in known if not (each.is_deleted or each.is_final))
        self._saved.update(self._target, map(_from_record, open_now), done)
