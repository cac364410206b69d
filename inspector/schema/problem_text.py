"""The text of a validation error, for display beside a field.

One row for each keyword; an error without a row keeps the validator's own text. Texts are cut to a few lines, because they quote
the server or the user.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jsonschema_rs import ValidationErrorKind as Kinds

from inspector.visible_text import one_line

if TYPE_CHECKING:
    from collections.abc import Callable

    import jsonschema_rs

MAX_TEXT = 240
"""Longer texts are cut."""

_TYPES = {
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "boolean": "a boolean",
    "object": "an object",
    "array": "an array",
    "null": "null",
}


def text_of(error: jsonschema_rs.ValidationError) -> str:
    """Return what is wrong."""
    describe = _TEXTS.get(type(error.kind))
    text = describe(error) if describe else error.message
    return one_line(text, MAX_TEXT)


def _type(error: jsonschema_rs.ValidationError) -> str:
    names = error.kind.types if isinstance(error.kind, Kinds.Type) else []
    return f"must be {' or '.join(_TYPES.get(name, name) for name in names)}"


def _count(text: str, unit: str, units: str) -> Callable[[jsonschema_rs.ValidationError], str]:
    def describe(error: jsonschema_rs.ValidationError) -> str:
        limit = str(getattr(error.kind, "limit", ""))
        return f"must have {text} {limit} {unit if limit == '1' else units}"

    return describe


def _limit(text: str) -> Callable[[jsonschema_rs.ValidationError], str]:
    return lambda error: f"must be {text} {getattr(error.kind, 'limit', '')}"


def _step(error: jsonschema_rs.ValidationError) -> str:
    return f"must be a multiple of {getattr(error.kind, 'multiple_of', '')}"


def _pattern(error: jsonschema_rs.ValidationError) -> str:
    return f"does not match the pattern {getattr(error.kind, 'pattern', '')}"


def _format(error: jsonschema_rs.ValidationError) -> str:
    return f"is not a valid {getattr(error.kind, 'format', '')}"


def _fixed(text: str) -> Callable[[jsonschema_rs.ValidationError], str]:
    return lambda _error: text


_TEXTS: dict[type[Kinds], Callable[[jsonschema_rs.ValidationError], str]] = {
    Kinds.Type: _type,
    Kinds.Minimum: _limit("at least"),
    Kinds.Maximum: _limit("at most"),
    Kinds.ExclusiveMinimum: _limit("greater than"),
    Kinds.ExclusiveMaximum: _limit("less than"),
    Kinds.MultipleOf: _step,
    Kinds.MinLength: _count("at least", "character", "characters"),
    Kinds.MaxLength: _count("at most", "character", "characters"),
    Kinds.MinItems: _count("at least", "item", "items"),
    Kinds.MaxItems: _count("at most", "item", "items"),
    Kinds.MinProperties: _count("at least", "key", "keys"),
    Kinds.MaxProperties: _count("at most", "key", "keys"),
    Kinds.AdditionalItems: _fixed("has more items than the schema allows"),
    Kinds.UniqueItems: _fixed("has duplicate items"),
    Kinds.Pattern: _pattern,
    Kinds.Format: _format,
    Kinds.Enum: _fixed("is not an allowed value"),
    Kinds.FalseSchema: _fixed("is not allowed by the schema"),
    Kinds.Not: _fixed("is excluded by the schema (not)"),
    Kinds.Contains: _fixed("lacks a required item (contains)"),
    Kinds.AnyOf: _fixed("matches none of the variants"),
    Kinds.OneOfNotValid: _fixed("matches none of the variants"),
    Kinds.OneOfMultipleValid: _fixed("matches more than one variant"),
    Kinds.BacktrackLimitExceeded: _fixed("pattern not validated (too slow)"),
    Kinds.RegexEngineFailure: _fixed("pattern not validated (unsupported)"),
}
"""Kind of error → its text."""
