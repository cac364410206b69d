"""Numbers for people: durations, sizes, times and counts. The exact value belongs into the tool tip."""

from __future__ import annotations

import re
import time
from functools import lru_cache

_SIZES = ("kB", "MB", "GB", "TB")


def duration(seconds: float) -> str:
    """`0.4 ms`, `12 ms`, `3.2 s`, `2 min 5 s`, `3 h 10 min`."""
    if seconds < 0:
        return f"-{duration(-seconds)}"
    if not seconds:
        return "0 ms"
    if seconds < 0.9995:
        milliseconds = seconds * 1000
        return f"{milliseconds:.1f} ms" if milliseconds < 9.95 else f"{milliseconds:.0f} ms"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def shorter_duration(text: str) -> str:
    """Return a duration as one number, where there is little space: `125 s` for `2 min 5 s`, `3.2 h` for `3 h 10 min`."""
    text = re.sub(r"(\d+) min (\d+) s", lambda m: f"{int(m[1]) * 60 + int(m[2])} s", text)
    return re.sub(r"(\d+) h (\d+) min", lambda m: f"{int(m[1]) + int(m[2]) / 60:.1f} h", text)


def stopwatch(seconds: float) -> str:
    """`0:42`, `12:03`: minutes and seconds of something that waits."""
    minutes, rest = divmod(max(int(seconds), 0), 60)
    return f"{minutes:,}:{rest:02}"


def running_time(seconds: float) -> str:
    """A time that still runs: as `duration` up to 10 s, then in whole seconds, so that it changes once a second."""
    return f"{int(seconds)} s" if 10 <= seconds < 60 else duration(seconds)


def duration_exact(seconds: float) -> str:
    """Milliseconds with three places."""
    return f"{seconds * 1000:,.3f} ms"


def size(count: int) -> str:
    """`0 B`, `212 B`, `1.2 kB`, `50.0 MB`; a kB is 1000 bytes."""
    if count < 1000:
        return f"{count} B"
    value = count / 1000
    for unit in _SIZES[:-1]:
        if value < 999.95:
            return f"{value:.1f} {unit}"
        value /= 1000
    return f"{value:.1f} {_SIZES[-1]}"


def shorter_size(text: str) -> str:
    """Return a size without decimals, where there is little space: `113 kB` for `113.2 kB`."""
    return re.sub(r"\.\d", "", text)


def size_exact(count: int) -> str:
    """Every byte: `1,234,567 bytes`."""
    return f"{count:,} byte" if count == 1 else f"{count:,} bytes"


def plural(count: int, one: str, many: str = "") -> str:
    """`1 tool`, `13 tools`, `1,000 entries`."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def short_count(count: int) -> str:
    """`9,999`, and `10k` from ten thousand on."""
    return f"{count:,}" if count < 10_000 else f"{count // 1000:,}k"


def clock_time(wall_s: float) -> str:
    """Local time of day with tenths: `12:03:04.1`."""
    tenths = int(wall_s * 10)
    return f"{time.strftime('%H:%M:%S', time.localtime(tenths // 10))}.{tenths % 10}"


def clock_with_millis(wall_s: float) -> str:
    """Local time of day with milliseconds: `14:02:31.408`."""
    seconds, millis = divmod(round(wall_s * 1_000_000) // 1000, 1000)
    return f"{_clock(seconds)}.{millis:03d}"


@lru_cache(maxsize=64)  # frames come in bursts, many in one second
def _clock(seconds: int) -> str:
    return time.strftime("%H:%M:%S", time.localtime(seconds))


def minutes_of(clock: str) -> str:
    """Return a time of day without the hour, where there is little space: `02:31.408` for `14:02:31.408`."""
    return clock[3:] if clock[2:3] == ":" else clock


def clock_exact(wall_s: float) -> str:
    """Local date and time with microseconds and offset."""
    moment = time.localtime(wall_s)
    micros = int(wall_s % 1 * 1_000_000)
    return (
        f"{time.strftime('%Y-%m-%d %H:%M:%S', moment)}.{micros:06d} {time.strftime('%z', moment)}"
    )
