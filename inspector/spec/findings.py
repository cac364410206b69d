"""Findings of the rules: severity and link come from the row in `inspector.rules`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.finding import Finding, Severity
from inspector.spec.revision import REVISIONS
from inspector.spec.spec_urls import link
from inspector.visible_text import cut

if TYPE_CHECKING:
    from inspector.rules import Rule
    from inspector.spec.revision import Revision

MAX_SUMMARY = 1_000
"""Characters of a summary, which may quote what a server sent: a name can have a million."""


def make_finding(
    rule: str | Rule,
    text: str,
    pointer: str = "",
    revision: Revision | None = None,
    *,
    severity: Severity | None = None,
    subject: str = "",
    section: str = "",
) -> Finding:
    """Return a finding of `rule`, linked to its topic in `revision` (by default the newest) at a heading, by default that of the rule.

    `severity` and `subject` are for cases that are more or less severe than the rule is in that revision, or described elsewhere.

    Raises:
        KeyError: no row has that id.
    """
    if isinstance(rule, str):
        # A start makes no finding, and there are hundreds of rules.
        from inspector.rules import RULES

        rule = RULES[rule]
    topic, heading = subject or rule.subject, section or ("" if subject else rule.section)
    page = link(topic, revision, heading) if topic else ""
    if severity is None:
        severity = rule.severity_in(revision.number) if revision is not None else rule.severity
    summary = text if len(text) <= MAX_SUMMARY else f"{cut(text, MAX_SUMMARY)}…"
    return Finding(rule.id, severity, summary, pointer, page)


def rule_link(rule: Rule, revision: Revision | None = None) -> str:
    """Return where a rule is described in `revision`, by default the last one that it is about; empty if nowhere."""
    described = revision if revision is not None else REVISIONS[rule.until - 1]
    return link(rule.subject, described, rule.section) if rule.subject else ""
