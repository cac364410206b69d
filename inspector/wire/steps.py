"""Reading large JSON in steps, so that an event loop can do other things between them. Pure; the values are those of `jsontext`.

Only what holds large text is taken apart: containers of few members, and long strings. Many small items are read in batches, which
is a great deal faster than one by one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec

from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Generator

    from inspector.wire.json_codec import Json

Reading: TypeAlias = "Generator[None, None, Json]"
"""Steps, and at their end the value."""

STEP = 4 << 20
"""Bytes of text that are read at once."""

FEW = 64
"""Members of a container that is taken apart one by one."""

BATCH = 1 << 20
"""Bytes of small items of an array that are read at once: many small values take longer than one large text."""

MAX_ESCAPE = 12
"""Bytes of a surrogate pair, written as two escapes."""

members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
"""The members of an object, unread."""

items_of = msgspec.json.Decoder(list[msgspec.Raw]).decode
"""The items of an array, unread."""


def reading(text: bytes | msgspec.Raw) -> Reading:
    """Read `text`, which is JSON."""
    first = bytes(memoryview(text)[:1])
    if len(text) <= STEP:
        return json_codec.read_value(text)
    try:
        if first == b'"':
            return (yield from _string(memoryview(text)[1:-1]))
        if first == b"{":
            return (yield from _object(text))
        if first == b"[":
            return (yield from _array(text))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass  # needs a tolerance
    return json_codec.read_value(text)


def _object(text: bytes | msgspec.Raw) -> Reading:
    found = members(text)
    yield
    if len(found) > FEW:
        return json_codec.read_value(text)
    value: dict[str, Json] = {}
    for name, member in found.items():
        value[name] = yield from reading(member)
    return value


def _array(text: bytes | msgspec.Raw) -> Reading:
    items = items_of(text)
    yield
    if len(items) > FEW:
        return (yield from _many(items))
    value: list[Json] = []
    for item in items:
        value.append((yield from reading(item)))  # noqa: PERF401 - a comprehension cannot yield
    return value


def _many(items: list[msgspec.Raw]) -> Reading:
    """Small items together, as many as make up a batch."""
    value: list[Json] = []
    batch: list[msgspec.Raw] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item)
        if size >= BATCH:
            value += _together(batch)
            batch, size = [], 0
            yield
    return value + _together(batch)


def _together(items: list[msgspec.Raw]) -> list[Json]:
    return cast("list[Json]", json_codec.read_value(b"[%b]" % b",".join(items)))


def _string(inside: memoryview) -> Reading:
    parts: list[str] = []
    start = 0
    while start < len(inside):
        stop = _seam(inside, start + STEP)
        parts.append(cast("str", json_codec.read_value(b'"%b"' % inside[start:stop])))
        start = stop
        yield
    return "".join(parts)


def _seam(inside: memoryview, wanted: int) -> int:
    """A place near `wanted` that is inside neither an escape nor a character; the end, if none is found."""
    for at in range(wanted, min(wanted + STEP, len(inside))):
        is_between = inside[at] & 0xC0 != 0x80  # no byte in the middle of a character
        if is_between and b"\\" not in bytes(inside[max(at - MAX_ESCAPE, 0) : at]):
            return at
    return len(inside)
