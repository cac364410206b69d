"""A report as JUnit XML: a suite for each family, and a test for each rule and what it is about.

A suite of its own has a test for each probe. A rule that had nothing to check is skipped. A finding that the baseline has, and a note, is no failure: its text is the output of a test that passed.
What was not checked is an error of a test of its own, so that a report that is not whole never passes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from inspector.checks.probed import ProbeOutcome
from inspector.checks.report import Outcome
from inspector.finding import Severity
from inspector.visible_text import cut, visible

if TYPE_CHECKING:
    from inspector.checks.report import FamilyResult, RuleResult
    from inspector.checks.report_formats.document import ReportDocument, ReportedFinding

MAX_LENGTH = 10_000
"""Characters of one text."""

PROBES = "Probes"
"""The suite with a test for each probe."""

_NOT_IN_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def as_junit(document: ReportDocument) -> str:
    """Return the text of a report."""
    by_rule: dict[str, list[ReportedFinding]] = {}
    for each in document.findings:
        by_rule.setdefault(each.rule.id, []).append(each)
    root = ET.Element("testsuites", name=_text(f"spyglass {document.server or document.target}"))
    for family in document.report.families:
        _add_suite(root, family, by_rule)
    if document.probes:
        _add_probes(root, document, by_rule)
    _add_gaps(root, document)
    _add_sums(root, list(root))
    ET.indent(root)
    return f'<?xml version="1.0" encoding="utf-8"?>\n{ET.tostring(root, encoding="unicode")}'


def _add_suite(
    root: ET.Element, family: FamilyResult, by_rule: dict[str, list[ReportedFinding]]
) -> None:
    suite = ET.SubElement(root, "testsuite", name=family.family.title)
    for result in family.rules:
        findings = by_rule.get(result.rule.id, [])
        for finding in findings:
            _add_failed(suite, finding)
        if not findings:
            _add_other(suite, result)
    _add_counts(suite)


def _add_probes(
    root: ET.Element, document: ReportDocument, by_rule: dict[str, list[ReportedFinding]]
) -> None:
    """Add a test for each probe; one that failed fails here if what it found does so in the suite of its rule."""
    suite = ET.SubElement(root, "testsuite", name=PROBES)
    for probe in document.probes:
        name = _text(f"{probe.key} {probe.title}")
        case = ET.SubElement(suite, "testcase", classname=PROBES, name=name)
        found = [each for rule in probe.rules for each in by_rule.get(rule, [])]
        is_failure = any(_is_failure(each) for each in found)
        if probe.outcome is ProbeOutcome.FAILED and is_failure:
            ET.SubElement(case, "failure", message=_text(probe.text)).text = _text(probe.text)
        elif probe.outcome in {ProbeOutcome.PASSED, ProbeOutcome.FAILED}:
            ET.SubElement(case, "system-out").text = _text(probe.text)
        else:
            ET.SubElement(case, "skipped", message=_text(probe.sentence))
    _add_counts(suite)


def _add_counts(suite: ET.Element) -> None:
    cases = list(suite)
    for key, tag in (("failures", "failure"), ("skipped", "skipped"), ("errors", "error")):
        suite.set(key, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("tests", str(len(cases)))


def _add_failed(suite: ET.Element, finding: ReportedFinding) -> None:
    rule = finding.rule
    name = f"{rule.id} {finding.subject}".strip()
    case = ET.SubElement(suite, "testcase", classname=rule.family.title, name=_text(name))
    lines = (finding.summary, finding.excerpt, rule.why, rule.hint, finding.link)
    text = _text("\n".join(line for line in lines if line))
    if not _is_failure(finding):
        ET.SubElement(case, "system-out").text = text
        return
    failure = ET.SubElement(case, "failure", message=_text(finding.summary))
    failure.set("type", finding.severity.name.lower())
    failure.text = text


def _is_failure(finding: ReportedFinding) -> bool:
    return not finding.is_known and finding.severity is not Severity.INFO


def _add_other(suite: ET.Element, result: RuleResult) -> None:
    rule = result.rule
    name = _text(f"{rule.id} {rule.title}")
    case = ET.SubElement(suite, "testcase", classname=rule.family.title, name=name)
    if result.is_muted and result.count:
        ET.SubElement(case, "skipped", message="muted")
    elif result.outcome is Outcome.NOT_SEEN:
        ET.SubElement(case, "skipped", message="nothing to check was seen")


def _add_gaps(root: ET.Element, document: ReportDocument) -> None:
    """Add a test that fails if the session did, or something was not checked; findings that are left out are its output."""
    suite = ET.SubElement(root, "testsuite", name="Report")
    case = ET.SubElement(suite, "testcase", classname="Report", name="everything was checked")
    text = _text("\n".join(document.gaps()))
    if document.failure or document.unchecked:
        ET.SubElement(case, "error", message=text)
    elif text:
        ET.SubElement(case, "system-out").text = text
    _add_counts(suite)


def _add_sums(root: ET.Element, suites: list[ET.Element]) -> None:
    for key in ("tests", "failures", "skipped", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))


def _text(text: str) -> str:
    """Return a text with marks for what would be invisible, and without what XML cannot have."""
    return _NOT_IN_XML.sub("\ufffd", visible(cut(text, MAX_LENGTH)))
