"""asyncio tasks that end with their owner."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from inspector.time_slices import TurnQueue

if TYPE_CHECKING:
    from collections.abc import Coroutine


class BackgroundTasks:
    """The background tasks of one session, connection or other owner; their errors go to the loop's exception handler."""

    def __init__(self) -> None:
        """Start without tasks."""
        self._running: set[asyncio.Task[None]] = set()

    def spawn(self, work: Coroutine[object, object, None], *, name: str) -> asyncio.Task[None]:
        """Run `work` until it is done or the owner cancels it."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._running.add(task)
        task.add_done_callback(self._on_done)
        return task

    def cancel(self) -> None:
        """Cancel all tasks except the calling one, without waiting until they end."""
        for task in self._others():
            task.cancel()

    async def aclose(self) -> None:
        """Cancel all tasks except the calling one and wait until they have ended."""
        tasks = self._others()
        turns = TurnQueue()
        for task in tasks:
            # Thousands of tasks that end in one turn of the event loop would block it.
            await turns.turn()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _others(self) -> set[asyncio.Task[None]]:
        return self._running - {asyncio.current_task()}

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
