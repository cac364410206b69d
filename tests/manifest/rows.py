"""A requirement, and the file of all of them. The only place that knows how the file is written."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

FILE = Path(__file__).with_name("requirements.toml")
ID = re.compile(r"\bC-[A-Z]+\d?-\d\d\b")
OPEN = {
    "apps: open": "asked only of those that draw MCP Apps",
}
"""Reasons of rows that wait for their part of Spyglass."""
NOT_APPLICABLE = "not applicable: "

_REVISIONS = re.compile(r"R([1-5])(\+|-R([1-5]))?(, .+)?")
_LEGEND = """\
# What the specification asks of a client. `python -m tests.manifest` keeps `tests`; everything else is written by hand.
#
# revisions  R1 to R5: the revisions from the oldest on; R3+ from that one on, R2-R4 up to and with the last
# level      MUST, SHOULD, MAY as in the text; RULE: told as a fact there; OURS: we ask it of ourselves
# source     where it is said: revision, page, section. R1.ts: the schema. SEP: an enhancement proposal. BP: the security
#            best practices. XA, XO, XE: the extensions for apps, for client credentials, for enterprises
"""


@dataclass(frozen=True)
class Row:
    """One requirement."""

    id: str
    """Its name, as docstrings write it."""
    revisions: str
    """Those that ask it, such as `R2-R4`; behind a comma what else must be the case."""
    level: str
    """How strongly."""
    says: str
    """What it asks."""
    source: str = ""
    """Where that is written; empty where we ask it ourselves."""
    tests: tuple[str, ...] = ()
    """The tests that name it, as pytest names them."""
    reason: str = ""
    """Why there is no test."""

    @property
    def group(self) -> str:
        """What the id begins with."""
        return self.id.rpartition("-")[0]

    @property
    def readable(self) -> bool:
        """Whether its revisions are written as they should be."""
        return _REVISIONS.fullmatch(self.revisions) is not None


def read(text: str) -> list[Row]:
    """The rows of a file.

    Raises:
        ValueError: It is not TOML; an id comes twice, for example.
        TypeError: A row lacks a field, or has one too many.
    """
    return [
        Row(id=name, tests=tuple(fields.pop("tests", ())), **fields)
        for name, fields in tomllib.loads(text).items()
    ]


def written(rows: Iterable[Row]) -> str:
    """The file of the rows, in their order."""
    return "\n".join([_LEGEND, *map(_row, rows)])


def _row(row: Row) -> str:
    fields = {"revisions": row.revisions, "level": row.level, "says": row.says}
    fields |= {name: text for name in ("source", "reason") if (text := getattr(row, name))}
    lines = [f"[{row.id}]", *(f"{name} = {_text(text)}" for name, text in fields.items())]
    return "\n".join([*lines, *_tests(row.tests), ""])


def _tests(tests: tuple[str, ...]) -> list[str]:
    if len(tests) <= 1:
        return [f"tests = [{_text(test)}]" for test in tests]
    return ["tests = [", *(f"    {_text(test)}," for test in tests), "]"]


def _text(text: str) -> str:
    """A basic string of TOML; JSON writes them the same way."""
    return json.dumps(text, ensure_ascii=False)
