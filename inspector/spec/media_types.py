"""Media types: what bytes are by their beginning and end, beside what they are called. Pure; nothing is decoded as an image or audio.

Source: requirements C-ICO-07 and C-ICO-08: withstand bombs, verify magic bytes against an allow-list; L-TOOL-43.
"""

from __future__ import annotations

MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (8, b"WAVE", "audio/wav"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"\xff\xfb", "audio/mpeg"),
    (4, b"ftyp", "video/mp4"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\x1f\x8b", "application/gzip"),
)
"""(position, bytes there, media type)."""

HEAD_BYTES = 16
"""Bytes at the beginning that are enough for `kind_of`."""

TAIL_BYTES = 1 << 16
"""Bytes at the end in which the end marker is looked for: other programs may have added some behind it."""

_KNOWN = frozenset(kind for _, _, kind in MAGIC)

_CONTAINERS = frozenset({"application/zip", "application/gzip", "audio/ogg", "video/mp4"})
"""Formats in which others travel: a document of an office, an SVG, audio, an image of a camera."""

_SAME = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "audio/mp3": "audio/mpeg",
    "audio/wave": "audio/wav",
    "audio/x-wav": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/x-flac": "audio/flac",
    "application/x-gzip": "application/gzip",
    "application/x-zip-compressed": "application/zip",
    "application/octet-stream": "",
}
"""Other names of media types."""

_ENDS: dict[str, tuple[bytes, str]] = {
    "image/png": (b"IEND", "IEND chunk"),
    "image/jpeg": (b"\xff\xd9", "end-of-image marker"),
    "image/gif": (b";", "trailer"),
    "application/pdf": (b"%%EOF", "%%EOF marker"),
}
"""Media type → the bytes that end such a file, and what they are called."""


def essence(media_type: str) -> str:
    """Return a media type without parameters, in lower case."""
    return media_type.partition(";")[0].strip().lower()


def kind_of(raw: bytes) -> str:
    """Return the media type by magic bytes; empty if none of `MAGIC` fits."""
    return next((kind for at, magic, kind in MAGIC if raw[at : at + len(magic)] == magic), "")


def mismatch(media_type: str, raw: bytes) -> str:
    """Return the media type that bytes are although they are called `media_type`; empty where that fits, or cannot be told."""
    found, declared = kind_of(raw), essence(media_type)
    declared = _SAME.get(declared, declared)
    if not found or not declared or declared == found:
        return ""
    return "" if found in _CONTAINERS and declared not in _KNOWN else found


def missing_end(kind: str, tail: bytes, head: bytes, size: int) -> str:
    """Return what a file of `size` bytes lacks at its end; empty if nothing, or if its format has no end.

    `tail` and `head` are its last and first bytes.
    """
    if kind in _ENDS:
        end, name = _ENDS[kind]
        return "" if end in tail[-TAIL_BYTES:] else f"its {name} is missing"
    if head[:4] == b"RIFF" and len(head) >= 8:
        promised = int.from_bytes(head[4:8], "little") + 8
        return "" if size >= promised else f"its header says {promised:,}"
    return ""
