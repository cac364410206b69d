"""Parts of JSON text that is too large to be read at once: the whole in steps, between which an event loop runs, or its beginning alone. Pure.

The values are those of `json_codec`. Read in steps are containers of few members, and long strings. Many small items are read in batches,
which is a great deal faster than one by one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec

from inspector.wire import json_codec, json_pages
from inspector.wire.json_pages import decode_items

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from inspector.wire.json_codec import Json

Reading: TypeAlias = "Generator[None, None, Json]"
"""Yields after each step, and returns the value."""

STEP_BYTES = 4 << 20
"""Text that is read at once."""

MAX_MEMBERS = 64
"""A container of more members is not read member by member."""

BATCH_BYTES = 1 << 20
"""Small items of an array that are read at once: many small values take longer than one large text."""

MAX_ESCAPE_BYTES = 12
"""A surrogate pair, written as two escapes."""

BEGINNING_BYTES = 16 << 10
"""The beginning that is read of a text: some milliseconds of work."""

decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
"""The members of an object, unread."""


def read_incrementally(text: bytes | msgspec.Raw) -> Reading:
    """Read `text`, which is JSON, in steps."""
    start = bytes(memoryview(text)[:1])
    if len(text) <= STEP_BYTES:
        return json_codec.read_value(text)
    try:
        if start == b'"':
            return (yield from _string(memoryview(text)[1:-1]))
        if start == b"{":
            return (yield from _object(text))
        if start == b"[":
            return (yield from _array(text))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        pass  # needs a tolerance
    return json_codec.read_value(text)


def _object(text: bytes | msgspec.Raw) -> Reading:
    members = decode_members(text)
    yield
    if len(members) > MAX_MEMBERS:
        return json_codec.read_value(text)
    value: dict[str, Json] = {}
    for name, member in members.items():
        value[name] = yield from read_incrementally(member)
    return value


def _array(text: bytes | msgspec.Raw) -> Reading:
    if json_pages.has_many_items(text):
        return (yield from _pages(text))
    items = decode_items(text)
    yield
    if len(items) > MAX_MEMBERS:
        return (yield from _batches(items))
    value: list[Json] = []
    for item in items:
        value.append((yield from read_incrementally(item)))  # noqa: PERF401 - a comprehension cannot yield
    return value


def _pages(text: bytes | msgspec.Raw) -> Reading:
    value: list[Json] = []
    inner = json_pages.items_text(text)
    start = 0
    for page in json_pages.pages(inner):
        if page.count == 1 and page.stop - page.start > STEP_BYTES:
            value += _read_text(inner[start : max(page.start - 1, start)])
            value.append((yield from read_incrementally(json_pages.page_items(inner, page)[0])))
            start = page.stop + 1
        elif page.stop - start >= BATCH_BYTES:
            value += _read_text(inner[start : page.stop])
            start = page.stop + 1
            yield
    return value + _read_text(inner[start:])


def _batches(items: list[msgspec.Raw]) -> Reading:
    value: list[Json] = []
    batch: list[msgspec.Raw] = []
    size = 0
    for item in items:
        batch.append(item)
        size += len(item)
        if size >= BATCH_BYTES:
            value += _read_batch(batch)
            batch, size = [], 0
            yield
    return value + _read_batch(batch)


def _read_batch(items: list[msgspec.Raw]) -> list[Json]:
    return _read_text(b",".join(items))


def _read_text(items: bytes | memoryview) -> list[Json]:
    return cast("list[Json]", json_codec.read_value(b"[%b]" % items))


def _string(content: memoryview) -> Reading:
    parts: list[str] = []
    start = 0
    while start < len(content):
        stop = _cut_position(content, start, start + STEP_BYTES)
        parts.append(cast("str", json_codec.read_value(b'"%b"' % content[start:stop])))
        start = stop
        yield
    return "".join(parts)


def _cut_position(content: memoryview, start: int, position: int) -> int:
    """Return the next position from `position` on that is inside neither an escape nor a character, as `start` is not."""
    before = max(position - MAX_ESCAPE_BYTES, start)
    backslashes = before - start - len(bytes(content[start:before]).rstrip(b"\\"))
    at = (
        before - backslashes % 2
    )  # an escape begins here, if anything but one, or the rest of one, does
    while at < position and (found := _SIGN.match(content, at)) is not None:
        at = found.end()
    return at


_SIGN = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\][\x80-\xbf]{0,3}",
    re.DOTALL,
)
"""A character of a string, or the rest of one whose beginning was cut off."""


_TOKEN = re.compile(
    rb'"(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*(?P<end>"?)|[][{},:]', re.DOTALL
)  # an escape that was cut is no part of its string
_CLOSERS = {b"{": b"}", b"[": b"]"}


class CutArray(list["Json"]):
    """The first items of an array that continues beyond the beginning; its length is not the length of the array."""


class CutString(str):
    """The first characters of a string that continues beyond the beginning."""

    __slots__ = ()


def read_beginning(text: bytes, limit: int = BEGINNING_BYTES) -> Json:
    """Return the value of the first `limit` bytes of JSON `text`: what is open at their end is closed, as a `CutArray` or `CutString`.

    Raises:
        JsonSyntaxError: it does not begin like JSON.
    """
    if len(text) <= limit:
        return json_codec.read_value(text)
    closed, closers, in_string = _close(text[:limit])
    return _mark(json_codec.read_value(closed), len(closers), in_string=in_string)


def _close(beginning: bytes) -> tuple[bytes, list[bytes], bool]:
    """Return the text up to where it can be cut, closed; what closes it; and whether it was cut within a string."""
    closers: list[
        bytes
    ] = []  # the text can be cut at `safe` with these open: only a bracket changes them, and it is safe
    safe, is_name = 0, False
    for token, start, end, is_whole in _tokens(beginning):
        if token in _CLOSERS:
            closers.append(_CLOSERS[token])
            safe, is_name = end, token == b"{"
        elif token in {b"}", b"]"}:
            del closers[-1:]
            safe = end
        elif token == b",":
            safe, is_name = start, closers[-1:] == [b"}"]
        elif token == b":":
            is_name = False
        elif not is_whole and not is_name:
            string = beginning[:end].decode("utf-8", "ignore").encode()  # no half of a character
            return string + b'"' + b"".join(reversed(closers)), closers, True
    return beginning[:safe] + b"".join(reversed(closers)), closers, False


def _tokens(beginning: bytes) -> Iterator[tuple[bytes, int, int, bool]]:
    """Yield brackets, signs and strings: text (of a string its quote alone), start, end, and whether it is whole."""
    for found in _TOKEN.finditer(beginning):
        token = found[0][:1]
        yield token, found.start(), found.end(), token != b'"' or bool(found["end"])


def _mark(value: Json, depth: int, *, in_string: bool) -> Json:
    """Mark what continues beyond the cut: the last item of the last item, `depth` levels deep."""
    if depth and isinstance(value, dict):
        for name in list(value)[-1:]:
            value[name] = _mark(value[name], depth - 1, in_string=in_string)
        return value
    if depth and isinstance(value, list):
        items = CutArray(value)
        if items:
            items[-1] = _mark(items[-1], depth - 1, in_string=in_string)
        return items
    return CutString(value) if in_string and isinstance(value, str) else value
