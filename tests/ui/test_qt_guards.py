"""The guards see Qt objects that outlive a test; ours."""

from __future__ import annotations

import asyncio
import gc
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QCompleter, QLabel, QWidget
from shiboken6 import isValid

from tests.support.connections import CannotConnect
from tests.support.wait import wait_signal, wait_until
from ui.garbage_collector import GuiThreadCollector

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from tests.support.qt_leftovers import QtObjects

CALLBACKS = 50

GARBAGE = 20_000
"""Objects: more than start a collection of any kind."""


async def test_a_window_that_nobody_closes_is_noticed_once(our_qt_objects: QtObjects) -> None:
    """Ours."""
    label = QLabel()
    label.setObjectName("forgotten")

    found = our_qt_objects.end(set())

    assert found == ["QLabel 'forgotten' of None"]
    assert label is not None
    assert not our_qt_objects.end(set())


async def test_windows_that_were_there_before_are_not_the_tests_doing(
    our_qt_objects: QtObjects,
) -> None:
    """Ours."""
    window = QWidget()

    assert not our_qt_objects.end(our_qt_objects.begin())

    window.deleteLater()


async def test_the_lists_of_completers_that_are_left_behind_are_deleted_once(
    our_qt_objects: QtObjects,
) -> None:
    """Ours: each is a window that belongs to its completer; deleted twice, it takes the interpreter with it."""
    window = QWidget()
    window.setObjectName("forgotten")
    completers = [QCompleter(["a"], window) for _ in range(20)]
    popups = [completer.popup() for completer in completers]

    assert "QWidget 'forgotten' of None" in our_qt_objects.end(set())

    assert not any(map(isValid, (window, *completers, *popups)))


async def test_a_running_timer_is_noticed_and_stopped(our_qt_objects: QtObjects) -> None:
    """Ours."""
    timer = QTimer()
    timer.setObjectName("forgotten")
    timer.start(60_000)

    assert our_qt_objects.end(set()) == ["QTimer 'forgotten' of None"]

    assert not timer.isActive()


async def test_what_hangs_in_a_reference_cycle_only_is_not_left_behind(
    our_qt_objects: QtObjects,
) -> None:
    """Ours."""
    label = QLabel()
    label.setProperty("itself", [label])
    del label

    assert not our_qt_objects.end(set())


async def test_the_loop_is_qts() -> None:
    """Ours: a coroutine test below `ui/` sees Qt's timers fire while it waits."""
    timer = QTimer()
    timer.start(1)

    assert await wait_signal(timer.timeout) == ()


@pytest.fixture
async def ran_in_a_loop() -> list[bool]:
    """Whether each of some callbacks, due before and after the fixture ends, ran inside the loop."""
    loop = asyncio.get_running_loop()
    answers: list[bool] = []

    def answer() -> None:
        answers.append(has_running_loop())
        if len(answers) < CALLBACKS:
            loop.call_soon(answer)

    loop.call_soon(answer)
    return answers


def has_running_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def test_between_a_fixture_and_its_test_nothing_runs_outside_the_loop(
    ran_in_a_loop: list[bool],
) -> None:
    """Ours: pytest-qt and qasync process Qt's events there, and with them the loop's callbacks."""
    await wait_until(lambda: len(ran_in_a_loop) == CALLBACKS)

    assert all(ran_in_a_loop)


class _Slotted:
    """Cannot be referred to weakly, as a dataclass with slots or a named tuple."""

    __slots__ = ()

    def act(self) -> None:
        """What a signal would call."""


async def test_a_method_whose_owner_cannot_be_referred_to_weakly_is_not_connected() -> None:
    """Ours."""
    timer = QTimer()

    with pytest.raises(CannotConnect, match=r"_Slotted\.act"):
        timer.timeout.connect(_Slotted().act)


async def test_functions_and_methods_of_plain_objects_are_connected() -> None:
    """Ours."""
    heard: list[str] = []
    timer = QTimer(singleShot=True)
    timer.timeout.connect(lambda: heard.append("function"))
    timer.timeout.connect(timer.deleteLater)

    timer.start(0)

    await wait_until(lambda: heard == ["function"])


async def test_what_the_imports_made_stays_set_aside_when_a_window_ends(qapp: QApplication) -> None:
    """Ours: else every collection after it, one for each test, takes a quarter of a second."""
    collector = GuiThreadCollector(qapp)

    collector.start()
    set_aside = gc.get_freeze_count()
    collector.stop()
    collector.deleteLater()

    # Not all: what nothing refers to any more is freed meanwhile.
    assert 0.9 * set_aside < gc.get_freeze_count() <= set_aside


async def test_garbage_is_collected_in_the_thread_of_the_window_wherever_it_is_made(
    qapp: QApplication,
) -> None:
    """Ours: a Qt object in it that another thread destroys ends the program."""
    destroyed_in: set[int] = set()

    class Cycle:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            destroyed_in.add(threading.get_ident())

    def make_garbage() -> None:
        for _ in range(GARBAGE):
            Cycle()

    gc.enable()
    collector = GuiThreadCollector(qapp)
    collector.start()
    try:
        await asyncio.to_thread(make_garbage)
        await wait_until(lambda: destroyed_in)
    finally:
        collector.stop()
        collector.deleteLater()

    assert destroyed_in == {threading.get_ident()}
