r"""The syntax of the filter language: from a text to terms. Knows no field.

    query = all ("|" all)*                   one of several must match
    all   = factor*                          all must match
    factor = ["-"] ("(" query ")" | term)
    term  = [field ":"] value | path comparison value
    value = "/" regular expression "/" | bare characters and "quoted parts", up to the next space

In bare parts `*` is a wildcard; in the value of a field or of a path, `,` or `|` part alternatives. In quoted parts every character stands for
itself, `\"` is a quote and `\\` a backslash. Inside parentheses a bare `)` ends a value, unless the value has the `(` for it. A slash
begins a regular expression only where the next slash ends the term, so that `/etc/hosts` is a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterable

WILDCARD = "*"
"""Any text, also none."""

_ALTERNATIVES = ",|"
_COMPARISONS = ("!=", ">=", "<=", "=", ">", "<")
_ROOTS = frozenset({"params", "result", "error"})
"""Members of a message that a path may begin with."""

WHOLE = "$"
"""The root of a path that begins with the whole message."""

MAX_DEPTH = 50
"""Parentheses within each other, at most."""


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


_EMPTY = QueryChar("", quoted=True)
"""What stands for quotes with nothing between them: an empty name of a member, for one."""


class Value(FrozenStruct, frozen=True):
    """What is after the colon or the comparison, or a text to search for."""

    characters: tuple[QueryChar, ...]
    """Its characters, without the quotes; for a regular expression, those between the slashes."""
    position: int
    """Where it begins in the query."""
    stop: int
    """Where it ends in the query, exclusive."""
    is_pattern: bool = False
    """Whether it is a regular expression."""

    @property
    def text(self) -> str:
        """The characters as a text."""
        return "".join(each.text for each in self.characters)

    @property
    def pieces(self) -> list[str]:
        """The texts between the wildcards; one piece without a wildcard."""
        return [_joined(part) for part in split(self.characters, WILDCARD)]

    @property
    def alternatives(self) -> list[Value]:
        """The values between bare commas or bars."""
        if self.is_pattern:
            return [self]
        return [
            Value(tuple(part), self.position, self.stop)
            for part in split(self.characters, _ALTERNATIVES)
        ]

    @property
    def is_quoted(self) -> bool:
        """Whether a part of it is quoted."""
        return any(each.quoted for each in self.characters)


class Term(FrozenStruct, frozen=True):
    """One condition as written."""

    field: str | None
    """The name before the colon; None for plain text and for a path."""
    value: Value
    """What must match."""
    negated: bool
    """Whether it must not match."""
    position: int
    """Where the term begins in the query."""
    path: Value | None = None
    """The path into the message before the comparison."""
    comparison: str = ""
    """How the values at the path are compared."""


class Group(FrozenStruct, frozen=True):
    """Conditions of which one of several must match; each of these is several that must all match."""

    alternatives: tuple[tuple[Factor, ...], ...]
    """The conditions between bars; one alternative without a bar."""
    negated: bool = False
    """Whether none of them must match."""


Factor: TypeAlias = "Term | Group"


def parse_group(text: str) -> Group:
    """Return the conditions in `text`.

    Raises:
        QueryError: a quote or parenthesis is not closed, a parenthesis is empty, or an operator has nothing to work on.
    """
    return _Parser(text).query()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._open: list[int] = []
        """Positions of the parentheses that are open."""

    def query(self) -> Group:
        group = self._alternatives(negated=False)
        if self._at < len(self._text):
            raise QueryError('Unmatched “)”; to search for a parenthesis, quote it: ")"', self._at)
        return group

    def _alternatives(self, *, negated: bool) -> Group:
        parts: list[tuple[Factor, ...]] = [self._factors()]
        bar = -1
        while self._peek() == "|":
            bar = self._at
            if not parts[-1]:
                raise _bare_bar(bar)
            self._at += 1
            parts.append(self._factors())
        if bar >= 0 and not parts[-1]:
            raise _bare_bar(bar)
        return Group(tuple(parts), negated)

    def _factors(self) -> tuple[Factor, ...]:
        found: list[Factor] = []
        while self._skip_spaces() and self._peek() not in {"|", ")"}:
            found.append(self._factor())
        return tuple(found)

    def _factor(self) -> Factor:
        start = self._at
        negated = self._peek() == "-"
        if negated:
            self._at += 1
            if not self._peek() or self._peek().isspace() or self._peek() in "|)":
                raise QueryError(
                    "“-” must be followed directly by a term: -ping or -kind:notification", start
                )
        if self._peek() == "(":
            return self._group(negated=negated)
        return self._term(start, negated=negated)

    def _group(self, *, negated: bool) -> Group:
        opening = self._at
        if len(self._open) == MAX_DEPTH:
            raise QueryError(f"More than {MAX_DEPTH} parentheses within each other", opening)
        self._open.append(opening)
        self._at += 1
        group = self._alternatives(negated=negated)
        if self._peek() != ")":
            raise QueryError("Unclosed parenthesis; add a closing )", opening, stop=len(self._text))
        self._at += 1
        self._open.pop()
        if not group.alternatives[0]:
            raise QueryError("Empty parentheses", opening, stop=self._at)
        return group

    def _term(self, start: int, *, negated: bool) -> Term:
        begin = self._at
        pattern = self._pattern(begin)
        if pattern is not None:
            return Term(None, pattern, negated, start)
        field, colon = _field_at(self._text, begin)
        if field:
            self._at = colon + 1
            value = self._pattern(self._at) or self._value(self._at, is_field=True)
            return Term(field, value, negated, start)
        return self._path_term(start, negated=negated) or Term(
            None, self._value(begin), negated, start
        )

    def _path_term(self, start: int, *, negated: bool) -> Term | None:
        """Return the comparison at a path that begins here; None without a path."""
        begin = self._at
        if not _begins_path(self._text, begin):
            return None
        path = self._value(begin, stops="=<>!")
        rest = self._text[self._at :]
        comparison = next((each for each in _COMPARISONS if rest.startswith(each)), "")
        if not comparison:
            self._at = begin
            return None
        self._at += len(comparison)
        value = self._pattern(self._at) or self._value(self._at, is_field=True)
        return Term(None, value, negated, start, path, comparison)

    def _pattern(self, start: int) -> Value | None:
        """Return the regular expression that begins at `start`: the next slash ends the term."""
        if self._text[start : start + 1] != "/":
            return None
        at = start + 1
        while at < len(self._text) and self._text[at] != "/":
            at += 2 if self._text[at] == "\\" else 1
        if at >= len(self._text) or at == start + 1 or not self._ends_term(at + 1):
            return None
        self._at = at + 1
        characters = tuple(QueryChar(each, quoted=True) for each in self._text[start + 1 : at])
        return Value(characters, start, self._at, is_pattern=True)

    def _ends_term(self, at: int) -> bool:
        following = self._text[at : at + 1]
        return not following or following.isspace() or following in "|" or self._closes(at, 0)

    def _closes(self, at: int, inner: int) -> bool:
        return self._text[at] == ")" and bool(self._open) and not inner

    def _value(self, start: int, *, is_field: bool = False, stops: str = "") -> Value:
        """Return the value that begins at `start`; a bar ends a text, and a value where nothing follows it."""
        text, characters, at, inner = self._text, list[QueryChar](), start, 0
        while at < len(text) and not text[at].isspace() and not self._closes(at, inner):
            character = text[at]
            if character == '"':
                at = _quoted(text, at, characters)
                continue
            if character in stops and (character != "!" or text[at + 1 : at + 2] == "="):
                break
            if character == "|" and at > start and (not is_field or self._ends_term(at + 1)):
                break
            inner += (character == "(") - (character == ")")
            characters.append(QueryChar(character, quoted=False))
            at += 1
        self._at = at
        return Value(tuple(characters), start, at)

    def _skip_spaces(self) -> bool:
        """Go on to the next character that is no space; False at the end."""
        while self._at < len(self._text) and self._text[self._at].isspace():
            self._at += 1
        return self._at < len(self._text)

    def _peek(self) -> str:
        return self._text[self._at : self._at + 1]


def _bare_bar(position: int) -> QueryError:
    return QueryError(
        '“|” needs a term on both sides: ping | kind:error; to search for a bar, quote it: "|"',
        position,
    )


def _quoted(text: str, opening: int, characters: list[QueryChar]) -> int:
    at = opening + 1
    while at < len(text):
        if text[at] == '"':
            if at == opening + 1:
                characters.append(_EMPTY)
            return at + 1
        if text[at] == "\\" and text[at + 1 : at + 2] in ('"', "\\"):
            at += 1
        characters.append(QueryChar(text[at], quoted=True))
        at += 1
    raise QueryError('Unclosed quote; add a closing "', opening, stop=len(text))


def _field_at(text: str, start: int) -> tuple[str, int]:
    """Return the name of the field that begins at `start`, and where its colon is; empty without one."""
    at = start
    while at < len(text) and (text[at].isalpha() or text[at] == "-"):
        at += 1
    return (text[start:at].lower(), at) if at > start and text[at : at + 1] == ":" else ("", at)


def _begins_path(text: str, start: int) -> bool:
    at = start
    while at < len(text) and (text[at].isalpha() or text[at] == WHOLE):
        at += 1
    return is_root(text[start:at]) and text[at : at + 1] in {".", "["}


def is_root(name: str) -> bool:
    """Whether a path may begin with `name`."""
    return name == WHOLE or name in _ROOTS


def split(characters: Iterable[QueryChar], at: str) -> list[list[QueryChar]]:
    """Return the parts between the bare characters that are in `at`."""
    parts: list[list[QueryChar]] = [[]]
    for each in characters:
        if not each.quoted and each.text in at:
            parts.append([])
        else:
            parts[-1].append(each)
    return parts


def wrong_value(value: Value, text: str) -> QueryError:
    """Return the error that is about a value; one character where the value is empty."""
    return QueryError(text, value.position, stop=max(value.stop, value.position + 1))


def _joined(characters: Iterable[QueryChar]) -> str:
    return "".join(each.text for each in characters)


def narrowed(text: str, term: str) -> str:
    """Return the filter `text` with one more term that must match."""
    try:
        is_choice = len(parse_group(text).alternatives) > 1
    except QueryError:
        is_choice = False
    return f"({text}) {term}" if is_choice else f"{text} {term}".strip()


_SPECIAL = frozenset('"\\*,|:()=<>!')
"""Characters that mean something in a query, or may do so."""


def quoted(text: str) -> str:
    """`text` as a value that stands for itself."""
    plain = (
        text
        and not any(each.isspace() or each in _SPECIAL for each in text)
        and not text.startswith(("-", "/"))
    )
    if plain:
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
