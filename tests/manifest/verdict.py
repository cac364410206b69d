"""What is wrong with the rows, in words. A rule is a function from rows and proofs to lines; `RULES` is the list."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.manifest.rows import NOT_APPLICABLE, OPEN, Row

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.manifest.proofs import Proofs

    Rule = Callable[[list[Row], Proofs], Iterator[str]]

LEVELS = {"MUST", "SHOULD", "MAY", "RULE", "OURS"}
_STATE = re.compile(r"[a-z ]+(: open)?")


def refreshed(row: Row, proofs: Proofs) -> Row:
    """The row with the tests that name it now; a reason goes when there are some, and comes where it goes without saying."""
    tests = tuple(proofs.tests.get(row.id, ()))
    return replace(row, tests=tests, reason="" if tests else row.reason or _waits_for(row))


def state(row: Row) -> str:
    """In which of a few states a row is: `tested`, why not, or `unproven`."""
    if row.tests:
        return "tested"
    found = _STATE.match(row.reason)
    return found[0] if found else "unproven"


def _waits_for(row: Row) -> str:
    return "apps: open" if row.group == "C-APP" else ""


def misspelt(rows: list[Row], _: Proofs) -> Iterator[str]:
    """Every row is written as rows are, and they are in order."""
    for row in rows:
        if not row.readable or row.level not in LEVELS or not row.says.endswith("."):
            yield f"{row.id}: revisions, level or sentence"
    yield from (f"{b.id} belongs before {a.id}" for a, b in pairwise(rows) if a.id >= b.id)


def unproven(rows: list[Row], _: Proofs) -> Iterator[str]:
    """Every row has a test, or a reason why not."""
    yield from (f"{row.id}: neither test nor reason" for row in rows if state(row) == "unproven")


def unreasonable(rows: list[Row], _: Proofs) -> Iterator[str]:
    """A reason is one of a few, and fits."""
    for row in rows:
        why = row.reason.removeprefix(NOT_APPLICABLE)
        if row.reason in OPEN:
            fits = row.reason == _waits_for(row)
        else:
            fits = not row.reason or (why != row.reason and len(why.split()) > 1)
        if not fits:
            yield f"{row.id}: {row.reason!r} is no reason here"


def out_of_date(rows: list[Row], proofs: Proofs) -> Iterator[str]:
    """The tests in the file are those whose docstrings name the row."""
    for row in rows:
        now = refreshed(row, proofs)
        yield from (
            f"{row.id}: {test} does not name it" for test in row.tests if test not in now.tests
        )
        yield from (f"{row.id}: {test} is missing" for test in now.tests if test not in row.tests)
        if Counter(row.tests) != Counter(set(row.tests)) or (row.tests and row.reason):
            yield f"{row.id}: a test twice, or a reason although there are tests"


def unknown(rows: list[Row], proofs: Proofs) -> Iterator[str]:
    """Every id that the code names is a row."""
    known = {row.id for row in rows}
    yield from (f"{name} in {file}" for name, file in proofs.places.items() if name not in known)


def abridged(_: list[Row], proofs: Proofs) -> Iterator[str]:
    """Docstrings of tests name each id, not the first and the last of several."""
    yield from (f"{text} in {file}" for text, file in proofs.abridged)


RULES = (misspelt, unproven, unreasonable, out_of_date, unknown, abridged)
