"""The end of a test that started something.

pytest-qt handles Qt events between a coroutine test and the closing of its fixtures, when no loop runs: a task
that is due then fails. So what runs must end within the test itself.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tests.support.wait import wait_until

if TYPE_CHECKING:
    from inspector.workspace import Workspace


async def everything_ends(workspace: Workspace) -> None:
    """Close every session, and wait for whatever else was begun."""
    await workspace.aclose()
    mine = asyncio.current_task()
    await wait_until(lambda: asyncio.all_tasks() == {mine})
