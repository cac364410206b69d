"""The names of JSON types, and short values, for display."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inspector.wire.json_codec import RawNumber

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

MAX_TEXT = 40
"""Characters of a text that still fit into a sentence."""

_LARGE = 10**MAX_TEXT

_NAMES: tuple[tuple[type, str], ...] = ((str, "a string"), (dict, "an object"), (list, "an array"))


def type_text(value: Json) -> str:
    """Say what kind of value it is, with its article: "null", "true", "a number", "a list"."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return next((text for kind, text in _NAMES if isinstance(value, kind)), "a number")


def is_integer(value: Json) -> bool:
    """Whether it is an integer in JSON, of any length."""
    if isinstance(value, RawNumber):
        return value.text.lstrip("-").isdigit()
    return isinstance(value, int) and not isinstance(value, bool)


LARGEST_NUMBER = 1e15
"""Beyond it, a number is read as this one: a server may send one with thousands of digits."""


def number_of(value: Json) -> float | None:
    """Return a number, bounded to `LARGEST_NUMBER` in both directions; None for any other value."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return None
    return float(max(-LARGEST_NUMBER, min(value, LARGEST_NUMBER)))


def format_value(value: Json) -> str:
    """Show a simple value itself, anything else by its kind."""
    if isinstance(value, str):
        return repr(value) if len(value) <= MAX_TEXT else "a long string"
    if isinstance(value, RawNumber):
        return _number_text(value.text)
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < _LARGE:
        return str(value)
    return type_text(value)


def _number_text(text: str) -> str:
    """A number as it was written; one of very many digits by their count."""
    if len(text) <= MAX_TEXT:
        return text
    digits = text.lstrip("-")
    return f"an integer of {len(digits):,} digits" if digits.isdigit() else "a very long number"
