"""What the product has is used by something: its functions, its icon fonts, its optional packages; ours."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from pathlib import Path

from ui.theme.icons import FONTS

ROOT = Path(__file__).parents[1]

PRODUCT = ("inspector", "ui", "resources")

CALLED_BY_LIBRARIES = {"handle_endtag", "handle_data", "pipe_connection_lost", "print_help"}
"""Functions that a base class of the standard library calls, and those of Qt, whose names have capitals."""


@cache
def sources(*folders: str) -> dict[Path, str]:
    paths = [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]
    return {path: path.read_text("utf-8") for path in paths}


def test_each_function_is_called_or_tested() -> None:
    """Ours: one that nothing names is left over from something else."""
    used = Counter[str]()
    for text in sources(*PRODUCT, "tests", "packaging").values():
        used.update(re.findall(r"\w+", text))

    unused = [
        f"{path.relative_to(ROOT)}: {name}"
        for path, text in sources(*PRODUCT).items()
        for name in re.findall(r"^\s*(?:async def|def|class) (\w+)", text, re.MULTILINE)
        if used[name] == 1
        and name.islower()
        and not name.startswith("__")
        and name not in CALLED_BY_LIBRARIES
    ]

    assert unused == []


def test_each_icon_font_has_an_icon_in_the_window() -> None:
    """Ours: a font that no icon is taken from costs memory for nothing."""
    window = "\n".join(sources("ui").values())

    assert [prefix for prefix in FONTS if not re.search(rf'"{prefix}\.[a-z]', window)] == []


def test_each_optional_package_has_code_that_uses_it() -> None:
    """Ours: an extra that no code names is installed for nothing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [
        re.split(r"[<>=\[; ]", requirement)[0].replace("-", "_")
        for extra in project["optional-dependencies"].values()
        for requirement in extra
    ]

    engine_and_window = "\n".join(sources("inspector", "ui").values())
    assert wanted
    assert [name for name in wanted if not re.search(rf"\b{name}\b", engine_and_window)] == []
