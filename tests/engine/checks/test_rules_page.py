"""The page of all rules."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from inspector.checks.catalog import CATALOG
from inspector.checks.rule_markdown import capitalized
from inspector.checks.rules_page import main, rules_page
from inspector.spec.revision import REVISIONS

if TYPE_CHECKING:
    from pathlib import Path

ROW = re.compile(r'<tr id="([^"]+)">(.*?)</tr>', re.DOTALL)


def test_the_page_has_every_rule_with_its_reason_and_the_revisions_it_is_about() -> None:
    """Ours."""
    rows = dict(ROW.findall(rules_page()))

    assert rows.keys() == CATALOG.keys()
    for id_, row in rows.items():
        rule, text = CATALOG[id_], unescape(re.sub(r"</?code>", "`", row))
        assert capitalized(rule.title) in text
        assert all(each in text for each in (rule.why, rule.hint, rule.python, rule.typescript))
        cells = re.findall(r"<td>(error|warning|info|)</td>", row)
        assert [bool(cell) for cell in cells] == [
            rule.since <= revision.number <= rule.until for revision in REVISIONS
        ]


def test_a_rule_of_earlier_revisions_is_linked_where_the_last_of_them_describes_it() -> None:
    """Ours: later pages no longer have the heading."""
    rows = dict(ROW.findall(rules_page()))

    for id_, row in rows.items():
        last = REVISIONS[CATALOG[id_].until - 1]
        dates = re.findall(r"/specification/(\d{4}-\d{2}-\d{2})/", row)
        assert all(date <= last.date for date in dates)


def test_each_link_inside_the_page_leads_to_a_rule_or_a_family() -> None:
    """Ours: a rule can be linked by its id."""
    page = rules_page()
    ids = re.findall(r' id="([^"]+)"', page)

    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) == set(ids)


def test_the_page_needs_nothing_but_itself(tmp_path: Path) -> None:
    """Ours: it can be opened anywhere, without a network."""
    path = tmp_path / "docs" / "rules.html"

    assert main([str(path)]) == 0
    page = path.read_text(encoding="utf-8")
    assert not re.search(r"<(link|img|iframe|script)[^>]+(src|href)=", page)
