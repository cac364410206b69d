"""Exact JSON values as the validator wants them."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from inspector.schema.json_edit import MISSING
from inspector.schema.json_input import parsed
from inspector.wire.json_codec import JsonSyntaxError, RawJson, RawNumber, read

if TYPE_CHECKING:
    from inspector.schema.json_edit import JsonOrMissing
    from inspector.wire.json_codec import Json

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
