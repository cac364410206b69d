"""The arguments of a call in short, for a row of a table."""

from __future__ import annotations

from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

MAX_BYTES = 4000
"""Longer arguments are not read for a row."""


def brief_arguments(text: str) -> str:
    """Return the JSON object in `text` as in `city: lisbon, days: 2`; any other text as it is."""
    if len(text) > MAX_BYTES:
        return text
    try:
        value = json_codec.read(text.encode("utf-8", "surrogatepass")).value
    except (JsonSyntaxError, ValueError):
        return text
    if not isinstance(value, dict):
        return text
    parts = (
        f"{name}: {each if isinstance(each, str) else json_codec.write(each)}"
        for name, each in value.items()
    )
    return ", ".join(parts) or "no arguments"
