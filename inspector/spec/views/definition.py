"""What the definitions of tools, prompts and resources share: an identifier, texts, icons, and findings about duplicates.

Source: basic, "Icons"; server/tools, server/prompts and server/resources, "Data Types".
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, TypeVar

from inspector.spec.view import View
from inspector.spec.views.list_page import ListedView
from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from inspector.background_tasks import Steps
    from inspector.finding import Finding

T = TypeVar("T")

THEMES = ("light", "dark")


class IconView(View):
    """One image; it is loaded only when the user asks for it."""

    SUBJECT: ClassVar[str] = "icons"
    RULE: ClassVar[str] = "L-ICO-03"
    NOUN: ClassVar[str] = "an icon"

    def _read_members(self) -> None:
        self.src = self.text("src", required=True)
        self.mime_type = self.text("mimeType")
        self.sizes = self.texts("sizes")
        self.theme = self.text("theme")
        if self.src and not self.is_safe:
            text = "icon `src` must be an https: or data: URI"
            self.add_finding(text, "src", rule="L-ICO-01")
        if self.theme and self.theme not in THEMES:
            self.add_finding(f"`theme` must be light or dark, not {self.theme!r}", "theme")

    @property
    def is_safe(self) -> bool:
        """Whether `src` may be displayed: an `https:` or `data:` URI."""
        return self.src.lower().startswith(("https:", "data:"))


def icons(view: View) -> tuple[IconView, ...]:
    """Read the member `icons` of `view`."""
    found = view.views("icons", IconView)
    for icon in found:
        view.include_findings_of(icon)
    return found


class Definition(ListedView):
    """A listed tool, prompt, resource or template: the member `ID` tells it from others."""

    ID: ClassVar[str] = "name"

    def _read_members(self) -> None:
        self.exact_id = self.value(self.ID)
        self.name = self.text("name", required=True)
        self.title = self.text("title")
        self.description = self.text("description")

    @property
    def has_id(self) -> bool:
        """Whether the identifier is a string; an empty string is one."""
        return isinstance(self.exact_id, str)

    @property
    def id_label(self) -> str:
        """The identifier for display: exact if it is a nonempty string, otherwise what was found, in parentheses."""
        if isinstance(self.exact_id, str) and self.exact_id:
            return self.exact_id
        if not self.has(self.ID):
            return f"(no {self.ID})"
        return (
            f"(empty {self.ID})" if self.exact_id == "" else f"({json_codec.write(self.exact_id)})"
        )

    @property
    def problems(self) -> tuple[Finding, ...]:
        """All findings about it."""
        return tuple(self.notes)


PAUSE_KEYS = 1_000
"""Keys that are looked at without a pause."""


def repeated(keys: Iterable[str | None]) -> Steps[dict[int, int]]:
    """Return how often a key occurs, by the position of each key that occurs more than once; None never counts. With pauses."""
    listed: list[str | None] = []
    counts: Counter[str | None] = Counter()
    left = iter(keys)
    while some := list(islice(left, PAUSE_KEYS)):
        listed += some
        counts.update(some)
        yield
    if len(counts) == len(listed):
        return {}  # as nearly always, and lists are long
    found: dict[int, int] = {}
    for number, key in enumerate(listed):
        if key is not None and counts[key] > 1:
            found[number] = counts[key]
        if not number % PAUSE_KEYS:
            yield
    return found


def find_repeated(
    items: Sequence[T],
    key: Callable[[T], str | None],
    finding: Callable[[T, int], Finding],
    limit: int | None,
) -> Steps[dict[int, tuple[Finding, ...]]]:
    """Return a finding for each item whose key is not unique, by position, for `limit` items at most. With pauses."""
    same = yield from repeated(map(key, items))
    found: dict[int, tuple[Finding, ...]] = {}
    for number, count in islice(same.items(), limit):
        found[number] = (finding(items[number], count),)
        yield
    return found
