"""A few lines of a message, with the part that a finding is about underlined."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit

from inspector.checks.excerpts import MAX_LINES, Excerpt
from ui.widgets.evidence_box import EvidenceBox
from ui.widgets.text_view import Highlighter

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from ui.theme import Theme

MIN_WRAPPED_LINES = 2
"""Lines more than an excerpt has, for those that wrap."""


class ExcerptBox(EvidenceBox):
    """An `Excerpt` in the colors of JSON; hidden while it is empty."""

    def __init__(self, *, theme: Theme, name: str, parent: QWidget | None = None) -> None:
        """Start empty."""
        super().__init__(
            theme=theme,
            name=name,
            label="Excerpt of the message",
            max_lines=MAX_LINES + MIN_WRAPPED_LINES,
            parent=parent,
        )
        self._excerpt = Excerpt()
        self._tone = "error"
        self._highlighter = Highlighter(self.document(), theme=theme)
        theme.changed.connect(self._underline)

    def show_excerpt(self, excerpt: Excerpt, tone: str) -> None:
        """Show `excerpt`, underlined in the color named `tone`."""
        self._excerpt, self._tone = excerpt, tone
        self._highlighter.set_language(excerpt.text, "application/json")
        self.set_text(excerpt.text)
        self._highlighter.rehighlight()
        self._underline()

    def meant(self) -> str:
        """Return the text that is underlined."""
        found = self.extraSelections()
        return found[0].cursor.selectedText() if found else ""

    def _fit(self) -> None:
        """Show all lines: what is around scrolls."""
        super()._fit()
        self.setMinimumHeight(self.maximumHeight())

    def _underline(self) -> None:
        """Underline the part that is meant."""
        excerpt = self._excerpt
        marks: list[QTextEdit.ExtraSelection] = []
        if excerpt.line >= 0:
            block = self.document().findBlockByNumber(excerpt.line)
            cursor = QTextCursor(block)
            cursor.setPosition(block.position() + excerpt.start)
            cursor.setPosition(
                min(block.position() + excerpt.end, block.position() + block.length() - 1),
                QTextCursor.MoveMode.KeepAnchor,
            )
            mark = QTextEdit.ExtraSelection()
            style = QTextCharFormat()
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
            style.setUnderlineColor(self._theme.color(self._tone))
            mark.cursor, mark.format = cursor, style
            marks.append(mark)
        self.setExtraSelections(marks)
