"""What the status bar says about the problems and the pings. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ui.widgets.units import duration, duration_exact, plural

if TYPE_CHECKING:
    from inspector.checks.problem_sums import Sums
    from inspector.features.ping import Ping


def pings_in_short(ping: Ping) -> str:
    """Return how long the last pings took, and how many had no response."""
    answered, failed, shortest, mean, slowest = ping.figures()
    lost = f"; {failed:,} without a response" if failed else ""
    if not answered:
        return f"last {plural(failed, 'ping')}: no responses"
    times = f"min {duration(shortest)}, avg {duration(mean)}, max {duration(slowest)}"
    return f"last {plural(answered + failed, 'ping')}: {times}{lost}"


def ping_texts(ping: Ping) -> tuple[str, str, str]:
    """Return how long the last ping took, its tooltip and its tone."""
    pong = ping.history[-1] if ping.history else None
    every = f" · every {ping.interval_seconds:g} s" if ping.interval_seconds else ""
    how = "Click to ping; right-click to set an interval"
    if pong is None:
        return f"ping{every}", how, ""
    if pong.took_seconds is not None:
        exact = duration_exact(pong.took_seconds)
        text = f"ping {duration(pong.took_seconds)}{every}"
        return text, f"{exact}\n{pings_in_short(ping)}\n{how}", ""
    reason = pong.error.reason if pong.error is not None else "no response"
    return f"ping: no response{every}", f"{reason}\n{pings_in_short(ping)}\n{how}", "error"


def found_text(sums: Sums) -> str:
    """Return how many rules found errors and warnings; never zero, which beside a tool error would say that nothing is wrong."""
    if sums.problems:
        counts = ((sums.errors, "error"), (sums.warnings, "warning"))
        return ", ".join(plural(count, noun) for count, noun in counts if count)
    if sums.notes:
        return plural(sums.notes, "note")
    return f"{sums.muted:,} muted" if sums.muted else "no findings"


def found_in_short(sums: Sums) -> str:
    """Return the same where there is no space for it: how many rules found a problem."""
    return plural(sums.problems, "problem") if sums.problems else found_text(sums)
