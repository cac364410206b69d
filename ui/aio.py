"""Tasks of the window, and the event loop they run on.

The only module that imports qasync. A task belongs to a QObject: it is kept alive while it runs and cancelled when its
owner is destroyed. What it raises beyond its own handling reaches the loop's exception handler, with the task's name.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import signal
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, TypeVar, cast

# Qt before qasync: 0.28 takes the binding that is already imported.
from PySide6.QtCore import QObject, Qt

# isort: split
import qasync  # pyright: ignore[reportMissingTypeStubs] - the package has no stubs
from shiboken6 import isValid

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine

    from PySide6.QtWidgets import QApplication

T = TypeVar("T")

DELETED = ("already deleted", "has been deleted")
"""How PySide's errors about an object that is gone end: when it is used, and when its signal is emitted."""

WORKERS = 4
"""Threads of the default executor."""


def spawn(owner: QObject, coro: Coroutine[object, object, T], *, name: str) -> asyncio.Task[T]:
    """Run `coro` as a task called `name` until it ends or `owner` is destroyed."""
    loop = asyncio.get_running_loop()
    task = loop.create_task(coro, name=name)

    def cancel() -> None:
        task.cancel()  # this closure is also the strong reference that asyncio does not keep

    connection = owner.destroyed.connect(cancel)

    def finish(done: asyncio.Task[T]) -> None:
        alive = isValid(owner)
        if alive:
            owner.disconnect(connection)
        if not done.cancelled() and (error := done.exception()) is not None:
            _report(loop, done, error, owner_alive=alive)

    task.add_done_callback(finish)
    return task


async def run_one_at_a_time(function: Callable[..., T], *arguments: object) -> T:
    """Return what `function` returns in the thread for work that takes much memory, after all that came before."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, _Loop)
    threads = loop.one_at_a_time
    return await asyncio.wrap_future(threads.submit(function, *arguments), loop=loop)


def _report(
    loop: asyncio.AbstractEventLoop,
    task: asyncio.Task[T],
    error: BaseException,
    *,
    owner_alive: bool,
) -> None:
    # A task that outlives its widget may touch it while it is being cancelled, which has no effect on screen.
    is_deleted = isinstance(error, RuntimeError) and str(error).rstrip(".").endswith(DELETED)
    if is_deleted and not owner_alive:
        return
    message = f"Task {task.get_name()!r} failed"
    loop.call_exception_handler({"message": message, "exception": error, "task": task})


def run(main: Callable[[asyncio.Event], Coroutine[object, object, int]], app: QApplication) -> int:
    """Run `main(stop)` on a Qt loop to its end and return its exit code.

    `stop` is set by SIGINT and SIGTERM; `main` waits for it, closes what it opened and returns.
    """
    app.setQuitOnLastWindowClosed(False)  # else the loop stops before `main` has closed anything
    with asyncio.Runner(loop_factory=lambda: make_loop(app)) as runner:
        return runner.run(_until_stopped(main))


async def _until_stopped(main: Callable[[asyncio.Event], Coroutine[object, object, int]]) -> int:
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # Windows has no signal handlers in its loop
            loop.add_signal_handler(number, stop.set)
    return await main(stop)


def make_loop(app: QApplication) -> asyncio.AbstractEventLoop:
    """Return a new event loop on top of Qt's, with its own default executor."""
    loop = cast("asyncio.AbstractEventLoop", _Loop(app))
    loop.set_default_executor(ThreadPoolExecutor(WORKERS, thread_name_prefix="spyglass"))
    return loop


class _Loop(qasync.QEventLoop):
    """qasync's loop with precise timers, without its last turn, and with a thread for work of which one piece at a time is enough.

    0.28 starts coarse timers, which fire up to 5% early or late; a deadline must never come early. And when a future is complete
    it processes events once more while no loop is running: a task that takes a step then fails.
    """

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)  # pyright: ignore[reportUnknownMemberType] - no stubs
        self.one_at_a_time = ThreadPoolExecutor(1, thread_name_prefix="spyglass-single")
        timer = cast("QObject", self._timer)
        handles = cast("dict[int, asyncio.Handle]", vars(timer)["_SimpleTimer__callbacks"])

        def add_callback(handle: asyncio.Handle, delay: float = 0) -> asyncio.Handle:
            delay_ms = 0 if delay <= 0 else math.ceil(delay * 1000)
            handles[timer.startTimer(delay_ms, Qt.TimerType.PreciseTimer)] = handle
            return handle

        vars(timer)["add_callback"] = add_callback

    def close(self) -> None:
        """End the threads; what still waits for one is not begun."""
        self.one_at_a_time.shutdown(cancel_futures=True)
        super().close()

    def run_until_complete(self, future: Awaitable[T]) -> T:
        """Run until `future` is complete, and no longer."""
        whole = asyncio.ensure_future(future, loop=cast("asyncio.AbstractEventLoop", self))

        def stop(_done: asyncio.Future[T]) -> None:
            self.stop()

        whole.add_done_callback(stop)
        try:
            self.run_forever()
        finally:
            whole.remove_done_callback(stop)
        if not whole.done():
            raise RuntimeError("event loop stopped before the task finished")
        return whole.result()
