"""The project keeps the rules of `support/shape.py`, and each rule catches what it is there for; ours.

An exemption says why, may not grow, and fails when nothing needs it any more.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import pytest

from tests.support import shape
from tests.support.shape import Breach, Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ROOT = Path(__file__).parents[1]
PROJECT = (ROOT / "pyproject.toml").read_text()
IGNORED: list[str] = tomllib.loads(PROJECT)["tool"]["ruff"]["lint"]["ignore"]
RUFF = Path(sys.executable).with_name("ruff")
CODE = ("inspector", "ui", "resources", "tests")
TOP_LEVEL = {
    *CODE,
    "packaging",
    "pyproject.toml",
    "README.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "CHANGELOG.md",
    "Makefile",
}
MADE = {"build", "dist"}
"""Folders that the tools make, none of them in the repository."""

EXEMPTIONS: dict[Breach, str] = {
    Breach(
        "nested_loop", "tests/bench/child/bare_window.py"
    ): "a program of Qt alone, to measure against",
    Breach(
        "nested_loop", "ui/startup.py::InitialPaint.__init__"
    ): "the first paint, before there is any other loop that it could nest in",
}
"""Breaches that stay, each with its size as it is now and the reason."""


@pytest.fixture(scope="module")
def found() -> list[Breach]:
    """Every breach of a rule in the project."""
    return shape.breaches(shape.read(ROOT, CODE))


def test_the_project_keeps_the_rules_of_shape(found: list[Breach]) -> None:
    """Ours."""
    assert in_words(shape.unexcused(found, EXEMPTIONS)) == ""


def test_every_exemption_is_still_needed(found: list[Breach]) -> None:
    """Ours."""
    assert in_words(shape.unneeded(found, EXEMPTIONS)) == ""


@pytest.fixture(scope="module")
def found_by_ruff() -> set[str]:
    """The rules among those that ruff is told to ignore that would find something."""
    options = ["--isolated", "--target-version", "py311", "--line-length", "100"]
    told = [*options, "--select", ",".join(IGNORED), "--statistics", "--output-format", "json"]

    done = subprocess.run([RUFF, "check", *told, *CODE], cwd=ROOT, capture_output=True, check=False)

    return {each["code"] for each in json.loads(done.stdout)}


@pytest.mark.parametrize("rule", IGNORED)
def test_every_rule_that_ruff_is_told_to_ignore_would_find_something(
    rule: str, found_by_ruff: set[str]
) -> None:
    """Ours."""
    assert rule in found_by_ruff


def in_words(places: list[Breach]) -> str:
    return "\n".join(map(str, places))


def test_the_top_level_is_fixed() -> None:
    """Ours."""
    there = {path.name for path in ROOT.iterdir() if not path.name.startswith((".", "__"))}

    assert there - MADE == TOP_LEVEL


@pytest.mark.parametrize("top", ["inspector", "ui", "resources"])
def test_every_folder_of_code_is_a_package(top: str) -> None:
    """Ours: import-linter does not see the others."""
    folders = {file.parent for file in (ROOT / top).rglob("*.py")}

    assert [str(folder) for folder in folders if not (folder / "__init__.py").exists()] == []


def test_packaging_is_no_package() -> None:
    """Ours: it would shadow the library of that name."""
    assert not (ROOT / "packaging" / "__init__.py").exists()


@pytest.mark.parametrize("package", ["inspector", "ui"])
def test_the_map_of_a_package_names_what_exists_and_everything_at_its_top(package: str) -> None:
    """Ours: the map lives in the package's docstring, next to the code."""
    folder = ROOT / package
    named = shape.names_in_map(ast.get_docstring(ast.parse(_text(folder)), clean=False) or "")
    top = {path.stem for path in folder.iterdir() if not path.name.startswith(("__init__", "__py"))}
    everything = {path.stem for path in folder.rglob("*")}

    assert named - everything == set()
    assert top - named == set()


def _text(package: Path) -> str:
    return (package / "__init__.py").read_text()


def lines(count: int) -> str:
    return "\n".join("    x = 1" for _ in range(count))


