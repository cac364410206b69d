"""Colours for source text, for windows small enough to be looked through at once.

The lexers come from Pygments, chosen by media type; unknown types and long windows stay plain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

if TYPE_CHECKING:
    from pygments.lexer import Lexer

    from ui.theme import Theme

LONGEST = 40_000
"""Characters that are coloured at most; some 50 ms."""

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
"""Beginning of a kind of token → name of its colour; the first that fits counts."""

Span = tuple[int, int, str]
"""Start and length in UTF-16 units within a line, and the name of a colour."""


class Highlighter(QSyntaxHighlighter):
    """Colours the lines of a document as told by `set_language`."""

    def __init__(self, document: QTextDocument, *, theme: Theme) -> None:
        """Plain until `set_language`."""
        super().__init__(document)
        self._theme = theme
        self._spans: list[list[Span]] = []
        theme.changed.connect(self.rehighlight)

    def set_language(self, text: str, mime: str) -> None:
        """Colour `text`, which the document shows or is about to, as what `mime` says."""
        lexer = find_lexer(mime) if len(text) <= LONGEST else None
        self._spans = spans(text, lexer) if lexer is not None else []

    def highlightBlock(self, text: str) -> None:
        """Colour one line."""
        number = self.currentBlock().blockNumber()
        if number < len(self._spans):
            for start, length, tone in self._spans[number]:
                look = QTextCharFormat()
                look.setForeground(self._theme.colour(tone))
                self.setFormat(start, length, look)


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
    """What to colour, line by line."""
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
