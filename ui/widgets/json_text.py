"""JSON values as one brief line each, as written on the wire, and the search for a text in them. Pure; a line costs the same for any size.

Source: RFC 6901 for pointers.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeGuard

import msgspec

from inspector.visible_text import visible
from inspector.wire.incremental_json import read_beginning
from inspector.wire.json_codec import RawJson, RawNumber, is_text
from inspector.wire.lazy_json import LazyArray, LazyObject, LongArray

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json

MAX_STRING = 500
"""Characters of a string in a row."""
MAX_BRIEF = 90
"""Characters of a container in a row."""
BRIEF_ITEMS = 6
"""Members of a container in a row."""
_INNER_CHARACTERS = 40
"""Characters of each of them."""

DEFERRED_BYTES = 4 << 20
"""Text of a value that is read in a turn of its own: that takes up to 2 ns a byte at each level."""
_BEGINNING_BYTES = 1000
"""Of a string that is not read, what is."""

KIND_TONES = {
    "string": "string",
    "number": "number",
    "boolean": "keyword",
    "null": "keyword",
    "object": "muted",
    "array": "muted",
}
"""JSON type → name of its color."""

PAUSE_EVERY = 500
"""Values searched between two pauses."""


def kind_of(value: Json) -> str:
    """The JSON type by its name in JSON Schema."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if is_text(value):
        return "string"
    if isinstance(value, RawJson):
        return "array" if value.startswith("[") else "object"
    return "array" if isinstance(value, list) else "object"


def kind_of_text(text: msgspec.Raw) -> str:
    """The JSON type of the value that a long text is."""
    first = bytes(memoryview(text)[:1])
    return {b"{": "object", b"[": "array", b'"': "string"}.get(first, "number")


def is_deferred(value: Json | msgspec.Raw) -> TypeGuard[msgspec.Raw]:
    """Whether a value is text so long that it is read in a turn of its own."""
    return isinstance(value, msgspec.Raw) and len(value) > DEFERRED_BYTES


def describe(value: Json) -> str:
    """Type and extent: `string · 12`, `array · 3`, `number`."""
    kind = kind_of(value)
    if isinstance(value, RawJson):
        return f"{kind} · nested too deeply"
    return f"{kind} · {extent(value)}" if isinstance(value, (str, list, dict)) else kind


def extent(value: Json) -> str:
    """The number of characters or members; of very many items that are not counted, those known so far and a plus sign."""
    if isinstance(value, LongArray):
        value.find_items(1)
    if isinstance(value, LongArray) and not value.is_counted:
        return f"{value.known:,}+"
    return f"{len(value):,}" if isinstance(value, (str, list, dict)) else ""


def brief(value: Json, limit: int = MAX_STRING) -> str:
    """The value in one line of about `limit` characters."""
    if isinstance(value, (dict, list)):
        return _brief_container(value)
    return _brief_scalar(value, limit)


def _brief_scalar(value: Json, limit: int) -> str:
    if isinstance(value, RawJson):
        return visible(value[:limit]) + ("…" if len(value) > limit else "")
    if isinstance(value, str):
        literal = visible(json.dumps(value[:limit], ensure_ascii=False))
        return f"{literal[:-1]}…" if len(value) > limit else literal
    if isinstance(value, RawNumber):
        return value.text if len(value.text) <= limit else f"{value.text[:limit]}…"
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return json.dumps(value)


def _brief_container(value: Json) -> str:
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    parts: list[str] = []
    used = 0
    for text in _member_texts(value):
        if len(parts) == BRIEF_ITEMS or used + len(text) > MAX_BRIEF:
            parts.append("…")
            break
        parts.append(text)
        used += len(text)
    return f"{opening}{', '.join(parts)}{closing}"


def _member_texts(value: Json) -> Iterator[str]:
    if isinstance(value, dict):
        for key in value:
            member = value.unread(key) if isinstance(value, LazyObject) else value[key]
            text = _unread_text(member) if is_deferred(member) else _inner(value[key])
            yield f"{visible(key[:40])}: {text}"
    elif isinstance(value, LazyArray):
        for at, item in enumerate(value.unread(0, BRIEF_ITEMS + 1)):
            yield _unread_text(item) if is_deferred(item) else _inner(value[at])
    elif isinstance(value, list):
        yield from (_inner(item) for item in value)


def _unread_text(text: msgspec.Raw) -> str:
    """What `_inner` gives of a large value, without its extent."""
    kind = kind_of_text(text)
    if kind == "number":
        return f"{bytes(memoryview(text)[:_INNER_CHARACTERS]).decode()}…"
    if kind != "string":
        return "{…}" if kind == "object" else "[…]"
    start = bytes(memoryview(text)[: _BEGINNING_BYTES + 1])
    return _inner(read_beginning(start, _BEGINNING_BYTES))


def _inner(value: Json) -> str:
    if isinstance(value, dict):
        return "{…}" if value else "{}"
    if isinstance(value, list):
        return f"[{extent(value)}]" if value else "[]"
    return _brief_scalar(value, _INNER_CHARACTERS)


def pointer_part(key: str | int) -> str:
    """One step of a JSON pointer, with its slash."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")


def pointer_keys(pointer: str) -> list[str]:
    """The steps of a JSON pointer; a number may be a name or an index."""
    if not pointer:
        return []
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def matches(value: Json, text: str) -> Iterator[str | None]:
    """JSON pointers of values whose key or own text contains `text`, in order; None now and then, to let the caller pause.

    Case matters only if `text` has capitals.
    """
    fold = text == text.lower()
    pending: list[Iterator[tuple[str, str, Json]]] = [iter([("", "", value)])]
    seen = 0
    while pending:
        found = next(pending[-1], None)
        if found is None:
            pending.pop()
            continue
        pointer, key, item = found
        if _holds(key, text, fold=fold) or _holds(_own_text(item), text, fold=fold):
            yield pointer
        pending.append(_members(pointer, item))
        seen += 1
        if seen % PAUSE_EVERY == 0:
            yield None


def _holds(text: str, message: str, *, fold: bool) -> bool:
    return message in (text.lower() if fold else text)


def _own_text(value: Json) -> str:
    if isinstance(value, str):
        return value
    return "" if isinstance(value, (dict, list)) else brief(value)


def _members(pointer: str, value: Json) -> Iterator[tuple[str, str, Json]]:
    if isinstance(value, dict):
        return ((pointer + pointer_part(key), key, item) for key, item in value.items())
    if isinstance(value, list):
        return ((f"{pointer}/{row}", "", item) for row, item in enumerate(value))
    return iter(())
