"""A report for a reader: the findings by rule, why each rule matters and what to change, and the sums."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from inspector.visible_text import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.problem_sums import Sums
    from inspector.checks.report_formats.document import ReportDocument, ReportedFinding
    from inspector.rules import Rule

MAX_LINES = 10
"""Findings of one rule that are printed."""

MAX_LENGTH = 500
"""Characters of a text of the server."""

INDENT = "    "


def as_text(document: ReportDocument) -> str:
    """Return the text of a report."""
    facts = [one_line(each, MAX_LENGTH) for each in document.facts() or [document.target]]
    lines = [", ".join(facts), ""]
    for rule, findings in groupby(document.findings, lambda each: each.rule):
        lines += [*_rule_lines(rule, list(findings)), ""]
    for probe in document.probes:
        lines.append(f"probe {probe.key}  {probe.sentence}")
    lines += [""] if document.probes else []
    failure = one_line(document.failure, MAX_LENGTH)
    lines += [f"The session failed: {failure}"] if failure else []
    return visible("\n".join([*lines, sums_line(document.report.total, document)]))


def _rule_lines(rule: Rule, findings: list[ReportedFinding]) -> Iterator[str]:
    severity = max(each.severity for each in findings).name.lower()
    yield f"{severity}  {rule.id}  {rule.title}"
    for each in findings[:MAX_LINES]:
        known = " (known)" if each.is_known else ""
        subject = f"#{each.number} {one_line(each.subject, MAX_LENGTH)}".rstrip()
        yield f"{INDENT}{subject}: {one_line(each.summary, MAX_LENGTH)}{known}"
        if each.excerpt and not each.subject:  # what is no message is known by its text alone
            yield f"{INDENT * 2}{one_line(each.excerpt, MAX_LENGTH)}"
    if len(findings) > MAX_LINES:
        yield f"{INDENT}and {len(findings) - MAX_LINES:,} more"
    for text in (rule.why, rule.hint, findings[0].link):
        if text:
            yield f"{INDENT}{text}"


def sums_line(total: Sums, document: ReportDocument) -> str:
    """Return the numbers of rules in a line."""
    parts = [
        f"{total.errors:,} error{'' if total.errors == 1 else 's'}",
        f"{total.warnings:,} warning{'' if total.warnings == 1 else 's'}",
        f"{total.notes:,} note{'' if total.notes == 1 else 's'}",
    ]
    known = sum(each.is_known for each in document.findings)
    more = [
        f"{known:,} findings known" if known else "",
        f"{total.muted:,} muted" if total.muted else "",
        f"{document.left_out:,} findings left out" if document.left_out else "",
        f"{document.unchecked:,} not checked" if document.unchecked else "",
        f"{total.seen:,} of {total.rules:,} rules had something to check",
    ]
    return ", ".join([*parts, *filter(None, more)])
