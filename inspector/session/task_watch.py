"""Following the tasks that the server runs for us, from their making to their result.

    get      asked again and again until the status is final; the task says how often
    result   waited for as soon as input is wanted, because the questions come on that way, and once more at the end

Each task that is followed has one background task, which ends with the session. Whatever a server does to a task is a finding or stands in
its record; nothing here raises.

Source: basic/utilities/tasks; C-TK4-05 to C-TK4-12.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, InspectorError, PeerError
from inspector.session.task_table import TaskTable
from inspector.session.timeouts import ENDLESS
from inspector.spec import tasks
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.views.task import TaskView
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.session.peer import Reply
    from inspector.session.session import Session
    from inspector.session.task_record import TaskRecord

MOST_FAILURES = 3
"""Questions that fail in a row before a task is no longer followed."""

GRACE_SECONDS = 2.0
"""How long a result is still waited for once its task was cancelled or is gone."""

EARLY = "the result came before the task was over"
NAMELESS = "the server gave the task no id, so nobody can ask for it"


class TaskWatch:
    """Asks for the tasks of one table."""

    def __init__(self, session: Session) -> None:
        """Ask over `session`."""
        self.table = TaskTable(session)
        self._session = session
        session.peer.ended_event.subscribe(self._on_ended)

    def take(self, reply: Reply, *, origin: str, asked: bool) -> TaskRecord | None:
        """The task that a request was answered with, followed from now on; None if the answer is a plain result."""
        record = self.table.take(reply, origin=origin, asked=asked)
        if record is not None:
            self.follow(record)
        return record

    def follow(self, record: TaskRecord) -> None:
        """Ask how it is doing until it is over, then for its result."""
        if not record.id:
            record.settle(InspectorError(NAMELESS, frame=record.frame))
        elif not record.is_watched and self.table.dialect is not None:
            record.settled.clear()
            work, name = self._watch(record), f"follow task {record.id[:40]}"
            record.watching = self._session.tasks.spawn(work, name=name)
            record.watching.add_done_callback(lambda _: self._left(record))
            self.table.touched(record)

    async def ask(self, record: TaskRecord) -> bool:
        """Ask how a task is doing; False if that failed, and why stands in its record."""
        dialect = self.table.dialect
        if dialect is None:
            return False
        try:
            reply = await self._session.request(dialect.get_method, {"taskId": record.id})
        except InspectorError as error:
            record.is_gone = record.is_gone or _is_unknown(error)
            record.trouble = error
            self.table.touched(record)
            return False
        view = TaskView(or_null(reply.message.result), "/result", self._session.revision)
        self.table.see(record, view, reply.frame)
        return True

    async def fetch(self, record: TaskRecord) -> None:
        """Wait for the result of a task, however long it takes; what waits for it already is joined."""
        dialect = self.table.dialect
        if dialect is None or not dialect.result_method:
            return
        if record.fetching is None:
            work = self._fetch(record, dialect.result_method)
            record.fetching = self._session.tasks.spawn(work, name="wait for the result of a task")
            self.table.touched(record)
        await asyncio.wait([record.fetching])

    async def cancel(self, record: TaskRecord) -> None:
        """Stop a task (C-CAN-11); what the server says against it stands in its record."""
        dialect = self.table.dialect
        if dialect is None or record.is_cancelling:
            return
        record.is_cancelling, before = True, record.view
        self.table.touched(record)
        try:
            reply = await self._session.request(dialect.cancel_method, {"taskId": record.id})
        except InspectorError as error:
            record.trouble = error
        else:
            self._cancelled(record, before, reply)
        finally:
            record.is_cancelling = False
            self.table.touched(record)

    async def _watch(self, record: TaskRecord) -> None:
        trouble: InspectorError | None = None
        try:
            trouble = await self._until_final(record)
            await self._last_result(record, is_lost=trouble is not None)
        finally:
            record.settle(trouble)

    def _left(self, record: TaskRecord) -> None:
        """A task that is cancelled before its first step never runs."""
        record.watching = None
        if not record.settled.is_set():
            record.settle()
        self.table.touched(record)

    async def _until_final(self, record: TaskRecord) -> InspectorError | None:
        """Ask again and again; the error that ended it, if one did."""
        failures, status = 0, ""
        while not record.is_final:
            if record.wants_input and status != record.status:
                self._begin_fetch(record)
            status = record.status
            await self._pause(record, status)
            if record.status != status:
                continue
            failures = 0 if await self.ask(record) else failures + 1
            is_lost = isinstance(record.trouble, ConnectionLost)
            if failures and (record.is_gone or is_lost or failures >= MOST_FAILURES):
                return record.trouble
        return None

    async def _pause(self, record: TaskRecord, status: str) -> None:
        """Wait as long as the task wants, or until it is heard that its status changed."""
        loop, peer = asyncio.get_running_loop(), self._session.peer
        until = loop.time() + record.poll_seconds
        record.next_poll_at = self._session.steps.clock.monotonic() + record.poll_seconds
        self.table.touched(record)
        while (rest := until - loop.time()) > 0 and record.status == status:
            record.wake.clear()
            if peer.ended_with is not None:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(record.wake.wait(), rest)

    async def _last_result(self, record: TaskRecord, *, is_lost: bool) -> None:
        """The result of what is over; of what was cancelled none is asked for (C-TK4-12)."""
        is_lost = is_lost or record.status == "cancelled"
        record.next_poll_at = None
        if record.fetching is not None:
            limit = GRACE_SECONDS if is_lost else None
            _, late = await asyncio.wait([record.fetching], timeout=limit)
            for each in late:
                each.cancel()
        if not is_lost and not record.has_outcome:
            await self.fetch(record)

    def _begin_fetch(self, record: TaskRecord) -> None:
        """C-TK4-07."""
        if record.fetching is None and not record.result_frame:
            self._session.tasks.spawn(self.fetch(record), name="answer what a task asks")

    async def _fetch(self, record: TaskRecord, method: str) -> None:
        try:  # it blocks by design
            reply = await self._session.request(method, {"taskId": record.id}, timeouts=ENDLESS)
        except PeerError as error:
            self._refused(record, error)
        except InspectorError as error:
            record.trouble = error
        else:
            await self._succeeded(record, reply)
        finally:
            record.fetching = None
            self.table.touched(record)

    def _refused(self, record: TaskRecord, error: PeerError) -> None:
        """An error is the outcome of what is over; before that, it says that the server does not wait."""
        if record.is_final or not record.is_watched:
            record.error, record.result_frame = error, error.frame or 0
        else:
            record.trouble = error

    async def _succeeded(self, record: TaskRecord, reply: Reply) -> None:
        result = or_null(reply.message.result)
        self.table.remark(reply.frame, *tasks.of_result(record.id, result, self._session.revision))
        record.error, record.result_frame = None, reply.frame
        if record.is_final or not await self.ask(record) or record.is_final:
            return
        self.table.remark(reply.frame, self.table.finding("L-TK4-10", EARLY, "/result"))

    def _cancelled(self, record: TaskRecord, before: TaskView, reply: Reply) -> None:
        dialect = self.table.dialect
        if dialect is None or not dialect.cancel_tells:
            return
        view = TaskView(or_null(reply.message.result), "/result", self._session.revision)
        self.table.remark(reply.frame, *tasks.of_cancelling(before, view))
        self.table.see(record, view, reply.frame)

    def _on_ended(self) -> None:
        for record in self.table.records.values():
            record.wake.set()


def _is_unknown(error: InspectorError) -> bool:
    return isinstance(error, PeerError) and error.code == INVALID_PARAMS
