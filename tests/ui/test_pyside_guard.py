"""PySide6 must neither lose references to Python's constants nor end the process with an error of ours; ours.

6.12.0 drops one reference of `True` for each emitted signal and one of `None` for each void method on Python before 3.12,
where these objects are not immortal. A few hundred emissions later the interpreter dies.

Up to 6.11 errors that Python itself raises in an override end it there: see `ui.override_errors`.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from PySide6.QtWidgets import QPushButton
from shiboken6 import delete

if TYPE_CHECKING:
    from collections.abc import Callable

    from pytestqt.qtbot import QtBot

ROUNDS = 200
"""Enough to be told from noise, too few to kill the interpreter."""


class Probe(QObject):
    """Something that emits."""

    fired = Signal()


class Failing(QObject):
    """Fails when it receives an event."""

    def __init__(self, fail: Callable[[], object]) -> None:
        super().__init__()
        self._fail = fail

    def event(self, event: QEvent) -> bool:
        return bool(self._fail())


class Box(QPushButton):
    """A slot of Qt that takes nothing."""

    was_clicked = False

    def showMenu(self) -> None:
        self.was_clicked = True


def use_deleted() -> None:
    gone = QObject()
    delete(gone)
    gone.objectName()


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(
    ("fail", "error"),
    [
        (lambda: divmod(1, 0), ZeroDivisionError),
        (lambda: int("x"), ValueError),
        (lambda: next(iter(())), StopIteration),
        (use_deleted, RuntimeError),
    ],
    ids=["division", "number", "no text", "deleted object"],
)
def test_an_error_in_a_method_that_qt_calls_reaches_the_caller(
    fail: Callable[[], object], error: type[Exception]
) -> None:
    """Ours: where the error is no exception yet, PySide ends the process."""
    failing = Failing(fail)

    with pytest.raises(error):
        QCoreApplication.sendEvent(failing, QEvent(QEvent.Type.User))


def test_an_override_without_parameters_is_a_slot_for_any_signal(qtbot: QtBot) -> None:
    """Ours: what a signal says is left out, as for a method that is no override."""
    box = Box()
    qtbot.addWidget(box)
    box.clicked.connect(box.showMenu)

    box.click()

    assert box.was_clicked


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
