"""Damage in the middle of a PNG or JPEG file, as far as it is certain without decoding pixels. Pure; never raises.

Only what no decoder can make good counts: a wrong checksum of a chunk that every decoder needs, a marker that does not exist among the pixels. What
some encoders do and every decoder skips (other bytes between segments, bytes behind the end) is no damage.

Source: PNG (Third Edition), 5.3 "Chunk layout"; ITU-T T.81, B.1.1 "Syntactic requirements".
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING
from zlib import crc32

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_BYTES = 1 << 20
"""Bytes of a file that is examined, which takes some milliseconds."""

MAX_PARTS = 10_000
"""Chunks or markers of a file that is examined: far above what an encoder writes into a file of that size."""

_SIGNATURE_BYTES, _CHUNK_BYTES = 8, 12
"""Of a PNG file: its signature, and what a chunk has besides its data."""

_CRITICAL = re.compile(rb"[A-Z]{4}")
"""Types of chunks that no decoder may ignore."""

_TYPE = re.compile(rb"[A-Za-z]{4}")

_MARKER = re.compile(rb"\xff([\x01-\xfe])")
"""A marker, without the bytes 0xFF that may fill the space before it; among pixels, 0xFF that is none is followed by 0x00."""

_EXAMINED_FRAMES = frozenset({0xC0, 0xC1, 0xC2})
"""Baseline, extended and progressive JPEG: other kinds of frames have other rules for their pixels."""

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC} | {0xF7}
_RESTARTS = range(0xD0, 0xD8)
_START, _END, _SCAN, _HIERARCHY = 0xD8, 0xD9, 0xDA, 0xDE
_ALONE = frozenset({0x01, _START, *_RESTARTS})
"""Markers without a segment."""

_AFTER_PIXELS = frozenset({0xC4, 0xCC, 0xFE, *range(0xD9, 0xE0), *range(0xE0, 0xF0)})
"""Markers that may follow the pixels of a scan."""


def damage(kind: str, raw: bytes) -> str:
    """Return what is damaged in a file of this media type; empty if nothing certainly is, or if it is too large to be examined."""
    find = _FINDERS.get(kind)
    return "" if find is None or len(raw) > MAX_BYTES else find(raw)


def _png_damage(raw: bytes) -> str:
    at = _SIGNATURE_BYTES
    for _ in range(MAX_PARTS):
        if at + _CHUNK_BYTES > len(raw):
            return "its IEND chunk is missing"
        size, name = int.from_bytes(raw[at : at + 4], "big"), raw[at + 4 : at + 8]
        end = at + _CHUNK_BYTES + size
        if not _TYPE.fullmatch(name):
            return f"there is no chunk at byte {at:,}"
        chunk = f"its chunk {name.decode()} at byte {at:,}"
        if end > len(raw):
            return f"{chunk} ends behind the file"
        found = int.from_bytes(raw[end - 4 : end], "big")
        if _CRITICAL.fullmatch(name) and found != crc32(raw[at + 4 : end - 4]):
            return f"{chunk} has a wrong checksum"
        if name == b"IEND":
            return ""
        at = end
    return ""


def _jpeg_damage(raw: bytes) -> str:
    if next(islice(_MARKER.finditer(raw), MAX_PARTS, None), None) is not None:
        return ""
    at, is_examined = 2, False
    while (found := _MARKER.search(raw, at)) is not None:
        marker, at = found[1][0], found.end()
        if marker in {_END, _HIERARCHY}:
            return ""
        if marker in _ALONE:
            continue
        if marker in _FRAMES:
            is_examined = marker in _EXAMINED_FRAMES
        at += max(2, int.from_bytes(raw[at : at + 2], "big"))
        if at > len(raw):
            return f"its segment at byte {found.start():,} ends behind the file"
        if marker == _SCAN:
            if not is_examined:
                return ""
            at, problem = _scan_end(raw, at)
            if problem:
                return problem
    return "its end-of-image marker is missing"


def _scan_end(raw: bytes, at: int) -> tuple[int, str]:
    """Return where the pixels that begin at `at` end, and what is damaged in them."""
    restarts = 0
    for found in _MARKER.finditer(raw, at):
        marker, position = found[1][0], f"at byte {found.start():,}"
        if marker in _RESTARTS:
            if marker - _RESTARTS.start != restarts % len(_RESTARTS):
                return found.end(), f"its restart marker {position} is out of order"
            restarts += 1
        elif marker in _AFTER_PIXELS:
            return found.start(), ""
        else:
            return found.end(), f"there are no pixels {position}, but the marker 0x{marker:02X}"
    return len(raw), ""


_FINDERS: dict[str, Callable[[bytes], str]] = {
    "image/png": _png_damage,
    "image/jpeg": _jpeg_damage,
}
