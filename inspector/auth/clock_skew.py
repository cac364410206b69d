"""How far the clock of a server is from ours, and in which words that is told. Pure; never raises.

Source: RFC 9110, sections 5.6.7 and 6.6.1; RFC 7519, section 4.1.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

WORTH_TELLING_SECONDS = 5.0
"""A response takes its time, and its `Date` has whole seconds: less is no difference."""

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Not strptime, which goes by the language of the user.
_DATE = re.compile(
    rf"[A-Z][a-z]{{2}}, (\d\d) ({'|'.join(_MONTHS)}) (\d{{4}}) (\d\d):(\d\d):(\d\d) GMT", re.ASCII
)


def seconds_ahead(date: str, now: float) -> float | None:
    """How far a clock is ahead of ours that said the `Date` of a header at wall time `now`; None where it said nothing."""
    found = _DATE.fullmatch(date.strip())
    if found is None:
        return None
    day, year, *time = (int(found[group]) for group in (1, 3, 4, 5, 6))
    try:
        theirs = datetime(year, _MONTHS.index(found[2]) + 1, day, *time, tzinfo=UTC)
    except ValueError:
        return None
    return theirs.timestamp() - now


def told(whose: str, seconds: float | None) -> str:
    """The difference in words, for a clause: whose clock is how far from ours; empty where there is none worth telling."""
    if seconds is None or abs(seconds) < WORTH_TELLING_SECONDS:
        return ""
    where = "ahead of" if seconds > 0 else "behind"
    return f"the clock of {whose} is {abs(seconds):,.0f} s {where} ours"
