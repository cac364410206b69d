"""Polls the tasks that the server runs, from their creation to their result.

    get      polled until the status is final, at the interval of the task
    result   requested as soon as input is required, because the server requests come that way, and at the end; in designs
             whose tasks contain their result there is nothing to request, and `task_inputs` sends the input

Each polled task has one background task, which ends with the session. What a server does wrong is a finding or an error in the record of
the task; nothing here raises.

Source: basic/utilities/tasks; the tasks extension; C-TK4-05 to C-TK4-12, C-TKX-03, C-TKX-04, C-TKX-11.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from inspector.errors import ConnectionLost, InspectorError, PeerError
from inspector.session.notification_streams import TaskSubscription
from inspector.session.outgoing import ENDLESS
from inspector.session.task_inputs import TaskInputs
from inspector.session.task_registry import TaskRegistry
from inspector.spec.capabilities import declares
from inspector.spec.error_codes import INVALID_PARAMS
from inspector.spec.views.task import TaskView
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.session.peer import Reply
    from inspector.session.session import Session
    from inspector.session.task_record import TaskRecord

MAX_FAILURES = 3
"""Questions that fail in a row before a task is no longer followed."""

GRACE_SECONDS = 2.0
"""How long a result is still waited for once its task was cancelled or is gone."""

BARE = "the task is {}, but the server does not return its result"
NAMELESS = "the task has no id and cannot be polled"


class TaskPoller:
    """Asks for the tasks of one table."""

    def __init__(self, session: Session) -> None:
        """Ask over `session`."""
        self.table = TaskRegistry(session)
        self._session = session
        self._inputs = TaskInputs(session, self.table)
        self._news = TaskSubscription(session)
        session.peer.ended_event.subscribe(self._on_ended)

    @property
    def is_agreed(self) -> bool:
        """Whether both sides declared that they have tasks, as far as declaring that is needed."""
        dialect = self.table.dialect
        if dialect is None or not dialect.extension:
            return dialect is not None
        path = ("extensions", dialect.extension)
        is_ours = declares(self._session.client_capabilities, *path)
        return is_ours and self._session.declares(*path)

    @property
    def survives_session(self) -> bool:
        """Whether a task can be asked for in a later session."""
        dialect = self.table.dialect
        return dialect is not None and dialect.outlives

    def take(self, reply: Reply, *, origin: str) -> TaskRecord | None:
        """The task that a request was answered with, followed from now on; None if the answer is a plain result."""
        record = self.table.register(reply, origin=origin)
        if record is not None:
            self.follow(record)
        return record

    def follow(self, record: TaskRecord) -> None:
        """Ask how it is doing until it is over, then for its result."""
        if not record.id:
            record.settle(InspectorError(NAMELESS, frame=record.frame))
        elif not record.is_watched and self.table.dialect is not None:
            record.settled.clear()
            record.is_polled = True
            self._news.add(record.id)
            work, name = self._watch(record), f"poll task {record.id[:40]}"
            record.watching = self._session.tasks.spawn(work, name=name)
            record.watching.add_done_callback(lambda _: self._left(record))
            self.table.notify(record)

    async def ask(self, record: TaskRecord) -> bool:
        """Ask how a task is doing; False if that failed, and why stands in its record."""
        dialect = self.table.dialect
        if dialect is None:
            return False
        try:
            reply = await self._session.request(dialect.get_method, {"taskId": record.id})
        except InspectorError as error:
            self._unanswered(record, error)
            return False
        record.asked_frame = reply.request_frame
        view = self.table.read(or_null(reply.message.lazy_result), "/result")
        self.table.update(record, view, reply.frame)
        return True

    def _unanswered(self, record: TaskRecord, error: InspectorError) -> None:
        """Keep why the task could not be asked; the server may have deleted it."""
        record.is_deleted = record.is_deleted or _is_unknown(error)
        record.polling_error = error
        self.table.notify(record)

    async def fetch(self, record: TaskRecord) -> None:
        """Wait for the result of a task without a timeout; a request that is pending already is shared."""
        dialect = self.table.dialect
        if dialect is None or not dialect.result_method:
            return
        if record.fetching is None:
            work = self._fetch(record, dialect.result_method)
            record.fetching = self._session.tasks.spawn(work, name="wait for the result of a task")
            self.table.notify(record)
        await asyncio.wait([record.fetching])

    async def cancel(self, record: TaskRecord) -> None:
        """Stop a task (C-CAN-11); what the server says against it stands in its record."""
        dialect = self.table.dialect
        if dialect is None or record.is_cancelling:
            return
        record.is_cancelling, before = True, record.view
        self.table.notify(record)
        try:
            reply = await self._session.request(dialect.cancel_method, {"taskId": record.id})
        except InspectorError as error:
            record.polling_error = error
        else:
            self._cancelled(record, before, reply)
        finally:
            record.is_cancelling = False
            self.table.notify(record)

    async def _watch(self, record: TaskRecord) -> None:
        error: InspectorError | None = None
        try:
            error = await self._until_final(record)
            await self._last_result(record, is_lost=error is not None)
        finally:
            record.settle(error)

    def _left(self, record: TaskRecord) -> None:
        """A task that is cancelled before its first step never runs."""
        record.watching = None
        self._news.remove(record.id)
        if not record.settled.is_set():
            record.settle()
        self.table.notify(record)

    async def _until_final(self, record: TaskRecord) -> InspectorError | None:
        """Ask again and again; the error that ended it, if one did."""
        failures, status = 0, ""
        if record.is_earlier and not record.frame:
            failures = 0 if await self.ask(record) else 1
        while not record.is_final:
            if record.is_deleted:
                return record.polling_error
            if record.wants_input and status != record.status:
                self._begin_fetch(record)
            status = record.status
            await self._pause(record, status)
            if record.status != status:
                continue
            failures = 0 if await self.ask(record) else failures + 1
            is_lost = isinstance(record.polling_error, ConnectionLost)
            if failures and (record.is_deleted or is_lost or failures >= MAX_FAILURES):
                return record.polling_error
        return await self._details(record)

    async def _details(self, record: TaskRecord) -> InspectorError | None:
        """Ask once for an outcome that was not told with the end."""
        if record.view.is_detailed or record.has_outcome:
            return None
        if not await self.ask(record):
            return record.polling_error
        if record.view.is_detailed or record.has_outcome:
            return None
        return InspectorError(BARE.format(record.status), frame=record.frame)

    async def _pause(self, record: TaskRecord, status: str) -> None:
        """Wait as long as the task wants, or until it is heard that its status changed."""
        loop, peer = asyncio.get_running_loop(), self._session.peer
        began, seconds = loop.time(), 0.0
        while record.status == status:
            if seconds != record.poll_seconds:  # the user may change it meanwhile
                seconds = record.poll_seconds
                rest = began + seconds - loop.time()
                record.next_poll_at = self._session.steps.clock.monotonic() + rest
                self.table.notify(record)
            if (rest := began + seconds - loop.time()) <= 0:
                return
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
        """Request the result of a task that requires input: its questions come on that stream (C-TK4-07)."""
        dialect = self.table.dialect
        blocks = dialect is not None and bool(dialect.result_method)
        if blocks and record.fetching is None and not record.result_frame:
            self._session.tasks.spawn(self.fetch(record), name="respond to task input")

    async def _fetch(self, record: TaskRecord, method: str) -> None:
        try:  # it blocks by design
            reply = await self._session.request(method, {"taskId": record.id}, timeouts=ENDLESS)
        except PeerError as error:
            self._refused(record, error)
        except InspectorError as error:
            record.polling_error = error
        else:
            await self._succeeded(record, reply)
        finally:
            record.fetching = None
            self.table.notify(record)

    def _refused(self, record: TaskRecord, error: PeerError) -> None:
        """An error is the outcome of what is over; before that, it says that the server does not wait."""
        if record.is_final or not record.is_watched:
            record.error, record.result_frame = error, error.frame or 0
        else:
            record.polling_error = error

    async def _succeeded(self, record: TaskRecord, reply: Reply) -> None:
        record.error, record.result_frame = None, reply.frame
        if not record.is_final:
            await self.ask(record)

    def _cancelled(self, record: TaskRecord, before: TaskView, reply: Reply) -> None:
        dialect = self.table.dialect
        record.is_cancel_sent = True
        if dialect is None or not dialect.cancel_tells:
            return
        view = TaskView(or_null(reply.message.result), "/result", self._session.revision)
        self.table.update(record, view, reply.frame)

    def _on_ended(self) -> None:
        for record in self.table.records.values():
            record.wake.set()


def _is_unknown(error: InspectorError) -> bool:
    return isinstance(error, PeerError) and error.code == INVALID_PARAMS
