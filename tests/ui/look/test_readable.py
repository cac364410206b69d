"""Every page can be read and hit: with text of the usual size and of twice the size, in light and dark."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from PySide6.QtWidgets import QBoxLayout, QComboBox

from tests.shots.stage import Stage
from tests.support.wait import wait_until
from tests.ui.look import readability

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable
    from pathlib import Path

    from PySide6.QtWidgets import QApplication, QWidget

TURNS = 20
"""Turns of the event loop until what was changed is laid out."""

LOOKS = [("light", 1.0), ("light", 2.0), ("dark", 1.0), ("dark", 2.0)]


@pytest.fixture(autouse=True)
def _hooks_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program puts its own in place, for good."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


@pytest.fixture
async def stage(qapp: QApplication, tmp_path: Path) -> AsyncGenerator[Stage]:
    """Spyglass with the demo server, a result and a frame."""
    stage = Stage(qapp, tmp_path)
    stop = asyncio.Event()
    running = asyncio.ensure_future(stage.app.run(stop))
    await wait_until(lambda: stage.app.collector.is_running)
    await stage.connect_demo()
    await stage.call("weather", '{"city":"oslo"}')
    stage.window.parts.traffic.select_frame(stage.session.session.transcript.count - 1)
    yield stage
    stop.set()
    assert await running == 0
    stage.app.collector.stop()
    for part in (stage.window, stage.app.controller, stage.app.collector, stage.app.reporter):
        part.deleteLater()
    stage.app.theme.deleteLater()
    assert [problem.traceback for problem in stage.app.reporter.problems] == []


async def pages(stage: Stage, mode: str, scale: float) -> AsyncIterator[str]:
    """Bring each page to the front, laid out."""
    stage.app.theme.apply(stage.qt, mode, scale)
    for spec in stage.window.parts.workbench.specs:
        stage.window.go(spec.key)
        for _ in range(TURNS):
            await asyncio.sleep(0)
        yield spec.key


async def found_on_pages(
    stage: Stage, find: Callable[[QWidget], set[str]], mode: str, scale: float
) -> list[str]:
    """What `find` finds, after the key of its page."""
    found: set[str] = set()
    async for page in pages(stage, mode, scale):
        found |= {f"{page}: {name}" for name in find(stage.window)}
    return sorted(found)


async def test_no_text_is_cut(stage: Stage) -> None:
    """Ours; WCAG 2.2, 1.4.4: of buttons, tabs, segments, labels and headers of columns."""
    found = [
        f"{mode} {scale} {name}"
        for mode, scale in LOOKS
        for name in await found_on_pages(stage, readability.clipped, mode, scale)
    ]
    assert found == []


@pytest.mark.parametrize("scale", [1.0, 2.0])
async def test_what_is_pressed_is_large_enough_and_lines_are_even(
    stage: Stage, scale: float
) -> None:
    """Ours; WCAG 2.2, 2.5.8: buttons; names and values on one baseline; rows of one of few heights, fields of one."""
    found: list[str] = []
    async for page in pages(stage, "light", scale):
        for find in (
            readability.too_small,
            readability.uneven_facts,
            readability.other_row_heights,
            readability.other_field_heights,
        ):
            found += [f"{page} {find.__name__}: {name}" for name in find(stage.window, scale)]
    assert found == []


async def test_zooming_in_and_out_again_changes_no_size(stage: Stage) -> None:
    """Ours: of no splitter, column, part or space, on no page."""
    await geometries(stage, 1.0)
    await wait_until(lambda: not stage.session.sweep.pending)  # what is found changes texts
    before = await geometries(stage, 1.0)
    await geometries(stage, 2.0)
    after = await geometries(stage, 1.0)

    moved = [
        f"{key}: {old} {after.get(key)}" for key, old in before.items() if after.get(key) != old
    ]
    assert moved == []


async def geometries(stage: Stage, scale: float) -> dict[str, tuple[int, int]]:
    """Width and height of every visible part that has a name, and the space in it, by page and name."""
    found: dict[str, tuple[int, int]] = {}
    async for page in pages(stage, "light", scale):
        for widget in readability.visible_widgets(stage.window):
            if isinstance(widget.parent(), QComboBox):
                continue  # the field of an editable box, which Qt arranges inside of it
            if widget.objectName() and not widget.objectName().startswith("qt_"):
                found[f"{page} {widget.objectName()}"] = (widget.width(), widget.height())
            layout = widget.layout()
            if isinstance(layout, QBoxLayout) and widget.objectName():
                found[f"{page} {widget.objectName()} space"] = (layout.spacing(), 0)
    return found
