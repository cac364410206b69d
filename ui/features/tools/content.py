"""The content of a result, block by block, with what is odd about the whole above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from inspector.finding import Severity
from inspector.visible_text import one_line, visible
from ui.render import render
from ui.render.incremental import FEW, IncrementalArea, IncrementalBuilder
from ui.widgets.labels import QuotingLabel, plain_label

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from inspector.spec.views.call_result import CallToolResultView
    from ui.theme import Theme

BLOCKS = 100
"""Content blocks drawn; *Raw* has all of them."""

REMARKS = 5
"""Remarks on the whole that are told here; *Problems* has all of them."""


class Content(IncrementalArea):
    """Content blocks in order."""

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(parent)
        self.setObjectName("result_content")
        self.setAccessibleName("Result content")
        self._theme = theme
        self._warnings = QVBoxLayout()

    def clear(self) -> None:
        """Show nothing."""
        self.put(None)

    def show_result(self, result: CallToolResultView, *, at_once: bool) -> None:
        """Show the content of a result; not `at_once`, it begins in another turn of the loop."""
        inner = self.begun()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(self._theme.PADDING_PX)
        self._warnings = QVBoxLayout()
        column.addLayout(self._warnings)
        self.add_warnings(warnings(result))
        blocks = QVBoxLayout()
        column.addLayout(blocks)
        for text in remarks(result):
            column.addWidget(result_label("result_remark", text, tone="muted"))
        column.addStretch(1)
        steps = self._drawing(result, blocks, inner)
        if len(result.content) > FEW:
            IncrementalBuilder(steps, inner, at_once=False)
            self.put(inner)
        else:
            self.put_rendered(inner, steps, at_once=at_once)

    def add_warnings(self, lines: Sequence[str]) -> None:
        """Tell more that is wrong with the result that is shown as a whole."""
        for text in lines:
            label = QuotingLabel(visible(f"⚠ {text}"), name="result_warning", tone="warning")
            self._warnings.addWidget(label)

    def _drawing(
        self, result: CallToolResultView, column: QVBoxLayout, inner: QWidget
    ) -> Iterator[None]:
        for block in result.content[:BLOCKS]:
            drawn = render(block.raw, theme=self._theme, parent=inner)
            column.addWidget(drawn)
            if len(result.content) == 1:
                drawn.set_roomy()
            yield


def warnings(result: CallToolResultView) -> list[str]:
    """What is wrong with the result as a whole."""
    return [note.summary for note in result.notes if note.severity is not Severity.INFO][:REMARKS]


def remarks(result: CallToolResultView) -> list[str]:
    """What else there is to say."""
    lines: list[str] = []
    if len(result.content) > BLOCKS:
        lines.append(f"{len(result.content) - BLOCKS:,} more blocks in Raw.")
    if result.has_no_items("content"):
        empty = "No content (0 blocks)"
        lines.append(f"{empty}; see Structured" if result.has_structured else empty)
    if result.unknown:
        names = one_line(", ".join(result.unknown), 200)
        lines.append(f"Not defined in this revision (see JSON): {names}")
    if result.meta:
        lines.append("Result has _meta (see JSON).")
    return lines


def result_label(name: str, text: str = "", *, tone: str = "") -> QLabel:
    """Words that wrap and can be selected, never rich text."""
    label = plain_label(visible(text), tone=tone, name=name, wrap=True, selectable=True)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return label
