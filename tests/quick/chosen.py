"""Which tests are run while a change is made: those beside what has changed, and a core of all."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

CORE = (
    "tests/engine/checks/test_views.py",
    "tests/engine/corpus/test_both_eras.py",
    "tests/engine/features/test_elicitation.py",
    "tests/engine/features/test_tool_calls.py",
    "tests/engine/features/test_tools_list.py",
    "tests/engine/config/importers/test_paste.py",
    "tests/engine/config/test_servers_file.py",
    "tests/engine/session/test_handshake.py",
    "tests/engine/session/test_negotiation.py",
    "tests/engine/session/test_negotiation_http.py",
    "tests/engine/spec/test_methods.py",
    "tests/engine/spec/test_revision.py",
    "tests/engine/spec/views/test_call_result.py",
    "tests/engine/spec/views/test_tool.py",
    "tests/engine/transcript/test_correlator.py",
    "tests/engine/transport/http/test_posts.py",
    "tests/engine/wire/test_redaction.py",
    "tests/ui/connect/test_editor.py",
    "tests/ui/features/overview/test_page.py",
    "tests/ui/features/tools/test_call.py",
    "tests/ui/models/test_traffic.py",
    "tests/test_shape.py::test_the_project_keeps_the_rules_of_shape",
)
"""Some of everything that every change may break, none of it slow."""

SLOW = ("tests/e2e/", "tests/conformance/", "tests/fuzz/")
"""Folders whose tests are only run when they have changed themselves."""

MOST = 10
"""Files beside what has changed; a module that half of the tests use would take too long."""


def beside(changed: Iterable[str], root: Path) -> list[str]:
    """The test files for these files of the project: changed tests, then those named after a module, then those that name it."""
    modules = [name for name in changed if name.endswith(".py")]
    tests = [name for name in modules if is_test(name)]
    patterns = [naming(name) for name in modules if not is_test(name)]
    for near in (True, False):
        for name, text in _tests(root):
            if any(pattern.search(text) for pattern in patterns) and near == _is_near(
                name, modules
            ):
                tests.append(name)
    return list(dict.fromkeys(tests))


def is_test(name: str) -> bool:
    """Whether a file of that name holds tests."""
    return PurePosixPath(name).name.startswith("test_")


def naming(module: str) -> re.Pattern[str]:
    """What a file has in it that names a module."""
    path = PurePosixPath(module).with_suffix("")
    parts = path.parts[:-1] if path.name == "__init__" else path.parts
    package, name = ".".join(parts[:-1]), parts[-1]
    dotted = re.escape(".".join(parts))
    return re.compile(
        rf"\b{dotted}\b|^\s*from {re.escape(package)} import .*\b{name}\b", re.MULTILINE
    )


def _is_near(test: str, modules: Iterable[str]) -> bool:
    stem = PurePosixPath(test).stem.removeprefix("test_")
    return any(stem.startswith(PurePosixPath(module).stem) for module in modules)


def _tests(root: Path) -> Iterator[tuple[str, str]]:
    for file in sorted((root / "tests").rglob("test_*.py")):
        name = file.relative_to(root).as_posix()
        if not name.startswith(SLOW):
            yield name, file.read_text()
