"""The tools of a server: their list, kept fresh, and the calls made in this session.

Arguments leave exactly as they were typed, but for white space between tokens: one message is one line (C-STD-03).
"""

from __future__ import annotations

import asyncio
from enum import StrEnum
from typing import TYPE_CHECKING

from inspector.errors import InspectorError
from inspector.event import Event
from inspector.features.tool_call import ToolCall
from inspector.finding import Finding, Severity
from inspector.session.pages import Page, Pages
from inspector.session.session import SessionState
from inspector.spec.views.tool import ToolsPage, ToolView, name_clashes
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.session.timeouts import Timeouts
    from inspector.wire.message import Message

LIST_CHANGED = "notifications/tools/list_changed"

REFRESH_SECONDS = 0.3
"""How long changes are gathered before the list is read again."""

CALL_BUDGET = 1000
"""Calls kept to go back to; earlier ones are in the traffic."""


class ListState(StrEnum):
    """Where a list stands."""

    UNREAD = "not read"
    READING = "reading"
    READ = "read"
    FAILED = "failed"


class Tools:
    """What can be called, and what was."""

    def __init__(self, session: Session) -> None:
        """Offer the tools of `session`; nothing is read before `refresh`."""
        self.changed: Event[()] = Event()
        self.called: Event[ToolCall] = Event()
        self.state = ListState.UNREAD
        self.items: tuple[ToolView, ...] = ()
        self.notes: tuple[Finding, ...] = ()
        self.clashes: dict[int, tuple[Finding, ...]] = {}
        self.failure: InspectorError | None = None
        self.calls: list[ToolCall] = []
        self.dropped_calls = 0
        self._session = session
        self._pages: Pages | None = None
        self._reading = asyncio.Lock()
        self._stale = False
        session.peer.listener(LIST_CHANGED).subscribe(self._on_list_changed)

    @property
    def offered(self) -> bool:
        """Whether the server declared tools."""
        return self._session.declares("tools")

    @property
    def more(self) -> bool:
        """Whether reading stopped at its budget and can go on."""
        return self._pages is not None and self._pages.more

    @property
    def pages_read(self) -> int:
        """Pages read of the current list."""
        return self._pages.read if self._pages is not None else 0

    async def refresh(self) -> None:
        """Read the list from its beginning; the old one stays until the first page is here.

        Failures are kept in `failure`, not raised: the list belongs to a page that shows them.
        """
        async with self._reading:
            self._pages = Pages(self._session, "tools/list")
            await self._read(self._pages, ())

    async def load_more(self) -> None:
        """Go on where the budget ended."""
        async with self._reading:
            if self._pages is not None and self._pages.more:
                await self._read(self._pages, self.items)

    def call(
        self, tool: ToolView, arguments: str | None, *, timeouts: Timeouts | None = None
    ) -> ToolCall:
        """Begin a call with the JSON text `arguments`; none sends no arguments at all.

        Raises:
            ValueError: the text is not JSON and would break the message it stands in.
        """
        made = ToolCall(self._session, tool, arguments, timeouts)
        self.calls.append(made)
        if len(self.calls) > CALL_BUDGET:
            del self.calls[0]
            self.dropped_calls += 1
        self.called.fire(made)
        made.start()
        return made

    def calls_of(self, name: str) -> list[ToolCall]:
        """The calls of one tool, oldest first."""
        return [call for call in self.calls if call.tool.name == name]

    async def _read(self, pages: Pages, before: tuple[ToolView, ...]) -> None:
        self.state, self.failure = ListState.READING, None
        self.changed.fire()
        notes: list[Finding] = []
        items = list(before)
        try:
            async for page in pages.next_pages():
                self._take_page(page, items, notes)
            self.state = ListState.READ
        except InspectorError as error:
            self.failure, self.state = error, ListState.FAILED
        if pages.stopped:
            notes.append(Finding("L-PAG-02", Severity.WARNING, pages.stopped))
        self._keep(items, notes)

    def _take_page(self, page: Page, items: list[ToolView], notes: list[Finding]) -> None:
        result = page.reply.message.result
        read = ToolsPage(or_null(result), revision=self._session.revision)
        notes += read.notes
        if page.repeats:
            words = f"page {page.number} repeats page {page.repeats} and is not listed again"
            notes.append(Finding("L-PAG-02", Severity.WARNING, words))
        else:
            items += read.tools
        self._keep(items, notes)

    def _keep(self, items: list[ToolView], notes: list[Finding]) -> None:
        self.items, self.notes = tuple(items), tuple(notes)
        if self.state is not ListState.READING:
            self.clashes = name_clashes(self.items)
        self.changed.fire()

    def _on_list_changed(self, _frame: int, _message: Message) -> None:
        if self._stale or self.state is ListState.UNREAD:
            return
        self._stale = True
        self._session.tasks.spawn(self._refresh_soon(), name="read tools again")

    async def _refresh_soon(self) -> None:
        await asyncio.sleep(REFRESH_SECONDS)
        self._stale = False
        if self._session.state is SessionState.READY:
            await self.refresh()
