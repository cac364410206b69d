"""Points in time in a filter: `before:14:02:30`, `after:2026-11-29T14:02`, `after:#120`."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import TYPE_CHECKING

from inspector.transcript.filter.parser import wrong_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from inspector.transcript.filter.parser import Value
    from inspector.transcript.filter.predicates import Test

_FRAME = re.compile(r"#?(\d{1,18})")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d{1,6})?))?")
_DAY_S = 86_400
_EXAMPLE = "takes a time of day, a date and time, or a frame number"


def by_before(value: Value) -> Test:
    """Test that a frame was sent or received before a point in time, or before a frame."""
    return _by_moment("before", value, lambda moment, limit: moment < limit)


def by_after(value: Value) -> Test:
    """Test that a frame was sent or received at a point in time or later, or after a frame."""
    return _by_moment("after", value, lambda moment, limit: moment >= limit)


def _by_moment(field: str, value: Value, compare: Callable[[float, float], bool]) -> Test:
    text = value.text.strip()
    if frame := _FRAME.fullmatch(text):
        number = int(frame[1])
        limit = number if field == "before" else number + 1
        return lambda _transcript, start, stop: _mask(range(start + 1, stop + 1), compare, limit)
    if clock := _CLOCK.fullmatch(text):
        seconds = _seconds(field, value, clock)
        return lambda transcript, start, stop: _mask(
            _times_of_day(transcript.columns.wall_s[start:stop]), compare, seconds
        )
    try:
        moment = datetime.fromisoformat(text).timestamp()  # local time, where it names no zone
    except (ValueError, OverflowError, OSError) as error:
        example = f"{field}:14:02:30, {field}:2026-11-29T14:02 or {field}:#120"
        raise wrong_value(value, f"{field}: {_EXAMPLE}, for example {example}") from error
    return lambda transcript, start, stop: _mask(
        transcript.columns.wall_s[start:stop], compare, moment
    )


def _mask(moments: Iterable[float], compare: Callable[[float, float], bool], limit: float) -> bytes:
    return bytes([compare(moment, limit) for moment in moments])


def _seconds(field: str, value: Value, clock: re.Match[str]) -> float:
    hour, minute, second = int(clock[1]), int(clock[2]), float((clock[3] or "0").replace(",", "."))
    if hour > 24 or minute > 59 or second >= 60:
        raise wrong_value(value, f"{field}: there is no time of day {clock[0]}")
    return round(hour * 3600 + minute * 60 + second, 6)


def _times_of_day(moments: Iterable[float]) -> Iterable[float]:
    """Return the seconds since midnight, in local time; the zone of the earliest of the moments holds for all."""
    offset: int | None = None
    for moment in moments:
        if offset is None:
            offset = _utc_offset(moment)
        yield round((moment + offset) % _DAY_S, 6)  # exact to the microsecond, as what is typed


def _utc_offset(moment: float) -> int:
    try:
        return time.localtime(moment).tm_gmtoff
    except (ValueError, OverflowError, OSError):  # a recording may contain any number
        return 0
