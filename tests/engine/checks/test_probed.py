"""What probes came to, as rules and reports know it from the notes in a transcript."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from inspector.checks.background_validator import BackgroundValidator
from inspector.checks.probed import (
    MAX_PROBES,
    MAX_TEXT,
    PROBED,
    ProbeOutcome,
    ProbeRecord,
    ProbeRecords,
    without_secrets,
)
from inspector.checks.report import Outcome, Report, make_report
from inspector.checks.report_formats.document import ReportDocument, make_findings
from inspector.checks.report_formats.formats import FORMATS
from inspector.spec.findings import make_finding
from inspector.spec.revision import V2025_11_25
from inspector.wire import json_codec
from tests.support.talk import Talk

if TYPE_CHECKING:
    from inspector.json_value import Json, JsonObject
    from inspector.transcript.transcript import Transcript

METHOD, PROMPT = "L-CAP-10", "L-PRM-06"
PASSED = ProbeRecord(
    "unknown-method", "Unknown method", ProbeOutcome.PASSED, "error -32601", (METHOD,), 3
)
FAILED = ProbeRecord(
    "unknown-prompt", "Unknown prompt", ProbeOutcome.FAILED, "a result | `x`", (PROMPT,), 4
)
SKIPPED = ProbeRecord("ping", "Ping", ProbeOutcome.NOT_APPLICABLE, "no ping", ("L-LC-08",))
LATE = ProbeRecord("bad-cursor", "Invalid cursor", ProbeOutcome.NOT_TRIED, "late", ("L-PAG-02",))
ALL = (PASSED, FAILED, SKIPPED, LATE)


def noted(*records: ProbeRecord) -> Transcript:
    """A session in which probes came to this."""
    talk = Talk()
    for each in records:
        talk.transcript.note(PROBED, each.sentence, **each.facts())
    return talk.transcript


async def checked(transcript: Transcript) -> BackgroundValidator:
    """The validator of a session, after it has read all of it."""
    validator = BackgroundValidator(transcript, V2025_11_25)
    await validator.finish(5)
    return validator


async def test_notes_say_what_probes_came_to() -> None:
    """Ours: of a probe that ran twice, the latest."""
    earlier = ProbeRecord("ping", "Ping", ProbeOutcome.PASSED, "fine", ("L-LC-08",))
    validator = await checked(noted(earlier, *ALL))

    assert {each.key: each for each in validator.rules.history.probes.all} == {
        each.key: each for each in ALL
    }


async def test_a_rule_is_seen_when_a_probe_passed_it_and_not_when_it_was_not_tried() -> None:
    """Ours."""
    validator = await checked(noted(*ALL))
    report = make_report({}, validator.rules.seen_rules)

    outcomes = {each.rule.id: each.outcome for each in report.results()}
    assert outcomes[METHOD] is Outcome.CLEAN
    assert {outcomes[id_] for id_ in ("L-LC-08", "L-PAG-02")} == {Outcome.NOT_SEEN}


HOSTILE: tuple[JsonObject, ...] = (
    {},
    {"outcome": "excellent", "probe": "a"},
    {"outcome": ["passed"], "probe": "a"},
    {"outcome": "passed", "probe": "a", "rules": [["L-CAP-10"], {}, 1, "L-NO-99"], "words": 7},
    {"outcome": "passed", "probe": {}, "rules": {"L-CAP-10": 1}, "frame": True, "title": 5},
    {"outcome": "failed", "probe": "a" * 9_999, "words": "\n" * 9_999, "frame": -1},
)


@pytest.mark.parametrize("note", HOSTILE)
def test_notes_of_a_file_may_say_anything(note: JsonObject) -> None:
    """Ours: no rule counts as seen by it, and texts are bounded."""
    records = ProbeRecords()
    records.add_note(note)

    assert not records.passed_rules
    for each in records.all:
        assert len(each.key) <= MAX_TEXT + 1
        assert each.frame == 0
        assert "\n" not in each.text


def test_the_number_of_probes_is_bounded() -> None:
    """Ours."""
    records = ProbeRecords()
    for number in range(MAX_PROBES + 50):
        records.add_note({"outcome": "passed", "probe": f"p{number}"})

    assert len(records.all) == MAX_PROBES


def test_secrets_in_responses_are_masked() -> None:
    """Ours."""
    transcript = Talk().transcript
    transcript.redaction.know(("s3cret-token-value",))
    quoting = ProbeRecord("a", "A", ProbeOutcome.PASSED, "error: s3cret-token-value", ())

    (masked,) = without_secrets([quoting], transcript)
    assert "s3cret" not in masked.text


def document() -> ReportDocument:
    """A report with a finding, and with all outcomes of probes."""
    talk = Talk()
    message: JsonObject = {"jsonrpc": "2.0", "method": "notifications/message"}
    talk.transcript.add_finding(talk.received(message), make_finding(PROMPT, "wrong"))
    report: Report = make_report(talk.transcript.rule_findings, {METHOD}, probes=ALL)
    findings = make_findings(talk.transcript, report.results(), V2025_11_25)
    return ReportDocument(report, findings, "server", "target", "2025-11-25", probes=ALL)


@pytest.mark.parametrize("format_", FORMATS, ids=lambda each: each.key)
def test_every_format_has_the_outcome_of_each_probe(format_: object) -> None:
    """Ours."""
    text = next(each for each in FORMATS if each is format_).write(document())

    for record in ALL:
        assert record.key in text
        assert record.outcome.value in text or format_ is FORMATS[3]


def member(value: Json, *path: str | int) -> Json:
    """The value at a path."""
    for step in path:
        if isinstance(value, list) and isinstance(step, int):
            value = value[step]
        else:
            assert isinstance(value, dict)
            value = value[str(step)]
    return value


def test_sarif_has_outcomes_as_notifications_and_not_as_results() -> None:
    """Ours: a probe that passed is no alert."""
    text = next(each for each in FORMATS if each.key == "sarif").write(document())
    run = member(json_codec.read(text.encode()).value, "runs", 0)

    assert member(run, "results", 0, "ruleId") == PROMPT
    assert member(run, "invocations", 0, "executionSuccessful") is True
    notes = member(run, "invocations", 0, "toolExecutionNotifications")
    assert [member(notes, at, "descriptor", "id") for at in range(len(ALL))] == [
        each.key for each in ALL
    ]


def test_junit_has_a_test_for_each_probe() -> None:
    """Ours: what was not applicable or not tried is skipped, and the sums are right."""
    text = next(each for each in FORMATS if each.key == "junit").write(document())
    root = ET.fromstring(text)
    suite = next(each for each in root if each.get("name") == "Probes")

    kinds = [next((part.tag for part in case), "") for case in suite]
    assert kinds == ["system-out", "failure", "skipped", "skipped"]
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "1", "2")
    assert int(root.get("failures", "0")) == 2  # that of the rule, too
