"""The pages of a list, requested one after the other.

Cursors are opaque (C-PAG-01), an empty one is a cursor (C-PAG-06), a missing one ends the list (C-PAG-04). Reading stops early, with a
text that says so, when a cursor comes back that was used before, or when the budget of pages is used up; the latter can be continued.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.frozen import FrozenStruct
from inspector.spec.view import PAGE_BUDGET
from inspector.wire.message import or_null

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from inspector.session.session import Session
    from inspector.wire.json_codec import Json, JsonObject


class ReceivedPage(FrozenStruct, frozen=True):
    """One page of a list."""

    number: int
    """From 1."""
    result: Json
    """The result of the response."""
    repeats: int
    """The number of an earlier page with exactly the same result; 0 for none."""


class Paginator:
    """The pages of one list, in order."""

    def __init__(self, session: Session, method: str) -> None:
        """Prepare to read the list that `method` gives."""
        self.read = 0
        """Pages so far."""
        self.stopped = ""
        """Why reading stopped before the end of the list; empty otherwise."""
        self.more = False
        """True after the budget is used up, with more to read."""
        self._session = session
        self._method = method
        self._cursor: str | None = None
        self._used: set[str] = set()
        self._seen: dict[int, int] = {}
        self._is_done = False

    async def next_pages(self, budget: int = PAGE_BUDGET) -> AsyncIterator[ReceivedPage]:
        """Read on, at most `budget` pages.

        Raises:
            InspectorError: a page could not be read; the pages before it stay good.
        """
        self.more = False
        for _ in range(budget):
            if self._is_done:
                return
            yield await self._next()
        self.stop(f"stopped after {self.read} pages; more are available")

    def stop(self, text: str) -> None:
        """Read no further for now, for the reason in `text`, unless the list is at its end."""
        if not self._is_done:
            self.more, self.stopped = True, text

    async def _next(self) -> ReceivedPage:
        params: JsonObject = {} if self._cursor is None else {"cursor": self._cursor}
        reply = await self._session.request(self._method, params)
        self.read += 1
        repeats = self._seen.setdefault(hash(reply.message.raw_result), self.read)
        result = or_null(reply.message.result)
        self._advance(result)
        return ReceivedPage(self.read, result, 0 if repeats == self.read else repeats)

    def _advance(self, result: Json) -> None:
        cursor = result.get("nextCursor") if isinstance(result, dict) else None
        self._cursor = cursor if isinstance(cursor, str) else None
        self._is_done = self._cursor is None
        if self._cursor is not None and self._cursor in self._used:
            self._is_done = True
            self.stopped = f"cursor {self._cursor!r} repeated after page {self.read}; stopped"
        elif self._cursor is not None:
            self._used.add(self._cursor)
