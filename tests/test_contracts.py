"""The contracts of pyproject.toml catch what they forbid, shown on a small tree with one wrong import; ours."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1] / "pyproject.toml"
LINT_IMPORTS = Path(sys.executable).with_name("lint-imports")
SKELETON = {
    "inspector": "__main__ cli workspace demo/server config/profile features/tools features/prompts session/session "
    "checks/order transport/stdio transcript/store spec/revision wire/frame inbox event errors",
    "ui": "__main__ app shell/window traffic/panel connect/steps inbox/panel features/tools/page features/prompts/page "
    "render/text models/traffic widgets/badge theme/theme page aio bind errors",
    "resources": "loader",
}

ALLOWED = {
    "inspector/workspace.py": "from inspector.features import tools",
    "inspector/features/tools.py": "from inspector.session import session",
    "inspector/demo/server.py": "from inspector.spec import revision",
    "inspector/errors.py": "import inspector.event",
    "ui/app.py": "from inspector import workspace",
    "ui/aio.py": "import qasync",
    "ui/shell/window.py": "from ui import aio",
}

FORBIDDEN = [
    ("inspector/wire/frame.py", "from inspector.spec import revision", "The engine in layers"),
    ("inspector/session/session.py", "from inspector.checks import order", "The engine in layers"),
    (
        "inspector/features/tools.py",
        "from inspector.config import profile",
        "The engine in layers",
    ),
    ("inspector/demo/server.py", "from inspector.session import session", "The engine in layers"),
    ("inspector/unplanned.py", "", "The engine in layers"),
    ("inspector/features/tools.py", "from inspector.features import prompts", "Engine features"),
    ("inspector/event.py", "from PySide6.QtCore import QObject", "The engine knows no Qt"),
    ("inspector/inbox.py", "import ui.bind", "The engine knows no Qt"),
    ("ui/widgets/badge.py", "from ui.models import traffic", "The window in layers"),
    ("ui/widgets/badge.py", "from inspector.session import session", "Widgets know JSON"),
    ("ui/traffic/panel.py", "from ui.connect import steps", "The window in layers"),
    ("ui/unplanned.py", "", "The window in layers"),
    ("ui/features/tools/page.py", "from ui.features.prompts import page", "Pages do not know"),
    ("ui/shell/window.py", "import qasync", "Only ui.aio knows qasync"),
    ("resources/loader.py", "from ui import page", "Resources know nobody"),
]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project with the folders of ours, nothing in them but what is allowed."""
    for name in (f"{top}/{name}.py" for top, names in SKELETON.items() for name in names.split()):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(ALLOWED.get(name, ""))
    for folder in {file.parent for file in tmp_path.rglob("*.py")} | {tmp_path / "ui/features"}:
        (folder / "__init__.py").touch()
    shutil.copy(PROJECT, tmp_path)
    return tmp_path


def lint(tree: Path) -> tuple[int, str]:
    """Run import-linter over a tree."""
    done = subprocess.run(
        [LINT_IMPORTS, "--no-cache"],
        cwd=tree,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    return done.returncode, done.stdout


def test_what_is_allowed_passes(tree: Path) -> None:
    """Ours."""
    status, text = lint(tree)

    assert status == 0, text


@pytest.mark.parametrize(("file", "line", "contract"), FORBIDDEN)
def test_a_planted_import_breaks_its_contract(
    tree: Path, file: str, line: str, contract: str
) -> None:
    """Ours."""
    (tree / file).write_text(f"{ALLOWED.get(file, '')}\n{line}\n")

    status, text = lint(tree)

    broken = [line for line in text.splitlines() if "BROKEN" in line]
    assert status == 1
    assert any(line.startswith(contract) for line in broken), text
