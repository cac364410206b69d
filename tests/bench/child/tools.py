"""Ten thousand tools in a hundred pages: listed, filtered, chosen."""

from __future__ import annotations

import time

from tests.bench.child import window
from tests.bench.child.window import BenchWindow, until
from ui.features.tools.page import ToolsPage

TOOLS, PAGE = 10_000, 100


async def many(shell: BenchWindow) -> dict[str, float]:
    """From the wish to connect to all tools listed, then the last one chosen and another filtered."""
    view, model = shell.tools.list.view, shell.tools.list.model
    shell.app.window.go(ToolsPage.info.key)
    shell.gaps.begin()
    began = time.monotonic()
    shell.connect("--tools", TOOLS, "--page", PAGE)
    await until(lambda: shell.is_ready and model.rowCount() == TOOLS)
    shell.app.window.go(ToolsPage.info.key)
    view.viewport().repaint()
    found = {"listed": time.monotonic() - began, "listing_gap_ms": shell.gaps.end_ms()}
    await shell.settled()
    shell.gaps.begin()
    began = time.monotonic()
    shell.tools.choose(TOOLS - 1)
    await until(lambda: shell.tools.call_panel.tool is shell.session.tools.items[-1])
    shell.tools.call_panel.repaint()
    found |= {"chosen": time.monotonic() - began, "choosing_gap_ms": shell.gaps.end_ms()}
    return found | await _filtered(shell)


async def _filtered(shell: BenchWindow) -> dict[str, float]:
    model = shell.tools.list.model
    shell.gaps.begin()
    began = time.monotonic()
    shell.tools.list.filter.set_text("number 77")
    await until(lambda: 0 < model.rowCount() < TOOLS)
    shell.tools.list.view.viewport().repaint()
    return {"filtered": time.monotonic() - began, "filtering_gap_ms": shell.gaps.end_ms()}


if __name__ == "__main__":
    window.run(many)
