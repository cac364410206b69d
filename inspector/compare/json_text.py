"""JSON text read one level at a time: what is equal on both sides is never parsed. Numbers and strings keep how they are written.

Source: RFC 8259. Of duplicate names the last one counts, as in `json_codec`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import msgspec

from inspector.wire import incremental_json, json_codec
from inspector.wire.json_codec import JsonSyntaxError

if TYPE_CHECKING:
    from inspector.json_value import Json

JsonText: TypeAlias = msgspec.Raw
"""One JSON value as text, without white space around it."""

OBJECT, ARRAY, STRING = b"{", b"[", b'"'
"""The first byte of values of these types."""

_BOM = b"\xef\xbb\xbf"
_SPACE = b" \t\r\n"
_FAILURES = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)


def json_text(raw: bytes) -> JsonText:
    """Return the text of a message without a byte order mark and white space around it."""
    return msgspec.Raw(raw.removeprefix(_BOM).strip(_SPACE))


def kind(text: JsonText) -> bytes:
    """Return the first byte, which tells the type."""
    return bytes(memoryview(text)[:1])


def members(text: JsonText) -> dict[str, msgspec.Raw] | None:
    """Return the members of an object, unread; None for text that cannot be read."""
    try:
        return incremental_json.decode_members(text)
    except _FAILURES:
        value = _tolerant(text)
        return (
            {name: _raw(each) for name, each in value.items()} if isinstance(value, dict) else None
        )


def items(text: JsonText) -> list[msgspec.Raw] | None:
    """Return the items of an array, unread; None for text that cannot be read."""
    try:
        return incremental_json.decode_items(text)
    except _FAILURES:
        value = _tolerant(text)
        return [_raw(each) for each in value] if isinstance(value, list) else None


def string(text: JsonText) -> str | None:
    """Return the value of a string; None for other types and for text that cannot be read."""
    if kind(text) != STRING:
        return None
    try:
        value = json_codec.read_value(text)
    except JsonSyntaxError:
        return None
    return value if isinstance(value, str) else None


def is_same(old: JsonText, new: JsonText) -> bool:
    """Return whether two texts are equal byte by byte, or strings of equal value."""
    if old == new:
        return True
    is_string = kind(old) == kind(new) == STRING
    has_escapes = is_string and (b"\\" in bytes(old) or b"\\" in bytes(new))
    return has_escapes and string(old) == string(new) is not None


def readable(text: JsonText) -> str:
    """Return the text as characters; bytes that are not UTF-8 are replaced."""
    return bytes(text).decode("utf-8", "replace")


def _tolerant(text: JsonText) -> Json:
    try:
        return json_codec.read(bytes(text)).value
    except JsonSyntaxError:
        return None


def _raw(value: Json) -> msgspec.Raw:
    return msgspec.Raw(json_codec.write_bytes(value))
