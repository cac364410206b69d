"""Lines to read about what was found."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from tests.conformance.expected import is_expected
from tests.conformance.judging import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tests.conformance.expected import Comparison, Expected
    from tests.conformance.judging import Outcome

MAX_PROBLEMS = 8
"""Checks that are told of one run."""
WIDTH = 200


def run_lines(outcome: Outcome, expected: Iterable[Expected], width: int) -> Iterator[str]:
    """One run: a line, and below it what was wrong unless that was expected."""
    passed = outcome.verdict is Verdict.PASSED
    excused = not passed and is_expected(outcome, expected)
    mark = "ok" if passed else "known" if excused else "FAIL"
    took = f"{outcome.seconds:4.1f} s" if outcome.seconds else ""
    reason = f"  ({outcome.reason})" if outcome.reason and not excused else ""
    counts = f"{outcome.good} good, {len(outcome.problems)} bad"
    yield f"{mark:5} {outcome.run.label:{width}}  {took:6}  {counts}{reason}".rstrip()
    if not passed and not excused:
        yield from _trouble(outcome)


def _trouble(outcome: Outcome) -> Iterator[str]:
    for line in outcome.last_words.splitlines():
        yield f"        | {line[:WIDTH]}"
    for check in outcome.problems[:MAX_PROBLEMS]:
        yield f"        {check.status.lower()} {check.id}: {' '.join(check.words.split())[:WIDTH]}"
    more = len(outcome.problems) - MAX_PROBLEMS
    if more > 0:
        yield f"        … {more} more"


def closing_lines(outcomes: Sequence[Outcome], comparison: Comparison) -> Iterator[str]:
    """What it all comes to, the count last."""
    yield ""
    yield from _by_revision(outcomes)
    for entry, outcome in comparison.stale:
        yield f"passes now, so strike it from the expected failures: {entry} ({outcome.run.label})"
    for entry in comparison.idle:
        yield f"no scenario is called so, strike it from the expected failures: {entry}"
    passed = sum(outcome.verdict is Verdict.PASSED for outcome in outcomes)
    yield (
        f"{passed} passed, {len(comparison.unexpected)} failed, {len(comparison.excused)} expected to fail"
    )


def _by_revision(outcomes: Sequence[Outcome]) -> Iterator[str]:
    tally: defaultdict[str, list[bool]] = defaultdict(list)
    for outcome in outcomes:
        where = f"{outcome.run.scenario.side} scenarios, {outcome.run.wire}"
        tally[where].append(outcome.verdict is Verdict.PASSED)
    for where, verdicts in sorted(tally.items()):
        yield f"{where}: {sum(verdicts)} of {len(verdicts)} pass"
