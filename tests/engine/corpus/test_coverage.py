"""Every case that is here is played by a test that names it; ours."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.corpus import CASES

TESTS = Path(__file__).parent


def test_every_case_has_a_test_that_names_it() -> None:
    """Ours."""
    tests = "".join(file.read_text() for file in TESTS.glob("test_*.py"))
    names = {file.stem for file in CASES.rglob("*.json")}

    assert len(names) > 30
    assert {name for name in names if f'"{name}"' not in tests and f"{name}:" not in tests} == set()


def test_every_case_is_where_its_id_and_kind_say() -> None:
    """Ours."""
    for file in CASES.rglob("*.json"):
        case = json.loads(file.read_text())
        assert (case["id"], case["kind"]) == (file.stem, file.parent.name)
        assert set(case) == {"id", "kind", "title", "input", "expect"}
