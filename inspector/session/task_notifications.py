"""Has the server announce how tasks are doing that are followed, where it announces anything on streams.

All tasks share one stream, apart from that of the lists. It is opened anew when a task is added, and closed when none is left. A server
that does not agree is not asked again in this session: tasks are asked for all the same.

Source: the tasks extension, "Task Status Notifications"; C-TKX-17.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.session.notification_streams import GATHER_SECONDS
from inspector.spec import tasks
from inspector.spec.subscription_filter import SubscriptionFilter

if TYPE_CHECKING:
    from inspector.session.notification_stream import NotificationStream
    from inspector.session.session import Session

MAX_FOLLOWED = 100
"""Tasks on the stream, the latest."""


class TaskNotifications:
    """What is announced of tasks in one session."""

    def __init__(self, session: Session) -> None:
        """Want nothing yet."""
        self._session = session
        self._ids: dict[str, None] = {}
        self._told: set[str] = set()
        """What the stream was asked to tell of."""
        self._stream: NotificationStream | None = None
        self._is_refused = False
        self._changing: asyncio.Task[None] | None = None

    def add(self, id_: str) -> None:
        """Want news of a task."""
        self._ids[id_] = None
        if self._is_offered and id_ not in self._told and self._changing is None:
            work = self._change()
            self._changing = self._session.tasks.spawn(work, name="subscribe to tasks")

    def remove(self, id_: str) -> None:
        """Want none any more."""
        self._ids.pop(id_, None)
        if not self._ids and self._stream is not None:
            self._stream.close()
            self._stream = None
            self._told.clear()

    @property
    def _is_offered(self) -> bool:
        dialect = tasks.dialect(self._session.revision)
        if dialect is None or not dialect.extension or self._is_refused:
            return False
        greeting = self._session.greeting
        is_declared = greeting is not None and dialect.extension in greeting.extensions
        return is_declared and self._session.listening.has_streams

    async def _change(self) -> None:
        """The new stream opens before the old one closes."""
        try:
            await asyncio.sleep(GATHER_SECONDS)
            while self._is_offered and (set(self._ids) - self._told):
                await self._open()
        finally:
            self._changing = None

    async def _open(self) -> None:
        wanted = [*self._ids][-MAX_FOLLOWED:]
        before, self._told = self._stream, set(self._ids)
        stream = self._stream = self._session.listening.open(
            SubscriptionFilter(more={tasks.FILTER: [*wanted]})
        )
        await stream.settled()
        if before is not None:
            before.close()
        if tasks.FILTER in stream.refused or stream.error is not None:
            self._is_refused = True
            stream.close()
            self._stream = None
