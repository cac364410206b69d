"""The failures that are known. The list cannot rot: an entry that names something that passes fails the run.

A line is a pattern of scenario names, perhaps with `@` and a revision, perhaps with `:` and the one check that fails, and the reason after
a `#`:

    client:
    auth/*               # not supported yet
    tools_call@DATE      # not at this one
    tools_call:CHECK     # everything but this must still be right
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from tests.conformance.judging import Verdict
from tests.conformance.plan import Side

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tests.conformance.judging import Outcome
    from tests.conformance.plan import Run

_HEADING = re.compile(r"(client|server):")
_ENTRY = re.compile(r"([^\s#@:]+)(?:@([^\s#@:]+))?(?::([^\s#@:]+))?\s+#\s*(\S.*)")


@dataclass(frozen=True, slots=True)
class Expected:
    """A failure that is known."""

    side: Side
    """Whose."""
    pattern: str
    """Names of scenarios, as a shell would match them."""
    wire: str
    """The revision; empty for every one."""
    check: str
    """The check that fails; empty for whatever does."""
    reason: str
    """Why it fails."""

    def __str__(self) -> str:
        """As it is written in the list."""
        wire = f"@{self.wire}" if self.wire else ""
        return f"{self.pattern}{wire}:{self.check}" if self.check else f"{self.pattern}{wire}"

    def fits(self, run: Run) -> bool:
        """Whether it speaks of that run."""
        is_there = self.side is run.scenario.side and self.wire in ("", run.wire)
        return is_there and fnmatchcase(run.name, self.pattern)

    def is_stale(self, outcome: Outcome) -> bool:
        """Whether what it names has passed in spite of it."""
        if not self.fits(outcome.run):
            return False
        if not self.check:
            return outcome.verdict is Verdict.PASSED
        return self.check not in {each.id for each in outcome.problems}


@dataclass(frozen=True, slots=True)
class Comparison:
    """What happened, beside what was expected."""

    unexpected: tuple[Outcome, ...]
    """Failures that nobody expected."""
    excused: tuple[Outcome, ...]
    """Failures that were."""
    stale: tuple[tuple[Expected, Outcome], ...]
    """Entries, and what passes in spite of them."""
    idle: tuple[Expected, ...]
    """Entries that speak of nothing in the suite."""

    @property
    def holds(self) -> bool:
        """Whether everything is as it is written."""
        return not (self.unexpected or self.stale or self.idle)


def read(text: str) -> tuple[Expected, ...]:
    """The entries of a list.

    Raises:
        ValueError: a line is none.
    """
    entries: list[Expected] = []
    side: Side | None = None
    for number, line in enumerate(text.splitlines(), 1):
        message = line.strip()
        if heading := _HEADING.fullmatch(message):
            side = Side(heading[1])
        elif message and not message.startswith("#"):
            entry = _ENTRY.fullmatch(message)
            if entry is None or side is None:
                raise ValueError(f"line {number} names no expected failure with its reason: {line}")
            entries.append(Expected(side, entry[1], entry[2] or "", entry[3] or "", entry[4]))
    return tuple(entries)


def compare(
    outcomes: Sequence[Outcome], entries: Iterable[Expected], every_run: Iterable[Run]
) -> Comparison:
    """Hold outcomes against the list; `every_run` are all that the suite has, chosen for this time or not."""
    known, everything = tuple(entries), tuple(every_run)
    failed = [outcome for outcome in outcomes if outcome.verdict is Verdict.FAILED]
    return Comparison(
        unexpected=tuple(each for each in failed if not is_expected(each, known)),
        excused=tuple(each for each in failed if is_expected(each, known)),
        stale=tuple((entry, each) for entry in known for each in outcomes if entry.is_stale(each)),
        idle=tuple(entry for entry in known if not any(map(entry.fits, everything))),
    )


def is_expected(outcome: Outcome, entries: Iterable[Expected]) -> bool:
    """Whether the entries speak of everything that is wrong with that run."""
    fitting = [entry for entry in entries if entry.fits(outcome.run)]
    if any(not entry.check for entry in fitting):
        return True
    known = {entry.check for entry in fitting}
    return not outcome.reason and all(each.id in known for each in outcome.problems)
