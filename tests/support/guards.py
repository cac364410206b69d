"""What no test may leave behind, checked after every single one.

Tasks that still run, errors that reached the event loop, log records of level WARNING and above, threads, child processes
and their children, and Qt's top-level widgets, timers and threads. A test that expects a log record or a loop error takes
it out of the list in the fixture `logged` or `loop_errors`.
"""

from __future__ import annotations

import asyncio
import functools
import gc
import logging
import threading
from typing import TYPE_CHECKING

from tests.support.processes import Processes, kill

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator

    from tests.support.qt_leftovers import QtObjects

SETTLE_SECONDS = 2.0
"""How long a task that is being cancelled may take to end."""

GRACE_SECONDS = 5.0
"""How long a thread that was told to end may take."""


class Watch(logging.Handler):
    """Knows what there was before a test and says what is more after it."""

    def __init__(self, processes: Processes, qt: QtObjects | None) -> None:
        super().__init__(logging.WARNING)
        self.logged: list[logging.LogRecord] = []
        """Records that the test has not accounted for."""
        self.loop_errors: list[dict[str, object]] = []
        """Contexts given to the event loop's exception handler, likewise."""
        self.tasks: list[str] = []
        """Tasks that ran when everything was closed."""
        self._threads = set(threading.enumerate())
        self._processes = processes
        self._processes_before = processes.alive()
        self._qt = qt
        if qt is None:
            _collect_at_any_time()
        self._windows = qt.begin() if qt else set[int]()
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Note `record`."""
        self.logged.append(record)

    def note_loop_error(self, _loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """Note what asyncio would only have logged."""
        self.loop_errors.append(context)

    def problems(self) -> list[str]:
        """End the watch; one line for each thing that the test left behind."""
        logging.getLogger().removeHandler(self)
        return [
            *(f"task {task}" for task in self.tasks),
            *(f"error in the event loop: {_in_words(context)}" for context in self.loop_errors),
            *(self._qt.end(self._windows) if self._qt else ()),
            *self._threads_left(),
            *self._processes_left(),
            *(f"{record.levelname} log: {record.getMessage()}" for record in self.logged),
        ]

    def _threads_left(self) -> Iterator[str]:
        for thread in set(threading.enumerate()) - self._threads:
            thread.join(GRACE_SECONDS)
            if thread.is_alive():
                yield f"thread {thread.name}"

    def _processes_left(self) -> list[str]:
        left = self._processes.started_since(self._processes_before)
        kill(left)
        return [f"process {pid}: {command}" for pid, command in left.items()]


def _collect_at_any_time() -> None:
    """Leave garbage to Python again after a test with Qt, once there is none of Qt's."""
    if not gc.isenabled():
        gc.collect()
        gc.enable()


async def leftover_tasks() -> list[str]:
    """Words for each task of the running loop besides this one that neither ends nor is about to."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    if not others:
        return []
    _, pending = await asyncio.wait(others, timeout=SETTLE_SECONDS)
    return [f"{task.get_name()}: {task.get_coro()!r}" for task in pending]


def bounded(
    test: Callable[..., Coroutine[object, object, None]], seconds: float
) -> Callable[..., Coroutine[object, object, None]]:
    """`test`, cancelled when it takes longer.

    An alarm signal would not do on the Qt loop: while Qt idles, Python's signal handlers do not run.
    """

    @functools.wraps(test)
    async def run(**arguments: object) -> None:
        async with asyncio.timeout(seconds):
            await test(**arguments)

    return run


def _in_words(context: dict[str, object]) -> str:
    return f"{context.get('message')}: {context.get('exception')!r}"
