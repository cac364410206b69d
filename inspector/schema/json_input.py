"""JSON as a user types it, and exact values as the validator needs them. Pure functions that never raise."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING
from inspector.wire.json_codec import JsonSyntaxError, RawJson, RawNumber, read

if TYPE_CHECKING:
    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json


def json_problem(text: str) -> str:
    """Return why a text is not JSON; an empty string if it is."""
    try:
        read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError as error:
        return problem_of(text, error)
    return ""


def problem_of(text: str, error: JsonSyntaxError) -> str:
    """Return the text of `error` about `text`, with the position."""
    if not text.strip():
        return "no JSON"
    return f"not JSON: {error.reason.lower()} {_position_text(text, error.position)}"


def is_json(text: str) -> bool:
    """Return whether a text is JSON."""
    return not json_problem(text)


def parsed(text: str) -> Json:
    """The value of a text; as raw text where reading it would lose something."""
    try:
        found = read(text.encode("utf-8", "surrogatepass"))
    except JsonSyntaxError:
        return RawJson(text)
    lossy = any(note.rule == "duplicate-key" for note in found.notes)
    return RawJson(text) if lossy else found.value


def _position_text(text: str, position: int) -> str:
    line = text.count("\n", 0, position) + 1
    column = position - text.rfind("\n", 0, position)
    return f"at line {line}, column {column}" if line > 1 else f"at character {column}"


NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
"""A number as JSON writes it."""

_HALF = re.compile("[\ud800-\udfff]")


def typed(text: str) -> JsonOrMissing:
    """What a text in a field for numbers means: a number if it is spelled like one, else itself; nothing if empty."""
    stripped = text.strip()
    if not stripped:
        return MISSING
    return parsed(stripped) if NUMBER.fullmatch(stripped) else text


def plain(value: Json) -> Json:
    """A value the validator understands: decimals for spelled numbers, no halves of surrogate pairs, raw text read."""
    if isinstance(value, dict):
        return {_whole(key): plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, RawNumber):
        return _decimal(value)
    if isinstance(value, str):
        return _read_again(value) if isinstance(value, RawJson) else _whole(value)
    return value


def _read_again(raw: RawJson) -> Json:
    try:
        return plain(read(raw.encode("utf-8", "surrogatepass")).value)
    except JsonSyntaxError:
        return None


def _whole(text: str) -> str:
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def _decimal(number: RawNumber) -> Json:
    try:
        made = Decimal(number.text)
    except InvalidOperation:
        return float(number)
    return made if made.is_finite() else None  # type: ignore[return-value] # the validator takes decimals
