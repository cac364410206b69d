"""What a value of a message stands for: base64, JSON in a string, a token, a URL, a time. Pure; never raises, and nothing is loaded or verified.

A decoding is shown beside the value, never instead of it. Only what is sure enough is decoded: letters that could be base64 by chance are not.
Secrets in it are masked as everywhere else.

Source: RFC 4648, section 4; RFC 7519, section 3; RFC 2397; RFC 3986, section 2.1.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import unquote

from inspector.frozen import FrozenStruct
from inspector.spec import mirrored_headers
from inspector.spec.media_types import (
    base64_ends,
    base64_problem,
    base64_size,
    decode_base64,
    essence,
    kind_of,
)
from inspector.wire import json_codec
from inspector.wire.argument_secrets import mask_arguments
from inspector.wire.json_codec import JsonSyntaxError, RawJson, RawNumber
from inspector.wire.json_web_token import token_claims, token_header
from inspector.wire.redaction import MASK, is_secret_name, mask_oauth, mask_target

if TYPE_CHECKING:
    from inspector.wire.json_codec import Json

MAX_TEXT = 20_000
"""Characters of a decoding; what is left out is said in its title."""

MAX_JSON = 1 << 16
"""Characters of JSON in a string that are read."""

MAX_BYTES = 64 << 10
"""Bytes of base64 that are decoded, from the beginning."""

DUMPED_BYTES = 256
"""Bytes of what is no text that are displayed."""

MIN_BASE64 = 16
"""Shorter texts are base64 by chance."""

MIN_BASE64_DATA = 64
"""The same for bytes that are no text, in a member that often holds base64."""


class Decoding(FrozenStruct, frozen=True):
    """What a value stands for."""

    title: str
    """Its form and what it holds, such as `Base64 · image/png · 120 bytes`."""
    text: str
    """What it says; empty where there is nothing to read."""
    is_verified: bool = True
    """False for what a token claims."""


def decodings(value: Json, name: str = "") -> tuple[Decoding, ...]:
    """Return what the value of the member `name` stands for; empty where it stands for nothing but itself."""
    if isinstance(value, bool) or value is None or isinstance(value, (RawJson, dict, list)):
        return ()
    if not isinstance(value, str):
        return _time(value, name)
    found = next((found for read in _READERS if (found := read(value, name))), None)
    if found is None:
        return _digits_time(value, name)
    is_hidden = is_secret_name(name) and found.is_verified and bool(found.text)
    return (Decoding(found.title, MASK) if is_hidden else found,)


def _token(value: str, name: str) -> Decoding | None:
    token = value.rpartition(" ")[2]
    header, claims = token_header(token), token_claims(token)
    if header is None or claims is None or not isinstance(header.get("alg"), str):
        return None
    texts = (json_codec.write(header), json_codec.write(claims, indent=2))
    text, more = _cut("\n".join(texts))
    return Decoding(f"JSON Web Token{more}", text, is_verified=False)


def _data_url(value: str, name: str) -> Decoding | None:
    found = _DATA_URL.match(value)
    if found is None:
        return None
    kind = essence(found[1]) or "text/plain"
    body = value[found.end() :]
    if not found[2]:
        raw = unquote(body[: 3 * MAX_BYTES], errors="replace")
        text, more = _cut(raw)
        cut_off = f" · from the first {3 * MAX_BYTES:,} characters" * (len(body) > 3 * MAX_BYTES)
        return Decoding(f"Data URL · {kind}{more or cut_off}", text)
    inner = _beginning(body)
    if not inner:
        return None
    size = base64_size(body)
    what, text, more = _content(inner, size)
    kinds = kind if what in {"", "text", "JSON", kind} else f"{kind}, but its bytes are {what}"
    return Decoding(f"Data URL · {kinds} · {_bytes(size)}{more}", text)


def _header_value(value: str, name: str) -> Decoding | None:
    if len(value) > MAX_BYTES or (decoded := mirrored_headers.decode(value)) == value:
        return None
    text, more = _cut(decoded)
    return Decoding(f"Header value in base64{more}", text)


def _json(value: str, name: str) -> Decoding | None:
    ends = value[:1000].lstrip()[:1] + value[-1000:].rstrip()[-1:]
    if ends not in {"{}", "[]"}:
        return None
    if len(value) > MAX_JSON:
        return Decoding(f"Perhaps JSON · {len(value):,} characters, too large to decode", "")
    written = _json_text(value.encode("utf-8", "surrogatepass"))
    if written is None:
        return None
    text, more = _cut(written)
    return Decoding(f"JSON in a string{more}", text)


def _base64(value: str, name: str) -> Decoding | None:
    is_binary = name == "blob"
    if len(value) < (4 if is_binary else MIN_BASE64) or base64_problem(value):
        return None
    if not is_binary and _HEX.fullmatch(value[:200]):
        return None
    raw, size = _beginning(value), base64_size(value)
    if not raw:
        return None
    what, text, more = _content(raw, size)
    is_data = is_binary or (name == "data" and len(value) >= MIN_BASE64_DATA)
    if not what and not is_data:
        return None
    parts = ("Base64", what, f"{_bytes(size)}{more}")
    return Decoding(" · ".join(part for part in parts if part), text)


def _url(value: str, name: str) -> Decoding | None:
    if len(value) > MAX_BYTES or not _ESCAPED_URL.fullmatch(value):
        return None
    try:
        # Masked before, too: a secret may hold an escaped `&`, at which it would end.
        decoded = unquote(mask_target(value), errors="strict")
    except UnicodeDecodeError:
        return None
    # Piece by piece: a URL in a parameter has parameters of its own.
    text, more = _cut("".join(map(mask_target, _INNER_URL.split(decoded))))
    return Decoding(f"URL without percent-encoding{more}", text)


_READERS = (_token, _data_url, _header_value, _json, _url, _base64)
"""In the order in which they are asked; the surest first."""

_DATA_URL = re.compile(r"data:([^,;\s]*)(?:;(?!base64)[^,;\s]*)*+(;base64)?,", re.IGNORECASE)
_ESCAPED_URL = re.compile(
    r"(?=[^\s%]*+%[0-9A-Fa-f]{2})(?:[A-Za-z][A-Za-z0-9+.-]*+(?:://|%3[Aa]%2[Ff]%2[Ff])|/)\S+"
)
_INNER_URL = re.compile(r"(?<==)(?=[A-Za-z][A-Za-z0-9+.-]*://)")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")


def _beginning(base64: str) -> bytes:
    """The first bytes of base64; empty where it is none."""
    if len(base64) * 3 // 4 <= MAX_BYTES:
        return decode_base64(base64).data or b""
    return base64_ends(base64, MAX_BYTES)[0]


def _content(raw: bytes, size: int) -> tuple[str, str, str]:
    """What kind of content it is, its text, and how much of it that is."""
    if kind := kind_of(raw):
        return kind, "", ""
    is_whole = len(raw) >= size
    try:
        text = raw.decode() if is_whole else raw[: _character_start(raw)].decode()
    except UnicodeDecodeError:
        text = ""
    if not text or _UNPRINTABLE.search(text):
        more = f" · first {DUMPED_BYTES} bytes" if size > DUMPED_BYTES else ""
        return "", raw[:DUMPED_BYTES].hex(" "), more
    written = _json_text(raw) if is_whole and text.lstrip()[:1] in {"{", "["} else None
    text, more = _cut(written or text)
    if not is_whole and not more:
        more = f" · first {len(text):,} characters"
    return "JSON" if written else "text", text, more


_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


def _character_start(raw: bytes) -> int:
    """Where the last character begins: it may be cut off."""
    at = len(raw) - 1
    while at > 0 and raw[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _json_text(raw: bytes) -> str | None:
    try:
        return json_codec.write(json_codec.read(raw).value, indent=2)
    except JsonSyntaxError:
        return None


def _masked(text: str) -> str:
    """A text without the secrets that a name in it tells, whether of a JSON member, a parameter or a form."""
    masked = mask_arguments((text,))[0]
    return mask_oauth(masked.encode("utf-8", "surrogatepass")).decode("utf-8", "surrogatepass")


def _cut(text: str) -> tuple[str, str]:
    """The beginning of a text without its secrets, and what is said where there is more."""
    masked = _masked(text[: 2 * MAX_TEXT])  # a secret may go on beyond the cut
    if len(text) <= MAX_TEXT:
        return masked, ""
    return masked[:MAX_TEXT], f" · first {MAX_TEXT:,} of {len(text):,} characters"


def _bytes(size: int) -> str:
    return f"{size:,} byte{'s' * (size != 1)}"


_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_TIME_PARTS = frozenset(
    {"time", "timestamp", "ts", "date", "at", "exp", "iat", "nbf", "expires", "expiry", "epoch"}
    | {"created", "updated", "modified", "mtime", "ctime", "atime", "birthtime", "since", "until"}
    | {"started", "ended", "finished"}
)
"""Parts of the name of a member whose value is a time; any other number is only a number."""

_UNITS = (("seconds", 1), ("milliseconds", 10**3), ("microseconds", 10**6), ("nanoseconds", 10**9))
_FROM, _UNTIL = 1_000_000_000, 4_102_444_800
"""Seconds from 2001 to 2100: a number beyond is no time in this unit."""


def _time(value: float, name: str) -> tuple[Decoding, ...]:
    if not any(part.lower() in _TIME_PARTS for part in _NAME_PART.findall(name)):
        return ()
    for unit, per_second in _UNITS:
        if _FROM * per_second <= value < _UNTIL * per_second:
            moment = datetime.fromtimestamp(float(value) / per_second, UTC)
            spec = "seconds" if unit == "seconds" and value == int(value) else "milliseconds"
            text = moment.isoformat(" ", spec).removesuffix("+00:00")
            return (Decoding(f"Time · {unit} since 1970", f"{text} UTC"),)
    return ()


def _digits_time(value: str, name: str) -> tuple[Decoding, ...]:
    is_number = len(value) <= 20 and value.isascii() and re.fullmatch(r"\d+(?:\.\d+)?", value)
    return _time(RawNumber(value), name) if is_number else ()
