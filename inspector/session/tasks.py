"""Tasks that live no longer than their owner."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.time_slices import TurnQueue

if TYPE_CHECKING:
    from collections.abc import Coroutine


class Tasks:
    """Background tasks of one owner; what they raise goes to the loop's exception handler."""

    def __init__(self) -> None:
        """Start without tasks."""
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[object, object, None], *, name: str) -> asyncio.Task[None]:
        """Run `work` until it is done or the owner closes."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._on_done)
        return task

    async def aclose(self) -> None:
        """Cancel what runs and wait for it; the calling task is spared."""
        tasks = self._running - {asyncio.current_task()}
        ends = TurnQueue()
        for task in tasks:
            await (
                ends.turn()
            )  # thousands that end in one turn of the event loop would keep it from the next
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None:
            context = {
                "message": f"The task {task.get_name()} failed",
                "exception": error,
                "task": task,
            }
            task.get_loop().call_exception_handler(context)
