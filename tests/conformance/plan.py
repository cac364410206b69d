"""A scenario at a revision: one run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

EXTENSION = "extension"
"""In the place of revisions: the scenario belongs to none, and the suite chooses."""

TIMED = frozenset({"sse-retry"})
"""Client scenarios that are measured by the clock; they run alone."""


class Side(StrEnum):
    """Who is judged."""

    CLIENT = "client"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Scenario:
    """What the suite lists."""

    side: Side
    """Whom it judges."""
    name: str
    """What it is called."""
    wires: tuple[str, ...]
    """The revisions it is for, oldest first; `EXTENSION` alone for none."""


@dataclass(frozen=True, slots=True)
class Run:
    """One scenario at one revision."""

    scenario: Scenario
    """Which."""
    wire: str
    """The date of the revision, or `EXTENSION`."""

    @property
    def name(self) -> str:
        """The scenario's."""
        return self.scenario.name

    @property
    def label(self) -> str:
        """What the run is called."""
        return f"{self.name}@{self.wire}"

    @property
    def is_timed(self) -> bool:
        """Whether it has to run alone."""
        return self.name in TIMED


def runs(
    scenarios: Iterable[Scenario], *, only: Sequence[str] = (), wire: str = ""
) -> tuple[Run, ...]:
    """Every scenario at every revision it is for; only those whose name fits a pattern and whose revision is `wire`, where given."""
    return tuple(
        Run(scenario, each)
        for scenario in scenarios
        if not only or any(fnmatchcase(scenario.name, pattern) for pattern in only)
        for each in scenario.wires
        if wire in ("", each)
    )
