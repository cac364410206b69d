"""Values for reading in a terminal: long strings cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.jsontext import Json

MAX_STRING_LENGTH = 400
"""Characters of a string inside a block that is no text; `--json` prints all of it."""

MAX_DEPTH = 100
"""Levels that are looked into for long strings."""


def shorten_strings(value: Json, depth: int = 0) -> Json:
    """Return `value` with long strings cut: nobody reads images and audio as base64."""
    if depth > MAX_DEPTH:
        return value
    if isinstance(value, str) and len(value) > MAX_STRING_LENGTH:
        return f"{value[:MAX_STRING_LENGTH]}… ({len(value):,} characters)"
    if isinstance(value, list):
        return [shorten_strings(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: shorten_strings(item, depth + 1) for key, item in value.items()}
    return value
