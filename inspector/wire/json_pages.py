"""The text of a long array in pages of whole items, found one after the other. Pure; the text is one that was read as JSON.

A page costs a few milliseconds, and only as many are found as are needed: an array of ten million numbers takes half a second as a whole.
A page ends at a comma near its size if what is before that comma is whole items. Where none of the last commas is such a one, the items are skipped
one by one, up to the first that reaches that size.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from inspector.frozen import FrozenStruct

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE_BYTES = 64 << 10
"""Text of a page; more where an item is longer."""

MAX_CUTS = 4
"""Commas of either kind at which the end of a page is tried."""

_CUT_BYTES = 4096
"""The last bytes of a page, in which its end is searched; those of an array likewise."""

_CUT = {
    b"{": re.compile(rb"(?<=\})\s*+,(?=\s*+\{)"),
    b"[": re.compile(rb"(?<=\])\s*+,(?=\s*+\[)"),
    b'"': re.compile(rb'(?<=")\s*+,(?=\s*+")'),
}
"""Commas that are likely between two items, by the first sign of the first item."""

_COMMA = re.compile(rb",")
_TRAILING = re.compile(r".*trailing characters \(byte ([0-9]+)\)")

decode_items = msgspec.json.Decoder(list[msgspec.Raw]).decode
"""The items of an array, unread."""

skip = msgspec.json.Decoder(msgspec.Raw).decode
"""The whole text, unread, if it is JSON."""


class ItemPage(FrozenStruct, frozen=True):
    """Some items of an array."""

    start: int
    """Where their text begins."""
    stop: int
    """Where it ends: at the comma, or at the end of the array."""
    count: int


def has_many_items(text: bytes | msgspec.Raw) -> bool:
    """Whether the text of an array is so long, with so many commas in it, that it is read in pages."""
    if len(text) <= _MANY_BYTES:
        return False
    view, commas, at = memoryview(text), 0, 0
    while commas < _MANY_COMMAS and at < len(view):
        commas += bytes(view[at : at + _MANY_BYTES]).count(b",")
        at += _MANY_BYTES
    return commas >= _MANY_COMMAS


_MANY_BYTES = 1 << 18
_MANY_COMMAS = 200_000
"""As many small items are found at once in some 15 milliseconds."""


def pages(text: memoryview) -> Iterator[ItemPage]:
    """Yield the pages of the items of an array, whose `text` is without its brackets."""
    start = 0
    while start < len(text):
        page = _page(text, start)
        yield page
        start = page.stop + 1


def items_text(text: bytes | msgspec.Raw) -> memoryview:
    """Return the text of an array without its brackets."""
    view = memoryview(text)
    margin = _MARGIN.match(view)
    assert margin is not None
    end = len(view)
    while not (tail := bytes(view[max(end - _CUT_BYTES, 0) : end]).rstrip()):
        end -= _CUT_BYTES
    return view[margin.end() : max(end - _CUT_BYTES, 0) + len(tail) - 1]


_MARGIN = re.compile(rb"\s*+\[")


def _page(text: memoryview, start: int) -> ItemPage:
    window = bytes(text[start : start + PAGE_BYTES])
    is_last = start + len(window) == len(text)
    for cut in [len(window)] if is_last else _cuts(window):
        try:
            count = len(decode_items(b"[%b]" % window[:cut]))
        except (msgspec.DecodeError, RecursionError):
            continue  # that comma is inside an item
        return ItemPage(start, start + cut, count)
    return _skipped(text, start)


def _cuts(window: bytes) -> Iterator[int]:
    """Yield the last commas of a window, the likely ones first."""
    tail = len(window) - _CUT_BYTES
    likely = _CUT.get(window[:64].lstrip()[:1])
    for pattern in (likely, _COMMA):
        found = pattern.finditer(window, tail) if pattern is not None else iter(())
        yield from islice(reversed([each.end() - 1 for each in found]), MAX_CUTS)


def _skipped(text: memoryview, start: int) -> ItemPage:
    """Return the page of items that are skipped one by one."""
    at, count = start, 1
    while (stop := at + _length(text[at:])) < min(start + PAGE_BYTES, len(text)):
        at, count = stop + 1, count + 1
    return ItemPage(start, stop, count)


def _length(text: memoryview) -> int:
    """Return the length of the item with which a text of items begins."""
    try:
        skip(text)
    except msgspec.DecodeError as error:
        found = _TRAILING.fullmatch(str(error))
        return int(found[1]) - 1 if found is not None else len(text)
    except RecursionError:
        return _deep_length(text)
    return len(text)


def _deep_length(text: memoryview) -> int:
    """Do the same for an item that is nested too deeply to be read from here."""
    depth = 0
    for found in _SIGN.finditer(text):
        if not depth and found[0] == b",":
            return found.start()
        depth += (found[0] in b"[{") - (found[0] in b"]}")
    return len(text)


_SIGN = re.compile(rb'[][{},]|"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)


def page_items(text: memoryview, page: ItemPage) -> list[msgspec.Raw]:
    """Return the items of a page, unread."""
    rest = text[page.start : page.stop]
    try:
        return decode_items(b"[%b]" % rest)
    except RecursionError:
        items: list[msgspec.Raw] = []
        for _ in range(page.count):
            length = _length(rest)
            items.append(msgspec.Raw(bytes(rest[:length]).strip()))
            rest = rest[length + 1 :]
        return items
