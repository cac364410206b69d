r"""The tokens of a command line, and where each stands in it: quotes and escapes are read, and positions refer to the line as it stands.

A token with quotes or escapes (`--token 'a'b\ c`) is not a part of the line, so what is found in the token is located by its position, never by
its text. No shell is needed for that. The time follows the length of the line.

A line is read as a POSIX shell does, in which no line is invalid: a quote without an end goes on to the end of the line. What users paste may be
meant for any shell (`split_pasted`), and a quote without an end is an error there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_SUBSTITUTION = r"\$\([^()]*+\)|`[^`]*+`?"
_UNQUOTED = r"(?P<operator>[;&|<>()])|(?P<token>[^\s;&|<>()'\"\\`]++)"
_OF_JSON = (
    r'(?s)(?P<operator>[;&|<>()])|(?P<token>"(?:[^"\\]++|\\.)*+\\?"?|[^\s;&|<>(),:"\[\]{}\\\']++)'
)


class _Syntax(NamedTuple):
    """How the lines of a shell are read."""

    token: str
    """Finds an `operator` or a `token` as it is spelled, or white space."""
    piece: str
    """Finds the pieces of a spelled token: `plain` text, what is `escaped`, `literal` text in single quotes and `quoted` text in double ones."""
    in_quotes: str
    """Finds the pieces of text in double quotes."""


_POSIX = _Syntax(
    r"(?s)(?:\s|\\\r?\n)++|(?P<operator>[;&|<>()])"
    rf"|(?P<token>(?:{_SUBSTITUTION}|[^\s;&|<>()'\"\\`$]++|\$|\\.?|'[^']*+'?|\"(?:[^\"\\]++|\\.)*+\\?\"?)++)",
    rf"(?s)(?P<plain>(?:{_SUBSTITUTION}|[^'\"\\`$]++|\$(?!['\"]))++)|\$"
    r"|\\\r?\n|\\(?P<escaped>.)|(?P<lone>\\)"
    r"|'(?P<literal>[^']*+)'?|\"(?P<quoted>(?:[^\"\\]++|\\.)*+\\?)\"?",
    r'(?s)\\\r?\n|\\(?P<escaped>["\\`$])|(?P<plain>[^\\]++|\\)',
)

_CONTINUED = r"[\\`^]\r?\n"
"""The end of a line that goes on in the next one, in a POSIX shell, PowerShell and cmd."""

_ANGLED = r"<[A-Za-z][\w.-]*>(?=[\s\"']|$)"
"""`<TOKEN>`: a placeholder where a value belongs, not two redirections."""

_CLOSED = r"\$\([^()]*+\)|`[^`]*+`"
"""A substitution with its end."""

_OPERATOR = r"\d*(?:&>>?|>>|>&|<<<|<<|<&|>|<)|&&|\|\||\|&|[|;&\n()]"


def _pasted(escape: str, lone: str, in_quotes: str, quoted: str) -> _Syntax:
    """Return how a command that was copied from anywhere is read."""
    whole = rf"{_CONTINUED}|{_ANGLED}|{_CLOSED}|{escape}|'[^']*+'|\"{quoted}\""
    text = rf"{whole}|[^ \t\r\n;&|<>()'\"\\`$^]++|[`$^]"
    plain = rf"{_CLOSED}|[^'\"\\`$^]++|[`^]|\$(?!['\"])"
    return _Syntax(
        rf"(?s)(?:[ \t\r]|{_CONTINUED}|\#[^\n]*+)++|(?!{_ANGLED})(?P<operator>{_OPERATOR})"
        # An ampersand is part of an unquoted URL, which users forget to quote.
        rf"|(?P<token>https?:(?:{text}|&(?=[^\W_]))++|(?:{text})++)|(?P<unclosed>['\"])",
        rf"(?s)(?P<plain>(?:(?!{_CONTINUED})(?:{plain}))++)|{_CONTINUED}|\$|{lone}"
        rf"|'(?P<literal>[^']*+)'|\"(?P<quoted>{quoted})\"",
        in_quotes,
    )


_PASTED = _pasted(
    r"\\.?",
    r"\\(?P<escaped>.)|(?P<lone>\\)",
    _POSIX.in_quotes,
    r"(?:[^\"\\]++|\\.)*+",
)
_PASTED_WINDOWS = _pasted(
    r"\\",
    r"(?P<escaped>(?!))|(?P<lone>\\)",
    r'(?s)\\(?P<escaped>")|(?P<plain>[^\\]++|\\)',
    r"(?:[^\"\\]++|\\\"?)*+",
)
"""Paths have backslashes, which are no escapes but before a double quote."""


class UnclosedQuote(ValueError):
    """A quote was opened and never closed."""


class Piece(FrozenStruct, frozen=True):
    """A part of a token between two marks: quotes or escapes."""

    at: int
    """Where it starts in the token."""
    start: int
    end: int
    """Where it stands in the line; an escape is longer there than the character that it stands for."""
    quotes: tuple[int, int] | None
    """Where the quotes around it start and end in the line."""


class PlacedToken(FrozenStruct, frozen=True):
    """A token of a command line."""

    text: str
    """The token as a program gets it."""
    start: int
    """Its first character in the line, be it a quote."""
    is_operator: bool = False
    """Whether it is a shell operator, which ends a command."""
    pieces: Sequence[Piece] = ()
    """The parts of `text`; empty where it stands in the line as it is."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where the line has a part of the token: with the quotes that it begins or ends within, unless they contain all of it."""
        if not self.pieces:
            return self.start + start, self.start + end
        first, last = self._index(start), self._index(end - 1)
        one, other = self.pieces[first], self.pieces[last]
        following = self.pieces[last + 1].at if last + 1 < len(self.pieces) else len(self.text)
        begin, finish = one.start + start - one.at, other.end - (following - end)
        if one.quotes == other.quotes:
            return begin, finish
        return one.quotes[0] if one.quotes else begin, other.quotes[1] if other.quotes else finish

    def _index(self, position: int) -> int:
        return bisect_right(self.pieces, position, key=lambda piece: piece.at) - 1


