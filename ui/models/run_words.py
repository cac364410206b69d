"""What is said about the runs of one server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.session.paginated_list import ListState
from inspector.visible_text import one_line
from ui.widgets.units import clock_time, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.session.session import Run
    from inspector.spec.view import View
    from inspector.transcript.transcript import Transcript
    from inspector.workspace import OpenSession

LENGTH = 400
"""Characters of what is said of a run."""


def run_position_text(number: int, total: int, run: Run, runs: int) -> str:
    """Where one of `total` things stands, and in which of several `runs` it was made; empty for the only one of the only run."""
    parts = (f"run {run.number}" if runs > 1 else "", f"{number} of {total}" if total > 1 else "")
    return " · ".join(part for part in parts if part)


class Dividers:
    """What is said of each of several runs where it begins."""

    def __init__(self, runs: Sequence[OpenSession]) -> None:
        """Tell of `runs`, oldest first."""
        self._runs = runs
        self._known: dict[int, tuple[tuple[object, ...], list[str]]] = {}

    def __call__(self, transcript: Transcript) -> str:
        """When and why the run of `transcript` began, what it speaks, and what is not as in the run before."""
        at = next((i for i, r in enumerate(self._runs) if r.session.transcript is transcript), 0)
        if not at:
            return ""
        opened = self._runs[at]
        run, revision = opened.session.run, opened.session.revision
        parts = [f"Run {run.number}", _began(opened), run.reason]
        parts.append(str(revision.date) if revision is not None else "")
        parts += self._changes(at)
        if at == 1 and opened.runs.dropped:
            parts.append(f"{plural(opened.runs.dropped, 'earlier run')} only in recordings")
        return one_line(" · ".join(part for part in parts if part), LENGTH)

    def _changes(self, at: int) -> list[str]:
        """What changed, compared again only where something new is known."""
        before, after = self._runs[at - 1], self._runs[at]
        now = (*_state_of(before), *_state_of(after))
        known = self._known.get(at)
        if known is None or any(a is not b for a, b in zip(known[0], now, strict=True)):
            known = self._known[at] = (now, changes(before, after))
        return known[1]


def _state_of(opened: OpenSession) -> tuple[object, ...]:
    lists = (opened.tools, opened.resources, opened.prompts)
    states = (part for each in lists for part in (each.state, each.items))
    return (opened.session.greeting, *states)


def _began(opened: OpenSession) -> str:
    columns = opened.session.transcript.columns
    return clock_time(columns.wall_s[0]) if len(columns) else ""


def changes(before: OpenSession, after: OpenSession) -> list[str]:
    """Return what changed of the server since the run before; empty until both runs are known."""
    old, new = before.session.greeting, after.session.greeting
    if old is None or new is None:
        return []
    found: list[str] = []
    if old.server.server.version != new.server.server.version:
        found.append(f"version {old.server.server.version} → {new.server.server.version}")
    if old.revision is not new.revision:
        found.append(f"revision was {old.revision.date}")
    lists = (
        ("tool", before.tools, after.tools),
        ("resource", before.resources, after.resources),
        ("prompt", before.prompts, after.prompts),
    )
    for noun, earlier, later in lists:
        if earlier.state is ListState.READ and later.state is ListState.READ:
            found += _list_changes(noun, earlier.items, later.items)
    return found


def _list_changes(noun: str, old: Sequence[View], new: Sequence[View]) -> list[str]:
    if len(old) == len(new) and all(a.raw == b.raw for a, b in zip(old, new, strict=True)):
        return []
    known, listed = {_name(each): each.raw for each in old}, {_name(each): each.raw for each in new}
    added, removed = len(listed.keys() - known.keys()), len(known.keys() - listed.keys())
    changed = sum(known[name] != listed[name] for name in known.keys() & listed.keys())
    signs = ((added, "added"), (removed, "removed"), (changed, "changed"))
    return [f"{plural(count, noun)} {how}" for count, how in signs if count]


def _name(view: View) -> str:
    raw = view.raw
    named = (raw.get("uri") or raw.get("name")) if isinstance(raw, dict) else raw
    return repr(named)
