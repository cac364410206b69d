"""The findings of a transcript by rule."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.transcript.findings import Counts, Findings
from inspector.transcript.index import Columns
from inspector.wire.frame import Channel, Direction
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.transcript.rule_findings import RuleFindings


def finding(rule: str, severity: Severity, summary: str = "wrong") -> Finding:
    return Finding(rule, severity, summary)


def numbers(found: RuleFindings) -> list[tuple[int, str]]:
    return [
        (number, each.summary) for number, each in zip(found.numbers, found.findings, strict=True)
    ]


def test_a_rule_has_its_findings_in_the_order_of_adding_and_the_severity_of_the_gravest() -> None:
    """Ours."""
    talk = Talk()
    first, second = talk.received({}), talk.received({})
    transcript = talk.transcript

    transcript.add_finding(second, finding("one", Severity.INFO, "b"))
    transcript.add_finding(first, finding("one", Severity.WARNING, "a"))
    transcript.add_finding(first, finding("two", Severity.ERROR))
    transcript.add_finding(first, finding("one", Severity.WARNING, "a"))  # known already

    one, two = transcript.rule_findings["one"], transcript.rule_findings["two"]
    assert numbers(one) == [(second, "b"), (first, "a")]
    assert (one.count, one.severity) == (2, Severity.WARNING)
    assert (two.count, two.severity) == (1, Severity.ERROR)


def test_each_of_very_many_findings_of_one_frame_is_kept_once_and_takes_the_same_time() -> None:
    """Ours: a batch of 5,000 messages had one for each, and each was compared with all before it."""

    def seconds(count: int) -> float:
        columns = Columns()
        columns.grow(1, 0.0, 0.0, direction=Direction.RECEIVED, channel=Channel.STDOUT, stream=0)
        findings = Findings(columns, Counts())
        before = time.thread_time()
        for number in (*range(count), *range(count)):
            findings.add(1, finding("one", Severity.INFO, str(number)))
        took = time.thread_time() - before
        assert [each.summary for each in findings.of(1)] == [*map(str, range(count))]
        findings.set_aside(1)
        findings.add(1, finding("one", Severity.INFO, "0"))
        assert findings.by_rule["one"].count == count
        return took

    few = min(seconds(500) for _ in range(3))
    assert min(seconds(5_000) for _ in range(3)) < 40 * few


def test_findings_beyond_the_budget_are_counted_for_their_rule() -> None:
    """Ours: a count on the screen is never less than what was found."""
    columns = Columns()
    columns.grow(3, 0.0, 0.0, direction=Direction.RECEIVED, channel=Channel.STDOUT, stream=0)
    findings = Findings(columns, Counts(), budget=2)

    for number in (1, 2, 3):
        findings.add(number, finding("one", Severity.INFO if number < 3 else Severity.ERROR))

    found = findings.by_rule["one"]
    assert (found.count, list(found.numbers), found.severity) == (3, [1, 2], Severity.ERROR)


def test_a_finding_about_a_probe_becomes_a_note_of_its_rule() -> None:
    """Ours: Spyglass provoked it."""
    talk = Talk()
    request = talk.request(1, "server/discover")
    other = talk.received({})
    transcript = talk.transcript
    for number in (request, other):
        transcript.add_finding(number, finding("one", Severity.ERROR))
    found = transcript.rule_findings["one"]
    before = found.generation

    talk.note("probe", "a probe", request=request, until=request)

    assert [each.severity for each in found.findings] == [Severity.INFO, Severity.ERROR]
    assert (found.count, found.severity) == (2, Severity.ERROR)
    assert found.generation != before


def test_what_is_restored_is_known_by_rule() -> None:
    """Ours: a recording that is opened again is not read."""
    columns = Columns()
    findings = Findings(columns, Counts())
    by_rule = findings.by_rule

    findings.restore({4: [finding("one", Severity.WARNING)], 7: [finding("one", Severity.INFO)]}, 0)

    assert by_rule["one"] is findings.by_rule["one"]
    assert list(by_rule["one"].numbers) == [4, 7]
    assert by_rule["one"].severity is Severity.WARNING
