"""How rules and severities are named on the screen: each severity by a word, a sign and a color."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.checks.rule_markdown import NAMES, capitalized
from inspector.finding import Severity
from inspector.rules import RULES
from inspector.rules.rule import NEWEST_NUMBER
from inspector.spec.revision import REVISIONS
from inspector.visible_text import one_line
from ui.theme.signs import Sign

if TYPE_CHECKING:
    from inspector.rules import Rule

SEVERITY_TEXTS = NAMES
SEVERITY_TONES = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "muted"}
SEVERITY_SIGNS = {
    Severity.ERROR: Sign.ERROR,
    Severity.WARNING: Sign.WARNING,
    Severity.INFO: Sign.NOTE,
}

MAX_TITLE = 120
"""Characters of a title."""


def rule_title(rule: str) -> str:
    """Return the title of the rule of that id as a heading; the id if the catalog does not have it."""
    known = RULES.get(rule)
    return heading(known.title) if known is not None else one_line(rule, MAX_TITLE)


def heading(title: str) -> str:
    """Return a title with a capital, unless it begins with a name of the protocol."""
    return one_line(capitalized(title), MAX_TITLE)


def applies_text(rule: Rule) -> str:
    """Return how a rule is decided and which revisions it is about, as in `passive · since 2025-06-18`."""
    parts = [rule.kind.value]
    if rule.since > 1:
        parts.append(f"since {REVISIONS[rule.since - 1].date}")
    if rule.until < NEWEST_NUMBER:
        parts.append(f"until {REVISIONS[rule.until - 1].date}")
    if rule.level:
        parts.append(rule.level_text)
    return " · ".join(parts)
