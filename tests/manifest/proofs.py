"""Which tests name which requirements. Tests are read, never imported."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.manifest.rows import ID

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_FROM_TO = re.compile(rf"{ID.pattern} (?:to|–) {ID.pattern}")


@dataclass(frozen=True)
class Proofs:
    """What was found in the tests of a project."""

    tests: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """By id the tests that name it, in their order."""
    places: dict[str, str] = field(default_factory=dict[str, str])
    """By id a file that names it anywhere, code and comments included."""
    abridged: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """The words "this id to that id" in a test, and its file."""


def find(root: Path) -> Proofs:
    """The proofs in a project, and every file of code that names an id."""
    found = Proofs()
    for file in _sources(root):
        text, place = file.read_text(), file.relative_to(root).as_posix()
        found.places.update(dict.fromkeys(ID.findall(text), place))
        if file.name.startswith("test_"):
            found.abridged.extend((match[0], place) for match in _FROM_TO.finditer(text))
            for test, name in named(text):
                found.tests.setdefault(name, []).append(f"{place}::{test}")
    return found


def named(text: str) -> Iterator[tuple[str, str]]:
    """The tests of a module and the ids that each names, as pairs; each pair once."""
    if not ID.search(text):
        return
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test_"
        ):
            for name in dict.fromkeys(ID.findall(ast.get_docstring(node) or "")):
                yield node.name, name


def _sources(root: Path) -> Iterator[Path]:
    for top in ("inspector", "ui", "tests"):
        for file in sorted((root / top).rglob("*.py")):
            if "node_modules" not in file.parts:
                yield file
