"""A change of theme, and one of the text size, with every page made: CPU time until the window has settled."""

from __future__ import annotations

import asyncio
import statistics
import time
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QApplication

from tests.bench.child import window

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.bench.child.window import BenchWindow

TOOLS = 100
SETTLE_SECONDS = 0.5
"""Time for what is still being laid out."""
THEMES = (("dark", 1.0), ("light", 1.0), ("dark", 1.0), ("light", 1.0))
SIZES = (("light", 2.0), ("light", 1.0), ("light", 1.5), ("light", 1.0))


async def restyle(shell: BenchWindow) -> dict[str, float]:
    """Connect, go to every page, call a tool, and change theme and text size."""
    shell.connect("--tools", TOOLS)
    await shell.settled()
    for spec in shell.app.window.parts.workbench.specs:
        shell.app.window.go(spec.key)
        await asyncio.sleep(SETTLE_SECONDS / 5)
    await shell.settled()
    return {
        "theme_ms": await _cpu_ms(shell, THEMES),
        "size_ms": await _cpu_ms(shell, SIZES),
        "widgets": len(QApplication.allWidgets()),
    }


async def _cpu_ms(shell: BenchWindow, changes: Sequence[tuple[str, float]]) -> float:
    """The middle of what the changes take, in milliseconds of CPU."""
    qt = QApplication.instance()
    assert isinstance(qt, QApplication)
    took: list[float] = []
    for mode, scale in changes:
        began = time.process_time()
        shell.app.theme.apply(qt, mode, scale)
        await asyncio.sleep(SETTLE_SECONDS)
        took.append(time.process_time() - began)
    return statistics.median(took) * 1000


if __name__ == "__main__":
    window.run(restyle)
