"""What a task gave, block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector.visible_text import visible
from ui.render import render
from ui.render.incremental import FEW, IncrementalArea, IncrementalBuilder
from ui.widgets.labels import plain_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.views.call_result import CallToolResultView
    from ui.theme import Theme

BLOCKS = 100
"""Content blocks drawn; *Raw* has all of them."""


class OutcomeContent(IncrementalArea):
    """Content blocks in order."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("task_content")
        self.setAccessibleName("Task result")
        self._theme = theme

    def show_result(self, result: CallToolResultView) -> None:
        """Show the content of `result`."""
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.PADDING_PX)
        blocks = QVBoxLayout()
        column.addLayout(blocks)
        for text in _remarks(result):
            column.addWidget(_label(text))
        column.addStretch(1)
        at_once = len(result.content) <= FEW
        IncrementalBuilder(self._drawing(result, blocks, inner), inner, at_once=at_once)
        self.put(inner)

    def _drawing(
        self, result: CallToolResultView, column: QVBoxLayout, inner: QWidget
    ) -> Iterator[None]:
        for block in result.content[:BLOCKS]:
            drawn = render(block.raw, theme=self._theme, parent=inner)
            column.addWidget(drawn)
            if len(result.content) == 1:
                drawn.set_roomy()
            yield


def _remarks(result: CallToolResultView) -> list[str]:
    found: list[str] = []
    if len(result.content) > BLOCKS:
        found.append(f"{len(result.content) - BLOCKS:,} more blocks in Raw.")
    if result.has_no_items("content"):
        found.append("No content (0 blocks)")
    if result.has_structured:
        found.append("Has structured content (see JSON).")
    return found


def _label(text: str) -> QLabel:
    return plain_label(visible(text), tone="muted", wrap=True)
