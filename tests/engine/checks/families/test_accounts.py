"""Every row of the catalog is a rule with its cases, or is left out for a reason."""

from __future__ import annotations

from inspector.checks.catalog import CATALOG, CHECKED_RULES
from inspector.rules.rule import FAMILIES
from tests.engine.checks.families.cases import CASES

ROWS = {
    "ANN": 4,
    "APP": 7,
    "AUT": 26,
    "CAN": 6,
    "CAP": 13,
    "CCH": 8,
    "CMP": 7,
    "DSC": 14,
    "ELI": 20,
    "HTTP": 16,
    "ICO": 5,
    "IMP": 4,
    "JR": 35,
    "LC": 12,
    "LOG": 11,
    "MET": 7,
    "MOD": 22,
    "MRTR": 14,
    "OLD": 7,
    "PAG": 7,
    "PRG": 9,
    "PRM": 9,
    "Q": 10,
    "RES": 20,
    "ROOT": 1,
    "SES": 21,
    "SMP": 9,
    "SSE": 8,
    "STD": 14,
    "SUB": 13,
    "TK4": 19,
    "TKX": 21,
    "TOOL": 47,
}
"""How many rows each family of the catalog has."""

LEFT_OUT: dict[str, str] = {
    "L-ROOT-01": "a case of L-JR-32: the request of a capability that the client did not declare",
    "L-PRM-04": "found as L-TOOL-42, which is about media in every kind of content",
    "L-Q-09": "each deprecated feature is a rule of its own: L-CAP-12, L-SMP-09, L-LOG-10, L-OLD-06, L-AUT-17",
}
"""By id, why a row is no rule."""


def test_a_rule_belongs_to_a_family_and_says_what_a_report_needs() -> None:
    """Ours: why it matters, what to change, what it looks at."""
    for rule in CHECKED_RULES:
        assert rule.family.key in FAMILIES
        for text in (rule.why, rule.hint):
            assert text.endswith("."), f"{rule.id} says in no sentence: {text!r}"
        assert rule.on, rule.id
        assert rule.level, rule.id


def test_no_row_is_both_a_rule_and_left_out() -> None:
    """Ours."""
    known = {
        f"L-{family}-{number:02d}"
        for family, count in ROWS.items()
        for number in range(1, count + 1)
    }

    assert not LEFT_OUT.keys() & CATALOG.keys()
    assert LEFT_OUT.keys() <= known
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())


def test_each_rule_with_a_function_has_a_case() -> None:
    """Ours: what breaks it, and what nearly does."""
    checked = {rule.id for rule in CHECKED_RULES if rule.check is not None}
    assert checked <= {case.rule for case in CASES}
