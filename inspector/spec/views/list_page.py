"""One page of a list, whatever it lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from inspector.finding import Severity
from inspector.spec.json_types import type_text
from inspector.spec.keys import META
from inspector.spec.view import View
from inspector.spec.views.caching import CacheHints

if TYPE_CHECKING:
    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json

V = TypeVar("V", bound=View)


class ListPage(View, Generic[V]):
    """A page; each entry becomes an item, whatever it is. Subclasses say where the items are and how one is read."""

    KEY: ClassVar[str]
    """The member that holds the items."""
    ITEM: type[V]
    """How one is read."""

    def __init__(
        self, raw: Json, pointer: str = "/result", revision: Revision | None = None
    ) -> None:
        """Read the page."""
        super().__init__(raw, pointer, revision)
        self.listed: tuple[V, ...] = tuple(
            self.ITEM(item, self.pointer_to(self.KEY, number), revision)
            for number, item in enumerate(self.listed_items(self.KEY))
        )
        self.next_cursor = self._cursor()
        self.caching = CacheHints(self)
        self.meta = self.members(META)
        self.result_type = self.text("resultType")

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
