"""The requirements and the tests that prove them agree, and each rule catches what it is there for; ours."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.manifest import proofs, verdict
from tests.manifest.__main__ import ROOT
from tests.manifest.proofs import Proofs
from tests.manifest.rows import FILE, Row, read, written

if TYPE_CHECKING:
    from pathlib import Path

FIRST, SECOND = "C-" + "AA-01", "C-" + "AA-02"
"""Put together, so that this module names no requirement."""
TEST = "tests/test_a.py::test_it_is_so"
ROW = Row(FIRST, "R2-R4", "MUST", "Be so.", "R2:a#B", (TEST,))
GOOD = Proofs({FIRST: [TEST]}, {FIRST: "tests/test_a.py"})


@pytest.fixture(scope="module")
def found() -> Proofs:
    """What the tests of the project name."""
    return proofs.find(ROOT)


@pytest.mark.parametrize("rule", verdict.RULES)
def test_the_rows_and_the_tests_agree(rule: verdict.Rule, found: Proofs) -> None:
    """Ours: after a change, `python -m tests.manifest` brings the file up to date."""
    assert "\n".join(rule(read(FILE.read_text()), found)) == ""


def test_the_file_is_as_the_tool_writes_it() -> None:
    """Ours: so that a change is one that somebody made."""
    text = FILE.read_text()

    assert written(read(text)) == text


PLANTED: list[tuple[verdict.Rule, list[Row], Proofs]] = [
    (verdict.misspelt, [replace(ROW, revisions="R2–R4")], GOOD),
    (verdict.misspelt, [replace(ROW, level="must")], GOOD),
    (verdict.misspelt, [replace(ROW, says="Be so")], GOOD),
    (verdict.misspelt, [replace(ROW, id=SECOND), ROW], GOOD),
    (verdict.misspelt, [ROW, ROW], GOOD),
    (verdict.unproven, [replace(ROW, tests=())], Proofs()),
    (verdict.unreasonable, [replace(ROW, tests=(), reason="apps: open")], Proofs()),
    (verdict.unreasonable, [replace(ROW, tests=(), reason="not applicable: ")], Proofs()),
    (verdict.unreasonable, [replace(ROW, tests=(), reason="later")], Proofs()),
    (verdict.out_of_date, [ROW], Proofs()),
    (verdict.out_of_date, [replace(ROW, tests=())], GOOD),
    (verdict.out_of_date, [replace(ROW, tests=(TEST, TEST))], GOOD),
    (verdict.out_of_date, [replace(ROW, reason="not applicable: we are not")], GOOD),
    (verdict.unknown, [ROW], Proofs(places={SECOND: "ui/app.py"})),
    (verdict.abridged, [ROW], Proofs(abridged=[(f"{FIRST} to {SECOND}", "tests/test_a.py")])),
]


@pytest.mark.parametrize(("rule", "rows", "named"), PLANTED)
def test_a_rule_catches_what_is_planted(rule: verdict.Rule, rows: list[Row], named: Proofs) -> None:
    """Ours."""
    assert list(rule(rows, named)) != []


def test_what_is_in_order_passes_every_rule() -> None:
    """Ours."""
    none = replace(ROW, id=SECOND, tests=(), reason="not applicable: we are not")

    assert [line for rule in verdict.RULES for line in rule([ROW, none], GOOD)] == []
    assert {rule for rule, _, _ in PLANTED} == set(verdict.RULES)


def test_tests_are_found_by_their_docstrings(tmp_path: Path) -> None:
    """Ours: comments, modules and what is no test prove nothing; no file is imported."""
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_a.py").write_text(
        f'"""{SECOND}"""\nraise SystemExit\n'
        f'def test_it_is_so():\n    """{FIRST}; and {FIRST}: twice."""\n'
        f'async def test_it_waits():\n    """{FIRST} to {SECOND}."""\n'
        f"def test_silent():\n    pass  # {FIRST}\n"
        f'def helper():\n    """{FIRST}."""\n'
    )
    (folder / "tool.py").write_text(f'def test_not_collected():\n    """{FIRST}."""\n')
    named = proofs.find(tmp_path)

    waits = "tests/test_a.py::test_it_waits"
    assert named.tests == {FIRST: [TEST, waits], SECOND: [waits]}
    assert named.places.keys() == {FIRST, SECOND}
    assert named.abridged == [(f"{FIRST} to {SECOND}", "tests/test_a.py")]


def test_a_row_is_brought_up_to_date() -> None:
    """Ours: tests take the place of a reason, and the reason that goes without saying comes back."""
    why = "not applicable: we are not"
    app = "C-" + "APP-01"
    waiting = replace(ROW, id=app, revisions="R5, apps", tests=(), reason="apps: open")
    known = Proofs({app: [TEST]})

    assert verdict.refreshed(replace(ROW, tests=(), reason=why), GOOD) == ROW
    assert verdict.refreshed(waiting, known).reason == ""
    assert verdict.refreshed(replace(waiting, tests=(TEST,), reason=""), Proofs()) == waiting
    assert verdict.refreshed(ROW, Proofs()) == replace(ROW, tests=())


def test_a_file_comes_back_as_it_was_written() -> None:
    """Ours."""
    rows = [ROW, replace(ROW, id=SECOND, says='Say "\\é".', source="", tests=(TEST, TEST + "_too"))]

    assert read(written(rows)) == rows
