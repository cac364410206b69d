"""An id never stands alone: each rule has a title."""

from __future__ import annotations

import re
from pathlib import Path

import inspector
from inspector.rule_titles import TITLES, rule_label

SOURCES = Path(inspector.__file__).parent


def test_every_rule_that_a_finding_can_name_has_a_title() -> None:
    """Ours: a title is short, and no sentence."""
    used = {
        rule
        for path in SOURCES.rglob("*.py")
        for rule in re.findall(r"\bL-[A-Z0-9]+-\d+\b", path.read_text("utf-8"))
    }

    assert used <= TITLES.keys()
    assert all(0 < len(title) <= 60 and "`" not in title for title in TITLES.values())
    assert not any(title.endswith(".") for title in TITLES.values())


def test_a_rule_is_named_with_its_title_where_it_has_one() -> None:
    """Ours."""
    assert rule_label("L-JR-21") == "L-JR-21 · result is no object"
    assert rule_label("late-response") == "late-response"
