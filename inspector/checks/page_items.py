"""The items of one page of a list, checked one by one in slices, and how many findings about them are kept.

What is kept does not depend on where a slice ends: the same page has the same findings in every run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from inspector.finding import bounded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from inspector.checks.seen import ListedItem
    from inspector.finding import Finding

MAX_OF_RULE = 100
"""Findings of one rule about the items of one page that are kept; one more counts the others."""


class PageItems:
    """What is left of one page."""

    def __init__(self, items: Iterable[ListedItem]) -> None:
        """Begin with all items of a page."""
        self._items: Iterator[ListedItem] = iter(items)
        self._counts: dict[str, int] = {}
        self._last: dict[str, Finding] = {}

    def next(self) -> ListedItem | None:
        """Take the next item; None after the last one."""
        return next(self._items, None)

    def keep(self, found: list[Finding]) -> list[Finding]:
        """Return those of the findings about one item that are kept; the others are counted."""
        kept: list[Finding] = []
        for finding in bounded(found):
            count = self._counts[finding.rule] = self._counts.get(finding.rule, 0) + 1
            if count <= MAX_OF_RULE:
                kept.append(finding)
            else:
                self._last[finding.rule] = finding
        return kept

    def rest(self) -> list[Finding]:
        """Return a finding for each rule of which more were found than kept."""
        found: list[Finding] = []
        for rule, last in self._last.items():
            more = self._counts[rule] - MAX_OF_RULE - 1
            text = f"{last.summary} (and {more:,} more of this rule on this page)"
            found.append(replace(last, summary=text) if more else last)
        return found
