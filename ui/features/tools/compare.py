"""Two calls of one tool, line against line."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from inspector.wire import json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from inspector.features.tools import ToolCall

LINES = 5000
"""Lines of each side that are compared; the rest is said to be left out."""

BYTES = 1 << 20
"""Bytes of each response that are laid out in lines."""


def comparison(before: ToolCall, after: ToolCall) -> str:
    """Return a unified diff of arguments and response; a sentence if both are identical."""
    sides = ("before", "now")
    if before.run.number != after.run.number:
        sides = (f"in run {before.run.number}", f"in run {after.run.number}")
    parts = [
        _diff("arguments", sides, before.arguments or "", after.arguments or ""),
        _diff("response", sides, _response(before), _response(after)),
    ]
    return "\n".join(part for part in parts if part) or "Arguments and response are identical."


def _diff(what: str, sides: tuple[str, str], old: str, new: str) -> str:
    left, right = _lines(old), _lines(new)
    lines = difflib.unified_diff(
        left[:LINES], right[:LINES], f"{what} {sides[0]}", f"{what} {sides[1]}", lineterm=""
    )
    text = "\n".join(lines)
    cut = max(len(left), len(right)) - LINES
    return f"{text}\n({cut:,} more lines not compared)" if cut > 0 else text


def _lines(text: str) -> list[str]:
    if len(text) > BYTES:
        return [text[:BYTES]]
    try:
        return json_codec.write(json_codec.read(text.encode()).value, indent=2).splitlines()
    except (JsonSyntaxError, ValueError):
        return text.splitlines()


def _response(call: ToolCall) -> str:
    raw = call.message
    if len(raw) > BYTES:
        return f"({len(raw):,} bytes: too large to compare)"
    try:
        value = json_codec.read(raw).value if raw else None
    except JsonSyntaxError:
        return raw.decode("utf-8", "replace")
    if isinstance(value, dict):
        value = {key: member for key, member in value.items() if key not in {"id", "jsonrpc"}}
    return json_codec.write(value)
