"""The beginning of JSON text as a value, for who needs a few words of a document that is too large to be read.

What the cut left open is closed. An array and a string that go on beyond it are a `CutArray` and a `CutString`, whose length says nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.wire import json_codec

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json

HEAD_BYTES = 16 << 10
"""How much of a text is looked at: some milliseconds of work."""

_TOKEN = re.compile(
    rb'"(?:[^"\\]|\\u[0-9a-fA-F]{4}|\\[^u])*(?P<end>"?)|[][{},:]', re.DOTALL
)  # an escape that was cut is no part of its string
_CLOSERS = {b"{": b"}", b"[": b"]"}


class CutArray(list["Json"]):
    """The first items of an array."""


class CutString(str):
    """The first characters of a string."""

    __slots__ = ()


def read_beginning(text: bytes, limit: int = HEAD_BYTES) -> Json:
    """The value of JSON `text` as far as its first `limit` bytes tell.

    Raises:
        JsonSyntaxError: it does not begin like JSON.
    """
    if len(text) <= limit:
        return json_codec.read_value(text)
    closed, closers, in_string = _close(text[:limit])
    return _mark(json_codec.read_value(closed), len(closers), in_string=in_string)


def _close(head: bytes) -> tuple[bytes, list[bytes], bool]:
    """The text up to where it can be cut, closed; what closes it, and whether it was cut within a string."""
    closers: list[
        bytes
    ] = []  # the text can be cut at `safe` with these open: only a bracket changes them, and it is safe
    safe, is_name = 0, False
    for token, start, end, is_whole in _tokens(head):
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
            string = head[:end].decode("utf-8", "ignore").encode()  # no half of a character
            return string + b'"' + b"".join(reversed(closers)), closers, True
    return head[:safe] + b"".join(reversed(closers)), closers, False


def _tokens(head: bytes) -> Iterator[tuple[bytes, int, int, bool]]:
    """Brackets, signs and strings: text (of a string its quote alone), start, end, and whether it is whole."""
    for found in _TOKEN.finditer(head):
        token = found[0][:1]
        yield token, found.start(), found.end(), token != b'"' or bool(found["end"])


def _mark(value: Json, depth: int, *, in_string: bool) -> Json:
    """Say of what goes on beyond the cut that it does: the last item of the last item, `depth` levels deep."""
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
