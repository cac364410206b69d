"""A report as Markdown, for the summary of a CI job or a comment. Texts of the server are code, so that they cannot be markup."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from inspector.checks.report_formats.as_text import sums_line
from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.checks.report_formats.document import ReportDocument, ReportedFinding
    from inspector.rules import Rule

MAX_LINES = 20
"""Findings of one rule that are listed."""

MAX_LENGTH = 300


def as_markdown(document: ReportDocument) -> str:
    """Return the text of a report."""
    lines = ["# MCP server check", "", *(f"{_code(each)}  " for each in document.facts())]
    lines += ["", f"**{sums_line(document.report.total, document)}**", ""]
    if document.failure:
        lines += [f"The session failed: {_code(document.failure)}", ""]
    if document.findings:
        lines += ["| severity | rule | findings | what is wrong |", "| --- | --- | --- | --- |"]
    groups = [
        (rule, list(findings))
        for rule, findings in groupby(document.findings, lambda each: each.rule)
    ]
    for rule, findings in groups:
        severity = max(each.severity for each in findings).name.lower()
        lines.append(f"| {severity} | {rule.id} | {len(findings)} | {rule.title} |")
    for rule, findings in groups:
        lines += ["", *_section(rule, findings)]
    if document.probes:
        lines += ["", "## Probes", "", "| probe | outcome | received |", "| --- | --- | --- |"]
    for probe in document.probes:
        received = _code(probe.text).replace("|", "\\|")
        lines.append(f"| {_code(probe.key)} | {probe.outcome} | {received} |")
    return "\n".join(lines)


def _section(rule: Rule, findings: list[ReportedFinding]) -> Iterator[str]:
    yield f"## {rule.id}: {rule.title}"
    yield ""
    if rule.why or rule.hint:
        yield " ".join(text for text in (rule.why, rule.hint) if text)
        yield ""
    for each in findings[:MAX_LINES]:
        known = " (known)" if each.is_known else ""
        yield f"- {_code(each.subject or f'frame {each.number}')}: {_code(each.summary)}{known}"
    if len(findings) > MAX_LINES:
        yield f"- and {len(findings) - MAX_LINES:,} more"
    if findings[0].link:
        yield ""
        yield f"[Specification]({findings[0].link})"


def _code(text: str) -> str:
    """Return a text as code, fenced by more backticks than it has in a row."""
    line = one_line(text, MAX_LENGTH)
    fence = "`" * (max(map(len, re.findall("`+", line)), default=0) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}"
