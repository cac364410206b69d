"""The entries of listed pages, read as the pages of the window read them: one by one, in slices, because a page may have thousands."""

from __future__ import annotations

import time
from collections import deque
from typing import TYPE_CHECKING, Any, cast

from inspector.checks.faults import fault
from inspector.finding import Finding, Severity, bounded
from inspector.spec.views.list_page import ListPage
from inspector.spec.views.tool import ToolsPage

if TYPE_CHECKING:
    from inspector.background_tasks import Steps
    from inspector.spec.view import View
    from inspector.transcript.transcript import Transcript

MAX_FOUND = 1_000
"""Findings about the entries of one page, after which the others are not read: few of them are kept anyway."""


class ListedViews:
    """The pages in one transcript whose entries are still to be read."""

    def __init__(self, transcript: Transcript) -> None:
        """Begin without any."""
        self._transcript = transcript
        self._jobs: deque[tuple[int, Steps[list[Finding]]]] = deque()

    @property
    def pending(self) -> int:
        """Pages that are not read to their end."""
        return len(self._jobs)

    def add(self, number: int, view: View, found: list[Finding]) -> None:
        """Read the entries of a page in frame `number` later, for findings at pointers that no finding in `found` has."""
        if isinstance(view, ListPage):
            known = frozenset(finding.pointer for finding in found)
            self._jobs.append((number, _check(cast("ListPage[Any]", view), known)))

    def check_some(self, until: float) -> None:
        """Read entries until `time.perf_counter()` is past `until`, at least one."""
        while self._jobs:
            number, steps = self._jobs[0]
            try:
                next(steps)
            except StopIteration as ended:
                self._jobs.popleft()
                self._add(number, ended.value)
            except Exception as error:  # noqa: BLE001 - a fault about one page must not end the checks of a session
                self._jobs.popleft()
                self._add(number, [fault("the entries of the list", error)])
            if time.perf_counter() >= until:
                break

    def _add(self, number: int, findings: list[Finding]) -> None:
        for finding in findings:
            self._transcript.add_finding(number, finding)
        if findings:
            self._transcript.findings_changed.fire()


def own_findings(view: View, found: list[Finding]) -> list[Finding]:
    """Return the findings of a view at pointers that no finding in `found` has, alike ones folded; without those of the entries of a page."""
    known = frozenset(finding.pointer for finding in found)
    own = view.notes if isinstance(view, ListPage) else view.findings
    return bounded((finding for finding in own if finding.pointer not in known), MAX_FOUND)


def _check(page: ListPage[Any], known: frozenset[str]) -> Steps[list[Finding]]:
    """Return the findings about the entries of a page, with a pause after each entry."""
    from inspector.checks.plain_shapes import (
        is_plain_tool as is_plain,
    )  # with the validators, which are there before a list is read

    items: list[Any] = []
    found: list[Finding] = []
    is_of_tools = isinstance(page, ToolsPage)
    for item in page.read_items():
        items.append(item)
        if not (is_of_tools and is_plain(item.raw, page.revision)):
            found += (finding for finding in item.notes if finding.pointer not in known)
        yield
        if len(found) >= MAX_FOUND:
            break
    between = yield from page.find_duplicates(items, MAX_FOUND)
    found += (each for some in between.values() for each in some if each.pointer not in known)
    kept = bounded(found)
    if left := page.count - len(items):
        text = f"{left:,} more entries of `{page.KEY}` were not checked"
        kept.append(Finding("more-findings", Severity.INFO, text, page.pointer_to(page.KEY)))
    return kept
