"""Reading a list page by page, whatever the server does with its cursors.

Cursors are opaque (C-PAG-01), an empty one is a cursor (C-PAG-06), a missing one ends the list (C-PAG-04). A list stops early,
with words that say so, when a cursor comes back that was used before, or when the budget of pages is used up; the latter can
be continued.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from inspector.session.peer import Reply
    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject

PAGE_BUDGET = 500
"""Pages read before a person is asked whether to go on."""


class ListPageReply(FrozenStruct, frozen=True):
    """One page."""

    number: int
    """From 1."""
    reply: Reply
    """The response."""
    result: Json
    """What it says, read once."""
    repeats: int
    """The number of an earlier page that said exactly the same; 0 for none."""


class Paginator:
    """The pages of one list, in order."""

    def __init__(self, session: Session, method: str) -> None:
        """Prepare to read the list that `method` gives."""
        self.read = 0
        """Pages so far."""
        self.stopped = ""
        """Why it stopped before its end, in words; empty when it did not."""
        self.more = False
        """The budget is used up and there is more."""
        self._session = session
        self._method = method
        self._cursor: str | None = None
        self._used: set[str] = set()
        self._seen: dict[int, int] = {}
        self._over = False

    async def next_pages(self, budget: int = PAGE_BUDGET) -> AsyncIterator[ListPageReply]:
        """Read on, at most `budget` pages.

        Raises:
            InspectorError: a page could not be read; what was read before stays good.
        """
        self.more = False
        for _ in range(budget):
            if self._over:
                return
            yield await self._next()
        if not self._over:
            self.more = True
            self.stopped = f"{self.read} pages were read and there are more"

    def stop(self, text: str) -> None:
        """Read no further for now, for the reason in `words`, unless the list is at its end."""
        if not self._over:
            self.more, self.stopped = True, text

    async def _next(self) -> ListPageReply:
        params: JsonObject = {} if self._cursor is None else {"cursor": self._cursor}
        reply = await self._session.request(self._method, params)
        self.read += 1
        digest = hash(reply.message.raw_result)
        repeats = self._seen.setdefault(digest, self.read)
        result = or_null(reply.message.result)
        self._advance(result)
        return ListPageReply(self.read, reply, result, 0 if repeats == self.read else repeats)

    def _advance(self, result: Json) -> None:
        cursor = result.get("nextCursor") if isinstance(result, dict) else None
        self._cursor = cursor if isinstance(cursor, str) else None
        self._over = self._cursor is None
        if self._cursor is not None and self._cursor in self._used:
            self._over = True
            self.stopped = f"the cursor {self._cursor!r} came back after page {self.read}; the list was not read further"
        elif self._cursor is not None:
            self._used.add(self._cursor)
