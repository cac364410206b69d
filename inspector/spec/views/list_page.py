"""One page of a list, and how long a result may be cached.

Source: server/utilities/pagination; server/utilities/caching.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from inspector.background_tasks import at_once
from inspector.finding import Finding, Severity
from inspector.spec.findings import make_finding
from inspector.spec.json_types import type_text
from inspector.spec.keys import CACHE_SCOPES, META
from inspector.spec.view import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.background_tasks import Steps


class ListedView(View):
    """An entry of a list."""

    @property
    def id_label(self) -> str:
        """The identifier for display; it names the same entry in every reading of the list."""
        raise NotImplementedError


V = TypeVar("V", bound=ListedView)


class ListPage(View, Generic[V]):
    """A page: each entry becomes an item, valid or not. Subclasses define the member with the items and their view."""

    POINTER: ClassVar[str] = "/result"
    KEY: ClassVar[str]
    """The member that holds the items."""
    ITEM: type[V]
    """How one is read."""

    def _read_members(self) -> None:
        self._items = self.listed_items(self.KEY)
        self.next_cursor = self._cursor()
        self.caching = CacheHints(self)
        self.meta = self.members(META)
        self.result_type = self.text("resultType")

    @property
    def count(self) -> int:
        """How many entries there are."""
        return len(self._items)

    @cached_property
    def listed(self) -> tuple[V, ...]:
        """Its entries, read at once; a page may have thousands."""
        return tuple(self.read_items())

    def read_items(self) -> Iterator[V]:
        """Read the entries one by one."""
        base = self.pointer_to(self.KEY)
        for number, item in enumerate(self._items):
            yield self.ITEM(item, f"{base}/{number}", self.revision)

    @classmethod
    def duplicates(
        cls, items: Sequence[V], limit: int | None = None
    ) -> dict[int, tuple[Finding, ...]]:
        """Return findings about items of one or more pages that are not unique, by position, of the first `limit` of them."""
        return at_once(cls.find_duplicates(items, limit))

    @classmethod
    def find_duplicates(
        cls, items: Sequence[V], limit: int | None = None
    ) -> Steps[dict[int, tuple[Finding, ...]]]:
        """Return the same, with pauses."""
        yield
        del items, limit
        return {}

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings about the page and its items."""
        own = (finding for item in self.listed for finding in item.notes)
        between = (finding for found in self.duplicates(self.listed).values() for finding in found)
        return (*self.notes, *own, *between)

    def _cursor(self) -> str | None:
        """Return where the next page begins; None at the end. Empty text is a cursor like any other."""
        value = self.value("nextCursor")
        if value is not None and not isinstance(value, str):
            text = f"`nextCursor` must be a string, not {type_text(value)}"
            self.add_finding(text, "nextCursor", rule="L-PAG-01")
        elif value is None and self.has("nextCursor"):
            text = "`nextCursor` is null; it should be omitted on the last page"
            self.add_finding(text, "nextCursor", rule="L-PAG-01", severity=Severity.WARNING)
        return value if isinstance(value, str) else None


class CacheHints:
    """The members `ttlMs` and `cacheScope` of a result. They are read in every revision, although earlier ones give them no meaning."""

    def __init__(self, view: View) -> None:
        """Read them from `view` and add the findings to it."""
        self._view = view
        self.has_ttl = view.has("ttlMs")
        self.ttl_ms = self._ttl()
        self.scope = self._scope()

    def _ttl(self) -> float:
        """Milliseconds; missing, invalid and negative values count as 0."""
        ttl = self._view.number("ttlMs")
        if ttl is not None and ttl < 0:
            self._add_finding("ttlMs", "L-CCH-02", "`ttlMs` is negative; treated as 0")
        return max(0, ttl or 0)

    def _scope(self) -> str:
        """`public` or `private`; every other value counts as private."""
        scope = self._view.text("cacheScope")
        if scope and scope not in CACHE_SCOPES:
            text = f"`cacheScope` must be public or private, not {scope!r}; treated as private"
            self._add_finding("cacheScope", "L-CCH-03", text)
        return scope if scope in CACHE_SCOPES else "private"

    def _add_finding(self, key: str, rule: str, text: str) -> None:
        pointer = self._view.pointer_to(key)
        self._view.notes.append(make_finding(rule, text, pointer, self._view.revision))
