"""URI templates: their variables, what is wrong with them, and the URI they make. Pure; never raises on foreign input.

Expressions are expanded by the `uritemplate` library, one at a time. What it leaves open is done here: the grammar is checked, and
every character that may not stand in a URI is percent-encoded, literal ones included. An expression that is not valid stays as it is.

Source: RFC 6570.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from uritemplate import URITemplate

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from uritemplate.variable import VariableValueDict

Value: TypeAlias = "str | Sequence[str] | Mapping[str, str]"
"""What a variable may hold; one that holds nothing is left out of the mapping."""

RESERVED_OPERATORS = "=,!@|"
"""Section 2.2: "reserved for possible future extensions"."""

_NAME = r"(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*"
_SPEC = re.compile(rf"(?P<name>{_NAME})(?::(?P<prefix>[1-9][0-9]{{0,3}})|(?P<explode>\*))?")
_PIECE = re.compile(r"\{[^{}]*\}|[{}]|[^{}]+")
_FOREIGN = re.compile(r"%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=%]")


class ValueType(StrEnum):
    """How the typed text of a variable is meant."""

    TEXT = "text"
    LIST = "list"
    """Items, parted by commas."""
    PAIRS = "pairs"
    """`name=value`, parted by commas."""


class Variable(FrozenStruct, frozen=True):
    """One variable, however often it occurs."""

    name: str
    """Exactly as written."""
    exploded: bool = False
    """Whether a list in it becomes several parts (`*`)."""
    prefix: int | None = None
    """How many characters of the value are used (`:n`)."""
    operator: str = ""
    """The operator where it occurs first."""


class _Piece(NamedTuple):
    text: str
    variables: tuple[Variable, ...]
    problem: str


class UriTemplate:
    """A template that was read."""

    def __init__(self, text: str) -> None:
        """Read `text`; `problems` has what is wrong."""
        self.text = text
        self._pieces = [_piece(match[0]) for match in _PIECE.finditer(text)]
        self.problems = tuple(piece.problem for piece in self._pieces if piece.problem)
        found: dict[str, Variable] = {}
        for piece in self._pieces:
            for variable in piece.variables:
                found.setdefault(variable.name, variable)
        self.variables = tuple(found.values())

    def expand(self, values: Mapping[str, Value]) -> str:
        """The URI for `values`; variables without one vanish."""
        return "".join(self._expanded(values))

    def can_make(self, uri: str) -> bool:
        """Whether `uri` has the literal parts of the template, in order: a URI that it makes does, others may."""
        literals = [
            "" if piece.variables else piece.text if piece.problem else _encoded(piece.text)
            for piece in self._pieces
        ]
        if not literals or not uri.startswith(literals[0]) or not uri.endswith(literals[-1]):
            return False
        at, stop = len(literals[0]), len(uri) - (len(literals[-1]) if len(literals) > 1 else 0)
        for literal in literals[1:-1]:
            at = uri.find(literal, at, stop)
            if at < 0:
                return False
            at += len(literal)
        return at <= stop and (bool(self.variables) or at == stop)

    def _expanded(self, values: Mapping[str, Value]) -> Iterator[str]:
        # Section 2.4.2: a list or a map without items is undefined.
        known: VariableValueDict = {
            name: _plain(value) for name, value in values.items() if value or value == ""
        }
        for piece in self._pieces:
            if piece.variables:
                yield _encoded(URITemplate(piece.text).expand(known))
            else:
                yield piece.text if piece.problem else _encoded(piece.text)


def read_value(text: str, shape: ValueType) -> Value:
    """What the typed `text` means; in a list or in pairs, a backslash lets a comma be part of an item."""
    if shape is ValueType.TEXT:
        return text
    items = [_unescaped(item) for item in re.findall(r"(?:\\.|[^,\\])+|\\$", text, re.DOTALL)]
    if shape is ValueType.LIST:
        return items
    parted = [item.partition("=") for item in items]
    return {name: value for name, _, value in parted}


def _unescaped(item: str) -> str:
    return re.sub(r"\\([,\\])", r"\1", item)


def _plain(value: Value) -> str | list[str] | dict[str, str]:
    if isinstance(value, str):
        return _written(value)
    if isinstance(value, Mapping):
        return {_written(name): _written(each) for name, each in value.items()}
    return [_written(item) for item in value]


def _written(text: str) -> str:
    """`text` without halves of characters, which UTF-8 cannot write."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _encoded(text: str) -> str:
    """Section 3.1: what is not allowed anywhere in a URI is percent-encoded."""
    return _FOREIGN.sub(_percent, text)


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "replace"))


def _piece(text: str) -> _Piece:
    if text in {"{", "}"}:
        message = "unclosed `{`" if text == "{" else "unexpected `}`"
        return _Piece(text, (), message)
    if not text.startswith("{"):
        return _Piece(text, (), "")
    return _expression(text)


def _expression(text: str) -> _Piece:
    inner = text[1:-1]
    if not inner:
        return _Piece(text, (), "`{}` has no variable")
    if inner[0] in RESERVED_OPERATORS:
        return _Piece(text, (), f"`{text}`: operator `{inner[0]}` is reserved")
    operator = inner[0] if inner[0] in "+#./;?&" else ""
    found = [_SPEC.fullmatch(spec) for spec in inner.removeprefix(operator).split(",")]
    variables = tuple(
        Variable(
            match["name"],
            exploded=match["explode"] is not None,
            prefix=int(match["prefix"]) if match["prefix"] else None,
            operator=operator,
        )
        for match in found
        if match is not None
    )
    if len(variables) < len(found):
        return _Piece(text, (), f"`{text}` is not a valid RFC 6570 expression")
    return _Piece(text, variables, "")
