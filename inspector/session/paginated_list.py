"""A list that a server gives page by page, kept fresh: what tools, resources, templates and prompts have in common.

Failures are kept in `failure`, never raised: a list belongs to a screen that shows them. Every entry is an item, however odd.
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from inspector.errors import InspectorError
from inspector.event import Event
from inspector.finding import Finding, Severity
from inspector.session.list_changes import ListChanges, changes
from inspector.session.pagination import ListPageReply, Paginator
from inspector.session.session import SessionState
from inspector.spec.view import MAX_ITEMS, View
from inspector.spec.views.list_page import CacheHints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from inspector.session.session import Session
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json
    from inspector.wire.message import Message

T = TypeVar("T", bound="View", covariant=True)

LIST_MEMBERS = {"result", "tools", "resources", "resourceTemplates", "prompts", "tasks"}
"""The last step of the pointer of a finding that says that there is no list."""

NO_USABLE_RESULT = "no usable result"
"""Stands where a count would: `0 tools` is what a server with an empty list has."""

CHANGES_SECONDS = 60.0
"""How long it is told what differs from the reading before."""

REFRESH_SECONDS = 0.3
"""How long changes are gathered before the list is read again."""


class ListState(StrEnum):
    """Where a list stands."""

    UNREAD = "not read"
    READING = "reading"
    READ = "read"
    FAILED = "failed"


class ListSpec(NamedTuple, Generic[T]):
    """What one kind of list is."""

    method: str
    """The request that gives a page."""
    announced: str
    """The notification that says it changed."""
    capability: str
    """What the server declares if it has the list."""
    read: Callable[[Json, Revision | None], tuple[Sequence[T], Sequence[Finding]]]
    """From the result of a request to the items and what is odd about the page."""
    clashes: Callable[[Sequence[T]], Mapping[int, tuple[Finding, ...]]]
    """Findings about items beside each other, by position."""
    name_of: Callable[[T], str]
    """What an item is called, in every reading of the list."""


class PaginatedList(Generic[T]):
    """The items of a list, in the order of the server."""

    def __init__(self, session: Session, rules: ListSpec[T]) -> None:
        """Offer a list of `session`; nothing is read before `refresh`."""
        self.changed: Event[()] = Event()
        self.state = ListState.UNREAD
        self.items: tuple[T, ...] = ()
        self.notes: tuple[Finding, ...] = ()
        self.clashes: Mapping[int, tuple[Finding, ...]] = {}
        self.changes = ListChanges()
        """What differs from the reading before; for a while after it, and once at least."""
        self.failure: InspectorError | None = None
        self.caching: CacheHints | None = None
        """How long the latest page may be kept, where the revision says that; nothing is kept by itself."""
        self.read_at = 0.0
        """When that page came, in seconds of the session's clock."""
        self._session = session
        self._rules = rules
        self._pages: Paginator | None = None
        self._reading = asyncio.Lock()
        self._stale = False
        session.peer.listener(rules.announced).subscribe(self._on_list_changed)
        session.renewed.subscribe(self._on_renewed)
        session.gaps.ended.subscribe(self._read_again_soon)

    @property
    def method(self) -> str:
        """The request that gives a page."""
        return self._rules.method

    @property
    def capability(self) -> str:
        """The capability that a server with this list declares."""
        return self._rules.capability

    @property
    def offered(self) -> bool:
        """Whether the server declared it."""
        return self._session.declares(self._rules.capability)

    @property
    def is_awaited(self) -> bool:
        """Whether items are still to come: the list is being read, or will be as soon as there is a connection."""
        if self.state is not ListState.UNREAD:
            return self.state is ListState.READING
        return self._session.greeting is None or self.offered

    @property
    def quiet(self) -> str:
        """Why changes of the list are not announced at the moment, although they were asked for; empty while they are."""
        return self._session.listening.quiet(self._rules.announced)

    @property
    def count_text(self) -> str:
        """How many items there are; empty as long as nothing is listed and that is not known to be all."""
        known = bool(self.items) or (self.state is ListState.READ and self.offered)
        return f"{len(self.items):,}" if known else ""

    @property
    def more(self) -> bool:
        """Whether reading stopped at its budget and can go on."""
        return self._pages is not None and self._pages.more

    @property
    def is_unusable(self) -> bool:
        """Whether the server responded with something that is no list: nothing was read, and a note says what came."""
        is_wrong = any(note.pointer.rpartition("/")[2] in LIST_MEMBERS for note in self.notes)
        return self.state is ListState.READ and not self.items and is_wrong

    @property
    def is_empty(self) -> bool:
        """Whether the list was read and has nothing in it."""
        return self.state is ListState.READ and not self.items

    def age_seconds(self) -> float:
        """How long ago the latest page came."""
        return self._session.steps.clock.monotonic() - self.read_at

    @property
    def pages_read(self) -> int:
        """Pages read of the current list."""
        return self._pages.read if self._pages is not None else 0

    def status_text(self, noun: str) -> str:
        """How reading it went: `13 tools`, or why there are none."""
        if self.failure is not None:
            return f"{self.method}: {self.failure.reason}"
        if self.is_unusable:
            wrong = next(n for n in self.notes if n.pointer.rpartition("/")[2] in LIST_MEMBERS)
            return f"{self.method}: {NO_USABLE_RESULT}: {wrong.summary}"
        count = len(self.items)
        return f"{count:,} {noun.removesuffix('s') if count == 1 else noun}"

    async def refresh(self) -> None:
        """Read the list from its beginning; the old one stays until the first page is here."""
        async with self._reading:
            self._pages = Paginator(self._session, self._rules.method)
            before = self.items if self.state is ListState.READ and not self.more else None
            self.changes = ListChanges()
            await self._read(self._pages, ())
            if before is not None and self.state is ListState.READ:
                self._note_changes(before)

    async def load_more(self) -> None:
        """Go on where the budget ended."""
        async with self._reading:
            if self._pages is not None and self._pages.more:
                await self._read(self._pages, self.items)

    async def _read(self, pages: Paginator, before: tuple[T, ...]) -> None:
        self.state, self.failure = ListState.READING, None
        self.changed.fire()
        notes: list[Finding] = []
        items = list(before)
        try:
            async for page in pages.next_pages():
                self._take_page(page, items, notes)
                if len(items) >= MAX_ITEMS:
                    pages.stop(f"{len(items):,} items are listed and there are more")
                    break
            self.state = ListState.READ
            if self._session.declares(self._rules.capability, "listChanged"):
                self._session.listening.follow(self._rules.announced)
        except InspectorError as error:
            self.failure, self.state = error, ListState.FAILED
            if not pages.read:  # the old list is still the last word of the server
                items, notes = list(self.items), list(self.notes)
        if pages.stopped:
            notes.append(Finding("L-PAG-04", Severity.WARNING, pages.stopped))
        self._keep(items, notes)

    def _take_page(self, page: ListPageReply, items: list[T], notes: list[Finding]) -> None:
        revision = self._session.revision
        found, odd = self._rules.read(page.result, revision)
        self.read_at = self._session.steps.clock.monotonic()
        if revision is not None and revision.has_cacheable_results:
            self.caching = CacheHints(View(page.result, "/result", revision))
        notes += odd
        if page.repeats:
            text = f"page {page.number} repeats page {page.repeats} and is not listed again"
            notes.append(Finding("L-PAG-05", Severity.WARNING, text))
        else:
            items += found
        self._keep(items, notes)

    def _keep(self, items: list[T], notes: list[Finding]) -> None:
        self.items, self.notes = tuple(items), tuple(notes)
        if self.state is not ListState.READING:
            self.clashes = self._rules.clashes(self.items)
        self.changed.fire()

    def _note_changes(self, before: Sequence[T]) -> None:
        self.changes = changes(before, self.items, self._rules.name_of)
        if self.changes.text:
            self.changed.fire()
            self._session.tasks.spawn(
                self._forget(self.changes), name=f"changes of {self._rules.method}"
            )

    async def _forget(self, told: ListChanges) -> None:
        await asyncio.sleep(CHANGES_SECONDS)
        if self.changes is told:
            self.changes = ListChanges()
            self.changed.fire()

    def _on_list_changed(self, _frame: int, _message: Message) -> None:
        self._read_again_soon()

    def _read_again_soon(self) -> None:
        """Read it again, once for all reasons that come together."""
        if self._stale or self.state is ListState.UNREAD:
            return
        self._stale = True
        self._session.tasks.spawn(self._refresh_soon(), name=f"{self._rules.method} again")

    def _on_renewed(self) -> None:
        if self.state is not ListState.UNREAD and not self._stale:
            self._session.tasks.spawn(self.refresh(), name=f"{self._rules.method} again")

    async def _refresh_soon(self) -> None:
        await asyncio.sleep(REFRESH_SECONDS)
        self._stale = False
        if self._session.state is SessionState.READY:
            await self.refresh()
