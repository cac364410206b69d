"""Bytes that travel as base64 text.

Decoding never raises and never fetches: what looks like an address stays text.
"""

from __future__ import annotations

import base64
import binascii
import re
import string

from inspector.frozen import FrozenStruct

_DATA_URL = re.compile(r"data:([^;,]*)(?:;[^,]*)?,", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SPACE = re.compile(r"\s+")

_ALPHABET = string.ascii_letters.encode() + string.digits.encode() + b"+/="

LOOKED_AT = 1 << 18
"""Characters at each end of a longer text that are looked at."""


class Binary(FrozenStruct, frozen=True):
    """What a base64 text holds."""

    data: bytes | None
    """The bytes, or None when the text holds none."""
    problem: str = ""
    """What is wrong with the text, in words."""


def decode(text: str) -> Binary:
    """Read base64 text: the standard alphabet; tolerated, with words, are a `data:` prefix, the alphabet for URLs and white space."""
    problem, found = shape_problem(text), _DATA_URL.match(text)
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


def shape_problem(text: str) -> str:
    """Say what is wrong at first sight; cheap, however long the text is."""
    if text[:5].lower() == "data:":
        return "`data:` prefix not allowed; base64 only"
    if _ADDRESS.match(text):
        return "a URL, not base64; not loaded"
    return ""


def text_problem(text: str) -> str:
    """Say what keeps `text` from being base64, or how it departs from it; of long texts only the two ends are looked at.

    Source: RFC 4648, section 4; server/tools, "Image Content" ("base64-encoded-data").
    """
    if problem := shape_problem(text):
        return problem
    if not text:
        return "it is empty"
    ends = text if len(text) <= 2 * LOOKED_AT else text[:LOOKED_AT] + text[-LOOKED_AT:]
    strange = ends.encode("utf-8", "surrogatepass").translate(None, _ALPHABET)
    if strange and not strange.translate(None, b"-_ \t\r\n"):
        return "it is base64 of a kind the specification does not allow: with white space, or with the alphabet for URLs"
    if strange:
        character = next(each for each in ends if ord(each) > 127 or ord(each) not in _ALPHABET)
        return f"it is not base64: it holds the character {character!r}"
    if len(text) % 4:
        return f"it is not whole base64: its length, {len(text):,}, is not a multiple of 4"
    return ""


def ends(text: str, count: int) -> tuple[bytes, bytes]:
    """Return about `count` bytes at the beginning and at the end of what is base64 by `text_problem`, without decoding all of it."""
    characters = -(-count // 3) * 4
    try:
        return base64.b64decode(text[:characters]), base64.b64decode(text[-characters:])
    except (binascii.Error, ValueError):
        return b"", b""


def size(text: str) -> int:
    """Return how many bytes base64 text holds, without decoding it."""
    start = found.end() if (found := _DATA_URL.match(text)) else 0
    length = len(text) - start
    padding = 2 if text.endswith("==") else 1 if text.endswith("=") else 0
    return max(0, (length - padding) * 3 // 4)
