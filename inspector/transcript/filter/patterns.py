"""What a text must match: a text with wildcards, or a regular expression.

Regular expressions run in time proportional to the text, even hostile ones: the engine of Rust that validates the patterns of JSON Schema knows no
backtracking, and so neither lookaround nor backreferences. One that is large when compiled is refused, as time grows with its size too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from inspector.transcript.filter.parser import QueryError
from inspector.transcript.text_search import Glob

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.transcript.filter.parser import Value

MAX_COMPILED_BYTES = 1 << 20
"""Size of a compiled regular expression."""

_BACKTRACKING = re.compile(r"\(\?<?[=!]|\\[1-9]|\(\?P=")
"""What only engines with backtracking know."""


class NamePattern(Protocol):
    """A pattern of whole names, or a regular expression that matches in them."""

    def matches(self, name: str) -> bool:
        """Whether `name` matches."""
        ...


class Pattern:
    """A regular expression; it ignores case."""

    __slots__ = ("_validator",)

    def __init__(self, value: Value) -> None:
        """Compile `value`.

        Raises:
            QueryError: it is no regular expression, or not one of those that are supported.
        """
        import jsonschema_rs  # a tenth of a second, for those filters that need it

        limits = jsonschema_rs.RegexOptions(
            size_limit=MAX_COMPILED_BYTES, dfa_size_limit=MAX_COMPILED_BYTES
        )
        try:
            self._validator = jsonschema_rs.validator_for(
                {"pattern": f"(?i){value.text}"}, pattern_options=limits
            )
        except ValueError as error:
            raise _unusable(value) from error

    def matches(self, name: str) -> bool:
        """Whether the expression matches anywhere in `name`."""
        try:
            return self._validator.is_valid(name)
        except ValueError:  # half of a surrogate pair, which JSON may contain
            return self._validator.is_valid(name.encode("utf-8", "replace").decode())

    def find_in(self, raws: Sequence[bytes]) -> list[int]:
        """Return the positions in `raws` of those in whose text the expression matches, in order."""
        is_valid = self._validator.is_valid
        return [at for at, raw in enumerate(raws) if is_valid(raw.decode("utf-8", "replace"))]


def _unusable(value: Value) -> QueryError:
    begin = value.position + 1
    if found := _BACKTRACKING.search(value.text):
        text = "Lookaround and backreferences are not supported in regular expressions"
        return QueryError(text, begin + found.start(), stop=begin + found.end())
    try:
        re.compile(value.text)
    except re.error as error:
        at = begin + (error.pos or 0)
        stop = max(min(at + 1, value.stop), begin)
        return QueryError(f"Invalid regular expression: {error.msg}", min(at, stop), stop=stop)
    except (OverflowError, RecursionError):
        pass
    text = "The regular expression is too large or uses unsupported syntax"
    return QueryError(text, value.position, stop=value.stop)


def name_patterns(value: Value) -> list[NamePattern]:
    """Return the patterns of a value; a name matches if it matches one of them."""
    if value.is_pattern:
        return [Pattern(value)]
    return [Glob(alternative.pieces) for alternative in value.alternatives]


def matches_any(patterns: Sequence[NamePattern], name: str) -> bool:
    """Whether `name` matches one of the patterns."""
    return any(pattern.matches(name) for pattern in patterns)


def part_patterns(value: Value) -> list[NamePattern]:
    """Return the patterns of a value that match anywhere in a text."""
    if value.is_pattern:
        return [Pattern(value)]
    return [Glob(["", *alternative.pieces, ""]) for alternative in value.alternatives]
