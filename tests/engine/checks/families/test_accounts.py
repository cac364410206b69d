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
    "PRM": 10,
    "Q": 10,
    "RES": 21,
    "ROOT": 1,
    "SES": 21,
    "SMP": 9,
    "SSE": 8,
    "STD": 15,
    "SUB": 13,
    "TK4": 19,
    "TKX": 21,
    "TOOL": 48,
}
"""How many rows each family of the catalog has."""

LEFT_OUT: dict[str, str] = {
    "L-STD-10": "a case of L-JR-22: a request of the server, whatever it comes over",
    "L-MET-07": "found as L-TK4-07 to L-TK4-09, which tell where the related task is missing or wrong",
    "L-MOD-15": "a case of L-JR-22: a request of the server, whatever it comes over",
    "L-ROOT-01": "a case of L-JR-32: the request of a capability that the client did not declare",
    "L-PRM-04": "found as L-TOOL-42, which is about media in every kind of content",
    "L-Q-09": "each deprecated feature is a rule of its own: L-CAP-12, L-SMP-09, L-LOG-10, L-OLD-06, L-AUT-17",
    "L-PRG-08": "found as L-MOD-13 on the stream of another call, and as L-SUB-08 on a stream of notifications",
    "L-AUT-12": "scopes of successive challenges follow what was called: one session cannot tell a habit from a need",
    "L-AUT-18": "access tokens are opaque to clients: the flow displays a decoded one, and decides nothing by it",
    "L-AUT-20": "a refresh token that is not rotated may be bound to its client, which is not visible",
    "L-AUT-21": "an error about `resource` is a failed step of the login, with the reason of the server",
    "L-AUT-26": "scopes of two challenges may differ by what was granted meanwhile: no finding could prove it",
}
"""By id, why a row is no rule."""


KNOWN = tuple(
    f"L-{family}-{number:02d}" for family, count in ROWS.items() for number in range(1, count + 1)
)
"""Every row, by its id."""

MIN_RULES = 434
"""Rows that are rules, at least."""


def account() -> dict[str, str]:
    """By the id of each row: the title of its rule, why it is none, or an empty text for neither."""
    titles = {id_: rule.title for id_, rule in CATALOG.items()}
    return {id_: titles.get(id_) or LEFT_OUT.get(id_, "") for id_ in KNOWN}


def test_each_row_is_a_rule_or_is_left_out_for_a_reason() -> None:
    """Ours."""
    assert [id_ for id_, text in account().items() if not text] == []
    assert len(CATALOG.keys() & set(KNOWN)) >= MIN_RULES


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
    assert not LEFT_OUT.keys() & CATALOG.keys()
    assert LEFT_OUT.keys() <= set(KNOWN)
    assert all(len(reason) > 20 for reason in LEFT_OUT.values())


def test_each_rule_with_a_function_has_a_case() -> None:
    """Ours: what breaks it, and what nearly does."""
    checked = {rule.id for rule in CHECKED_RULES if rule.check is not None}
    assert checked <= {case.rule for case in CASES}