PLANTED: list[tuple[Callable[[Source], Iterator[Breach]], str, str]] = [
    (shape.function_length, "ui/app.py", f"def f():\n{lines(50)}"),
    (shape.function_length, "tests/test_x.py", f"class C:\n  async def f(self):\n{lines(50)}"),
    (shape.module_length, "ui/app.py", "x = 1\n" * 401),
    (
        shape.class_size,
        "ui/app.py",
        "class C:\n" + "".join(f"  def m{n}(self): ...\n" for n in range(25)),
    ),
    (shape.nested_loop, "ui/app.py", "dialog.exec()"),
    (shape.nested_loop, "ui/app.py", "QMenu(self).exec_(position)"),
    (shape.nested_loop, "ui/app.py", "exec('x = 1')"),
    (shape.nested_loop, "ui/app.py", "QApplication.processEvents()"),
    (shape.nested_loop, "ui/app.py", "from qasync import asyncSlot"),
    (shape.nested_loop, "ui/app.py", "@qasync.asyncClose\ndef closeEvent(self, event): ..."),
    (shape.nested_loop, "ui/app.py", "QMessageBox.question(self, 'a', 'b')"),
    (shape.nested_loop, "ui/app.py", "QtWidgets.QFileDialog.getOpenFileName(self)"),
    (shape.nested_loop, "ui/app.py", "QInputDialog.getText(self, 'a', 'b')"),
    (shape.ownerless_task, "ui/app.py", "asyncio.create_task(work())"),
    (
        shape.ownerless_task,
        "inspector/workspace.py",
        "asyncio.get_running_loop().create_task(work())",
    ),
    (shape.revision_date, "inspector/session/protocol_mode.py", "if revision == '2025-11-25': ..."),
    (shape.revision_date, "ui/app.py", "words = f'since 2024-11-05: {x}'"),
    (shape.qt_in_engine, "inspector/event.py", "from PySide6.QtCore import QObject"),
    (shape.qt_in_engine, "inspector/event.py", "def f():\n    import qasync"),
    (shape.qt_in_engine, "inspector/event.py", "from ui.app import App"),
    (shape.focus_chain, "ui/app.py", "after = widget.nextInFocusChain()"),
    (shape.vague_name, "inspector/utils.py", ""),
    (shape.vague_name, "ui/widgets/window_manager.py", ""),
    (shape.vague_name, "ui/common/tree.py", ""),
    (shape.banned_word, "ui/app.py", "class Furniture: ..."),
    (shape.banned_word, "inspector/wire/sse.py", "def read(by_person): ..."),
    (shape.banned_word, "inspector/wire/sse.py", "self._lanes = 1"),
    (shape.banned_word, "inspector/wire/sse.py", "MAX_ERRANDS: int = 1"),
    (shape.banned_prose, "ui/app.py", "'''What a person sees.'''"),
    (shape.banned_prose, "ui/app.py", "x = 1\n'''The\n\nColour.'''"),
    (shape.banned_prose, "ui/app.py", "x = 1  # the call is called off"),
]

INNOCENT: list[tuple[Callable[[Source], Iterator[Breach]], str, str]] = [
    (shape.function_length, "ui/app.py", f"def f():\n{lines(49)}"),
    (shape.module_length, "ui/app.py", "x = 1\n" * 400),
    (
        shape.class_size,
        "ui/app.py",
        "class C:\n" + "".join(f"  def someEvent{n}(self): ...\n" for n in range(25)),
    ),
    (
        shape.class_size,
        "ui/app.py",
        "class C:\n" + "".join(f"  @property\n  def m{n}(self): ...\n" for n in range(25)),
    ),
    (shape.nested_loop, "ui/app.py", "drag.exec(Qt.DropAction.CopyAction)"),
    (shape.nested_loop, "ui/app.py", "database.execute('select 1')"),
    (shape.nested_loop, "ui/app.py", "box.setIcon(QMessageBox.Icon.Warning); box.open()"),
    (shape.ownerless_task, "ui/app.py", "group.create_task(work())"),
    (shape.ownerless_task, "ui/aio.py", "loop.create_task(work())"),
    (shape.ownerless_task, "inspector/inbox.py", "self._closing = asyncio.ensure_future(end())"),
    (shape.revision_date, "inspector/spec/revision.py", "LATEST = '2026-07-28'"),
    (
        shape.revision_date,
        "inspector/session/protocol_mode.py",
        "'''See …/specification/2025-11-25/basic.'''",
    ),
    (shape.revision_date, "inspector/demo/log.py", "'2025-06-01T12:00:00Z'"),
    (shape.qt_in_engine, "ui/app.py", "from PySide6.QtCore import QObject"),
    (shape.vague_name, "ui/widgets/utility_row.py", ""),
    (shape.banned_word, "ui/app.py", "personal = lane = window.furniture"),
    (shape.banned_word, "tests/test_app.py", "person = 1"),
    (shape.banned_prose, "ui/app.py", "x = 'person'  # personal"),
]


@pytest.mark.parametrize(("rule", "path", "text"), PLANTED)
def test_a_rule_catches_a_planted_breach(
    rule: Callable[[Source], Iterator[Breach]], path: str, text: str
) -> None:
    """Ours."""
    assert len(list(rule(Source(PurePosixPath(path), text)))) == 1


@pytest.mark.parametrize(("rule", "path", "text"), INNOCENT)
def test_a_rule_leaves_the_innocent_alone(
    rule: Callable[[Source], Iterator[Breach]], path: str, text: str
) -> None:
    """Ours."""
    assert list(rule(Source(PurePosixPath(path), text))) == []


def test_every_rule_has_its_planted_breach() -> None:
    """Ours."""
    assert {rule for rule, _, _ in PLANTED} == set(shape.RULES)


def test_an_exemption_excuses_no_more_than_it_says() -> None:
    """Ours."""
    as_it_is = Breach("module_length", "ui/app.py", 420)
    grown = Breach("module_length", "ui/app.py", 421)

    assert shape.unexcused([as_it_is], {as_it_is: "why"}) == []
    assert shape.unexcused([grown], {as_it_is: "why"}) == [grown]


def test_an_exemption_that_nothing_needs_is_noticed() -> None:
    """Ours."""
    as_it_was = Breach("module_length", "ui/app.py", 420)
    smaller = Breach("module_length", "ui/app.py", 410)

    assert shape.unneeded([], {as_it_was: "why"}) == [as_it_was]
    assert shape.unneeded([smaller], {as_it_was: "why"}) == [as_it_was]


def test_a_map_is_read_from_the_first_column_of_indented_lines() -> None:
    """Ours."""
    text = """The engine.

    event.py clock.py    small things
    wire/                bytes and frames
        lines.py         a splitter
    Frame                a noun, not a module

    Prose in the text is not indented, nor a map.
"""

    assert shape.names_in_map(text) >= {"event", "clock", "wire", "lines"}
    assert "Frame" not in shape.names_in_map(text)
