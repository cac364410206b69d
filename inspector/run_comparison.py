"""The difference between a run of a server and the run before, as soon as both are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from inspector.background_tasks import TimeSlices, in_steps
from inspector.event import Event
from inspector.runs import HasSession, RunStart
from inspector.session.list_changes import CHANGED, NEW, ListChanges
from inspector.session.paginated_list import ListState
from inspector.wire import json_codec

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable, Mapping, Sequence

    from inspector.compare.run_difference import ListDifference, RunDifference
    from inspector.compare.server_snapshot import ServerSnapshot
    from inspector.spec.views.list_page import ListedView


class ReadList(Protocol):
    """A list of a server."""

    @property
    def changed(self) -> Event[()]:
        """Fired when there are other items, or another state."""
        ...

    @property
    def state(self) -> ListState:
        """How far it is read."""
        ...

    @property
    def more(self) -> bool:
        """Whether reading stopped before the end of the list."""
        ...

    @property
    def items(self) -> Sequence[ListedView]:
        """What is listed."""
        ...

    @property
    def is_awaited(self) -> bool:
        """Whether items are still to come."""
        ...

    def set_since_run(self, changes: ListChanges) -> None:
        """Keep how the list differs from an earlier run."""
        ...


class HasLists(HasSession, Protocol):
    """A session with the lists of its server."""

    @property
    def lists(self) -> Mapping[str, ReadList]:
        """The lists by `ListKind.key`."""
        ...


async def snapshot_of(opened: HasLists) -> ServerSnapshot:
    """Return what the server declared, and what it lists now."""
    # Comparing is imported with the second run: the first connects sooner without it.
    from inspector.compare.server_snapshot import ServerSnapshot, described

    slices = TimeSlices()
    lists: dict[str, tuple[bytes, ...] | None] = {}
    for key, each in opened.lists.items():
        lists[key] = None
        if each.state is not ListState.READ or each.more:
            continue
        texts: list[bytes] = []
        for item in each.items:
            texts.append(json_codec.write_bytes(item.raw))
            await slices.checkpoint()
        lists[key] = tuple(texts)
    greeting = opened.session.greeting
    if greeting is None:
        return ServerSnapshot(lists=lists)
    known = described(greeting.server.raw, str(greeting.revision.date))
    return ServerSnapshot(
        known.revision, known.info, known.capabilities, known.instructions, lists, is_known=True
    )


class RunComparison:
    """Compares a run with an earlier one when its lists are read, and again when they change."""

    def __init__(self, opened: HasLists, before: Callable[[], HasLists | None]) -> None:
        """Compare `opened` with what `before` returns: an earlier run, as long as it is kept; None without one."""
        self.changed: Event[()] = Event()
        """Fired when there is a difference, or another one."""
        self.difference: RunDifference | None = None
        """The difference from the run before; None before both are known."""
        earlier = before()
        self.compared = earlier.session.run.number if earlier is not None else 0
        """The number of the run before; 0 without one."""
        self._before = before  # not the run: each would keep all earlier ones alive
        self._opened = opened
        self._work: asyncio.Task[None] | None = None
        self._is_stale = False
        self._is_marking = False
        if self.compared:
            for each in opened.lists.values():
                each.changed.subscribe(self._on_list_changed)

    @property
    def start(self) -> RunStart:
        """How the run began, and what is different in it."""
        session = self._opened.session
        run, columns, greeting = session.run, session.transcript.columns, session.greeting
        return RunStart(
            run.number,
            columns.wall_s[0] if len(columns) else None,
            run.cause,
            run.reason,
            str(greeting.revision.date) if greeting is not None else "",
            greeting.server.server.version if greeting is not None else "",
            self.compared,
            self.difference,
        )

    def _on_list_changed(self) -> None:
        lists = self._opened.lists.values()
        is_known = self._opened.session.greeting is not None
        if self._is_marking or not is_known or any(each.is_awaited for each in lists):
            return
        self._is_stale = True
        if self._work is None or self._work.done():
            tasks = self._opened.session.tasks
            self._work = tasks.spawn(self._compare(), name="compare with the run before")

    async def _compare(self) -> None:
        from inspector.compare.run_difference import compare_snapshots

        while self._is_stale:
            self._is_stale = False
            before = self._before()
            if before is None or before.session.run.number != self.compared:
                return
            old, new = await snapshot_of(before), await snapshot_of(self._opened)
            difference = await in_steps(compare_snapshots(old, new))
            if difference != self.difference:
                self.difference = difference
                self.changed.fire()
            for each in difference.lists:
                await self._mark(each)

    async def _mark(self, difference: ListDifference) -> None:
        """Mark the items of a list that are new or changed."""
        slices = TimeSlices()
        listing = self._opened.lists[difference.key]
        kinds = dict.fromkeys(difference.added, NEW)
        kinds |= dict.fromkeys((item.name for item in difference.changed), CHANGED)
        marks: dict[int, str] = {}
        for position, item in enumerate(listing.items if kinds else ()):
            if item.id_label in kinds:
                marks[position] = kinds[item.id_label]
            await slices.checkpoint()
        changes = ListChanges(marks, difference.removed, self.compared)
        self._is_marking = True
        listing.set_since_run(changes)
        self._is_marking = False
