"""A rule and where it found something, as Markdown: for an issue about the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.export.markdown import code, fenced
from inspector.finding import Severity
from inspector.spec.findings import rule_link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.checks.excerpts import Excerpts
    from inspector.checks.report import Occurrence
    from inspector.rules import Rule

NAMES = {Severity.ERROR: "Error", Severity.WARNING: "Warning", Severity.INFO: "Note"}
"""Severities as users read them."""

NAMES_OF_PROTOCOL = frozenset({"iss", "jsonrpc", "stdio"})
"""What titles may begin with and has no capital."""

MAX_QUOTED = 5
"""Occurrences that are quoted; the others are counted."""


def capitalized(title: str) -> str:
    """Return a title with a capital, unless it begins with a name of the protocol."""
    start = title.split(" ", 1)[0]
    is_word = start.isalpha() and start.islower() and start not in NAMES_OF_PROTOCOL
    return title[:1].upper() + title[1:] if is_word else title


def rule_markdown(
    rule: Rule,
    severity: Severity,
    found: Sequence[Occurrence],
    count: int,
    excerpts: Excerpts,
) -> Iterator[str]:
    """Yield the lines about a rule that found something `count` times, the first of them quoted without secrets."""
    id_ = f" ({code(rule.id)})" if rule.id != rule.title else ""
    yield f"### {NAMES[severity]}: {excerpts.masked(rule.title)}{id_}\n"
    for each in found[:MAX_QUOTED]:
        number, finding = each
        pointer = f" at {code(excerpts.masked(finding.pointer))}" if finding.pointer else ""
        yield f"- Frame {number}{pointer}: {code(excerpts.masked(finding.summary))}"
    if count > min(len(found), MAX_QUOTED):
        yield f"- {count - min(len(found), MAX_QUOTED):,} more"
    if found and (quoted := excerpts.around(found[0].number, found[0].finding.pointer)).lines:
        yield f"\n{fenced(quoted.text)}"
    for name, text in advice(rule):
        yield f"- {name}: {text}"
    if url := specification(rule, found):
        yield f"- Specification: <{url}>"


def advice(rule: Rule) -> tuple[tuple[str, str], ...]:
    """Return why a rule matters and what to change, each with its name."""
    texts = (
        ("Why", rule.why),
        ("Change", rule.hint),
        ("Python SDK", rule.python),
        ("TypeScript SDK", rule.typescript),
    )
    return tuple((name, text) for name, text in texts if text)


def specification(rule: Rule, found: Sequence[Occurrence] = ()) -> str:
    """Return where the specification describes a rule, in the revision of what it found; empty if it does not."""
    known = next((each.finding.link for each in found if each.finding.link), "")
    return known or rule_link(rule)
