"""Which tests `make quick` runs for a change; ours."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quick import chosen

ROOT = Path(__file__).parents[1]

TESTS = {
    "tests/engine/wire/test_line_splitter.py": "from inspector.wire.line_splitter import RawChunk",
    "tests/engine/wire/test_sse.py": "from inspector.wire import line_splitter, sse",
    "tests/ui/test_page.py": "import ui.page",
    "tests/e2e/test_start.py": "from inspector.wire.line_splitter import RawChunk",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project of a few tests."""
    for name, text in TESTS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        ("inspector/wire/line_splitter.py", ["test_line_splitter.py", "test_sse.py"]),
        ("inspector/wire/sse.py", ["test_sse.py"]),
        ("inspector/wire/json_nesting.py", []),
        ("ui/page.py", ["test_page.py"]),
        ("tests/e2e/test_start.py", ["test_start.py"]),
        ("README.md", []),
    ],
)
def test_the_tests_beside_a_change_are_those_that_name_the_module(
    tree: Path, changed: str, tests: list[str]
) -> None:
    """Ours: those called like it come first, slow ones only when they have changed themselves."""
    assert [Path(name).name for name in chosen.beside([changed], tree)] == tests


def test_the_core_that_is_always_run_exists() -> None:
    """Ours."""
    assert [name for name in chosen.CORE if not (ROOT / name.partition("::")[0]).is_file()] == []
    assert {"engine", "ui"} < {name.split("/")[1] for name in chosen.CORE}
