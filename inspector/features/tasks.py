"""The tasks that the server runs in one session, and what the user can do with them.

A task comes from a call, from the list of the server, or from an earlier session. Listed tasks are not polled automatically: they may
belong to another client.

Source: basic/utilities/tasks; the tasks extension; C-TK4-01, C-TK4-11, C-TK4-13, C-TKX-18.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.event import Event
from inspector.session.paginated_list import ListSpec, PaginatedList
from inspector.spec.capabilities import declares
from inspector.spec.views.task import TasksPage, TaskView

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.session.task_poller import TaskPoller
    from inspector.session.task_record import TaskRecord

CALLS = ("tasks", "requests", "tools", "call")
"""What a server declares that runs calls as tasks."""

RULES = ListSpec[TaskView]("tasks/list", "", "tasks", TasksPage)
"""Nothing announces that the list changed."""


class Tasks:
    """What runs at the server."""

    def __init__(self, session: Session, watch: TaskPoller) -> None:
        """Show what `watch` follows, and ask over `session`."""
        self.changed: Event[()] = Event()
        self.listing = PaginatedList(session, RULES)
        self._session = session
        self._watch = watch
        watch.table.changed.subscribe(self.changed.fire)
        self.listing.changed.subscribe(self._on_listed)

    @property
    def records(self) -> list[TaskRecord]:
        """All that are known, oldest first."""
        return list(self._watch.table.records.values())

    @property
    def dropped(self) -> int:
        """How many made room for others."""
        return self._watch.table.dropped

    @property
    def is_known(self) -> bool:
        """Whether the revision in force has tasks."""
        return self._watch.table.dialect is not None

    @property
    def offered(self) -> bool:
        """Whether the server declared tasks."""
        dialect = self._watch.table.dialect
        if dialect is not None and dialect.extension:
            return self._session.declares("extensions", dialect.extension)
        return self.is_known and self._session.declares("tasks")

    @property
    def is_declared(self) -> bool:
        """Whether we declared what it takes to be given tasks."""
        dialect = self._watch.table.dialect
        if dialect is None or not dialect.extension:
            return self.is_known
        return declares(self._session.client_capabilities, "extensions", dialect.extension)

    @property
    def asked_for(self) -> bool:
        """Whether it is for the one who calls to say that a task is wanted; else the server decides."""
        dialect = self._watch.table.dialect
        return dialect is not None and dialect.asked_for

    @property
    def can_call(self) -> bool:
        """Whether the server declared that it runs calls as tasks when asked to (C-TK4-01)."""
        return self.asked_for and self._session.declares(*CALLS)

    @property
    def has_list(self) -> bool:
        """Whether the revision in force has a list of tasks."""
        dialect = self._watch.table.dialect
        return dialect is not None and bool(dialect.list_method)

    @property
    def can_list(self) -> bool:
        """Whether the server declared that it lists its tasks."""
        return self.has_list and self._session.declares("tasks", "list")

    @property
    def can_fetch(self) -> bool:
        """Whether a result is waited for by a request of its own; else the task tells it."""
        dialect = self._watch.table.dialect
        return dialect is not None and bool(dialect.result_method)

    @property
    def can_cancel(self) -> bool:
        """Whether the server declared that tasks can be cancelled."""
        if self.is_known and not self.asked_for:
            return self.offered
        return self.is_known and self._session.declares("tasks", "cancel")

    async def refresh(self) -> None:
        """Read the server's list, which is merged into what is known; without one, ask for each task that is not over."""
        if self.has_list or not self.is_known:
            await self.listing.refresh()
            return
        for record in [each for each in self.records if not (each.is_final or each.is_deleted)]:
            await self._watch.ask(record)

    async def load_more(self) -> None:
        """Go on where the budget of the list ended."""
        await self.listing.load_more()

    async def ask(self, record: TaskRecord) -> None:
        """Ask how a task is doing, now."""
        await self._watch.ask(record)

    async def fetch(self, record: TaskRecord) -> None:
        """Wait for its result."""
        await self._watch.fetch(record)

    async def cancel(self, record: TaskRecord) -> None:
        """Stop it."""
        await self._watch.cancel(record)

    def poll_each(self, record: TaskRecord, seconds: float | None) -> None:
        """Ask for a task that is followed each so many seconds; None for as often as it wants."""
        record.choose_poll(seconds)
        self._watch.table.notify(record)

    def follow(self, record: TaskRecord, *, on: bool) -> None:
        """Ask again and again how it is doing, or no longer."""
        if on:
            self._watch.follow(record)
        else:
            record.leave()
            self._watch.table.notify(record)

    def _on_listed(self) -> None:
        self._watch.table.take_listed(self.listing.items)
