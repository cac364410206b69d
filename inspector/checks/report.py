"""What the rules found in one session, by family: for the page *Report*, its exports, and `spyglass-cli check`. Knows no Qt.

    report = make_report(transcript.rule_findings, sweep.rules.seen_rules, earlier=Earlier(…), muted={"L-TOOL-08"})

    report.families             one `FamilyResult` for each family of the catalog, those in which nothing was seen last
    report.families[0].rules    one `RuleResult` for each rule: `outcome` (FOUND, CLEAN, NOT_SEEN), `severity`, `count`, `change`, `is_muted`
    report.total                the same sums as of a family, over all rules: `errors`, `warnings`, `notes`, `seen`, `not_seen`, `new`, `fixed`, `muted`

    report.probes               one `ProbeRecord` for each probe that was run: `outcome`, and why

    occurrences(transcript.rule_findings["L-TOOL-19"])   where a rule found something: frame and finding, some of them
    Excerpts(transcript).around(number, pointer)         a few lines of the message around what a finding points at, with its position

Sums count rules, never occurrences; a muted rule counts in `muted` and nowhere else. A rule that saw nothing to check is *not seen*, never
passed; one that a probe decided is not among those. A rule is new if it found something that it had not found in the run before, and fixed if it saw something to check and found
nothing, unlike in the run before; a rule that saw nothing is neither.
"""

from __future__ import annotations

from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from inspector.checks.catalog import CATALOG
from inspector.checks.problem_sums import SUM_OF, Sums
from inspector.frozen import FrozenStruct
from inspector.rules import Rule
from inspector.rules.rule import FAMILIES, Family

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from inspector.checks.probed import ProbeRecord
    from inspector.finding import Finding, Severity
    from inspector.transcript.rule_findings import RuleFindings

MAX_OCCURRENCES = 20
"""Occurrences of one rule that a report names; the others are counted."""


class Outcome(StrEnum):
    """What a rule came to in a session."""

    FOUND = "found"
    CLEAN = "clean"
    """There was something to check, and nothing was wrong with it."""
    NOT_SEEN = "not seen"


class Change(StrEnum):
    """How a rule differs from the run before."""

    NONE = ""
    NEW = "new"
    FIXED = "fixed"


class RuleResult(FrozenStruct, frozen=True):
    """One rule in one session."""

    rule: Rule
    """The rule."""
    outcome: Outcome
    """What it came to."""
    severity: Severity
    """Of its gravest finding; without findings that of the rule."""
    count: int = 0
    """Its findings."""
    change: Change = Change.NONE
    """How it differs from the run before."""
    is_muted: bool = False
    """Whether the user muted it for this server."""


class FamilyResult(FrozenStruct, frozen=True):
    """The rules of one family, in the order of the catalog."""

    family: Family
    """The family; rules that the catalog does not have, such as those in a recording of another version, are observations."""
    rules: tuple[RuleResult, ...]
    """All of its rules."""
    sums: Sums
    """Their numbers."""


class Report(FrozenStruct, frozen=True):
    """All rules in one session."""

    families: tuple[FamilyResult, ...]
    """Those in which something was seen come before the others."""
    total: Sums
    """Numbers of all rules."""
    compared: int = 0
    """The run with which it is compared; 0 for none."""
    probes: tuple[ProbeRecord, ...] = ()
    """What the probes came to that were run."""

    def results(self) -> Iterator[RuleResult]:
        """Yield the result of every rule."""
        for family in self.families:
            yield from family.rules

    def result(self, rule: str) -> RuleResult | None:
        """Return the result of the rule of that id; None if there is no such rule."""
        return next((each for each in self.results() if each.rule.id == rule), None)


class Earlier(FrozenStruct, frozen=True):
    """What the run before came to."""

    findings: Mapping[str, RuleFindings]
    """Its findings by rule."""
    seen: Collection[str]
    """The rules that saw something to check in it."""
    run: int
    """Its number."""


class Occurrence(NamedTuple):
    """One finding."""

    number: int
    """Its frame."""
    finding: Finding
    """What is wrong, and where in the frame."""


def make_report(
    findings: Mapping[str, RuleFindings],
    seen: Collection[str],
    *,
    earlier: Earlier | None = None,
    muted: Collection[str] = (),
    probes: Sequence[ProbeRecord] = (),
) -> Report:
    """Return the report of the session with these `findings` (`Transcript.rule_findings`), in which the rules of `seen` saw something to check.

    Its time depends on the number of rules alone, not on the size of the session.
    """
    families: dict[str, list[RuleResult]] = {key: [] for key in FAMILIES}
    for rule in (*CATALOG.values(), *_unknown(findings)):
        key = rule.family.key if rule.id in CATALOG else ""
        families[key].append(_result(rule, findings.get(rule.id), seen, earlier, muted))
    made = [
        FamilyResult(FAMILIES[key], tuple(each), sums_of(each))
        for key, each in families.items()
        if each
    ]
    made.sort(key=lambda family: not (family.sums.seen or family.sums.problems))
    results = [result for family in made for result in family.rules]
    compared = earlier.run if earlier is not None else 0
    return Report(tuple(made), sums_of(results), compared, tuple(probes))


def sums_of(results: Iterable[RuleResult]) -> Sums:
    """Return the numbers of these rules."""
    counts = dict.fromkeys(Sums.__struct_fields__, 0)
    for each in results:
        counts["rules"] += 1
        counts["seen"] += each.outcome is not Outcome.NOT_SEEN
        counts["fixed"] += each.change is Change.FIXED
        if each.is_muted and each.count:
            counts["muted"] += 1
        elif each.count:
            counts[SUM_OF[each.severity]] += 1
            counts["new"] += each.change is Change.NEW
    return Sums(**counts)


def occurrences(found: RuleFindings, limit: int = MAX_OCCURRENCES) -> list[Occurrence]:
    """Return the earliest findings of a rule that are kept, at most `limit`."""
    pairs = zip(found.numbers, found.findings, strict=True)
    return [Occurrence(number, finding) for number, finding in islice(pairs, limit)]


def _result(
    rule: Rule,
    found: RuleFindings | None,
    seen: Collection[str],
    earlier: Earlier | None,
    muted: Collection[str],
) -> RuleResult:
    count = found.count if found is not None else 0
    outcome = Outcome.FOUND if count else Outcome.CLEAN if rule.id in seen else Outcome.NOT_SEEN
    severity = found.severity if found is not None else rule.severity
    change = Change.NONE
    if earlier is not None:
        before = earlier.findings.get(rule.id)
        had_some = before is not None and before.count > 0
        if count and not had_some:
            change = Change.NEW
        elif had_some and outcome is Outcome.CLEAN:
            change = Change.FIXED
    return RuleResult(rule, outcome, severity, count, change, rule.id in muted)


def _unknown(findings: Mapping[str, RuleFindings]) -> Iterator[Rule]:
    for id_, found in findings.items():
        if id_ not in CATALOG:
            yield Rule(id_, found.severity, "", id_)
