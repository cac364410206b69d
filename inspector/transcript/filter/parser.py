r"""The spelling of the filter language: from a text to terms. Knows no field.

    query = term*                 all terms must hold
    term  = ["-"] [field ":"] value
    value = bare characters and "quoted parts", up to the next space

In bare parts `*` is a wildcard and `,` or `|` part alternatives; in quoted parts every character stands for itself, `\"` is
a quote and `\\` a backslash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

WILDCARD = "*"
"""Any text, also none."""

_ALTERNATIVES = ",|"


class QueryError(ValueError):
    """The text is no query."""

    def __init__(self, text: str, position: int, *, stop: int | None = None) -> None:
        """Keep the reason, and which characters it is about: `position` to `stop`, from 0."""
        super().__init__(text)
        self.reason = text
        self.position = position
        self.stop = position + 1 if stop is None else stop


class QueryChar(NamedTuple):
    """One character of a value."""

    text: str
    """The character."""
    quoted: bool
    """Whether it stands for itself."""


class Value(FrozenStruct, frozen=True):
    """What stands behind the colon, or a word."""

    marks: tuple[QueryChar, ...]
    """Its characters, without the quotes."""
    position: int
    """Where it begins in the query."""
    stop: int
    """Where it ends in the query, exclusive."""

    @property
    def text(self) -> str:
        """The characters as a text."""
        return "".join(mark.text for mark in self.marks)

    @property
    def pieces(self) -> list[str]:
        """The texts between the wildcards; one piece without a wildcard."""
        return [_joined(part) for part in _split(self.marks, WILDCARD)]

    @property
    def alternatives(self) -> list[Value]:
        """The values between bare commas or bars."""
        return [
            Value(tuple(part), self.position, self.stop)
            for part in _split(self.marks, _ALTERNATIVES)
        ]


class Term(FrozenStruct, frozen=True):
    """One condition as written."""

    field: str | None
    """The name before the colon; None for plain text."""
    value: Value
    """What is asked for."""
    negated: bool
    """Whether it must not hold."""
    position: int
    """Where the term begins in the query."""


def scan(text: str) -> Iterator[Term]:
    """Cut `text` into terms.

    Raises:
        QueryError: a quote is not closed, or a minus stands alone.
    """
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        term = _term(text, at)
        yield term
        at = term.value.stop


def _term(text: str, start: int) -> Term:
    negated = text[start] == "-"
    begin = start + negated
    if begin == len(text) or text[begin].isspace():
        raise QueryError(
            "“-” must be followed directly by a term: -ping or -kind:notification", start
        )
    marks, stop = _value(text, begin)
    split = _field_end(marks)
    if split is None:
        return Term(None, Value(tuple(marks), begin, stop), negated, start)
    value = Value(tuple(marks[split + 1 :]), begin + split + 1, stop)
    return Term(_joined(marks[:split]).lower(), value, negated, start)


def _value(text: str, at: int) -> tuple[list[QueryChar], int]:
    marks: list[QueryChar] = []
    while at < len(text) and not text[at].isspace():
        if text[at] == '"':
            at = _quoted(text, at, marks)
        else:
            marks.append(QueryChar(text[at], quoted=False))
            at += 1
    return marks, at


def _quoted(text: str, opening: int, marks: list[QueryChar]) -> int:
    at = opening + 1
    while at < len(text):
        if text[at] == '"':
            return at + 1
        if text[at] == "\\" and text[at + 1 : at + 2] in ('"', "\\"):
            at += 1
        marks.append(QueryChar(text[at], quoted=True))
        at += 1
    raise QueryError('Unclosed quote; add a closing "', opening, stop=len(text))


def _field_end(marks: list[QueryChar]) -> int | None:
    """Where the colon is, if what stands before it looks like the name of a field."""
    for position, mark in enumerate(marks):
        if mark.quoted:
            return None
        if mark.text == ":":
            return position or None
        if not (mark.text.isalpha() or mark.text == "-"):
            return None
    return None


def _split(marks: Iterable[QueryChar], at: str) -> list[list[QueryChar]]:
    parts: list[list[QueryChar]] = [[]]
    for mark in marks:
        if not mark.quoted and mark.text in at:
            parts.append([])
        else:
            parts[-1].append(mark)
    return parts


def _joined(marks: Iterable[QueryChar]) -> str:
    return "".join(mark.text for mark in marks)


def quoted(text: str) -> str:
    """`text` as a value that stands for itself."""
    plain = (
        text
        and not any(mark.isspace() or mark in '"\\*,|:' for mark in text)
        and not text.startswith("-")
    )
    if plain:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
