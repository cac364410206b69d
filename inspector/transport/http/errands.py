"""The tasks of one connection; they live no longer than it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Coroutine


class Errands:
    """What runs for a connection; an unexpected error goes to the loop's exception handler."""

    def __init__(self) -> None:
        """Start without any."""
        self._running: set[asyncio.Task[None]] = set()

    def run(self, work: Coroutine[object, object, None], *, name: str) -> asyncio.Task[None]:
        """Run `work` until it is done or stopped."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._on_done)
        return task

    def stop(self) -> None:
        """Cancel what runs, the calling task excepted."""
        for task in self._others():
            task.cancel()

    async def stopped(self) -> None:
        """Cancel what runs and wait for it."""
        self.stop()
        others = self._others()
        if others:
            await asyncio.wait(others)

    def _others(self) -> set[asyncio.Task[None]]:
        return self._running - {asyncio.current_task()}

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            task.get_loop().call_exception_handler(
                {"message": f"The task {task.get_name()} failed", "exception": error, "task": task}
            )
