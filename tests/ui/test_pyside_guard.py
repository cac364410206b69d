"""PySide6 must not lose references to Python's constants; ours.

6.12.0 drops one reference of `True` for each emitted signal and one of `None` for each void method on Python before 3.12,
where these objects are not immortal. A few hundred emissions later the interpreter dies.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal

ROUNDS = 200
"""Enough to be told from noise, too few to kill the interpreter."""


class Probe(QObject):
    """Something that emits."""

    fired = Signal()


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the constants are immortal from 3.12 on")
@pytest.mark.parametrize("constant", [True, False, None])
def test_using_qt_keeps_every_reference_to_pythons_constants(constant: object) -> None:
    """Ours: the pin of PySide6 below 6.12 on Python 3.11."""
    probe = Probe()
    before = sys.getrefcount(constant)

    for _ in range(ROUNDS):
        probe.fired.emit()
        probe.setObjectName("")

    assert sys.getrefcount(constant) > before - ROUNDS / 2


def test_the_project_asks_for_no_pyside_that_crashes() -> None:
    """Ours: each way to get PySide6 stops below 6.12 where Python is older than 3.12."""
    project = tomllib.loads(Path("pyproject.toml").read_text())["project"]
    required = project["dependencies"]
    old = [line for line in required if "PySide6" in line and "python_version < '3.12'" in line]
    new = [line for line in required if "PySide6" in line and "python_version >= '3.12'" in line]

    assert len(old) == len(new) == 1
    assert all(",<6.12" in line for line in old)
