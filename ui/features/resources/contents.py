"""What was read, item by item, each drawn by its type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector.finding import Severity
from inspector.visible_text import one_line, visible
from ui.render import BlockWidget, render_resource
from ui.render.incremental import FEW, IncrementalArea, IncrementalBuilder
from ui.widgets.labels import QuotingLabel, plain_label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.spec.views.content import ResourceContents
    from inspector.spec.views.resource import ReadResult
    from ui.theme import Theme

ITEMS = 100
"""Items drawn; *Raw* has all of them."""
REMARKS = 5
"""Remarks on the whole that are told here; *Problems* has all of them."""

FIRST_VIEWS = {
    "text/markdown": "markdown",
    "text/x-markdown": "markdown",
    "text/csv": "table",
    "text/tab-separated-values": "table",
    "application/json": "json",
}
"""The view to begin with, where the server names the type."""

OF_OWN_SIZE = {"bytes", "picture"}
"""Views that have nothing to do with more room than they need."""


class Contents(IncrementalArea):
    """Items in order."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("resource_contents")
        self.setAccessibleName("Resource contents")
        self._theme = theme

    def show_result(self, result: ReadResult) -> None:
        """Show what was read."""
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.PADDING_PX)
        for note in [n for n in result.notes if n.severity is not Severity.INFO][:REMARKS]:
            column.addWidget(
                QuotingLabel(visible(f"⚠ {note.summary}"), name="read_warning", tone="warning")
            )
        blocks = QVBoxLayout()
        column.addLayout(blocks)
        for text in _remarks(result):
            column.addWidget(_label("read_remark", text, "muted"))
        at_once = len(result.contents) <= FEW
        IncrementalBuilder(self._drawing(result, blocks, inner), inner, at_once=at_once)
        if not self._is_roomy(blocks, result):
            column.addStretch(1)
        self.put(inner)

    def _drawing(self, result: ReadResult, column: QVBoxLayout, inner: QWidget) -> Iterator[None]:
        for item in result.contents[:ITEMS]:
            column.addWidget(self._drawn(item, inner))
            yield

    def _is_roomy(self, column: QVBoxLayout, result: ReadResult) -> bool:
        """Give a block that stands alone all the room, where it has something to do with it."""
        first = column.itemAt(0)
        block = first.widget() if first is not None and len(result.contents) == 1 else None
        if not isinstance(block, BlockWidget) or block.current_view() in OF_OWN_SIZE:
            return False
        block.set_roomy()
        return True

    def _drawn(self, item: ResourceContents, inner: QWidget) -> BlockWidget:
        drawn = render_resource(item.raw, theme=self._theme, parent=inner)
        first = FIRST_VIEWS.get(item.mime_type.partition(";")[0].strip().lower(), "")
        if first in drawn.views():
            drawn.show_view(first)
        return drawn


def _remarks(result: ReadResult) -> list[str]:
    lines: list[str] = []
    if len(result.contents) > ITEMS:
        lines.append(f"{len(result.contents) - ITEMS:,} more items in Raw.")
    if result.has_no_items("contents"):
        lines.append("Empty result: no contents.")
    if result.unknown:
        names = one_line(", ".join(result.unknown), 200)
        lines.append(f"Not defined in this revision (see JSON): {names}")
    if result.meta:
        lines.append("Result has _meta (see JSON).")
    return lines


def _label(name: str, text: str, tone: str) -> QLabel:
    return plain_label(visible(text), tone=tone, name=name, wrap=True, selectable=True)
