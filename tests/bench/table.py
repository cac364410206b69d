"""Rows of figures, whether they meet their goals, and how they are printed."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


class Unit(StrEnum):
    """What a figure counts."""

    SECONDS = "s"
    MILLISECONDS = "ms"
    MEGABYTES = "MB"
    RATE = "/s"
    COUNT = ""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a row should reach."""

    limit: float
    """The bound."""
    at_least: bool = False
    """Whether more is better."""
    of_ratio: bool = False
    """Whether it bounds the ratio rather than the figure."""

    def holds(self, row: Row) -> bool:
        """Whether `row` reaches it."""
        figure = (row.ratio or 0.0) if self.of_ratio else row.ours
        return figure >= self.limit if self.at_least else figure <= self.limit

    def words(self, unit: Unit) -> str:
        """As it is printed."""
        sign = "≥" if self.at_least else "≤"
        return f"{sign} {f'{self.limit:g}×' if self.of_ratio else amount(self.limit, unit)}"


def at_most(limit: float) -> Goal:
    """The figure is no more than that."""
    return Goal(limit)


def at_least(limit: float) -> Goal:
    """The figure is no less than that."""
    return Goal(limit, at_least=True)


def ratio_at_least(limit: float) -> Goal:
    """The figure is no less than that part of the other's."""
    return Goal(limit, at_least=True, of_ratio=True)


@dataclass(frozen=True, slots=True)
class Row:
    """One figure, and what it is compared with."""

    what: str
    """What was measured."""
    values: Sequence[float]
    """Ours, sample by sample; the middle counts."""
    unit: Unit
    """Of ours and of the other."""
    goal: Goal | None = None
    """What it should reach."""
    floors: Sequence[float] = ()
    """The same of somebody else, in the same rounds."""
    whose: str = ""
    """Who that is."""
    foreign: float = 0.0
    """Cores that others kept busy meanwhile."""

    @property
    def ours(self) -> float:
        """The middle of the values."""
        return statistics.median(self.values)

    @property
    def ratio(self) -> float | None:
        """Ours as part or multiple of the other's: the middle of the rounds."""
        pairs = zip(self.values, self.floors, strict=True) if self.floors else ()
        return statistics.median([ours / floor for ours, floor in pairs]) if self.floors else None

    @property
    def missed(self) -> bool:
        """Whether there is a goal that is not reached."""
        return self.goal is not None and not self.goal.holds(self)

    def cells(self) -> tuple[str, ...]:
        """As it is printed."""
        verdict = "" if self.goal is None else "MISSED" if self.missed else "met"
        middle = amount(statistics.median(self.floors), self.unit) if self.floors else ""
        return (
            self.what,
            amount(self.ours, self.unit),
            _spread(self.values, self.unit),
            f"{self.whose} {middle}" if self.floors else "",
            "" if self.ratio is None else f"{self.ratio:.2f}×",
            "" if self.goal is None else self.goal.words(self.unit),
            verdict,
            f"{self.foreign:.2f}",
        )


HEADINGS = ("what", "ours", "range", "floor or peer", "ratio", "goal", "verdict", "load")


def amount(value: float, unit: Unit) -> str:
    """A figure with its unit, as exact as it is worth."""
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 3 if unit is Unit.SECONDS else 2
    digits = 0 if unit is Unit.COUNT else digits
    return f"{value:,.{digits}f}{'' if unit in {Unit.RATE, Unit.COUNT} else ' '}{unit}"


def lines(rows: Sequence[Row]) -> list[str]:
    """The table."""
    cells = [HEADINGS, *(row.cells() for row in rows)]
    widths = [max(len(row[place]) for row in cells) for place in range(len(HEADINGS))]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]


def _spread(values: Sequence[float], unit: Unit) -> str:
    if len(values) < 2:
        return ""
    return f"{amount(min(values), unit).rpartition(' ')[0] or amount(min(values), unit)}–{amount(max(values), unit)}"
