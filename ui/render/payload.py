"""Bytes that a server put into JSON: decoded within limits, and named by what they are, not by what they claim. Pure.

Source: requirements C-ICO-07 and C-ICO-08: withstand bombs, verify magic bytes against an allow-list.
"""

from __future__ import annotations

import base64
import binascii
import re

from inspector.frozen import FrozenStruct
from inspector.spec.image_damage import damage
from inspector.spec.media_types import HEAD_BYTES, TAIL_BYTES, essence, kind_of, missing_end

MAX_ENCODED = 96_000_000
"""Characters of base64 that are decoded at most."""

_SPACE = re.compile(r"\s+")
_DATA_URL = re.compile(r"data:([^,;]*)(?:;[^,;]*)*?;base64,", re.IGNORECASE)
_NOT_BASE64 = re.compile(r"[^A-Za-z0-9+/=]")
_OTHER_URL = re.compile(r"[a-z][a-z0-9+.-]{1,20}:", re.IGNORECASE)

PICTURES = {
    "image/png": b"png",
    "image/jpeg": b"jpeg",
    "image/gif": b"gif",
    "image/webp": b"webp",
}
"""Media types that are drawn → the name of Qt's reader for them. Nothing else is ever given to a decoder."""


class Payload(FrozenStruct, frozen=True):
    """What was in a `data` or `blob` field."""

    raw: bytes
    """The bytes; empty if they could not be read."""
    found: str = ""
    """The media type that the bytes themselves show; empty if unknown."""
    notes: tuple[str, ...] = ()
    """The problems of the encoding."""
    unreadable: bool = False
    """Whether the field held no base64."""


def decode(data: str) -> Payload:
    """Read base64, tolerantly: a `data:` prefix and white space are remarked on, not refused."""
    if not data:
        return Payload(b"", notes=("the data is empty: 0 bytes",))
    if len(data) > MAX_ENCODED:
        text = f"too large to decode ({len(data):,} base64 characters)"
        return Payload(b"", notes=(text,), unreadable=True)
    notes: list[str] = []
    if (prefix := _DATA_URL.match(data)) is not None:
        notes.append("“data:” prefix not allowed here; ignored")
        data = data[prefix.end() :]
    elif _OTHER_URL.match(data):
        text = "a URL, not base64; not loaded"
        return Payload(b"", notes=(text,), unreadable=True)
    return _decoded(data, notes)


def _decoded(data: str, notes: list[str]) -> Payload:
    if _SPACE.search(data):
        notes.append("base64 contains whitespace")
        data = _SPACE.sub("", data)
    if ("-" in data or "_" in data) and "+" not in data and "/" not in data:
        notes.append("base64url alphabet used")
        data = data.replace("-", "+").replace("_", "/")
    if len(data) % 4:
        notes.append("base64 padding missing")
        data += "=" * (-len(data) % 4)
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return Payload(b"", notes=(*notes, _why_not_base64(data)), unreadable=True)
    kind = kind_of(raw)
    if missing := missing_end(kind, raw[-TAIL_BYTES:], raw[:HEAD_BYTES], len(raw)):
        notes.append(f"the {kind} ends early, after {len(raw):,} bytes: {missing}")
    elif found := damage(kind, raw):
        notes.append(f"the {kind} is damaged: {found}")
    return Payload(raw, kind, tuple(notes))


def _why_not_base64(data: str) -> str:
    if strange := _NOT_BASE64.search(data):
        character = strange[0]
        formatted = f"“{character}”" if character.isprintable() else f"U+{ord(character):04X}"
        return f"not valid base64: {formatted} at character {strange.start() + 1:,}"
    return "not valid base64: padding (“=”) in the wrong place"


def is_textual(mime: str) -> bool:
    """Whether content of this media type is text to read."""
    kind = essence(mime)
    if kind.startswith("text/") or kind.endswith(("+json", "+xml")):
        return True
    return kind in TEXTUAL


TEXTUAL = {
    "application/json",
    "application/ld+json",
    "application/xml",
    "application/javascript",
    "application/typescript",
    "application/x-yaml",
    "application/yaml",
    "application/toml",
    "application/sql",
    "application/x-sh",
    "application/x-ndjson",
    "image/svg+xml",
}
"""Media types that are text although they do not say so."""
