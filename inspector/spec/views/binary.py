"""Bytes that travel as base64 text.

Decoding never raises and never fetches: what looks like an address stays text.
"""

from __future__ import annotations

import base64
import binascii
import re

from inspector.fact import Fact

_DATA_URL = re.compile(r"data:([^;,]*)(?:;[^,]*)?,", re.IGNORECASE)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_SPACE = re.compile(r"\s+")


class Binary(Fact, frozen=True):
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
        return Binary(None, problem or "this is not base64")
    return Binary(data, problem or "this is base64 of a kind the specification does not allow")


def shape_problem(text: str) -> str:
    """Say what is wrong at first sight; cheap, however long the text is."""
    if text[:5].lower() == "data:":
        return "a `data:` prefix is not allowed here, only base64"
    if _ADDRESS.match(text):
        return "this is an address, not base64; it is not fetched"
    return ""


def size(text: str) -> int:
    """Return how many bytes base64 text holds, without decoding it."""
    start = found.end() if (found := _DATA_URL.match(text)) else 0
    length = len(text) - start
    padding = 2 if text.endswith("==") else 1 if text.endswith("=") else 0
    return max(0, (length - padding) * 3 // 4)
