"""A recording of a million frames in the window: opened, jumped about in, filtered, searched, and opened again.

With `--floor` what is compared with it: the bare reading of the file, and a plain scan of its rows.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import statistics
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from tests.bench.child import telling
from tests.bench.child.timeline import timeline
from tests.bench.recording import NEEDLE

if TYPE_CHECKING:
    from tests.bench.child.window import BenchWindow
    from ui.traffic.panel import TrafficPanel

FILTERS = {
    "status": "status:error",
    "words": f'"{NEEDLE}"',
    "negation": "-kind:notification -fox",
}
JUMPS = 40
ROWS = 45
"""Rows of a page."""
CHUNK = 1 << 20


def floor(path: Path) -> dict[str, float]:
    """Seconds to read the file, and to go through its rows."""
    began = time.perf_counter()
    with path.open("rb") as file:
        while file.read(CHUNK):
            pass
    read = time.perf_counter() - began
    with closing(sqlite3.connect(path)) as connection:
        began = time.perf_counter()
        for _ in connection.execute("SELECT * FROM frame"):
            pass
        scanned = time.perf_counter() - began
        began = time.perf_counter()
        text = f"SELECT count(*) FROM frame WHERE instr(raw, x'{NEEDLE.encode().hex()}')"
        connection.execute(text).fetchall()
        return {"read": read, "scan": scanned, "search": time.perf_counter() - began}


async def million(shell: BenchWindow, path: Path) -> dict[str, float]:
    """Everything about one file."""
    from tests.bench.child import window

    idle = window.memory_mb()
    found = await _open(shell, path, "opened")
    panel = shell.app.window.parts.traffic
    found |= {"memory_mb": window.memory_mb() - idle} | _jumps(panel)
    for name, text in FILTERS.items():
        found |= await _filter(shell, panel, name, text)
    panel.set_filter("")
    await window.until(lambda: panel.model.feed.share is None)
    found["validating_memory_mb"] = window.memory_mb() - idle
    found |= await timeline(shell)
    return found | await _open(shell, path, "reopened")


async def _open(shell: BenchWindow, path: Path, name: str) -> dict[str, float]:
    from tests.bench.child.window import until

    controller, panel = shell.app.controller, shell.app.window.parts.traffic
    before = controller.record
    shell.gaps.begin()
    began = time.perf_counter()
    controller.open_record(path)
    await until(lambda: controller.record is not before and panel.model.rowCount())
    panel.table.viewport().repaint()
    first = time.perf_counter() - began
    record = controller.record
    assert record is not None
    await until(lambda: not record.is_loading and not panel.model.feed.pending_count)
    panel.table.viewport().repaint()
    return {
        f"{name}_first": first,
        name: time.perf_counter() - began,
        f"{name}_gap_ms": shell.gaps.end_ms(),
    }


def _jumps(panel: TrafficPanel) -> dict[str, float]:
    """To any frame, with its row and its details on screen."""
    transcript = panel.model.transcript
    assert transcript is not None
    took: list[float] = []
    for _ in range(JUMPS):
        began = time.perf_counter()
        row = random.randrange(panel.model.rowCount())
        panel.select_frame(panel.model.visible_frames.number_at(row))
        panel.table.viewport().repaint()
        took.append(time.perf_counter() - began)
    return {"jump_ms": statistics.median(took) * 1000, "jump_longest_ms": max(took[1:]) * 1000}


async def _filter(
    shell: BenchWindow, panel: TrafficPanel, name: str, text: str
) -> dict[str, float]:
    from tests.bench.child.window import until

    feed, replaced = panel.model.feed, list[float]()
    link = feed.replaced.connect(lambda: replaced.append(time.perf_counter()))
    shell.gaps.begin()
    began = time.perf_counter()
    panel.set_filter(text)
    await until(lambda: replaced and panel.model.rowCount())
    first = time.perf_counter() - began
    await until(lambda: feed.share is None)
    feed.replaced.disconnect(link)
    assert 0 < panel.model.rowCount() < panel.model.transcript.count  # type: ignore[union-attr]
    return {
        f"{name}_first": first,
        name: time.perf_counter() - began,
        f"{name}_gap_ms": shell.gaps.end_ms(),
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("path", type=Path)
    parser.add_argument("--floor", action="store_true")
    options = parser.parse_args()
    if options.floor:
        telling.report(floor(options.path))
        return
    from tests.bench.child import window

    window.run(lambda shell: million(shell, options.path))


if __name__ == "__main__":
    main()
