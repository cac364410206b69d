"""How far the clock of a server is from ours, and in which words that is told. Pure; never raises.

Source: RFC 9110, section 6.6.1; RFC 7519, section 4.1.
"""

from __future__ import annotations

from datetime import UTC, datetime

WORTH_TELLING_SECONDS = 5.0
"""A response takes its time, and its `Date` has whole seconds: less is no difference."""

_FORMAT = "%a, %d %b %Y %H:%M:%S GMT"


def seconds_ahead(date: str, now: float) -> float | None:
    """How far a clock is ahead of ours that said the `Date` of a header at wall time `now`; None where it said nothing."""
    try:
        theirs = datetime.strptime(date.strip(), _FORMAT).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
    return theirs - now


def told(whose: str, seconds: float | None) -> str:
    """The difference in words, for a clause: whose clock is how far from ours; empty where there is none worth telling."""
    if seconds is None or abs(seconds) < WORTH_TELLING_SECONDS:
        return ""
    where = "ahead of" if seconds > 0 else "behind"
    return f"the clock of {whose} is {abs(seconds):,.0f} s {where} ours"
