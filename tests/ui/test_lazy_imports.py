"""Importing under PySide reads no source."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from ui.app import IMPORTED_ON_DEMAND

PROGRAM = """
import PySide6.QtWidgets, linecache
{spared}
import colorsys
from ui.bind import bind
from PySide6.support.feature import pyside_feature_dict as known
print(bool(linecache.cache), known["colorsys"], known["ui.bind"])
"""

SPARED = "from ui.lazy_imports import skip_pyside_name_search; skip_pyside_name_search()"


def told(spared: str) -> str:
    """What a fresh interpreter says of two modules that it imports."""
    program = PROGRAM.format(spared=spared)
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, timeout=60
    )
    return run.stdout.decode().strip()


def test_no_source_is_read_for_what_pyside_looks_for() -> None:
    """Ours: a fifth of the time that importing takes."""
    assert told(SPARED) == "False -1 0"


def test_without_that_it_is() -> None:
    """Ours: the day PySide stops, this can go."""
    assert told("") == "True -1 0"


BEFORE_THE_FIRST_PAINT = """
import sys
import ui.startup
print(*(name for name in ("msgspec", "pydantic", "httpx", "markdown_it", "asyncio") if name in sys.modules))
"""


def test_what_is_painted_first_needs_no_library_that_takes_long_to_import() -> None:
    """Ours: msgspec alone takes a fifth of the time until the first paint."""
    run = subprocess.run(
        [sys.executable, "-c", BEFORE_THE_FIRST_PAINT], capture_output=True, check=True, timeout=60
    )

    assert run.stdout.decode().split() == []


AFTER_THE_START = """
import sys
from ui.app import IDLE_IMPORTS
from ui.lazy_imports import import_in_pieces
for _ in import_in_pieces(*IDLE_IMPORTS):
    pass
print("inspector.checks.plain_shapes" in sys.modules, *(name for name in ("pydantic", "mcp_types") if name in sys.modules))
"""


def test_what_is_imported_between_paints_leaves_the_official_models_to_a_thread() -> None:
    """Ours: their import takes a second, in one piece."""
    run = subprocess.run(
        [sys.executable, "-c", AFTER_THE_START], capture_output=True, check=True, timeout=60
    )

    assert run.stdout.decode().split() == ["True"]


def test_what_is_imported_on_demand_exists() -> None:
    """Ours: a name that no module has would leave nothing out."""
    assert [name for name in IMPORTED_ON_DEMAND if find_spec(name) is None] == []
