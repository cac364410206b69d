"""Puts the pages of each list together, with pauses: a page may have a hundred thousand items."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from inspector.checks.message_order import LISTS
from inspector.checks.seen import PAUSE_ITEMS, ListedItem, WholeList

if TYPE_CHECKING:
    from inspector.background_tasks import Steps
    from inspector.checks.history import History
    from inspector.checks.seen import ReceivedMessage

MAX_ITEMS = 100_000
"""Items of one list that are checked; the rest is left out, and `too-many-items` says so."""


class CollectedPages:
    """The pages of lists that are not read to their end."""

    def __init__(self, history: History) -> None:
        """Begin without any; `history` is told of each list that was read to its end."""
        self._history = history
        self._items: dict[str, list[ListedItem]] = {}
        """By method, the items of the pages so far; no member where a page was not read."""

    def skip(self, method: str) -> None:
        """Forget a list, of which a page is too large to be read."""
        self._items.pop(method, None)
        self._history.skip_page(method)

    def add(self, message: ReceivedMessage) -> Steps[tuple[list[ListedItem], WholeList | None]]:
        """Return the items of a page, and after the last one the whole list; None if it is not known."""
        method, result, revision = message.method, message.result, message.revision
        key, _ = LISTS[method]
        items = result.get(key)
        if not isinstance(items, list):
            return [], None
        params = message.request_params()
        if not (isinstance(params, dict) and params.get("cursor") is not None):
            self._items[method] = []
        earlier, page = self._items.get(method, []), list[ListedItem]()
        pointer = f"/result/{key}"
        for index, value in enumerate(islice(items, MAX_ITEMS - len(earlier))):
            page.append(ListedItem(message.number, f"{pointer}/{index}", value, revision))
            if not index % PAUSE_ITEMS:
                yield
        earlier += page
        if method not in self._items or isinstance(result.get("nextCursor"), str):
            return page, None
        whole = WholeList(method, tuple(earlier), revision, message.number, pointer)
        self._items.pop(method)
        yield from self._history.add_list(whole)
        return page, whole
