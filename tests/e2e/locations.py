"""Started in a process of its own: Spyglass with its demo server, which says where its parts are, and then ends.

    python -m tests.e2e.locations FOLDER

prints two lines of JSON: when the frame is painted, and when everything is there.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from tests.support.wait import wait_until
from ui import aio
from ui.app import App
from ui.startup import AppPaths, InitialPaint, Startup
from ui.theme import STYLE

if TYPE_CHECKING:
    from ui.shell.main_window import MainWindow


def print_locations(window: MainWindow) -> None:
    """Width and height of the window, of its docks and of its centre."""
    centre = window.centralWidget()
    parts = {"window": window, "centre": centre, "bottom": window.bottom, **window.docks}
    sizes = {
        name: (part.width(), part.height())
        for name, part in parts.items()
        if part is not None and not part.visibleRegion().isEmpty()
    }
    print(json.dumps(sizes), flush=True)  # noqa: T201 - this is what it is for


def main(folder: Path) -> int:
    """Start, say, end."""
    qt = QApplication([*sys.argv[:1], "-style", STYLE])
    qt.setQuitOnLastWindowClosed(False)
    opening = Startup(qt, AppPaths(folder, folder / "records"), is_styled=True)
    InitialPaint(qt, opening.window)
    print_locations(opening.window)
    app = App(qt, AppPaths(folder, folder / "records"), opening=opening)

    async def run(stop: asyncio.Event) -> int:
        running = asyncio.ensure_future(app.run(stop, demo=True))
        await wait_until(lambda: app.collector.is_running, 15)
        print_locations(app.window)
        stop.set()
        return await running

    return aio.run(run, qt)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
