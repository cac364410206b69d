"""Lists that come in pages: items and cursors that earlier pages of the same list had already, and pages without items.

Source: server/utilities/pagination; L-PAG-04, L-PAG-05, L-PAG-06.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec.spec_urls import link
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.revision import Revision
    from inspector.wire.json_codec import Json, JsonObject

LISTS = {
    "tools/list": ("tools", "name"),
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "name"),
}
"""By the method: the member with the items, and the member by which an item is told from others."""

MAX_NAMES = 200_000
"""Names of one list that are remembered; beyond them nothing is found."""


class ListPages:
    """Remembers the items of the pages of each list, from the request without a cursor on."""

    def __init__(self) -> None:
        """Begin without any."""
        self._seen: dict[str, set[str]] = {}
        self._cursors: dict[str, set[int]] = {}
        """By the method, hashes of the cursors that its pages named."""

    def judge(
        self, method: str, params: Json, result: Json, revision: Revision
    ) -> Iterator[Finding]:
        """Yield what is wrong with the `result` of a request for a page with `params`."""
        if method not in LISTS or not isinstance(result, dict):
            return
        is_next = isinstance(params, dict) and params.get("cursor") is not None
        seen = self._seen.setdefault(method, set())
        cursors = self._cursors.setdefault(method, set())
        if not is_next:
            seen.clear()
            cursors.clear()
        key, name = LISTS[method]
        names = _names(result, key, name)
        yield from self._of_cursor(result, key, cursors, revision)
        repeated = [each for each in names if each in seen]
        if len(seen) < MAX_NAMES:
            seen.update(names)
        if repeated:
            shown = ", ".join(f"`{each[:60]}`" for each in repeated[:3])
            more = f" and {len(repeated) - 3:,} more" if len(repeated) > 3 else ""
            text = f"this page repeats items of earlier pages: {shown}{more}"
            page = link("pagination", revision)
            yield Finding("L-PAG-05", Severity.WARNING, text, f"/result/{key}", page)

    @staticmethod
    def _of_cursor(
        result: JsonObject, key: str, cursors: set[int], revision: Revision
    ) -> Iterator[Finding]:
        cursor, items = result.get("nextCursor"), result.get(key)
        if not isinstance(cursor, str):
            return
        page = link("pagination", revision)
        if hash(cursor) in cursors:
            text = f"the cursor {one_line(cursor, 60)!r} came before: the list never ends"
            yield Finding("L-PAG-04", Severity.WARNING, text, "/result/nextCursor", page)
        if items == []:
            text = "this page has no items, and names a page after it"
            yield Finding("L-PAG-06", Severity.INFO, text, f"/result/{key}", page)
        if len(cursors) < MAX_NAMES:
            cursors.add(hash(cursor))


def _names(result: JsonObject, key: str, name: str) -> list[str]:
    items = result.get(key)
    found = (
        [item.get(name) for item in items if isinstance(item, dict)]
        if isinstance(items, list)
        else []
    )
    return [each for each in found if isinstance(each, str)]
