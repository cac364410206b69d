"""JSON text as indented lines: values as they are written, short objects and arrays on one line."""

from __future__ import annotations

import base64
import json
import re
from contextlib import suppress
from typing import TYPE_CHECKING, TypeAlias

from inspector.compare.json_text import ARRAY, OBJECT, STRING, items, kind, members, readable
from inspector.compare.rows import MAX_LINE, Line
from inspector.visible_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.compare.json_text import JsonText

MAX_ONE_LINE = 76
"""Bytes of an object or array of plain values that is written on one line."""

SAMPLE = 20
"""Characters of base64 text that are displayed."""

_BASE64 = re.compile(rb'"[A-Za-z0-9+/_-]+={0,2}"')

_MIXED = tuple(map(re.compile, (rb"[A-Z]", rb"[a-z]", rb"[0-9]")))

_Parts: TypeAlias = "dict[str, JsonText] | list[JsonText]"
"""The parts of an object or of an array."""

MAX_DEPTH = 150
"""Levels; what is deeper is written on one line."""


def value_lines(text: JsonText, depth: int = 0, name: str = "", tail: str = "") -> Iterator[Line]:
    """Yield the lines of a value; `name` precedes it, and `tail` is the comma that follows it."""
    if kind(text) not in {OBJECT, ARRAY} or depth > MAX_DEPTH:
        yield Line(depth, f"{name}{scalar_text(text)}{tail}")
        return
    parts = (members(text) or {}) if kind(text) == OBJECT else (items(text) or [])
    brief = one_line(text, parts)
    if brief:
        yield Line(depth, f"{name}{brief}{tail}")
        return
    opening, closing = brackets(text)
    yield Line(depth, f"{name}{opening}")
    last = len(parts) - 1
    for at, (part_name, part) in enumerate(_named(parts)):
        yield from value_lines(part, depth + 1, part_name, "," if at < last else "")
    yield Line(depth, f"{closing}{tail}")


def brackets(text: JsonText) -> tuple[str, str]:
    """Return what opens and closes an object or array."""
    return ("{", "}") if kind(text) == OBJECT else ("[", "]")


def _named(parts: _Parts) -> Iterator[tuple[str, JsonText]]:
    """Yield the parts of an object or array with their names, as `member_name` writes them; items have none."""
    if isinstance(parts, dict):
        for name, part in parts.items():
            yield member_name(name), part
    else:
        for part in parts:
            yield "", part


def one_line(text: JsonText, parts: _Parts) -> str:
    """Return a short object or array of plain values on one line; empty for a larger one."""
    opening, closing = brackets(text)
    if not parts:
        return visible(readable(text)[:MAX_LINE])
    if len(text) > MAX_ONE_LINE:
        return ""
    named = list(_named(parts))
    if any(kind(part) in {OBJECT, ARRAY} for _, part in named):
        return ""
    inner = ", ".join(f"{name}{scalar_text(part)}" for name, part in named)
    return f"{opening} {inner} {closing}" if opening == "{" else f"{opening}{inner}{closing}"


def member_name(name: str) -> str:
    """Return the name of a member as it precedes the value."""
    return f"{visible(json.dumps(name[:MAX_LINE], ensure_ascii=False))}: "


def binary_text(text: JsonText) -> str:
    """Return what base64 text of some length holds, with the size of an image; empty for any other value."""
    if kind(text) != STRING or len(text) <= MAX_LINE or not _BASE64.fullmatch(bytes(text)):
        return ""
    data = bytes(text)[1:-1]
    if not all(each.search(data) for each in _MIXED):  # a long name is no base64
        return ""
    count = len(data.rstrip(b"=")) * 3 // 4
    start = base64.b64decode(data[:32], altchars=b"-_" if b"-" in data or b"_" in data else None)
    found = _image_size(start)
    parts = (f'"{data[:SAMPLE].decode()}…"', found, f"{count:,} bytes")
    return " · ".join(part for part in parts if part)


def binary_of(text: JsonText | None, max_bytes: int) -> bytes:
    """Return what base64 text holds; empty for any other value, and for text that is longer than `max_bytes`."""
    if text is None or len(text) > max_bytes or kind(text) != STRING:
        return b""
    if not _BASE64.fullmatch(bytes(text)):
        return b""
    data = bytes(text)[1:-1].replace(b"-", b"+").replace(b"_", b"/").rstrip(b"=")
    with suppress(ValueError):
        return base64.b64decode(data + b"=" * (-len(data) % 4))
    return b""


def _image_size(start: bytes) -> str:
    """Return the type and the size in pixels of an image that begins so; empty for other data."""
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        width, height = int.from_bytes(start[16:20], "big"), int.from_bytes(start[20:24], "big")
        return f"PNG {width:,}×{height:,}"
    if start.startswith((b"GIF87a", b"GIF89a")):
        width, height = (int.from_bytes(start[at : at + 2], "little") for at in (6, 8))
        return f"GIF {width:,}×{height:,}"
    return "JPEG" if start.startswith(b"\xff\xd8\xff") else ""


def scalar_text(text: JsonText) -> str:
    """Return a plain value as it is written; of a long one, the beginning and its length."""
    if len(text) <= MAX_LINE:
        return visible(readable(text))
    start = visible(bytes(memoryview(text)[:MAX_LINE]).decode("utf-8", "ignore"))
    return (
        f'{start}…" · {len(text):,} bytes'
        if kind(text) == STRING
        else f"{start}… · {len(text):,} bytes"
    )
