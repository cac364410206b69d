"""Addresses leave Spyglass in one way: handed to the system, which opens its own browser. Without a window, Python does that."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
OPENER = "ui/shell/open_link.py"
TERMINAL_OPENER = "inspector/cli/access.py"
SHELLS = re.compile(
    r"\bshell\s*=\s*True|\bcreate_subprocess_shell\b|\bos\.(system|popen|startfile)\b"
    r"|\bxdg-open\b|\bstartDetached\b"
)
TERMINAL = re.compile(r"\bwebbrowser\b")
INSIDE = re.compile(
    r"\bQtWebEngine\w*|\bQtWebView\b|\bsetOpenExternalLinks\(True|\bQDesktopServices\b"
)


def naming(pattern: re.Pattern[str]) -> set[str]:
    """The files of the program that name what is looked for."""
    files = [path for top in ("inspector", "ui") for path in (ROOT / top).rglob("*.py")]
    return {path.relative_to(ROOT).as_posix() for path in files if pattern.search(path.read_text())}


def test_nothing_of_ours_is_given_to_a_shell() -> None:
    """C-SEC-09."""
    assert naming(SHELLS) == set()


def test_without_a_window_pages_open_in_one_place_too() -> None:
    """C-SEC-09; ours: when the user at a terminal asks for it."""
    assert naming(TERMINAL) == {TERMINAL_OPENER}


def test_pages_open_outside_of_spyglass_and_in_one_place() -> None:
    """C-ELI-18: nothing of ours sees what is on the page, or what is typed into it."""
    assert naming(INSIDE) == {OPENER}
