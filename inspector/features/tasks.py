"""The tasks of one session as a person sees them: those the server runs for us, and what can be done with them.

A task comes from a call that asked for it, or from the list of the server. Only the former is followed by itself: whose the latter are,
and whether anybody else waits for them, nobody can tell.

Source: basic/utilities/tasks; C-TK4-01, C-TK4-11, C-TK4-13.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.event import Event
from inspector.session.listing import Listing, ListRules
from inspector.spec.views.task import TasksPage, TaskView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inspector.finding import Finding
    from inspector.session.session import Session
    from inspector.session.task_record import TaskRecord
    from inspector.session.task_watch import TaskWatch
    from inspector.spec.revision import Revision
    from inspector.wire.jsontext import Json

CALLS = ("tasks", "requests", "tools", "call")
"""What a server declares that runs calls as tasks."""


def _read(result: Json, revision: Revision | None) -> tuple[Sequence[TaskView], Sequence[Finding]]:
    page = TasksPage(result, revision=revision)
    odd = (note for task in page.listed for note in task.notes)
    return page.listed, (*page.notes, *odd)


def _clashes(tasks: Sequence[TaskView]) -> Mapping[int, tuple[Finding, ...]]:
    del tasks
    return {}


RULES: ListRules[TaskView] = ListRules("tasks/list", "", "tasks", _read, _clashes)
"""Nothing announces that the list changed."""


class Tasks:
    """What runs at the server."""

    def __init__(self, session: Session, watch: TaskWatch) -> None:
        """Show what `watch` follows, and ask over `session`."""
        self.changed: Event[()] = Event()
        self.listing = Listing(session, RULES)
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
        return self.is_known and self._session.declares("tasks")

    @property
    def can_call(self) -> bool:
        """Whether the server declared that it runs calls as tasks (C-TK4-01)."""
        return self.is_known and self._session.declares(*CALLS)

    @property
    def can_list(self) -> bool:
        """Whether the server declared that it lists its tasks."""
        return self.is_known and self._session.declares("tasks", "list")

    @property
    def can_cancel(self) -> bool:
        """Whether the server declared that tasks can be cancelled."""
        return self.is_known and self._session.declares("tasks", "cancel")

    async def refresh(self) -> None:
        """Read the server's list; what it says is merged into what is known."""
        await self.listing.refresh()

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

    def follow(self, record: TaskRecord, *, on: bool) -> None:
        """Ask again and again how it is doing, or no longer."""
        if on:
            self._watch.follow(record)
        else:
            record.leave()

    def _on_listed(self) -> None:
        self._watch.table.take_listed(self.listing.items)
