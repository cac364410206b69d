"""Colors for source text, in windows small enough to be tokenized at once.

The lexers come from Pygments, chosen by media type; unknown types and long windows stay plain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

if TYPE_CHECKING:
    from pygments.lexer import Lexer

    from ui.theme import Theme

MAX_CHARACTERS = 40_000
"""Longer texts stay plain; coloring so many takes some 50 ms."""

TONES = (
    ("Comment", "muted"),
    ("Name.Tag", "key"),
    ("Name.Attribute", "key"),
    ("Name.Function", "key"),
    ("Name.Class", "key"),
    ("Keyword", "keyword"),
    ("Literal.String", "string"),
    ("Literal.Number", "number"),
    ("Generic.Heading", "key"),
    ("Generic.Strong", "keyword"),
    ("Name.Builtin", "keyword"),
)
"""Start of a kind of token → name of its color; the first match counts."""

Span = tuple[int, int, str]
"""Start and length in UTF-16 units within a line, and the name of a color."""


class Highlighter(QSyntaxHighlighter):
    """Colors the lines of a document by the language of `set_language`."""

    def __init__(self, document: QTextDocument, *, theme: Theme) -> None:
        """Plain until `set_language`."""
        super().__init__(document)
        self._theme = theme
        self._spans: list[list[Span]] = []
        theme.changed.connect(self.rehighlight)

    def set_language(self, text: str, mime: str) -> None:
        """Color `text`, which the document shows or is about to show, as the media type `mime`."""
        lexer = find_lexer(mime) if len(text) <= MAX_CHARACTERS else None
        self._spans = spans(text, lexer) if lexer is not None else []

    def highlightBlock(self, text: str) -> None:
        """Color one line."""
        number = self.currentBlock().blockNumber()
        if number < len(self._spans):
            for start, length, tone in self._spans[number]:
                style = QTextCharFormat()
                style.setForeground(self._theme.colour(tone))
                self.setFormat(start, length, style)


def find_lexer(mime: str) -> Lexer | None:
    """The lexer for a media type; none for plain text and unknown types."""
    kind = mime.partition(";")[0].strip().lower()
    kind = "application/json" if kind.endswith("+json") else kind
    if kind in {"", "text/plain"}:
        return None
    # Pygments costs 40 ms that most sessions never need.
    from pygments.lexers import (
        get_lexer_for_mimetype,  # pyright: ignore[reportUnknownVariableType] - untyped options
    )
    from pygments.util import ClassNotFound

    try:
        return get_lexer_for_mimetype(kind, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def spans(text: str, lexer: Lexer) -> list[list[Span]]:
    """The colored spans, line by line."""
    lines: list[list[Span]] = [[]]
    column = 0
    for kind, value in lexer.get_tokens(text):
        tone = _tone(str(kind).removeprefix("Token."))
        for number, piece in enumerate(value.split("\n")):
            if number:
                lines.append([])
                column = 0
            length = len(piece.encode("utf-16-le", "surrogatepass")) // 2
            if tone and length:
                lines[-1].append((column, length, tone))
            column += length
    return lines


def _tone(kind: str) -> str:
    return next((tone for prefix, tone in TONES if kind.startswith(prefix)), "")
