"""The whole application in a child process: real window, real loop, a folder of its own, and a meter for gaps of the loop."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

from inspector.config.profile import Profile
from inspector.session.session_state import SessionState
from tests.bench.child import figures, telling
from ui import aio
from ui.app import App, AppPaths
from ui.features.tools.page import ToolsPage
from ui.lazy_imports import skip_pyside_name_search

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from inspector.open_session import OpenSession

TICK_MS = 16
SIZE = 1440, 900
"""Of the window, in pixels."""

ROWS_HEIGHT = 200
"""Pixels of the rows of the traffic that are in view at least."""

LIMIT_SECONDS = 120.0
POLL_SECONDS = 0.005
"""Each look takes a turn of the loop from what is measured."""


class Gaps(QObject):
    """The longest time for which the event loop did not come round."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.longest = 0.0
        self._last = time.perf_counter()
        timer = QTimer(self, interval=TICK_MS)
        timer.setTimerType(Qt.TimerType.PreciseTimer)
        timer.timeout.connect(self._on_timer_timeout)
        timer.start()

    def begin(self) -> None:
        """Forget what was."""
        self._last, self.longest = time.perf_counter(), 0.0

    def end_ms(self) -> float:
        """The longest gap since `begin`, up to now, in milliseconds."""
        self._on_timer_timeout()
        return self.longest * 1000

    def _on_timer_timeout(self) -> None:
        now = time.perf_counter()
        self.longest, self._last = max(self.longest, now - self._last), now


class BenchWindow:
    """The application, and what a measurement does with it."""

    def __init__(self, app: App, gaps: Gaps) -> None:
        self.app = app
        self.gaps = gaps

    @property
    def tools(self) -> ToolsPage:
        """The page of tools."""
        page = self.app.window.parts.workbench.page(ToolsPage.info.key)
        assert isinstance(page, ToolsPage)
        return page

    @property
    def session(self) -> OpenSession:
        """What is connected."""
        session = self.app.controller.session
        assert session is not None
        return session

    def connect(self, *options: object) -> None:
        """Begin to connect to the load server."""
        program, *arguments = figures.server_command(*options)
        self.app.controller.connect_to(
            Profile(
                name="load", command=program, args=tuple(arguments), timeout_seconds=LIMIT_SECONDS
            )
        )

    @property
    def is_ready(self) -> bool:
        """Whether the server is connected and its tools are listed."""
        session = self.app.controller.session
        return (
            session is not None
            and session.session.state is SessionState.READY
            and session.tools.state == "read"
        )

    async def settled(self) -> None:
        """Wait until connected, tools and traffic are in view, and what is loaded aside is loaded."""
        await until(lambda: self.is_ready)
        await self.unfold_traffic()
        self.app.window.go(ToolsPage.info.key)
        await until(lambda: not self.session.sweep.pending)

    async def unfold_traffic(self) -> None:
        """Have many rows of the traffic in view: a window as low as the screen of a test folds it."""
        self.app.window.resize(*SIZE)
        self.app.window.raise_dock("traffic")
        viewport = self.app.window.parts.traffic.table.viewport()
        await until(lambda: viewport.isVisible() and viewport.height() >= ROWS_HEIGHT)

    async def choose(self, name: str) -> None:
        """Choose a tool by its name."""
        items = self.session.tools.items
        self.tools.choose(next(at for at, tool in enumerate(items) if tool.name == name))
        await asyncio.sleep(0.2)

    def click_call(self, arguments: str) -> float:
        """Fill in and click *Call*; the moment of the click on the monotonic clock."""
        self.tools.call_panel.set_arguments(arguments)
        self.gaps.begin()
        clicked = time.monotonic()
        self.tools.call_panel.call_button.click()
        return clicked


async def until(predicate: Callable[[], object]) -> None:
    """Wait for something that happens soon."""
    async with asyncio.timeout(LIMIT_SECONDS):
        while not predicate():  # noqa: ASYNC110 - what is waited for does not know that it is
            await asyncio.sleep(POLL_SECONDS)


def run(work: Callable[[BenchWindow], Awaitable[dict[str, float]]]) -> None:
    """Run the application with `work` beside it, and report its figures."""
    skip_pyside_name_search()  # as the program does
    qt = QApplication(sys.argv[:1])
    found: dict[str, float] = {}

    async def main(_stop: asyncio.Event) -> int:
        stop = asyncio.Event()
        running = asyncio.create_task(app.run(stop))
        await until(lambda: app.collector.is_running)  # everything is made
        try:
            found.update(await work(BenchWindow(app, Gaps(qt))))
        finally:
            stop.set()
            await running
        return 0

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        app = App(qt, AppPaths(Path(folder), Path(folder) / "records"))
        aio.run(main, qt)
    telling.report(found)


def memory_mb() -> float:
    """Memory of this process that nobody shares, and its part of what others share, in millions of bytes."""
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / 1e6 for line in lines if line.startswith("Pss:"))
