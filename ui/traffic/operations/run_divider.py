"""The row with which a run begins: which one, when and why, and what is not as in the run before."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.compare.json_difference import ChangeKind
from inspector.visible_text import one_line
from ui.widgets.units import clock_time

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.compare.run_difference import ChangeSummary
    from inspector.runs import RunStart

MAX_BADGES = 5
"""Badges of one run; more are counted."""
MAX_NAMES = 40
"""Characters of the names in a badge."""
SIGNS = {
    ChangeKind.ADDED: "+",
    ChangeKind.CHANGED: "~",
    ChangeKind.REMOVED: "−",
    ChangeKind.MOVED: "→",
}
"""Signs of the kinds of changes."""
TONES = {
    ChangeKind.ADDED: "ok",
    ChangeKind.CHANGED: "warning",
    ChangeKind.REMOVED: "error",
    ChangeKind.MOVED: "muted",
}


class DividerBadge(NamedTuple):
    """One kind of change."""

    text: str
    tone: str


class RunDivider(NamedTuple):
    """What the row shows."""

    title: str
    """`Run 2`."""
    facts: str
    """When and why it began, the revision, and another version."""
    badges: tuple[DividerBadge, ...] = ()
    note: str = ""
    """What is after the badges, or in their position when there are none."""

    @property
    def text(self) -> str:
        """All of it in one line, for assistive technology."""
        badges = ", ".join(badge.text for badge in self.badges)
        return " · ".join(part for part in (self.title, self.facts, badges, self.note) if part)


def divider_of(start: RunStart | None, text: str) -> RunDivider:
    """Return what the row of a run shows that began as `start` has it; without that, its `text`."""
    if start is None:
        title, _dot, facts = text.partition(" · ")
        return RunDivider(title, facts)
    time = clock_time(start.wall_s) if start.wall_s is not None else ""
    difference = start.difference
    version = ""
    if difference is not None and difference.version is not None:
        before, after = (each or "none" for each in difference.version)
        version = f"version {one_line(before, MAX_NAMES)} → {one_line(after, MAX_NAMES)}"
    facts = " · ".join(
        part for part in (time, one_line(start.reason), start.revision, version) if part
    )
    if difference is None:
        return RunDivider(f"Run {start.number}", facts)
    if difference.is_empty:
        note = f"Nothing changed since run {start.compared}"
        return RunDivider(f"Run {start.number}", facts, note=note)
    badges = tuple(_badges(difference.summaries))
    rest = len(badges) - MAX_BADGES
    return RunDivider(
        f"Run {start.number}", facts, badges[:MAX_BADGES], f"{rest} more" if rest > 0 else ""
    )


def _badges(summaries: tuple[ChangeSummary, ...]) -> Iterator[DividerBadge]:
    for each in summaries:
        names = one_line(", ".join(each.names), MAX_NAMES)
        text = f"{SIGNS[each.kind]}{each.subject}"
        yield DividerBadge(f"{text}  {names}" if names else text, TONES[each.kind])