def split_tokens(line: str) -> Iterator[PlacedToken]:
    """Yield the tokens and operators of a line as a POSIX shell reads them."""
    return _found_tokens(_POSIX.token, line)


def split_pasted(line: str, *, has_escapes: bool) -> Iterator[PlacedToken]:
    """Yield the tokens and operators of a line as they are meant, for a shell that is not known; comments are left out.

    Raises:
        UnclosedQuote: a quote is not closed.
    """
    syntax = _PASTED if has_escapes else _PASTED_WINDOWS
    for found in re.finditer(syntax.token, line):
        if found["unclosed"]:
            raise UnclosedQuote(f"unclosed quote {found[0]} at character {found.start() + 1}")
        if found["operator"]:
            yield PlacedToken(found[0], found.start(), is_operator=True)
        elif found["token"]:
            yield _unquoted(found[0], found.start(), syntax)


def split_unquoted(line: str) -> Iterator[PlacedToken]:
    """Yield the tokens and operators of a line; quotes and backslashes separate tokens."""
    return _found_tokens(_UNQUOTED, line)


def split_json(text: str) -> Iterator[PlacedToken]:
    """Yield the strings and values of a JSON text, without what separates them."""
    return _found_tokens(_OF_JSON, text)


def _found_tokens(pattern: str, text: str) -> Iterator[PlacedToken]:
    for found in re.finditer(pattern, text):
        if found["operator"]:
            yield PlacedToken(found[0], found.start(), is_operator=True)
        elif found["token"]:
            yield _unquoted(found[0], found.start())


def _unquoted(raw: str, at: int, syntax: _Syntax = _POSIX) -> PlacedToken:
    """Return the token for its spelling in a line, which stands at `at` there."""
    if not any(mark in raw for mark in "'\"\\\n"):
        return PlacedToken(raw, at)
    parts, pieces, size = list[str](), list[Piece](), 0
    for text, start, end, quotes in _pieces(raw, at, syntax):
        if text:
            parts.append(text)
            pieces.append(Piece(size, start, end, quotes))
            size += len(text)
    return PlacedToken("".join(parts), at, pieces=pieces)


def _pieces(
    raw: str, at: int, syntax: _Syntax
) -> Iterator[tuple[str, int, int, tuple[int, int] | None]]:
    """Yield the text of each piece of a token, where it stands in the line, and where its quotes do."""
    for found in re.finditer(syntax.piece, raw):
        start, end = at + found.start(), at + found.end()
        if found["quoted"] is not None:
            inner = at + found.start("quoted")
            for piece in re.finditer(syntax.in_quotes, found["quoted"]):
                text = piece["plain"] or piece["escaped"] or ""
                yield text, inner + piece.start(), inner + piece.end(), (start, end)
        elif found["literal"] is not None:
            inner = at + found.start("literal")
            yield found["literal"], inner, inner + len(found["literal"]), (start, end)
        else:
            yield found["plain"] or found["escaped"] or found["lone"] or "", start, end, None
