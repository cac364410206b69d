"""Remembers the tasks of a session that are not over, and takes them up in the next one.

Those that were followed are followed again, a bounded number of them; the others wait until somebody asks. A task that is over, or that
the server does not know any more, is forgotten.

Source: the tasks extension, "Task Polling"; C-TKX-05.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.session import era_cache
from inspector.session.saved_tasks import SavedTask, summarize
from inspector.session.task_record import InputState, TaskInput
from inspector.spec.views.input_required import InputRequest

if TYPE_CHECKING:
    from inspector.session.saved_tasks import SavedTasks
    from inspector.session.session import Session
    from inspector.session.task_poller import TaskPoller
    from inspector.session.task_record import TaskRecord

GATHER_SECONDS = 0.3
"""How long changes are gathered before they are kept."""

MAX_RESUMED = 20
"""Tasks of an earlier session that are followed by themselves, the latest."""

EARLIER_SESSION = "responded in an earlier session"


class TaskPersistence:
    """Between the tasks of one session and what is remembered of the server."""

    def __init__(self, session: Session, watch: TaskPoller, kept: SavedTasks) -> None:
        """Keep what `watch` knows in `kept`."""
        self._session = session
        self._watch = watch
        self._kept = kept
        self._target = era_cache.digest(session.profile)
        self._pending = False
        self._is_over = False
        watch.table.changed.subscribe(self._on_changed)
        session.peer.ended_event.subscribe(self._on_ended)

    def resume(self) -> None:
        """Take up what earlier sessions left; call it once the session is ready."""
        if not self._outlives:
            return
        found = self._kept.of(self._target, self._session.steps.clock.wall_s())
        followed = [task.id for task in found if task.is_wanted][-MAX_RESUMED:]
        for task in found:
            record = self._watch.table.take_earlier(task.raw, origin=task.origin, since=task.since)
            for key in task.answered:
                request = InputRequest(key, None, "", self._session.revision)
                record.inputs[key] = TaskInput(request, InputState.GIVEN, EARLIER_SESSION)
            record.is_wanted = task.is_wanted
            if task.id in followed:
                self._watch.follow(record)

    @property
    def _outlives(self) -> bool:
        """Whether tasks can be asked for beyond this session, by what both sides declare (C-TKX-15)."""
        return self._watch.is_agreed and self._watch.survives_session

    def _on_changed(self) -> None:
        if self._pending or self._is_over or not self._watch.survives_session:
            return
        self._pending = True
        self._session.tasks.spawn(self._keep_soon(), name="save tasks")

    async def _keep_soon(self) -> None:
        try:
            await asyncio.sleep(GATHER_SECONDS)
        finally:
            self._pending = False
            self._keep()

    def _on_ended(self) -> None:
        self._keep()
        self._is_over = True

    def _keep(self) -> None:
        if self._is_over or not self._watch.survives_session:
            return
        known = [record for record in self._watch.table.records.values() if record.id]
        over = [each.id for each in known if each.is_gone or each.is_final]
        open_now = [each for each in known if not (each.is_gone or each.is_final)]
        self._kept.update(self._target, map(_kept, open_now), over)


def _kept(record: TaskRecord) -> SavedTask:
    given = (key for key, each in record.inputs.items() if each.state is InputState.GIVEN)
    return SavedTask(
        record.id,
        summarize(record.view.raw),
        record.origin,
        record.known_since,
        record.is_wanted,
        tuple(given),
    )
