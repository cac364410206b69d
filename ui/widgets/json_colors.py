"""The colors of JSON while it is typed: each line alone, so that a key pressed costs the same in a text of any length."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat

if TYPE_CHECKING:
    from PySide6.QtGui import QTextDocument
    from PySide6.QtWidgets import QPlainTextEdit

    from ui.theme import Theme

MAX_COLORED = 40_000
"""Characters of a text; a longer one stays plain."""
MAX_LINE = 4000
"""Characters of a line that are colored: a key pressed in it colors all of it again."""
TONES = ("key", "string", "number", "keyword")
"""Names of the colors."""

Span = tuple[int, int, str]
"""Start and end in a line, and the name of a color."""

# Possessive, and any end ends a string: one that is cut after a backslash is read once, not again from each quotation mark in it.
_TOKEN = re.compile(
    r"""
    (?P<string> "(?:[^"\\]++|\\.)*+(?:"|\\?$) ) (?P<colon> \s*: )?
    | (?P<number> (?<![\w.])-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?!\w) )
    | (?P<keyword> \b(?:true|false|null)\b )
    """,
    re.VERBOSE,
)


def line_spans(line: str) -> list[Span]:
    """Return the colored parts of a line, as far as it reads as JSON; in characters."""
    found: list[Span] = []
    for token in _TOKEN.finditer(line):
        kind = str(token.lastgroup)
        if kind == "colon":
            kind = "key"
        start, end = token.span("string" if kind == "key" else kind)
        found.append((start, end, kind))
    return found


class JsonColors(QSyntaxHighlighter):
    """Colors what is typed into an editor, if it is not too long. The editor does not hear of that: its text stays the same."""

    _recolor_due = Signal()

    def __init__(self, edit: QPlainTextEdit, *, theme: Theme) -> None:
        """Color the text of `edit` for as long as this is referenced: its parent in Qt does not keep it."""
        super().__init__(edit)
        self._theme = theme
        self._edited: QTextDocument = edit.document()
        self._is_on = False
        # Before the highlighter follows the document: it would go through every line of a long text.
        self._edited.contentsChange.connect(self._follow)
        self._recolor_due.connect(self._recolor, Qt.ConnectionType.QueuedConnection)
        theme.changed.connect(self._refresh)
        self._follow()
        self._refresh()

    def _follow(self) -> None:
        is_on = self._edited.characterCount() <= MAX_COLORED
        if is_on != self._is_on:
            self._is_on = is_on
            if is_on:
                self._recolor_due.emit()  # before Qt does so of itself
            self.setDocument(self._edited if is_on else None)

    def _refresh(self) -> None:
        self._styles: dict[str, QTextCharFormat] = {}
        for tone in TONES:
            style = self._styles[tone] = QTextCharFormat()
            style.setForeground(self._theme.color(tone))
        self._recolor()

    def _recolor(self) -> None:
        with QSignalBlocker(self._edited):
            self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        """Color one line."""
        for start, end, tone in _in_units(text, line_spans(text[:MAX_LINE])):
            self.setFormat(start, end - start, self._styles[tone])


def _in_units(text: str, spans: list[Span]) -> list[Span]:
    """Return the same spans as Qt counts: in units of UTF-16, of which some characters have two."""
    if text.isascii():
        return spans
    more = [0, *accumulate(character > "\uffff" for character in text)]
    return [(start + more[start], end + more[end], tone) for start, end, tone in spans]
