"""Values for reading in a terminal: long strings cut."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inspector.wire.jsontext import Json

LONGEST_TEXT = 400
"""Characters of a string inside a block that is no text; `--json` prints all of it."""

DEEPEST = 100
"""Levels that are looked into for long strings."""


def shortened(value: Json, depth: int = 0) -> Json:
    """Return `value` with long strings cut: nobody reads images and audio as base64."""
    if depth > DEEPEST:
        return value
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"{value[:LONGEST_TEXT]}… ({len(value):,} characters)"
    if isinstance(value, list):
        return [shortened(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {key: shortened(item, depth + 1) for key, item in value.items()}
    return value
