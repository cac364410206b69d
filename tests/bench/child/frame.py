"""One frame of 50 MB: opened, then shown as tree, as raw text and in hex, with the longest gap of the loop for each."""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from inspector.transcript.transcript import Transcript
from inspector.wire.frame import Channel, Direction
from inspector.wire.line_splitter import RawChunk
from tests.bench.child import window
from tests.bench.child.window import BenchWindow, until
from tests.bench.server import LINE, rows
from ui.traffic.frame_details import Tab
from ui.widgets.hex_view import HexView

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from ui.traffic.panel import TrafficPanel

SETTLE_SECONDS = 0.5
"""What follows the first painting of a view belongs to it."""


async def record(path: Path, mb: float) -> None:
    """One request, and three answers of that size: many values, one text, and an event."""
    transcript = Transcript.create(path)
    call = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"big"}}'
    transcript.append(Direction.SENT, Channel.STDIN, [RawChunk(call)])
    many = _answer({"structuredContent": {"rows": rows(mb)}})
    text = _answer({"content": [{"type": "text", "text": LINE * int(mb * 1e6 / len(LINE))}]})
    for channel, raw in (
        (Channel.STDOUT, many),
        (Channel.STDOUT, text),
        (Channel.SSE, b"event: message\ndata: %b\n\n" % many),
    ):
        transcript.append(Direction.RECEIVED, channel, [RawChunk(raw)])
    await transcript.aclose()


def _answer(result: dict[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "result": result}).encode()


async def frame(shell: BenchWindow, path: Path) -> dict[str, float]:
    """Everything about it."""
    controller, panel = shell.app.controller, shell.app.window.parts.traffic
    shell.gaps.begin()
    controller.open_record(path)
    await until(lambda: controller.record is not None and not controller.record.is_loading)
    await until(lambda: panel.model.rowCount() == 4)
    await asyncio.sleep(SETTLE_SECONDS)
    found = {"opening_gap_ms": shell.gaps.end_ms()}
    panel.select_frame(1)
    await asyncio.sleep(SETTLE_SECONDS)
    for name, number in (("many", 2), ("text", 3), ("event", 4)):
        found |= await _views(shell, panel, name, number)
    return found


async def _views(
    shell: BenchWindow, panel: TrafficPanel, name: str, number: int
) -> dict[str, float]:
    details = panel.detail
    details.show_tab(Tab.TREE)
    found = await _shown(
        *(shell, f"{name}_tree", details.tree.tree.viewport()),
        lambda: panel.select_frame(number),
    )
    found |= await _shown(
        *(shell, f"{name}_raw", details.raw.edit.viewport()), lambda: details.show_tab(Tab.RAW)
    )
    transcript = panel.model.transcript
    assert transcript is not None
    view = HexView(theme=shell.app.theme)
    view.resize(900, 600)
    view.show()
    found |= await _shown(
        *(shell, f"{name}_hex", view.viewport()),
        lambda: view.set_bytes(transcript.raw(number)),
    )
    view.deleteLater()
    return found


async def _shown(
    shell: BenchWindow, name: str, viewport: QWidget, act: Callable[[], object]
) -> dict[str, float]:
    shell.gaps.begin()
    began = time.perf_counter()
    act()
    await until(viewport.isVisible)
    viewport.repaint()
    took = time.perf_counter() - began
    await asyncio.sleep(SETTLE_SECONDS)
    return {name: took, f"{name}_gap_ms": shell.gaps.end_ms()}


async def recorded(shell: BenchWindow, mb: float) -> dict[str, float]:
    """Record, then measure."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.spyglass"
        await record(path, mb)
        return await frame(shell, path) | {"memory_mb": window.memory_mb()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mb", type=float, default=50)
    mb: float = parser.parse_args().mb
    window.run(lambda shell: recorded(shell, mb))


if __name__ == "__main__":
    main()
