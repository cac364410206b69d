"""A list that a server gives page by page, kept fresh: what tools, resources, templates and prompts have in common.

Failures are kept in `failure`, never raised: a list belongs to a page that shows them. Every entry is an item, valid or not.
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from inspector.errors import InspectorError
from inspector.event import Event
from inspector.finding import Finding, Severity
from inspector.session import diagnostics
from inspector.session.list_changes import ListChanges, compare
from inspector.session.paginator import Paginator
from inspector.session.session_state import SessionState
from inspector.spec.view import MAX_ITEMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from inspector.session.paginator import ReceivedPage
    from inspector.session.session import Session
    from inspector.spec.views.list_page import CacheHints, ListedView, ListPage

T = TypeVar("T", bound="ListedView", covariant=True)
S = TypeVar("S", bound="ListedView")

LIST_MEMBERS = {"result", "tools", "resources", "resourceTemplates", "prompts", "tasks"}
"""Last steps of the pointer of a finding about a result without a list."""

NO_USABLE_RESULT = "no usable result"
"""Instead of a count: `0 tools` is for a server with an empty list."""

CHANGES_SECONDS = 60.0
"""How long the differences from the reading before are kept."""

REFRESH_SECONDS = 0.3
"""How long changes are gathered before the list is read again."""


class ListState(StrEnum):
    """The state of a list."""

    UNREAD = "not loaded"
    READING = "reading"
    READ = "read"
    FAILED = "failed"


class ListSpec(NamedTuple, Generic[S]):
    """The facts about one kind of list."""

    method: str
    """The request for one page."""
    announced: str
    """The notification that the list changed."""
    capability: str
    """The capability of a server with the list."""
    page: type[ListPage[S]]
    """The view of a result of that request."""


class PaginatedList(Generic[T]):
    """The items of a list, in the order of the server."""

    def __init__(self, session: Session, rules: ListSpec[T]) -> None:
        """Offer a list of `session`; nothing is read before `refresh`."""
        self.changed: Event[()] = Event()
        self.state = ListState.UNREAD
        self.items: tuple[T, ...] = ()
        self.findings: tuple[Finding, ...] = ()
        self.duplicates: Mapping[int, tuple[Finding, ...]] = {}
        self.changes = ListChanges()
        """The differences from the reading before, for `CHANGES_SECONDS` after it."""
        self.since_run = ListChanges()
        """The differences from what was listed in an earlier run."""
        self.failure: InspectorError | None = None
        self.caching: CacheHints | None = None
        """How long the latest page may be cached, in revisions that define it; Spyglass caches nothing."""
        self.read_at = 0.0
        """When the latest page came, in seconds of the session's clock."""
        self._session = session
        self._rules = rules
        self._pages: Paginator | None = None
        self._reading = asyncio.Lock()
        self._is_stale = False
        announced = session.peer.listener(rules.announced)
        self._subscriptions = (
            announced.subscribe(lambda _frame, _message: self._read_again_soon()),
            session.renewed.subscribe(self._on_renewed),
            session.interruptions.ended.subscribe(self._read_again_soon),
        )

    def detach(self) -> None:
        """Follow the session no longer: the list is read again only by `refresh`."""
        for unsubscribe in self._subscriptions:
            unsubscribe()

    @property
    def method(self) -> str:
        """The request for one page."""
        return self._rules.method

    @property
    def capability(self) -> str:
        """The capability that a server with this list declares."""
        return self._rules.capability

    @property
    def offered(self) -> bool:
        """Whether the server declared the list."""
        return self._session.declares(self._rules.capability)

    @property
    def is_awaited(self) -> bool:
        """Whether items are still to come: the list is being read, or will be as soon as there is a connection."""
        if self.state is not ListState.UNREAD:
            return self.state is ListState.READING
        return self._session.greeting is None or self.offered

    @property
    def news(self) -> ListChanges:
        """The differences that are displayed: from the reading before, else from an earlier run."""
        return self.changes if self.changes.text else self.since_run

    def set_since_run(self, changes: ListChanges) -> None:
        """Keep how the list differs from an earlier run."""
        if changes != self.since_run:
            self.since_run = changes
            self.changed.fire()

    @property
    def unannounced_text(self) -> str:
        """Why changes of the list are not announced at the moment, although they were requested; empty while they are."""
        return self._session.listening.interruption_text(self._rules.announced)

    @property
    def count_text(self) -> str:
        """The number of items; empty as long as no item is listed and the list is not known to be empty."""
        known = bool(self.items) or (self.state is ListState.READ and self.offered)
        return f"{len(self.items):,}" if known else ""

    @property
    def more(self) -> bool:
        """Whether reading stopped at its budget and can go on."""
        return self._pages is not None and self._pages.more

    @property
    def is_unusable(self) -> bool:
        """Whether the server responded with something that is not a list: nothing was read, and a finding describes it."""
        is_wrong = any(each.pointer.rpartition("/")[2] in LIST_MEMBERS for each in self.findings)
        return self.state is ListState.READ and not self.items and is_wrong

    @property
    def is_empty(self) -> bool:
        """Whether the list was read and has no items."""
        return self.state is ListState.READ and not self.items

    def age_seconds(self) -> float:
        """Return how long ago the latest page came."""
        return self._session.steps.clock.monotonic() - self.read_at

    @property
    def pages_read(self) -> int:
        """The number of pages read of the current list."""
        return self._pages.read if self._pages is not None else 0

    def status_text(self, noun: str) -> str:
        """Return how reading went: `13 tools`, or why there are no items."""
        if self.failure is not None:
            return f"{self.method}: {self.failure.reason}"
        if self.is_unusable:
            wrong = next(f for f in self.findings if f.pointer.rpartition("/")[2] in LIST_MEMBERS)
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
        """Read on after the budget was used up."""
        async with self._reading:
            if self._pages is not None and self._pages.more:
                await self._read(self._pages, self.items)

    async def _read(self, pages: Paginator, before: tuple[T, ...]) -> None:
        self.state, self.failure = ListState.READING, None
        self.changed.fire()
        findings: list[Finding] = []
        items = list(before)
        try:
            async for page in pages.next_pages():
                self._take_page(page, items, findings)
                if len(items) >= MAX_ITEMS:
                    pages.stop(f"stopped after {len(items):,} items; more are available")
                    break
            self.state = ListState.READ
            if self._session.declares(self._rules.capability, "listChanged"):
                self._session.listening.follow(self._rules.announced)
        except InspectorError as error:
            diagnostics.process_exit.explain_exit(
                error, self._session.transcript, self._session.profile
            )
            self.failure, self.state = error, ListState.FAILED
            if not pages.read:  # the old list is still what the server listed last
                items, findings = list(self.items), list(self.findings)
        if pages.stopped:
            findings.append(Finding("L-PAG-04", Severity.WARNING, pages.stopped))
        self._set_items(items, findings)

    def _take_page(self, page: ReceivedPage, items: list[T], findings: list[Finding]) -> None:
        revision = self._session.revision
        view = self._rules.page(page.result, "/result", revision)
        self.read_at = self._session.steps.clock.monotonic()
        if revision is not None and revision.has_cacheable_results:
            self.caching = view.caching
        findings += view.notes
        if page.repeats:
            text = f"page {page.number} repeats page {page.repeats}; ignored"
            findings.append(Finding("L-PAG-05", Severity.WARNING, text))
        else:
            items += view.listed
        self._set_items(items, findings)

    def _set_items(self, items: list[T], findings: list[Finding]) -> None:
        self.items, self.findings = tuple(items), tuple(findings)
        if self.state is not ListState.READING:
            self.duplicates = self._rules.page.duplicates(self.items)
        self.changed.fire()

    def _note_changes(self, before: Sequence[T]) -> None:
        self.changes = compare(before, self.items)
        if self.changes.text:
            self.changed.fire()
            self._session.tasks.spawn(
                self._forget(self.changes), name=f"changes of {self._rules.method}"
            )

    async def _forget(self, changes: ListChanges) -> None:
        await asyncio.sleep(CHANGES_SECONDS)
        if self.changes is changes:
            self.changes = ListChanges()
            self.changed.fire()

    def _read_again_soon(self) -> None:
        """Read the list again, once for all reasons that come together."""
        if self._is_stale or self.state is ListState.UNREAD:
            return
        self._is_stale = True
        self._session.tasks.spawn(self._refresh_soon(), name=f"{self._rules.method} again")

    def _on_renewed(self) -> None:
        if self.state is not ListState.UNREAD and not self._is_stale:
            self._session.tasks.spawn(self.refresh(), name=f"{self._rules.method} again")

    async def _refresh_soon(self) -> None:
        await asyncio.sleep(REFRESH_SECONDS)
        self._is_stale = False
        if self._session.state is SessionState.READY:
            await self.refresh()
