"""What is said about the runs of one server."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from inspector.session.paginated_list import ListState
from inspector.transcript.exchange import Status
from inspector.visible_text import one_line
from ui.widgets.units import clock_time, duration, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.session.session import Run
    from inspector.spec.view import View
    from inspector.transcript.exchange import Exchange, Retry
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


def times_asked(exchange: Exchange) -> int:
    """How often the server asked for input; an answer that asks for another try alone asks for none."""
    again = len(exchange.rounds) - 1
    waits = exchange.status is Status.INPUT_REQUIRED
    return max(0, again + (1 if waits else 0) - exchange.retry_count)


def is_ours_to_answer(exchange: Exchange | None) -> bool:
    """Whether the latest answer asks for input, and nothing was sent since."""
    return (
        exchange is not None and exchange.status is Status.INPUT_REQUIRED and exchange.retry is None
    )


def running_text(exchange: Exchange | None, max_rounds: int, now: float) -> str:
    """Of one that goes on, where there is more to say than that.

    `most` is how often it is sent again, `now` the monotonic seconds of the transcript's clock.
    """
    if exchange is None:
        return ""
    asked = times_asked(exchange)
    who = "waiting for your input" if is_ours_to_answer(exchange) else "waiting for server"
    if exchange.is_out_of_reach:
        who = "waiting for server (unreachable)"
    elif exchange.retry is not None:
        who = _retry_text(exchange, exchange.retry, now)
    if not asked:
        return who if exchange.is_out_of_reach or exchange.retry is not None else ""
    near = f" (max {max_rounds})" if 2 * asked >= max_rounds else ""
    return f"input requested {_times(asked)}{near}; {who}"


def _retry_text(exchange: Exchange, retry: Retry, now: float) -> str:
    count = f"({retry.number} of {retry.max_tries})"
    if exchange.status is not Status.INPUT_REQUIRED:
        return f"retried {count}; waiting for server"
    left = math.ceil(max(0.0, retry.at - now))
    return f"retrying in {left} s {count}" if left else f"retrying {count}"


def ended_text(exchange: Exchange | None) -> str:
    """Of one that is over: how its time divides."""
    if exchange is None:
        return ""
    asked, tries = times_asked(exchange), len(exchange.rounds) - 1
    if asked:
        return f"input requested {_times(asked)}; {time_split_text(exchange)}"
    return f"retried {_times(tries)}; {time_split_text(exchange)}" if tries else ""


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


def time_split_text(exchange: Exchange) -> str:
    """How the time divides between the server and us."""
    server = exchange.server_seconds
    took = f"server {duration(server)}" if server is not None else "no response yet"
    return f"{took}, client {duration(exchange.waited_seconds)}"


def attempts_text(earlier: tuple[int, ...], latest: int) -> str:
    """Return the text about automatic attempts, with their frames."""
    nth = {1: "2nd", 2: "3rd"}.get(len(earlier), f"{len(earlier) + 1}th")
    return f"{nth} attempt, #{latest}; before: {', '.join(f'#{frame}' for frame in earlier)}"
