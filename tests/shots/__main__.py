"""Draws the scenes: all, or those named."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtWidgets import QApplication

from tests.shots import options
from tests.shots.scenes import SCENES
from tests.shots.stage import SHOTS, Stage
from ui import aio

OFFSCREEN = "offscreen"
"""The platform of Qt without a display; its screen has 800 by 800 pixels unless a file says otherwise, and dialogs are never larger."""

SCREEN = {"name": "screen", "x": 0, "y": 0, "width": 2560, "height": 1440, "dpi": 96, "dpr": 1}
"""One on which every window that is drawn has room."""


def _enlarge_screen(folder: Path) -> None:
    """Let the invisible screen be `SCREEN`; call it before there is an application."""
    if os.environ.get("QT_QPA_PLATFORM") == OFFSCREEN:
        path = folder / "screens.json"
        path.write_text(json.dumps({"screens": [SCREEN]}), "utf-8")
        os.environ["QT_QPA_PLATFORM"] = f"{OFFSCREEN}:configfile={path}"


async def _draw(stage: Stage, stop: asyncio.Event, names: tuple[str, ...]) -> None:
    try:
        await asyncio.sleep(0.3)
        for scene in SCENES:
            if not names or scene.__name__ in names:
                print(scene.__name__, "–", scene.__doc__)
                await scene(stage)
    finally:
        stop.set()


def main() -> int:
    """Draw, and fail when Spyglass had an internal error on the way."""
    scenes, variants = options.parse(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        _enlarge_screen(Path(folder))
        qt = QApplication(sys.argv[:1])
        stage = Stage(qt, Path(folder), variants)

        async def run(stop: asyncio.Event) -> int:
            drawing = asyncio.ensure_future(_draw(stage, stop, scenes))
            await stage.app.run(stop)
            await drawing
            return 1 if stage.app.reporter.problems else 0

        code = aio.run(run, qt)
    for problem in stage.app.reporter.problems:
        print(problem.traceback, file=sys.stderr)
    print("drawn into", SHOTS)
    return code


if __name__ == "__main__":
    sys.exit(main())
