"""What the rules about listed items share: reading an item, and one finding for many items that lack the same."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.checks.seen import At, batched
from inspector.spec.findings import make_finding
from inspector.spec.pointer import join
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from inspector.checks.seen import ListedItem
    from inspector.finding import Finding
    from inspector.json_value import Json, JsonObject

MAX_NAMED = 4
"""Items that a finding names; the others are counted."""

MAX_NAME = 60
"""Characters of a name that a finding quotes."""

COUNTED_LENGTH = 16
"""Characters of the hash of items that a finding counts."""


def members(item: ListedItem) -> JsonObject:
    """Return the members of an item; an empty object for one that is no object, which the schema says."""
    return item.value if isinstance(item.value, dict) else {}


def text_of(value: Json) -> str:
    """Return a text; empty for what is none."""
    return value if isinstance(value, str) else ""


def name_of(item: ListedItem, key: str = "name") -> str:
    """Return the name of an item; empty without one."""
    return text_of(members(item).get(key))


def quoted(name: str) -> str:
    """Return a name of the server as a finding quotes it."""
    return f"“{one_line(name, MAX_NAME)}”"


def listed(names: Sequence[str]) -> str:
    """Return some names in a row, and how many more there are."""
    text = ", ".join(quoted(name) for name in names[:MAX_NAMED])
    return text if len(names) <= MAX_NAMED else f"{text} and {len(names) - MAX_NAMED:,} more"


def matching(
    items: Sequence[ListedItem], matches: Callable[[ListedItem], bool]
) -> Generator[None, None, list[ListedItem]]:
    """Return the items that match; yields None from time to time, where a rule on a long list may pause."""
    found: list[ListedItem] = []
    for some in batched(items):
        found += filter(matches, some)
        yield None
    return found


def any_matches(
    items: Sequence[ListedItem], matches: Callable[[ListedItem], object]
) -> Generator[None, None, bool]:
    """Return whether any item matches; yields None likewise."""
    for some in batched(items):
        if any(map(matches, some)):
            return True
        yield None
    return False


def fold(
    rule: str, items: Sequence[ListedItem], text: str, *steps: str, key: str = "name"
) -> Iterator[At | None]:
    """Yield one finding about all `items`, at the first of them: `text` followed by their names; nothing without items. Pauses likewise."""
    if not items:
        return
    first = items[0]
    names: list[str] = []
    for some in batched(items):
        names += (name_of(item, key) or "?" for item in some)
        yield None
    pointer = join(first.pointer, *steps)
    found = make_finding(rule, f"{text}: {listed(names)}", pointer, first.revision)
    yield At(first.number, counting(found, names))


def counting(finding: Finding, names: Iterable[str]) -> Finding:
    """Return the finding with a hash of the items that it counts: with one more it is another finding for a baseline."""
    digest = hashlib.sha256("\0".join(sorted(names)).encode("utf-8", "replace"))
    return replace(finding, counted=digest.hexdigest()[:COUNTED_LENGTH])
