"""Ten thousand tools in a hundred pages: listed, filtered, chosen."""

from __future__ import annotations

import time

from tests.bench.child import window
from tests.bench.child.window import Desk, until
from ui.features.tools.page import ToolsPage

TOOLS, PAGE = 10_000, 100


async def many(desk: Desk) -> dict[str, float]:
    """From the wish to connect to all tools listed, then the last one chosen and another filtered."""
    view, model = desk.tools.list.view, desk.tools.list.model
    desk.app.window.go(ToolsPage.info.key)
    desk.gaps.begin()
    began = time.monotonic()
    desk.connect("--tools", TOOLS, "--page", PAGE)
    await until(lambda: desk.is_ready and model.rowCount() == TOOLS)
    desk.app.window.go(ToolsPage.info.key)
    view.viewport().repaint()
    found = {"listed": time.monotonic() - began, "listing_gap_ms": desk.gaps.end_ms()}
    await desk.settled()
    desk.gaps.begin()
    began = time.monotonic()
    desk.tools.choose(TOOLS - 1)
    await until(lambda: desk.tools.call_panel.tool is desk.session.tools.items[-1])
    desk.tools.call_panel.repaint()
    found |= {"chosen": time.monotonic() - began, "choosing_gap_ms": desk.gaps.end_ms()}
    return found | await _filtered(desk)


async def _filtered(desk: Desk) -> dict[str, float]:
    model = desk.tools.list.model
    desk.gaps.begin()
    began = time.monotonic()
    desk.tools.list.filter.set_text("number 77")
    await until(lambda: 0 < model.rowCount() < TOOLS)
    desk.tools.list.view.viewport().repaint()
    return {"filtered": time.monotonic() - began, "filtering_gap_ms": desk.gaps.end_ms()}


if __name__ == "__main__":
    window.run(many)
