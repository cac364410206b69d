"""Binary data in messages: base64 text, and the media type of bytes by their first and last ones. Pure; nothing raises or is loaded.

Images and audio are never decoded here: a small file can unpack to a huge one, so magic bytes are compared with an allow-list
(C-ICO-07, C-ICO-08, L-TOOL-43).
"""

from __future__ import annotations

import base64
import binascii
import re
import string

from inspector.frozen import FrozenStruct

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

START_BYTES = max(at + len(magic) for at, magic, _ in MAGIC)

HEAD_BYTES = 16
"""Bytes at the beginning that are enough for `kind_of`."""

TAIL_BYTES = 1 << 16
"""Bytes at the end that are searched for the end marker: other programs may have appended data."""

_KNOWN = frozenset(kind for _, _, kind in MAGIC)

_MARKED = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
"""Formats whose files all begin with their magic bytes."""

OTHER_TYPE = "of another type"

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
    """Return what bytes are although they are called `media_type`, a media type or "of another type"; empty where that fits, or cannot be told."""
    found, declared = kind_of(raw), essence(media_type)
    declared = _SAME.get(declared, declared)
    if not found and len(raw) >= START_BYTES and declared in _MARKED:
        return OTHER_TYPE
    if not found or not declared or declared == found:
        return ""
    return "" if found in _CONTAINERS and declared not in _KNOWN else found


def missing_end(kind: str, end_bytes: bytes, start: bytes, size: int) -> str:
    """Return what a file of `size` bytes lacks at its end; empty if nothing, or if its format has no end.

    `start` and `end_bytes` are its first and last bytes.
    """
    if kind in _ENDS:
        end, name = _ENDS[kind]
        return "" if end in end_bytes[-TAIL_BYTES:] else f"its {name} is missing"
    if start[:4] == b"RIFF" and len(start) >= 8:
        promised = int.from_bytes(start[4:8], "little") + 8
        return "" if size >= promised else f"its header says {promised:,}"
    return ""


_DATA_URL = re.compile(r"data:([^;,]*)(?:;[^,]*)?,", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
MAX_SCHEME = 64
"""Characters within which the scheme of a URL ends: base64 may be all letters, and megabytes."""

_SPACE = re.compile(r"\s+")

_ALPHABET = string.ascii_letters.encode() + string.digits.encode() + b"+/="

MAX_END_CHARACTERS = 1 << 18
"""Characters at each end of a longer text that are looked at."""


class Binary(FrozenStruct, frozen=True):
    """What a base64 text holds."""

    data: bytes | None
    """The bytes, or None when the text holds none."""
    problem: str = ""
    """What is wrong with the text."""


def decode_base64(text: str) -> Binary:
    """Decode base64 text; a `data:` prefix, the URL alphabet and whitespace are tolerated, with a problem."""
    problem, found = _prefix_problem(text), _DATA_URL.match(text)
    if problem and not found:
        return Binary(None, problem)
    body = text[found.end() :] if found else text
    try:
        return Binary(base64.b64decode(body, validate=True), problem)
    except (binascii.Error, ValueError):
        return _decode_loosely(body, problem)


def _decode_loosely(body: str, problem: str) -> Binary:
    tidy = _SPACE.sub("", body).replace("-", "+").replace("_", "/").rstrip("=")
    try:
        data = base64.b64decode(tidy + "=" * (-len(tidy) % 4), validate=True)
    except (binascii.Error, ValueError):
        return Binary(None, problem or "not valid base64")
    return Binary(data, problem or "not standard base64 (RFC 4648, section 4)")


def _prefix_problem(text: str) -> str:
    """Say what is wrong at first sight; cheap, however long the text is."""
    if text[:5].lower() == "data:":
        return "`data:` prefix not allowed; base64 only"
    if _ADDRESS.match(text, 0, MAX_SCHEME):
        return "a URL, not base64; not loaded"
    return ""


def base64_problem(text: str) -> str:
    """Say what keeps `text` from being base64, or how it departs from it; of long texts only the two ends are looked at.

    Source: RFC 4648, section 4; server/tools, "Image Content" ("base64-encoded-data").
    """
    if problem := _prefix_problem(text):
        return problem
    if not text:
        return "it is empty"
    ends = (
        text
        if len(text) <= 2 * MAX_END_CHARACTERS
        else text[:MAX_END_CHARACTERS] + text[-MAX_END_CHARACTERS:]
    )
    strange = ends.encode("utf-8", "surrogatepass").translate(None, _ALPHABET)
    if strange and not strange.translate(None, b"-_ \t\r\n"):
        has_space, has_url = strange.strip(b"-_"), strange.translate(None, b" \t\r\n")
        kinds = [
            *(["white space"] if has_space else []),
            *(["the alphabet for URLs"] if has_url else []),
        ]
        return (
            f"it is base64 of a kind the specification does not allow: with {' and '.join(kinds)}"
        )
    if strange:
        character = next(each for each in ends if ord(each) > 127 or ord(each) not in _ALPHABET)
        return f"it is not base64: it holds the character {character!r}"
    if len(text) % 4:
        return f"it is not whole base64: its length, {len(text):,}, is not a multiple of 4"
    return ""


def base64_ends(text: str, count: int) -> tuple[bytes, bytes]:
    """Return about `count` bytes at both ends of a text without `base64_problem`, without decoding the rest."""
    characters = -(-count // 3) * 4
    try:
        return base64.b64decode(text[:characters]), base64.b64decode(text[-characters:])
    except (binascii.Error, ValueError):
        return b"", b""


def base64_size(text: str) -> int:
    """Return how many bytes base64 text holds, without decoding it."""
    start = found.end() if (found := _DATA_URL.match(text)) else 0
    length = len(text) - start
    padding = 2 if text.endswith("==") else 1 if text.endswith("=") else 0
    return max(0, (length - padding) * 3 // 4)
