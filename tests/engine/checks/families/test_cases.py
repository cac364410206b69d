"""Each rule is broken by its case, and silent at its near miss."""

from __future__ import annotations

import pytest

from tests.engine.checks.families.cases import CASES
from tests.support.rule_cases import Case, rules_found
from tests.support.talk import Talk


def _name(case: Case) -> str:
    return f"{case.rule} {case.name}".strip()


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_a_rule_finds_what_breaks_it(case: Case) -> None:
    """Ours."""
    assert case.rule in rules_found(case.breaks, case.revision, case.before, case.targets)


@pytest.mark.parametrize("case", CASES, ids=_name)
def test_a_rule_is_silent_at_its_near_miss(case: Case) -> None:
    """Ours: a false alarm costs more than a miss."""
    talk = Talk()
    case.near_miss(talk)

    assert talk.transcript.count
    found = rules_found(case.near_miss, case.revision, case.before, case.targets)
    assert case.rule not in found
