"""The table of rules: every id that is used is defined once, and the other way round."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import inspector
from inspector.checks.catalog import CATALOG
from inspector.finding import Finding, Severity
from inspector.rules import Rule, add_rules, rule_label
from inspector.spec.findings import MAX_SUMMARY, make_finding
from inspector.spec.revision import V2025_11_25
from inspector.spec.spec_urls import TOPICS, link

if TYPE_CHECKING:
    from collections.abc import Iterator

ENGINE = Path(inspector.__file__).parent
TABLE = ENGINE / "rules"


def strings() -> Iterator[str]:
    """Every string literal of the engine but those of the table, the demo server and docstrings."""
    for path in ENGINE.rglob("*.py"):
        if TABLE in path.parents or "demo" in path.parts:
            continue
        tree = ast.parse(path.read_text("utf-8"))
        docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            value = node.value if isinstance(node, ast.Constant) else None
            if isinstance(value, str) and id(node) not in docs:
                yield value


def test_the_rules_that_findings_name_are_the_rules_of_the_table() -> None:
    """Ours: a rule is one row and one function; neither exists without the other."""
    used = set(strings())
    of_the_catalog = {text for text in used if re.fullmatch(r"L-[A-Z0-9]+-\d+", text)}

    assert of_the_catalog - CATALOG.keys() == set()
    assert CATALOG.keys() - used == set()


def test_each_rule_has_a_short_title_and_a_topic_of_the_specification() -> None:
    """Ours: a title is no sentence."""
    rows = CATALOG.values()

    assert all(0 < len(row.title) <= 60 and "`" not in row.title for row in rows)
    assert not any(row.title.endswith(".") for row in rows)
    assert {row.subject for row in rows} - {""} <= set(TOPICS)


def test_each_rule_states_why_it_matters_and_what_to_change() -> None:
    """Ours: one sentence each, in which no program speaks or wants."""
    spoken = re.compile(
        r"\b(?:we|us|ours?|nobody|somebody|says?|tells?|wants?|promises?|gives? up)\b"
    )
    for row in CATALOG.values():
        for text in (row.why, row.hint):
            assert text.endswith("."), f"{row.id}: {text}"
            assert ". " not in text, f"{row.id}: {text}"
        texts = (row.title, row.why, row.hint, row.python, row.typescript)
        assert not [text for text in texts if spoken.search(text)], row.id


def test_a_finding_has_the_severity_and_the_link_of_its_rule_unless_it_states_others() -> None:
    """Ours."""
    rule, text = "L-PAG-04", "a cursor comes back"
    page = link("pagination", V2025_11_25)
    graver = make_finding(rule, text, severity=Severity.ERROR, subject="tools")

    assert make_finding(rule, text, "/result", V2025_11_25) == Finding(
        rule, Severity.WARNING, text, "/result", page
    )
    assert (graver.severity, graver.link) == (Severity.ERROR, link("tools"))
    assert make_finding(Rule("L-NEW-01", Severity.INFO, "", "new"), text).link == ""


def test_a_finding_quotes_no_more_of_a_server_than_can_be_read() -> None:
    """Ours: a name may have a million characters."""
    found = make_finding("L-TOOL-03", f"name {'x' * 1_000_000}")

    assert found.summary.startswith("name xxx")
    assert len(found.summary) <= MAX_SUMMARY + 1


def test_a_rule_is_named_with_its_title_where_it_has_one() -> None:
    """Ours: an id in words needs none."""
    assert rule_label("L-JR-21") == "L-JR-21 · result is not an object"
    assert rule_label("late-response") == "late-response"
    assert rule_label("L-NEW-01") == "L-NEW-01"


def test_an_id_belongs_to_one_rule() -> None:
    """Ours: a family that takes the id of another is refused when it is added."""
    with pytest.raises(ValueError, match="L-JR-21"):
        add_rules([Rule("L-JR-21", Severity.INFO, "", "another")])
