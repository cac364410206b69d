"""Large results in the tools page: text, JSON in a text, structured content."""

from __future__ import annotations

import argparse
import json
import time
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QToolButton

from tests.bench.child import window
from tests.bench.child.window import BenchWindow, until
from ui.render import BlockWidget
from ui.render.auto_height import AutoHeightText
from ui.widgets.json_tree import JsonTree
from ui.widgets.json_view import JsonView

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractScrollArea, QWidget


async def text(shell: BenchWindow, mb: float) -> dict[str, float]:
    """From the click to the text on screen."""
    await shell.choose("big")
    clicked = shell.click_call(json.dumps({"mb": mb}))
    view = await _text_view(shell)
    return {"text": _painted(view.edit, clicked), "text_gap_ms": shell.gaps.end_ms()}


async def json_text(shell: BenchWindow, mb: float) -> dict[str, float]:
    """From the click to the tree, and from choosing the view to the text."""
    await shell.choose("bigjson")
    clicked = shell.click_call(json.dumps({"mb": mb}))
    await until(lambda: _is_over(shell))
    body = shell.tools.result_panel.views
    tree = await _filled_tree(body)
    found = {"tree": _painted(tree, clicked), "tree_gap_ms": shell.gaps.end_ms()}
    block = next(iter(body.findChildren(BlockWidget)))
    chosen = _begin(shell)
    _button(block, "views_text").click()
    view = await _text_view(shell)
    return found | {"json": _painted(view.edit, chosen), "json_gap_ms": shell.gaps.end_ms()}


async def structured(shell: BenchWindow, mb: float) -> dict[str, float]:
    """From the click to the content, and from choosing the other views to their trees."""
    await shell.choose("structured")
    clicked = shell.click_call(json.dumps({"mb": mb}))
    view = await _text_view(shell)
    found = {
        "structured": _painted(view.edit, clicked),
        "structured_gap_ms": shell.gaps.end_ms(),
    }
    body = shell.tools.result_panel.views
    for key, name in (("structured", "call_structured"), ("json", "call_answer_tree")):
        chosen = _begin(shell)
        _button(body, f"call_answer_views_{key}").click()
        view = body.findChild(JsonView, name)
        assert view is not None
        tree = await _filled_tree(view)
        found[f"{key}_view"] = _painted(tree, chosen)
        found[f"{key}_view_gap_ms"] = shell.gaps.end_ms()
    return found


def _button(part: QWidget, name: str) -> QToolButton:
    button = part.findChild(QToolButton, name)
    assert button is not None
    return button


def _begin(shell: BenchWindow) -> float:
    shell.gaps.begin()
    return time.monotonic()


def _is_over(shell: BenchWindow) -> bool:
    call = shell.tools.result_panel.operation
    return call is not None and call.is_finished


async def _text_view(shell: BenchWindow) -> AutoHeightText:
    body = shell.tools.result_panel.views

    def shown() -> AutoHeightText | None:
        if not _is_over(shell):
            return None
        views = body.findChildren(AutoHeightText)
        return next((view for view in views if view.isVisible() and view.text()), None)

    await until(shown)
    view = shown()
    assert view is not None
    return view


async def _filled_tree(block: QWidget) -> JsonTree:
    await until(lambda: any(_is_filled(tree) for tree in block.findChildren(JsonTree)))
    return next(tree for tree in block.findChildren(JsonTree) if _is_filled(tree))


def _is_filled(tree: JsonTree) -> bool:
    return tree.isVisible() and tree.json.rowCount() > 0


def _painted(view: QAbstractScrollArea, since: float) -> float:
    view.viewport().repaint()
    return time.monotonic() - since


async def all_of_it(shell: BenchWindow, share: float) -> dict[str, float]:
    """One after the other over one connection."""
    shell.connect()
    await shell.settled()
    found = await text(shell, 50 * share)
    found |= await json_text(shell, 10 * share)
    found |= await structured(shell, 10 * share)
    return found | {"memory_mb": window.memory_mb()}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0)
    share: float = parser.parse_args().share
    window.run(lambda shell: all_of_it(shell, share))


if __name__ == "__main__":
    main()
