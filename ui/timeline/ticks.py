"""Where the axis has its ticks, and their texts: times of day, or times since a reference."""

from __future__ import annotations

import time
from math import ceil, floor, log10
from typing import NamedTuple

from ui.widgets.units import duration

STEPS_S = (
    1,
    2,
    5,
    10,
    15,
    30,
    60,
    120,
    300,
    600,
    900,
    1800,
    3600,
    7200,
    14400,
    21600,
    43200,
    86400,
)
"""Seconds between two ticks, from a second on; below it is a 1, 2 or 5 of some decimal."""
MAX_TICKS = 500
"""However small the steps are that were asked for."""


class Tick(NamedTuple):
    """One tick."""

    at_s: float
    """Seconds since 1970-01-01 UTC."""
    text: str


def step_s(min_s: float) -> float:
    """Return the round number of seconds that is `min_s` or the next above it."""
    if min_s > 0.5:
        return next(
            (step for step in STEPS_S if step >= min_s),
            STEPS_S[-1] * ceil(min_s / STEPS_S[-1]),
        )
    power = 10.0 ** floor(log10(max(min_s, 1e-9)))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= min_s * 0.999)


def ticks(
    first_s: float, last_s: float, min_step_s: float, reference_s: float | None
) -> list[Tick]:
    """Return the ticks of a range at round times, at least `min_step_s` apart; since `reference_s` where there is one."""
    step = step_s(min_step_s)
    digits = max(0, -floor(log10(step) + 1e-9)) if step < 1 else 0
    origin = reference_s if reference_s is not None else _local_origin(first_s)
    number = ceil((first_s - origin) / step - 1e-6)
    found: list[Tick] = []
    while (at_s := origin + number * step) <= last_s and len(found) < MAX_TICKS:
        text = _clock(at_s, digits) if reference_s is None else offset_text(number * step, digits)
        found.append(Tick(at_s, text))
        number += 1
    return found


def _local_origin(at_s: float) -> float:
    """Return a local midnight about then, so that hours are round where the user is."""
    local = time.localtime(at_s)
    return floor(at_s) - (local.tm_hour * 3600 + local.tm_min * 60 + local.tm_sec)


def _clock(at_s: float, digits: int) -> str:
    units = round(at_s * 10**digits)
    seconds, fraction = divmod(units, 10**digits)
    clock = time.strftime("%H:%M:%S", time.localtime(seconds))
    return f"{clock}.{fraction:0{digits}d}" if digits else clock


def offset_text(seconds: float, digits: int) -> str:
    """`+1.50 s`, `-2:05`, `+1:00:00`: a time since another."""
    sign = "−" if seconds < 0 else "+"
    amount = abs(seconds)
    if amount < 60:
        return f"{sign}{amount:.{digits}f} s"
    whole, rest = divmod(round(amount, digits), 60)
    minutes, hours = int(whole) % 60, int(whole) // 60
    second = f"{rest:0{3 + digits if digits else 2}.{digits}f}"
    return f"{sign}{hours}:{minutes:02}:{second}" if hours else f"{sign}{minutes}:{second}"


def signed_duration(seconds: float) -> str:
    """A time before or after another, as `duration` with its sign."""
    return f"{'−' if seconds < 0 else '+'}{duration(abs(seconds))}"
