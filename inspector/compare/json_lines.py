"""JSON text as indented lines: values as they are written, short objects and arrays on one line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

from inspector.compare.json_text import ARRAY, OBJECT, STRING, items, kind, members, readable
from inspector.compare.rows import MAX_LINE, Line
from inspector.visible_text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.compare.json_text import JsonText

MAX_ONE_LINE = 76
"""Bytes of an object or array of plain values that is written on one line."""

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
