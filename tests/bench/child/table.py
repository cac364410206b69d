"""The table of a long transcript: a page of cells, a repaint, filters, and opening the file."""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.transcript.transcript import Transcript
from tests.bench.child import traffic, window
from tests.bench.child.window import BenchWindow, until
from ui.models.timeline import timeline_of

if TYPE_CHECKING:
    from ui.traffic.panel import TrafficPanel

FILTERS = {
    "method": "method:tools/call",
    "status": "status:error",
    "words": "jumps 4321",
    "negation": "-kind:notification -fox",
}
PAGES = 40
"""Places that are looked at."""
ROWS = 45
"""Rows of a page."""


async def table(shell: BenchWindow, path: Path, frames: int) -> dict[str, float]:
    """Everything about one file."""
    shell.gaps.begin()
    began = time.perf_counter()
    transcript = await Transcript.open(path)
    found = {
        "opening": transcript.count / (time.perf_counter() - began),
        "opening_gap_ms": shell.gaps.end_ms(),
    }
    assert transcript.count == frames
    await shell.unfold_traffic()
    panel = shell.app.window.parts.traffic
    panel.set_timeline(timeline_of(transcript))
    await until(lambda: panel.model.rowCount() == frames)
    found |= {"page_ms": _page_ms(panel), "repaint_ms": _repaint_ms(panel)}
    for name, text in FILTERS.items():
        found |= await _filter(shell, panel, name, text)
    panel.set_filter("")
    return found


def _page_ms(panel: TrafficPanel) -> float:
    model = panel.model
    took: list[float] = []
    for _ in range(PAGES):
        first = random.randrange(model.rowCount() - ROWS)
        began = time.perf_counter()
        for row in range(first, first + ROWS):
            model.painted_row(row)
        took.append(time.perf_counter() - began)
    return statistics.median(took) * 1000


def _repaint_ms(panel: TrafficPanel) -> float:
    took: list[float] = []
    for _ in range(PAGES):
        panel.table.verticalScrollBar().setValue(random.randrange(panel.model.rowCount()))
        began = time.perf_counter()
        panel.table.viewport().repaint()
        took.append(time.perf_counter() - began)
    return statistics.median(took) * 1000


async def _filter(
    shell: BenchWindow, panel: TrafficPanel, name: str, text: str
) -> dict[str, float]:
    feed, replaced = panel.model.feed, list[float]()
    feed.replaced.connect(lambda: replaced.append(time.perf_counter()))
    shell.gaps.begin()
    began = time.perf_counter()
    panel.set_filter(text)
    await until(lambda: replaced and feed.share is None)
    assert 0 < panel.model.rowCount() < panel.model.transcript.count  # type: ignore[union-attr]
    return {f"{name}_ms": (replaced[-1] - began) * 1000, f"{name}_gap_ms": shell.gaps.end_ms()}


async def recorded(shell: BenchWindow, frames: int) -> dict[str, float]:
    """Record, then measure."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "long.spyglass"
        began = time.perf_counter()
        await traffic.record(path, frames)
        recording = frames / (time.perf_counter() - began)
        return {"recording": recording} | await table(shell, path, frames)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--frames", type=int, default=100_000)
    frames: int = parser.parse_args().frames
    window.run(lambda shell: recorded(shell, frames))


if __name__ == "__main__":
    main()
