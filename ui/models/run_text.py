"""What is said about the runs of one server."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from inspector.transcript.exchange import Status
from inspector.visible_text import one_line
from ui.widgets.units import clock_time, duration, plural

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.open_session import OpenSession
    from inspector.runs import RunStart
    from inspector.transcript.exchange import Exchange, Retry
    from inspector.transcript.transcript import Transcript

LENGTH = 400
"""Characters of what is said of a run."""


class Dividers:
    """What divides the frames of several runs."""

    def __init__(self, runs: Sequence[OpenSession]) -> None:
        """Tell of `runs`, oldest first."""
        self._runs = runs

    def start(self, transcript: Transcript) -> RunStart | None:
        """Return how the run of `transcript` began; None for the first run that is kept."""
        starts = (
            each.comparison.start
            for each in self._runs[1:]
            if each.session.transcript is transcript
        )
        return next(starts, None)

    def __call__(self, transcript: Transcript) -> str:
        """When and why the run of `transcript` began, what it speaks, and what is not as in the run before."""
        start = self.start(transcript)
        if start is None:
            return ""
        parts = [run_start_text(start)]
        opened = self._runs[1]
        if opened.session.transcript is transcript and opened.runs.dropped:
            parts.append(f"{plural(opened.runs.dropped, 'earlier run')} only in recordings")
        return one_line(" · ".join(parts), LENGTH)


def run_start_text(start: RunStart) -> str:
    """Return `Run 2 · 14:03:20 · reconnected · 2025-11-25 · 1 tool added`, as far as it is known."""
    parts = [
        f"Run {start.number}",
        clock_time(start.wall_s) if start.wall_s is not None else "",
        start.reason,
        start.revision,
        difference_text(start),
    ]
    return " · ".join(part for part in parts if part)


def difference_text(start: RunStart) -> str:
    """Return what changed since the run before; empty before that is known."""
    if start.difference is None:
        return ""
    return start.difference.text or f"nothing changed since run {start.compared}"


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
