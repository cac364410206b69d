"""The report of a session: what its rules came to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.catalog import CATALOG
from inspector.checks.problem_sums import Sums, problem_sums
from inspector.checks.report import (
    Change,
    Earlier,
    Outcome,
    make_report,
    occurrences,
)
from inspector.checks.report_formats.document import make_findings
from inspector.finding import Severity
from inspector.spec.findings import make_finding
from inspector.spec.revision import V2025_11_25
from tests.engine.checks.families.tools_cases import listed, tool
from tests.support.findings import validate_all
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.json_value import JsonObject

MESSAGE: JsonObject = {"jsonrpc": "2.0", "method": "notifications/message"}
ERROR, WARNING, NOTE = "L-TOOL-19", "L-TOOL-04", "L-TOOL-24"


def session(*rules: str) -> Talk:
    """A session with one finding of each rule, each about a frame of its own."""
    talk = Talk()
    for rule in rules:
        talk.transcript.add_finding(talk.received(MESSAGE), make_finding(rule, "wrong", "/result"))
    return talk


def test_sums_count_rules_and_not_their_findings() -> None:
    """Ours."""
    found = session(ERROR, ERROR, ERROR, WARNING, NOTE).transcript.rule_findings

    report = make_report(found, {ERROR, WARNING, NOTE, "L-TOOL-01"})

    assert report.total == Sums(len(CATALOG), 4, errors=1, warnings=1, notes=1)
    assert report.total.not_seen == len(CATALOG) - 4
    result = report.result(ERROR)
    assert result is not None
    assert (result.count, result.outcome, result.severity) == (3, Outcome.FOUND, Severity.ERROR)


def test_a_rule_that_saw_nothing_to_check_is_not_seen_and_never_clean() -> None:
    """Ours: silence about what was never sent is no praise."""
    report = make_report({}, {ERROR})

    results = {each.rule.id: each.outcome for each in report.results()}
    assert results.pop(ERROR) is Outcome.CLEAN
    assert set(results.values()) == {Outcome.NOT_SEEN}


def test_families_have_every_rule_once_and_those_without_anything_seen_come_last() -> None:
    """Ours."""
    report = make_report(session(ERROR).transcript.rule_findings, {ERROR})

    seen = [bool(family.sums.seen) for family in report.families]
    assert seen == sorted(seen, reverse=True)
    assert seen.count(True) == 1
    ids = [each.rule.id for each in report.results()]
    assert sorted(ids) == sorted(CATALOG)
    sums = [family.sums for family in report.families]
    assert sum(each.rules for each in sums) == report.total.rules


@pytest.mark.parametrize(
    ("before", "seen_before", "now", "seen_now", "change"),
    [
        pytest.param((), (), (ERROR,), (ERROR,), Change.NEW, id="found now only"),
        pytest.param((ERROR,), (ERROR,), (ERROR,), (ERROR,), Change.NONE, id="found in both"),
        pytest.param((ERROR,), (ERROR,), (), (ERROR,), Change.FIXED, id="found before only"),
        pytest.param((ERROR,), (ERROR,), (), (), Change.NONE, id="not seen now"),
        pytest.param((), (ERROR,), (), (ERROR,), Change.NONE, id="found in neither"),
    ],
)
def test_a_rule_is_fixed_only_where_it_saw_something_to_check(
    before: tuple[str, ...],
    seen_before: tuple[str, ...],
    now: tuple[str, ...],
    seen_now: tuple[str, ...],
    change: Change,
) -> None:
    """Ours."""
    earlier = Earlier(session(*before).transcript.rule_findings, set(seen_before), 2)

    report = make_report(session(*now).transcript.rule_findings, set(seen_now), earlier=earlier)

    result = report.result(ERROR)
    assert result is not None
    assert (result.change, report.compared) == (change, 2)
    expected = (int(change is Change.NEW), int(change is Change.FIXED))
    assert (report.total.new, report.total.fixed) == expected


def test_a_muted_rule_counts_as_muted_and_nowhere_else() -> None:
    """Ours: nothing hidden is uncounted."""
    found = session(ERROR, WARNING).transcript.rule_findings
    earlier = Earlier({}, (), 1)

    total = make_report(found, {ERROR, WARNING}, earlier=earlier, muted={ERROR, NOTE}).total

    assert (total.errors, total.warnings, total.muted, total.new) == (0, 1, 1, 1)


def test_a_rule_that_the_catalog_does_not_have_is_reported_under_its_id() -> None:
    """Ours: a recording may come from another version of Spyglass."""
    talk = Talk()
    row = make_finding(ERROR, "wrong")
    talk.transcript.add_finding(talk.received(MESSAGE), type(row)("X-1", Severity.WARNING, "odd"))

    report = make_report(talk.transcript.rule_findings, ())

    result = report.result("X-1")
    assert result is not None
    assert (result.rule.title, result.severity) == ("X-1", Severity.WARNING)
    assert report.total.rules == len(CATALOG) + 1


def test_occurrences_are_bounded() -> None:
    """Ours."""
    found = session(*[ERROR] * 30).transcript.rule_findings[ERROR]

    assert [each.number for each in occurrences(found, 3)] == [1, 2, 3]
    assert occurrences(found, 1)[0].finding.pointer == "/result"


def test_the_sums_of_a_running_session_are_those_of_its_report() -> None:
    """Ours: a count in the window and the report never differ."""
    found = session(ERROR, ERROR, WARNING, NOTE).transcript.rule_findings

    total = make_report(found, (), muted={NOTE}).total
    quick = problem_sums(found, {NOTE})

    assert (quick.errors, quick.warnings, quick.notes, quick.muted) == (1, 1, 0, 1)
    assert (total.errors, total.warnings, total.notes, total.muted) == (1, 1, 0, 1)


def untitled(*names: str) -> set[str]:
    """The fingerprints of the findings about tools without titles, which are counted in one."""
    talk = Talk()
    listed(*(tool(name=name, title=None) for name in names))(talk)
    validate_all(BackgroundValidator(talk.transcript, V2025_11_25))
    results = make_report(talk.transcript.rule_findings, set[str]()).results()
    found = make_findings(talk.transcript, results, V2025_11_25)
    return {each.fingerprint for each in found if each.rule.id == "L-TOOL-07"}


def test_one_more_item_in_a_counting_finding_is_another_finding() -> None:
    """Ours: a baseline must not hide a new tool behind the first."""
    assert untitled("a", "b") == untitled("a", "b") != untitled("a", "b", "c")
