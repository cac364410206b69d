"""Filters of the traffic for what is visible or selected in the timeline."""

from __future__ import annotations

from datetime import UTC, datetime
from math import ceil, floor
from typing import TYPE_CHECKING

from inspector.transcript.filter.parser import quoted

if TYPE_CHECKING:
    from inspector.transcript.latency import LatencyKey

FINE_S = 1.0
"""A shorter range has limits in microseconds, a longer one in milliseconds."""


def range_terms(first_s: float, last_s: float) -> str:
    """Return the terms for the frames of a range, both ends included."""
    per_second = 1_000_000 if last_s - first_s < FINE_S else 1_000
    since = _moment(floor(first_s * per_second) / per_second)
    until = _moment((ceil(last_s * per_second) + 1) / per_second)
    if since[:10] == until[:10] == _moment(datetime.now(UTC).timestamp())[:10]:
        since, until = since[11:], until[11:]  # today: the time of day says enough
    return f"after:{since} before:{until}"


def _moment(at_s: float) -> str:
    """Return a local date and time as the filter takes it, without zeros that say nothing."""
    local = datetime.fromtimestamp(at_s, UTC).astimezone().replace(tzinfo=None)
    text = local.isoformat(timespec="microseconds")
    return text[:-3] if text.endswith("000") else text


def latency_terms(key: LatencyKey, *, min_s: float = 0.0, errors: bool = False) -> str:
    """Return the filter for the requests of one kind, with their responses; those that took so long, or those that failed."""
    terms = [f"method:{quoted(key.method)}"] if key.method else []
    if key.name:
        field = "tool" if key.method == "tools/call" else "name"
        terms.append(f"{field}:{quoted(key.name)}")
    if min_s > 0:
        milliseconds = f"{floor(min_s * 1e6) / 1000:.3f}".rstrip("0").rstrip(".")
        terms.append(f"duration:>={milliseconds}ms")
    if errors:
        terms.append("status:error,timed-out,no-response,invalid")
    return " ".join(terms)
