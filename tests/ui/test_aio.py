"""Tasks belong to widgets, and nothing they raise is lost."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QTimer

from tests.support.wait import wait_until
from ui.aio import make_loop, spawn

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QApplication


async def test_a_task_runs_to_its_end_while_its_owner_lives() -> None:
    """Ours."""
    owner = QObject()

    async def work() -> int:
        await asyncio.sleep(0)
        return 7

    assert await spawn(owner, work(), name="work") == 7


async def test_a_task_is_cancelled_when_its_owner_is_destroyed() -> None:
    """Ours."""
    owner = QObject()
    task = spawn(owner, asyncio.sleep(60), name="wait")
    await asyncio.sleep(0)

    owner.deleteLater()

    await wait_until(task.done)
    assert task.cancelled()


async def test_a_failed_task_reaches_the_exception_handler_by_name(
    loop_errors: list[dict[str, object]],
) -> None:
    """Ours."""
    owner = QObject()

    async def fail() -> None:
        raise ZeroDivisionError

    task = spawn(owner, fail(), name="divide")
    await wait_until(task.done)
    await wait_until(lambda: loop_errors)

    context = loop_errors.pop()
    assert context["message"] == "Task 'divide' failed"
    assert isinstance(context["exception"], ZeroDivisionError)


def emit(owner: QTimer) -> None:
    owner.timeout.emit()


@pytest.mark.parametrize("touch", [QTimer.objectName, emit])
async def test_a_cancelled_task_that_touches_its_dead_widget_is_not_an_error(
    touch: Callable[[QTimer], object], loop_errors: list[dict[str, object]]
) -> None:
    """Ours: it uses it, or emits its signal."""
    owner = QTimer()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            touch(owner)

    task = spawn(owner, work(), name="work")
    await asyncio.sleep(0)
    owner.deleteLater()

    await wait_until(task.done)
    assert isinstance(task.exception(), RuntimeError)
    assert not loop_errors


async def test_timers_are_never_early() -> None:
    """Ours: qasync's own timers are up to 5% early."""
    loop = asyncio.get_running_loop()
    begun = loop.time()

    await asyncio.sleep(0.2)

    assert loop.time() - begun >= 0.2


def test_what_is_left_takes_no_step_once_the_loop_has_stopped(qapp: QApplication) -> None:
    """Ours: qasync takes one more turn then, in which a task finds no running loop."""
    loop = make_loop(qapp)

    async def linger() -> None:
        while asyncio.get_running_loop():  # noqa: ASYNC110 - it is the turns that are tested
            await asyncio.sleep(0)

    async def main() -> asyncio.Task[None]:
        return asyncio.get_running_loop().create_task(linger())

    left = loop.run_until_complete(main())
    left.cancel()
    loop.run_until_complete(asyncio.wait([left]))
    loop.close()
    assert left.cancelled()


PROGRAM = """
import asyncio, sys
from PySide6.QtWidgets import QApplication
from ui.aio import run

async def main(stop):
    print("ready", flush=True)
    await stop.wait()
    await asyncio.sleep(0)
    print("closed", flush=True)
    return 3

sys.exit(run(main, QApplication(["x"])))
"""


def test_a_signal_ends_the_program_in_order_with_its_exit_code() -> None:
    """Ours."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert process.stdout is not None
    with process.stdout as lines:
        assert lines.readline() == "ready\n"
        process.send_signal(signal.SIGTERM)
        assert lines.readline() == "closed\n"
    assert process.wait(5) == 3


def test_spawning_needs_a_running_loop() -> None:
    """Ours: a slip of ours shows at once."""
    coroutine = asyncio.sleep(0)

    with pytest.raises(RuntimeError, match="no running event loop"):
        spawn(QObject(), coroutine, name="x")
    coroutine.close()


async def test_only_the_deleted_widget_of_a_gone_owner_is_no_error(
    loop_errors: list[dict[str, object]],
) -> None:
    """Ours: PySide raises RuntimeError for a widget that is deleted, and the owner took it along."""

    async def end(text: str) -> None:
        try:
            await asyncio.sleep(60)
        finally:
            raise RuntimeError(text)

    for text, count in (
        ("Internal C++ object already deleted.", 0),
        ("Signal source has been deleted", 0),
        ("something else", 1),
    ):
        owner = QObject()
        task = spawn(owner, end(text), name="end")
        await asyncio.sleep(0)
        owner.deleteLater()
        await wait_until(task.done)
        await asyncio.sleep(0)
        assert len(loop_errors) == count
    loop_errors.clear()
